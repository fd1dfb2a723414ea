// What the proton commands march, tell and write.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/cli/proton_sum.h"
#include "app/cli/terminal.h"

namespace sluice::cli {
namespace {

Json to_json(proton::Share const& s) {
    return {{"weight", s.weight}, {"energy_MeV", s.energy}};
}

Result<proton::MarchResult> run_dense(proton::Config const& config, proton::Physics const& physics,
                                      proton::Beam const& beam, proton::MarchOptions const& march) {
    proton::DenseOptions o = *config.dense;
    o.scattering = march.scattering;
    o.straggling = march.straggling;
    o.nuclear = march.nuclear;
    o.out_of_plane = march.out_of_plane;
    o.splitting = march.splitting;
    o.precision = march.precision;
    o.device = march.device.with_threads(march.threads);
    o.progress = march.progress;
    SLUICE_TRY(proton::DenseSolver solver,
               proton::DenseSolver::create(physics, config.phantom, beam, o));
    SLUICE_CHECK(solver.run());
    return solver.result();
}

}  // namespace

Result<proton::MarchResult> march_one(proton::Config const& config, proton::Physics const& physics,
                                      proton::Beam const& beam,
                                      proton::MarchOptions const& options) {
    return config.dense ? run_dense(config, physics, beam, options)
                        : march(physics, config.phantom, beam, options);
}

Result<std::vector<proton::Guard>> check_all(proton::Config& config) {
    ProgressBar progress("checking", ProgressBar::Counts::steps);
    config.options.progress = progress.callback();
    auto guards = guards_before(config);
    config.options.progress = {};
    return guards;
}

Result<ProtonSum> march_all(proton::Config const& config, int threads) {
    ProtonSum sum;
    proton::Physics const physics(config.water);
    proton::MarchOptions options = config.options;
    options.threads = threads;
    options.let_map = true;
    auto const beams = static_cast<std::uint64_t>(config.beams.size());
    ProgressBar progress("marching", ProgressBar::Counts::steps);
    double const start = now();
    for (std::uint64_t b = 0; b < beams; ++b) {
        options.progress = [&](std::uint64_t done, std::uint64_t planes) {
            return progress(b * planes + done, beams * planes);
        };
        auto one = march_one(config, physics, config.beams[b], options);
        if (!one) return one.error();
        proton::MarchResult r = std::move(*one);
        if (b == 0)
            sum.total = std::move(r);
        else
            add(sum.total, r);
    }
    sum.seconds = now() - start;
    return sum;
}

std::vector<std::string> assumptions(proton::Config const& c) {
    bool const icru = c.water == proton::WaterTable::icru90;
    std::vector<std::string> out = {
        icru ? "water: ICRU 90, I = 78 eV" : "water: NIST PSTAR, I = 75 eV",
        c.options.scattering ? "scattering: (15 MeV/pv)^2/X_S, Gaussian" : "no scattering",
        c.options.straggling ? "straggling: Bohr" : "no straggling",
        c.options.nuclear
            ? "nuclear reactions: local, secondary and neutral parts fitted to TOPAS, LET of "
              "secondary protons to SHIELD-HIT12A and FLUKA (84 to 150 MeV); their halo is not "
              "followed"
            : "no nuclear reactions",
        c.options.out_of_plane ? "paths are lengthened by the angle out of the plane"
                               : "the angle out of the plane is left out",
        c.options.splitting == proton::Splitting::strang
            ? "steps: Strang's splitting, second order in dz"
            : "steps: first-order splitting, to compare with",
        "results are integrals over y: divide the dose by the thickness in y"};
    if (c.dense)
        out.emplace_back(
            "dense mode: shared between neighbouring cells by first order; the tail of elastic "
            "nuclear collisions is left out");
    out.insert(out.end(), c.assumed.begin(), c.assumed.end());
    return out;
}

std::vector<std::string> warnings(std::vector<proton::Guard> const& guards) {
    std::vector<std::string> out;
    for (proton::Guard const& g : guards)
        if (g.severity != proton::Severity::note) out.push_back(sentence(g));
    return out;
}

void print_guards(std::vector<proton::Guard> const& guards) {
    constexpr int most = 3;
    std::map<std::string, int> said;
    for (proton::Guard const& g : guards) {
        bool const note = g.severity == proton::Severity::note;
        if (++said[g.name] > most) continue;
        fmt::print(stderr, "sluice: {}: {}\n", note ? "note" : "warning", sentence(g));
    }
    for (auto const& [name, times] : said)
        if (times > most)
            fmt::print(stderr, "sluice: note: {} more of {}; all are in the report\n", times - most,
                       name);
}

Json to_json(std::vector<proton::Guard> const& guards) {
    Json all = Json::array();
    for (proton::Guard const& g : guards) {
        Json one = {{"name", g.name},
                    {"value", g.value},
                    {"limit", g.limit},
                    {"unit", g.unit},
                    {"severity", name_of(g.severity)},
                    {"text", g.text}};
        if (!g.key.empty()) one["key"] = g.key;
        if (!g.wanted.empty()) one["wanted"] = g.wanted;
        all.push_back(std::move(one));
    }
    return all;
}

Status refuse(std::vector<proton::Guard> const& guards, std::string const& path, bool anyway) {
    Status const s = proton::refuse(guards);
    if (s || anyway) return {};
    return Error{s.error().code,
                 s.error().message + "\n  the dose would be wrong; --anyway computes it", path};
}

Json to_json(proton::Ledger const& l) {
    proton::Share const rest = l.residual();
    return {{"in", to_json(l.in)},
            {"stopped", to_json(l.stopped)},
            {"left", to_json(l.left)},
            {"right", to_json(l.right)},
            {"end", to_json(l.end)},
            {"front", to_json(l.front)},
            {"backward", to_json(l.backward)},
            {"angles", to_json(l.angles)},
            {"nuclear", to_json(l.nuclear)},
            {"nuclear_local_MeV", l.local},
            {"nuclear_secondary_MeV", l.secondary},
            {"nuclear_neutral_MeV", l.neutral},
            {"nuclear_secondary_out_MeV", l.secondary_out},
            {"truncated", to_json(l.truncated)},
            {"residual", to_json(rest)}};
}

Json to_json(proton::BraggMetrics const& m) {
    return {{"R90_mm", m.r90},
            {"R80_mm", m.r80},
            {"R50_mm", m.r50},
            {"peak_mm", m.peak_depth},
            {"fall_off_80_20_mm", m.fall_off},
            {"width_mm", m.width},
            {"peak_to_entrance", m.peak_to_entrance}};
}

Json to_json(proton::Sobp const& s) {
    Json layers = Json::array();
    for (proton::Beam const& b : s.beams)
        layers.push_back({{"energy_MeV", b.energy}, {"weight", b.weight}});
    return {{"range_mm", s.range},
            {"begin_mm", s.begin},
            {"end_mm", s.end},
            {"flatness", s.flatness},
            {"plateau_MeV_per_mm", s.plateau},
            {"entrance_to_plateau", s.entrance},
            {"layers", std::move(layers)}};
}

// Gy mm a proton.
Array<float> dose_of(proton::Config const& c, proton::MarchResult const& r, double protons) {
    constexpr double joule_per_mev = 1.602176634e-13, kg_per_mm3 = 1e-6;
    Array<float> out{{r.planes, r.columns}, {}};
    for (index k = 0; k < r.planes; ++k)
        for (index i = 0; i < r.columns; ++i) {
            double const e = r.deposit[static_cast<std::size_t>(k * r.columns + i)] / protons;
            double const mass = c.phantom.at(k, i).density * kg_per_mm3 * r.dz * r.dx;
            out.values.push_back(static_cast<float>(mass > 0 ? e * joule_per_mev / mass : 0));
        }
    return out;
}

void print_ledger(proton::Ledger const& l) {
    fmt::print("\n{:<34}{:>14}{:>14}\n", "where everything went", "protons %", "energy %");
    auto const row = [&](std::string_view name, double weight, double energy,
                         bool has_weight = true) {
        fmt::print("  {:<32}{:>14}{:>14.4g}\n", name,
                   has_weight ? fmt::format("{:.4g}", 100 * weight / l.in.weight) : "",
                   100 * energy / l.in.energy);
    };
    row("stopped and slowed down", l.stopped.weight, l.stopped.energy);
    row("nuclear reactions", l.nuclear.weight, l.nuclear.energy);
    row("  of it left at the place", 0, l.local, false);
    row("  of it left by secondaries", 0, l.secondary, false);
    row("  of it neutral, gone", 0, l.neutral, false);
    row("  of it out of the last plane", 0, l.secondary_out, false);
    row("out of the sides", l.left.weight + l.right.weight, l.left.energy + l.right.energy);
    row("out of the last plane", l.end.weight, l.end.energy);
    if (l.front.weight > 0) row("back out of the first plane", l.front.weight, l.front.energy);
    if (l.backward.weight > 0) row("refused, flying back", l.backward.weight, l.backward.energy);
    row("out of the window of angles", l.angles.weight, l.angles.energy);
    row("truncated", l.truncated.weight, l.truncated.energy);
    proton::Share const rest = l.residual();
    row("residual", rest.weight, rest.energy);
}

}  // namespace sluice::cli
