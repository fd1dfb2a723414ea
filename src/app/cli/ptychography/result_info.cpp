// Facts of a result of ptychography: sizes, pixels, stages, how it ended.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ptychography/result_info.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "app/cli/shell/terminal.h"
#include "app/view/ptychography/result_facts.h"
#include "base/plural.h"

namespace sluice::cli {
namespace {

using stem4d::Position;

// A line for each of the text.
void lines(std::string_view name, std::string const& text) {
    for (std::size_t at = 0; at <= text.size();) {
        std::size_t const end = std::min(text.find('\n', at), text.size());
        print_line(name, text.substr(at, end - at));
        at = end + 1;
    }
}

std::string some(index count, std::string_view what) {
    return plural(count, what);
}

// rms and most, in pixels.
std::array<double, 2> moves_of(stem4d::PtychographyResult const& r) {
    double sum = 0, most = 0;
    for (std::size_t j = 0; j < r.started.size(); ++j) {
        double const moved = std::hypot(r.positions[j].row - r.started[j].row,
                                        r.positions[j].col - r.started[j].col);
        sum += moved * moved;
        most = std::max(most, moved);
    }
    return {r.started.empty() ? 0 : std::sqrt(sum / static_cast<double>(r.started.size())), most};
}

std::string moves_text(stem4d::PtychographyResult const& r) {
    if (r.started.empty()) return "how they moved is not known";
    auto const [rms, most] = moves_of(r);
    if (most == 0) return "as given";
    return fmt::format("moved by {:.3g} pixels rms, {:.3g} at most", rms, most);
}

std::string stages_text(std::vector<app::MonitoredJob::Stage> const& stages) {
    std::vector<std::string> parts;
    for (auto const& stage : stages)
        parts.push_back(fmt::format(
            "{} {}", stage.solver.empty() ? "solver not known" : stage.solver, stage.iterations));
    return fmt::format("{}", fmt::join(parts, ", then "));
}

void print(app::ShownResult const& shown, app::MonitoredJob const& job) {
    auto const& r = shown.saved.result;
    say("{}\n", shown.path);
    print_line("format", "result of ptychography (HDF5)");
    print_line("object", fmt::format("{} of {} x {}", some(job.slices, "slice"), r.object.shape[1],
                                     r.object.shape[2]));
    if (job.slices > 1 && job.slice_nm > 0)
        print_line("slices", fmt::format("{:.4g} nm apart", job.slice_nm));
    std::vector<std::string> powers;
    for (double const p : r.mode_powers) powers.push_back(fmt::format("{:.3g} %", 100 * p));
    print_line("probe", fmt::format("{} of {} x {} ({})", some(job.modes, "mode"), job.window,
                                    job.window, fmt::join(powers, ", ")));
    print_line("pixel", job.pixel_nm > 0 ? fmt::format("{:.5g} nm", job.pixel_nm) : "not known");
    if (job.wavelength_nm > 0)
        print_line("wavelength", fmt::format("{:.4g} pm", job.wavelength_nm * 1e3));
    print_line("positions", fmt::format("{}, {}", job.patterns, moves_text(r)));
    print_line("iterations", fmt::format("{} ({})", r.rounds.size(), stages_text(job.stages)));
    if (!r.rounds.empty())
        print_line(
            "R",
            fmt::format("{:.4f}{}", r.rounds.back().r,
                        r.floor > 0 ? fmt::format("; counting alone leaves {:.4f}", r.floor) : ""));
    for (auto const& [name, value] : shown.saved.provenance.fields)
        if (name == "source" || name == "command") lines(name, value);
    for (std::string const& note : r.notes) print_line("note", note);
}

Json json_of(app::ShownResult const& shown, app::MonitoredJob const& job) {
    auto const& r = shown.saved.result;
    Json j{{"path", shown.path},
           {"format", "ptychography"},
           {"object", r.object.shape},
           {"probe", r.probe.shape},
           {"mode_powers", r.mode_powers},
           {"pixel_nm", job.pixel_nm},
           {"wavelength_nm", job.wavelength_nm},
           {"slice_nm", job.slice_nm},
           {"positions", job.patterns},
           {"iterations", r.rounds.size()}};
    if (!r.started.empty()) j["moved_pixels"] = moves_of(r);
    j["stages"] = Json::array();
    for (auto const& stage : job.stages)
        j["stages"].push_back({{"solver", stage.solver}, {"iterations", stage.iterations}});
    j["r"] = r.rounds.empty() ? Json(nullptr) : Json(r.rounds.back().r);
    j["poisson_floor"] = r.floor;
    j["settings"] = Json::object();
    for (auto const& [name, value] : shown.saved.settings) j["settings"][name] = value;
    j["provenance"] = Json::object();
    for (auto const& [name, value] : shown.saved.provenance.fields) j["provenance"][name] = value;
    j["notes"] = r.notes;
    return j;
}

}  // namespace

Status result_info(std::string const& path, Json* json) {
    app::ShownResult shown{.name = path, .path = path};
    SLUICE_TRY(shown.saved, stem4d::load_ptychography(path));
    app::MonitoredJob const job = app::job_of(shown);
    if (json)
        *json = json_of(shown, job);
    else
        print(shown, job);
    return {};
}

}  // namespace sluice::cli
