// sluice proton base-data: depth doses of many energies for other dose engines.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cli/proton/command.h"
#include "app/cli/proton/report.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "config/quantity.h"
#include "sluice/proton_base_data.h"

namespace sluice::cli {
namespace {

using config::Dimension;

struct Command {
    std::string from, to, out, water = "icru90";
    std::string spread = "0 MeV", step = "0.5 mm", spot = "5 mm";
    index count = 0;
    int threads = 0;
    bool json = false;
};

Result<double> quantity(std::string const& option, std::string const& text, Dimension dimension) {
    auto const q = config::parse_quantity(text, dimension);
    if (q) return *q;
    return Error{Code::invalid_argument, fmt::format("{} {}", option, q.error().message)};
}

Result<std::vector<proton::BaseEnergy>> compute(Command const& c, proton::Physics const& physics) {
    proton::BaseDataOptions options;
    SLUICE_TRY(double const from, quantity("--from", c.from, Dimension::energy));
    SLUICE_TRY(double const to, quantity("--to", c.to, Dimension::energy));
    SLUICE_TRY(options.energy_spread, quantity("--energy-spread", c.spread, Dimension::energy));
    SLUICE_TRY(options.step, quantity("--step", c.step, Dimension::length));
    SLUICE_TRY(std::vector<double> const energies, base_energies(physics, from, to, c.count));
    options.threads = c.threads;
    ProgressBar progress("marching");
    std::vector<proton::BaseEnergy> data;
    for (double const energy : energies) {
        auto const done = static_cast<std::uint64_t>(data.size());
        options.progress = [&](std::uint64_t planes, std::uint64_t all) {
            return progress(done * all + planes, all * energies.size());
        };
        SLUICE_TRY(proton::BaseEnergy one, base_energy(physics, energy, options));
        data.push_back(std::move(one));
    }
    return data;
}

void tell(Command const& c, std::vector<proton::BaseEnergy> const& data, double seconds) {
    if (c.json) {
        Json j;
        j["path"] = c.out;
        j["seconds"] = seconds;
        for (proton::BaseEnergy const& b : data)
            j["energies"].push_back({{"energy_MeV", b.energy},
                                     {"R80_mm", b.range},
                                     {"peak_mm", b.peak},
                                     {"depths", b.depth.size()},
                                     {"guards", to_json(b.guards)}});
        fmt::print("{}\n", text_of(j));
        return;
    }
    fmt::print("{:>10}{:>10}{:>10}{:>10}\n", "MeV", "R80 mm", "peak mm", "depths");
    for (proton::BaseEnergy const& b : data)
        fmt::print("{:>10.3f}{:>10.2f}{:>10.2f}{:>10}\n", b.energy, b.range, b.peak,
                   b.depth.size());
    fmt::print("\n{:.1f} s; {}\n", seconds, c.out);
}

Status run(Command const& c) {
    if (!c.out.ends_with(".mat"))
        return Error{Code::invalid_argument,
                     "is no name of a MAT file; give one like protons_NAME.mat", c.out};
    SLUICE_TRY(double const spot, quantity("--spot-sigma", c.spot, Dimension::length));
    bool const icru = c.water == "icru90";
    double const start = now();
    proton::Physics const physics(icru ? proton::WaterTable::icru90 : proton::WaterTable::pstar);
    SLUICE_TRY(std::vector<proton::BaseEnergy> const data, compute(c, physics));
    std::string warned;
    for (proton::BaseEnergy const& b : data)
        for (std::string const& w : warnings(b.guards)) {
            fmt::print(stderr, "sluice: warning: {}\n", w);
            warned += fmt::format("; {:g} MeV: {}", b.energy, w);
        }
    SLUICE_CHECK(save_base_data(
        c.out, data, spot,
        fmt::format("marched through water ({}); one Gaussian, parallel beam; LET: dose-averaged, "
                    "of primary protons{}",
                    icru ? "ICRU 90, I = 78 eV" : "NIST PSTAR, I = 75 eV", warned)));
    tell(c, data, now() - start);
    return {};
}

void add_options(Verb const& app, Command& c) {
    app.add_option("--from", c.from, "the lowest energy, as in \"70 MeV\"")->required();
    app.add_option("--to", c.to, "the highest energy")->required();
    app.add_option("--count", c.count, "of energies, their ranges equally far apart")->required();
    app.add_option("--out", c.out, "the file; matRad wants protons_NAME.mat")->required();
    app.add_option("--energy-spread", c.spread, "standard deviation of each energy")
        ->capture_default_str();
    app.add_option("--step", c.step, "of depth")->capture_default_str();
    app.add_option("--spot-sigma", c.spot, "of the beam in air, at any distance")
        ->capture_default_str();
    app.add_option("--water", c.water, "stopping powers: icru90 (I = 78 eV) or pstar (75 eV)")
        ->check(one_of({"icru90", "pstar"}))
        ->capture_default_str();
    app.add_option("--threads", c.threads, "0: one per processor")->check(in_range(0, 1024));
    app.add_flag("--json", c.json, "print the energies as JSON");
}

}  // namespace

void add_proton_base_data(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand(
        "base-data", "depth dose, spread and LET of many energies, as matRad reads them");
    auto const c = std::make_shared<Command>();
    add_options(*app, *c);
    app->footer(
        "Examples:\n"
        "  sluice proton base-data --from \"70 MeV\" --to \"200 MeV\" --count 40 "
        "--out protons_mine.mat\n"
        "  sluice proton base-data --from \"100 MeV\" --to \"100 MeV\" --count 1 "
        "--energy-spread \"0.6 MeV\" --spot-sigma \"4 mm\" --out protons_100.mat");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
