// sluice proton base-data: depth doses of many energies for other dose engines.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cli/proton/command.h"
#include "app/cli/proton/report.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "domain/proton/config/fields.h"
#include "sluice/proton_base_data.h"

namespace sluice::cli {
namespace {

using config::Dimension;

struct Command {
    std::string out;
    double from = 0, to = 0;  // MeV
    double spot_sigma = 5;    // mm
    index count = 0;
    proton::Config config;  // its water
    proton::BaseDataOptions options;
    CommonOptions common;
};

Result<std::vector<proton::BaseEnergy>> compute(Command const& c, proton::Physics const& physics) {
    proton::BaseDataOptions options = c.options;
    SLUICE_TRY(std::vector<double> const energies, base_energies(physics, c.from, c.to, c.count));
    options.threads = c.common.threads;
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
    if (c.common.json) {
        Json j;
        j["path"] = c.out;
        j["seconds"] = seconds;
        for (proton::BaseEnergy const& b : data)
            j["energies"].push_back({{"energy_MeV", b.energy},
                                     {"R80_mm", b.range},
                                     {"peak_mm", b.peak},
                                     {"depths", b.depth.size()},
                                     {"guards", to_json(b.guards)}});
        say("{}\n", text_of(j));
        return;
    }
    say("{:>10}{:>10}{:>10}{:>10}\n", "MeV", "R80 mm", "peak mm", "depths");
    for (proton::BaseEnergy const& b : data)
        say("{:>10.3f}{:>10.2f}{:>10.2f}{:>10}\n", b.energy, b.range, b.peak, b.depth.size());
    say("\n{:.1f} s; {}\n", seconds, c.out);
}

Status run(Command const& c) {
    if (!c.out.ends_with(".mat"))
        return Error{Code::invalid_argument,
                     "is not the name of a MAT file; give one like protons_NAME.mat", c.out};
    bool const icru = c.config.water == proton::WaterTable::icru90;
    double const start = now();
    proton::Physics const physics(c.config.water);
    SLUICE_TRY(std::vector<proton::BaseEnergy> const data, compute(c, physics));
    std::string warned;
    for (proton::BaseEnergy const& b : data)
        for (std::string const& w : warnings(b.guards)) {
            say(stderr, "sluice: warning: {}\n", w);
            warned += fmt::format("; {:g} MeV: {}", b.energy, w);
        }
    SLUICE_CHECK(
        save_base_data(c.out, data, c.spot_sigma,
                       fmt::format("marched through water ({}); two Gaussians, parallel beam; LET: "
                                   "dose-averaged, of all protons{}",
                                   icru ? "ICRU 90, I = 78 eV" : "NIST PSTAR, I = 75 eV", warned)));
    tell(c, data, now() - start);
    return {};
}

void add_options(Verb const& app, Command& c) {
    app.add_quantity("--from", c.from, Dimension::energy, "the lowest energy, as in \"70 MeV\"")
        .required();
    app.add_quantity("--to", c.to, Dimension::energy, "the highest energy").required();
    app.add_option("--count", c.count, "of energies, their ranges equally far apart")->required();
    app.add_option("--out", c.out, "the file; matRad wants protons_NAME.mat")->required();
    app.add_fields(proton::base_data_fields(), c.options);
    app.add_quantity("--spot-sigma", c.spot_sigma, Dimension::length,
                     "of the beam in air, at any distance");
    app.add_fields(proton::water_fields(), c.config);
    c.common.add(app, {.threads = applies(), .json = applies("print the energies as JSON")});
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
