// What the proton commands march, tell and write.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/cli/shell/terminal.h"

namespace sluice::cli {
namespace {

Json to_json(proton::Share const& s) {
    return {{"weight", s.weight}, {"energy_MeV", s.energy}};
}

}  // namespace

Result<ProtonSum> march_all(proton::Config const& config, int threads, Trace* trace) {
    ProgressBar progress("marching", ProgressBar::Counts::steps);
    double const start = now();
    SLUICE_TRY(proton::MarchResult total, march_beams(config, threads, progress.callback(), trace));
    return ProtonSum{std::move(total), now() - start};
}

Result<std::vector<proton::Guard>> check_all(proton::Config& config) {
    ProgressBar progress("checking", ProgressBar::Counts::steps);
    config.options.progress = progress.callback();
    auto guards = guards_before(config);
    config.options.progress = {};
    return guards;
}

void print_guards(std::vector<proton::Guard> const& guards) {
    constexpr int most = 3;
    std::map<std::string, int> said;
    for (proton::Guard const& g : guards) {
        bool const note = g.severity == proton::Severity::note;
        if (++said[g.name] > most) continue;
        say(stderr, "sluice: {}: {}\n", note ? "note" : "warning", sentence(g));
    }
    for (auto const& [name, times] : said)
        if (times > most)
            say(stderr, "sluice: note: {} more of {}; all are in the report\n", times - most, name);
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

void print_ledger(proton::Ledger const& l) {
    say("\n{:<34}{:>14}{:>14}\n", "where everything went", "protons %", "energy %");
    auto const row = [&](std::string_view name, double weight, double energy,
                         bool has_weight = true) {
        say("  {:<32}{:>14}{:>14.4g}\n", name,
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
