// Machines of proton beams as lines and as JSON.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/machine_info.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "sluice/proton_machine.h"

namespace sluice::cli {
namespace {

using proton::Machine;
using proton::MachineEnergy;
using proton::SpotGaussian;

Json json_of(SpotGaussian const& g) {
    return {{"weight", g.weight},
            {"sigma_mm", g.sigma},
            {"divergence_rad", g.divergence},
            {"covariance_mm", g.covariance}};
}

Json json_of(MachineEnergy const& e) {
    Json spots = Json::array();
    for (SpotGaussian const& g : e.spots) spots.push_back(json_of(g));
    Json out = {{"nominal_MeV", e.nominal},
                {"mean_MeV", e.mean},
                {"spread_MeV", e.spread},
                {"protons_per_mu", e.protons_per_mu > 0 ? Json(e.protons_per_mu) : Json()},
                {"spots", spots},
                {"depths", e.kernel.depth.size()}};
    if (!e.kernel.depth.empty()) {
        out["range_mm"] = e.kernel.range;
        out["peak_mm"] = e.kernel.peak;
    }
    return out;
}

Json json_of(Machine const& m, std::string const& path) {
    Json energies = Json::array(), shifters = Json::array();
    for (MachineEnergy const& e : m.energies) energies.push_back(json_of(e));
    for (auto const& s : m.shifters) shifters.push_back({{"name", s.name}, {"water_mm", s.water}});
    return {{"path", path},
            {"format", "machine of proton beams"},
            {"name", m.name},
            {"source_mm", m.source},
            {"plane_mm", m.plane},
            {"air_included", m.air_included},
            {"kernel_air_mm", m.kernel_air},
            {"energies", energies},
            {"shifters", shifters},
            {"notes", m.notes}};
}

// "4 mm" where x and y are the same.
std::string both(std::array<double, 2> const& v, double factor, std::string_view unit,
                 int digits = 4) {
    if (v[0] == v[1]) return fmt::format("{:.{}g} {}", v[0] * factor, digits, unit);
    return fmt::format("{:.{}g} and {:.{}g} {}", v[0] * factor, digits, v[1] * factor, digits,
                       unit);
}

std::string spot_line(SpotGaussian const& g) {
    std::array<std::string, 2> correlation;
    for (std::size_t i = 0; i < 2; ++i) {
        double const most = g.sigma[i] * g.divergence[i];
        correlation[i] = fmt::format("{:.3g}", most > 0 ? g.covariance[i] / most : 0.0);
    }
    auto const& [x, y] = correlation;
    std::string text = fmt::format("sigma {}, divergence {}", both(g.sigma, 1, "mm"),
                                   both(g.divergence, 1000, "mrad"));
    if (x != "0" || y != "0") text += ", correlation " + (x == y ? x : x + " and " + y);
    return text;
}

void print_energy(MachineEnergy const& e) {
    std::string text = fmt::format("mean {:.6g} MeV, spread {:.3g} MeV", e.mean, e.spread);
    if (e.protons_per_mu > 0) text += fmt::format(", {:.4g} protons per MU", e.protons_per_mu);
    if (!e.kernel.depth.empty()) text += fmt::format("; range in water {:.4g} mm", e.kernel.range);
    print_line(fmt::format("{:g} MeV", e.nominal), text);
    for (SpotGaussian const& g : e.spots)
        print_line("", e.spots.size() == 1
                           ? spot_line(g)
                           : fmt::format("{:.3g} % of {}", 100 * g.weight, spot_line(g)));
}

void print_machine(Machine const& m) {
    print_line("format", "machine of proton beams");
    print_line("name", m.name);
    print_line("source", both(m.source, 1, "mm", 6) + " from the isocentre");
    print_line("plane", fmt::format("spots are told {:g} mm above the isocentre; the air behind is "
                                    "{}",
                                    m.plane, m.air_included ? "included" : "not included"));
    MachineEnergy const &first = m.energies.front(), &last = m.energies.back();
    print_line("energies", m.energies.size() == 1
                               ? fmt::format("1, {:g} MeV", first.nominal)
                               : fmt::format("{}, {:g} to {:g} MeV", m.energies.size(),
                                             first.nominal, last.nominal));
    print_line("depth doses",
               first.kernel.depth.empty() ? "none: they are marched" : "in water, of all energies");
    for (auto const& s : m.shifters)
        print_line("shifter", fmt::format("'{}': {:g} mm of water", s.name, s.water));
    // The ends and the middle tell what the others are like.
    std::vector<std::size_t> shown{0, m.energies.size() / 2, m.energies.size() - 1};
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
    for (std::size_t const i : shown) print_energy(m.energies[i]);
    for (std::string const& note : m.notes) print_line("note", note);
}

}  // namespace

Status machine_info(std::string const& path, Json* json) {
    SLUICE_TRY(Machine const m, proton::read_machine(path));
    if (json) {
        *json = json_of(m, path);
        return {};
    }
    say("{}\n", path);
    print_machine(m);
    return {};
}

}  // namespace sluice::cli
