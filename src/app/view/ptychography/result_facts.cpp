// A result's numbers and settings, as the job and the state that pages know.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/ptychography/result_facts.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace sluice::app {
namespace {

using stem4d::SavedPtychography;

std::string setting(SavedPtychography const& saved, std::string const& name) {
    for (auto const& [known, value] : saved.settings)
        if (known == name) return value;
    return {};
}

index whole_setting(SavedPtychography const& saved, std::string const& name, index otherwise) {
    std::string const text = setting(saved, name);
    index value = otherwise;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

// Of a pattern; 0: not known.
index size_of_patterns(SavedPtychography const& saved) {
    auto const& r = saved.result;
    if (!r.background.values.empty()) return r.background.shape[1];
    index const bin = whole_setting(saved, "detector_bin", 0);
    bool const usual = setting(saved, "window") == "0" && bin > 0;
    return usual ? r.probe.shape[2] / bin : 0;
}

std::vector<MonitoredJob::Stage> stages_of(SavedPtychography const& saved) {
    std::vector<MonitoredJob::Stage> stages;
    for (auto const& round : saved.result.rounds) {
        auto const number = static_cast<std::size_t>(round.stage);
        // A number of a stage is no reason to take much memory.
        if (number >= 1000) break;
        if (stages.size() <= number) stages.resize(number + 1);
        ++stages[number].iterations;
    }
    for (std::size_t s = 0; s < stages.size(); ++s) {
        std::string const prefix = fmt::format("stage {} ", s + 1);
        stages[s].solver = setting(saved, prefix + "solver");
        stages[s].refines = setting(saved, prefix + "refine_positions") == "true";
    }
    return stages;
}

Json pairs(stem4d::SettingTexts const& texts) {
    Json out = Json::array();
    for (auto const& [name, value] : texts) out.push_back({name, value});
    return out;
}

Json told_state(MonitoredJob const& job, SavedPtychography const& saved, std::uint64_t number) {
    auto const& r = saved.result;
    double seconds = 0;
    for (auto const& round : r.rounds)
        if (std::isfinite(round.seconds)) seconds += round.seconds;
    auto const patterns = static_cast<std::uint64_t>(job.patterns) * r.rounds.size();
    return {{"job", number},
            {"state", "saved"},
            {"message", ""},
            {"iteration", r.rounds.size()},
            {"iterations", r.rounds.size()},
            {"done", patterns},
            {"total", patterns},
            {"rate", nullptr},
            {"left", nullptr},
            {"elapsed", seconds},
            {"r", r.rounds.empty() ? Json(nullptr) : Json(r.rounds.back().r)},
            {"floor", r.floor > 0 ? Json(r.floor) : Json(nullptr)},
            {"curve", 0},
            {"snapshot", 1},
            {"snapshot_iteration", r.rounds.size()},
            {"powers", r.mode_powers},
            {"job_notes", r.notes}};
}

}  // namespace

MonitoredJob job_of(ShownResult const& result) {
    auto const& saved = result.saved;
    auto const& r = saved.result;
    return {.name = result.name,
            .patterns = std::ssize(r.positions),
            .size = size_of_patterns(saved),
            .window = r.probe.shape[2],
            .pixel_nm = r.pixel_nm,
            .wavelength_nm = saved.wavelength_nm,
            .slices = r.object.shape[0],
            .modes = r.probe.shape[0],
            .slice_nm = r.slice_nm,
            .stages = stages_of(saved)};
}

Json told_result(ShownResult const& result, std::uint64_t number) {
    MonitoredJob const described = job_of(result);
    Json job = told_job(described, number);
    job["path"] = result.path;
    job["about"] = pairs(result.saved.provenance.fields);
    job["settings"] = pairs(result.saved.settings);
    return {{"job", job}, {"state", told_state(described, result.saved, number)}};
}

}  // namespace sluice::app
