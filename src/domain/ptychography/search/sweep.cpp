// ptychography_sweep(): all combinations of settings, ranked.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/ptychography/search/alone.h"
#include "sluice/ptychography_check.h"
#include "sluice/ptychography_search.h"

namespace sluice::ptycho {

namespace {

using stem4d::Patterns;
using stem4d::PtychographyOptions;
using stem4d::SweepAxis;
using stem4d::SweepOptions;
using stem4d::SweepRun;

Result<std::vector<PtychographyOptions>> combinations(SweepOptions const& options,
                                                      std::vector<SweepRun>& runs) {
    index count = 1;
    for (SweepAxis const& axis : options.axes) {
        count *= std::ssize(axis.values);
        if (count == 0 || count > 1000)
            return Error{Code::invalid_argument,
                         fmt::format("the sweep has {} (1 to 1000 are possible) give each setting "
                                     "some values, not too many",
                                     count ? "more than 1000 runs" : "no run")};
    }
    std::vector<PtychographyOptions> all;
    for (index i = 0; i < count; ++i) {
        PtychographyOptions one = options.base;
        SweepRun run;
        index left = i;
        for (auto axis = options.axes.rbegin(); axis != options.axes.rend(); ++axis) {
            auto const& value =
                axis->values[static_cast<std::size_t>(left % std::ssize(axis->values))];
            left /= std::ssize(axis->values);
            SLUICE_CHECK(stem4d::set(one, axis->name, value));
            run.settings.emplace_back(axis->name, value);
        }
        std::ranges::reverse(run.settings);
        runs.push_back(std::move(run));
        all.push_back(std::move(one));
    }
    return all;
}

Status run_one(Patterns const& seen, Patterns const& kept_back, PtychographyOptions const& options,
               SweepRun& run) {
    SLUICE_TRY(auto const result, stem4d::ptychography(seen, options));
    run.r = result.rounds.back().r;
    run.floor = result.floor;
    for (auto const& round : result.rounds) run.seconds += round.seconds;
    if (kept_back.count() > 0) {
        SLUICE_TRY(run.held_out_r, stem4d::held_out_r(kept_back, result, options));
    }
    for (auto const& finding : result.findings)
        if (finding.found) run.findings.push_back(finding.name);
    SLUICE_TRY(run.phase, stem4d::lit_phase(result));
    return {};
}

}  // namespace

}  // namespace sluice::ptycho

namespace sluice::stem4d {

Result<std::vector<SweepRun>> ptychography_sweep(Patterns const& patterns,
                                                 SweepOptions const& options) {
    SLUICE_CHECK(check_patterns(patterns));
    if (!(options.held_out >= 0 && options.held_out <= 0.2))
        return Error{Code::invalid_argument,
                     "the part of patterns that is held out must be 0 to 0.2 (the others must "
                     "still overlap)"};
    SLUICE_CHECK(ptycho::alone(options.base));
    if (options.held_out > 0) SLUICE_CHECK(ptycho::begins_anew(options.base));
    std::vector<SweepRun> runs;
    SLUICE_TRY(auto const all, ptycho::combinations(options, runs));
    // Evenly spread, from the middle of each stretch: the first and the last pattern stay.
    std::vector<index> seen, kept_back;
    double due = 0.5;
    for (index j = 0; j < patterns.count(); ++j) {
        due += options.held_out;
        (due >= 1 ? kept_back : seen).push_back(j);
        if (due >= 1) due -= 1;
    }
    SLUICE_TRY(Patterns const back, part_of(patterns, kept_back));
    SLUICE_TRY(Patterns const rest,
               part_of(patterns, kept_back.empty() ? std::vector<index>() : seen));
    for (std::size_t i = 0; i < runs.size(); ++i) {
        auto these = all[i];
        if (options.base.progress)
            these.progress = [&, i](std::uint64_t done, std::uint64_t of) {
                return options.base.progress(done + i * of, of * runs.size());
            };
        Status const done =
            ptycho::run_one(kept_back.empty() ? patterns : rest, back, these, runs[i]);
        if (done) continue;
        if (done.error().code == Code::cancelled) return done.error();
        runs[i].error = done.error().message;
    }
    std::ranges::stable_sort(runs, {}, [&](SweepRun const& run) {
        double const r = kept_back.empty() ? run.r : run.held_out_r;
        return run.error.empty() && std::isfinite(r) ? r : HUGE_VAL;
    });
    return runs;
}

}  // namespace sluice::stem4d
