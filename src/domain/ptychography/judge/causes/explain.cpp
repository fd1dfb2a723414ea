// explain_misfit(): each cause in a short reconstruction, beside the settings as they were.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/run.h"
#include "domain/ptychography/judge/causes/causes.h"
#include "domain/ptychography/judge/outcome.h"
#include "domain/ptychography/search/alone.h"
#include "sluice/ptychography_check.h"
#include "sluice/ptychography_search.h"

namespace sluice::ptycho {

namespace {

using stem4d::Judgement;
using stem4d::Position;
using stem4d::PtychographyResult;
using stem4d::PtychographyStage;

constexpr index iterations = 10;
// R of two trials of the same model differs by less (docs/guide/ptychography.md).
constexpr double margin = 0.025;

// The middle of the places, and how far each is from it.
std::vector<double> from_middle(std::vector<Position> const& places) {
    auto const median = [&](double Position::*axis) {
        std::vector<double> all;
        for (auto const& p : places) all.push_back(p.*axis);
        auto const middle = all.begin() + std::ssize(all) / 2;
        std::nth_element(all.begin(), middle, all.end());
        return *middle;
    };
    double const row = median(&Position::row), col = median(&Position::col);
    std::vector<double> away;
    for (auto const& p : places) away.push_back(std::hypot(p.row - row, p.col - col));
    return away;
}

// So many nearest to the middle, nearest first.
std::vector<index> inner(std::vector<Position> const& places, index most) {
    auto const away = from_middle(places);
    std::vector<index> numbers(places.size());
    std::iota(numbers.begin(), numbers.end(), index{0});
    std::ranges::stable_sort(numbers, {},
                             [&](index j) { return away[static_cast<std::size_t>(j)]; });
    numbers.resize(static_cast<std::size_t>(std::min<index>(most, std::ssize(numbers))));
    return numbers;
}

// Each trial begins anew with the same solver, whatever the run did. Fits of amplitudes converge
// from any start, and minimise R.
PtychographyOptions short_run(PtychographyOptions const& options) {
    PtychographyOptions o = options;
    PtychographyStage const& last = options.stages.back();
    // With momentum, more modes would come further in ten iterations where nothing is wrong.
    o.stages = {PtychographyStage{.iterations = iterations,
                                  .group = 16,
                                  .likelihood = stem4d::Likelihood::amplitude,
                                  .momentum = 0,
                                  .fix_probe = last.fix_probe}};
    o.object.clear();
    o.positions.clear();
    o.checkpoint.clear();
    o.resume.clear();
    o.object_start = stem4d::ObjectStart::ones;
    o.stop_early = false;
    o.communicator = nullptr;
    o.progress = {};
    o.watch = {};
    o.trace = nullptr;  // its stages and iterations are those of the run
    o.device = options.device.host(options.device.threads());
    return o;
}

Result<double> r_of(Trial const& trial, PtychographyOptions const& options) {
    SLUICE_TRY(auto const result, stem4d::ptychography(trial.seen, options));
    if (!on_patterns_grid(options)) return result.rounds.back().r;
    return stem4d::held_out_r(trial.held_out, result, options);
}

Result<double> r_with(Cause const& cause, Trial trial, PtychographyOptions options) {
    auto const& m = cause.tried.turn;
    for (auto* const patterns : {&trial.seen, &trial.held_out})
        for (auto& p : patterns->positions)
            p = {m[0] * p.row + m[1] * p.col, m[2] * p.row + m[3] * p.col};
    if (!cause.probe.empty()) options.probe = cause.probe;
    if (cause.modes > 0) options.modes = cause.modes;
    return r_of(trial, options);
}

// With fewer iterations R tells little, and trials would take longer than the iterations did.
constexpr std::size_t enough_rounds = 5;

// Whether as many iterations again would take a tenth or more of what R has above its floor.
bool still_falls(PtychographyResult const& result) {
    auto const& rounds = result.rounds;
    auto const some = static_cast<std::size_t>(std::max<index>(1, std::ssize(rounds) / 4));
    double const now = rounds.back().r, before = rounds[rounds.size() - 1 - some].r;
    return before - now > 0.05 * (now - result.floor);
}

Status try_all(Judgement& finding, Patterns const& part, PtychographyOptions const& options) {
    SLUICE_TRY(Trial const trial, trial_of(part));
    PtychographyOptions const usual = short_run(options);
    std::vector<Cause> causes = other_orientations(part, options);
    // More modes always lower the R of the patterns that they are fitted to: other patterns must
    // judge them.
    bool const judged = on_patterns_grid(options).has_value();
    for (auto& more : {other_units(part), other_probes(part, options),
                       judged ? more_modes(options) : std::vector<Cause>{}})
        causes.insert(causes.end(), more.begin(), more.end());
    SLUICE_TRY(finding.tried_r, r_of(trial, usual));
    std::uint64_t done = 0;
    for (Cause& cause : causes) {
        SLUICE_CHECK(tell_progress(options.progress, ++done, causes.size()));
        auto const r = r_with(cause, trial, usual);
        if (!r && r.error().code == Code::cancelled) return r.error();
        // A setting that cannot be reconstructed is not the cause.
        if (!r || !std::isfinite(*r)) continue;
        cause.tried.r = *r;
        finding.tried.push_back(cause.tried);
    }
    std::ranges::stable_sort(finding.tried, {}, &TriedCause::r);
    return {};
}

void conclude(Judgement& finding, PtychographyResult const& result,
              stem4d::CauseWords const& words) {
    double const ratio = finding.value;
    std::string const above =
        fmt::format("R is {:.2f} times what counting noise alone leaves", ratio);
    if (!finding.tried.empty() && finding.tried.front().r < (1 - margin) * finding.tried_r) {
        TriedCause const& best = finding.tried.front();
        finding.cause = best.name;
        std::string const what = words ? words(best) : std::string();
        finding.advice = fmt::format(
            "{} ({}: in short trials on a part of the patterns it lowers R from {:.4f} to {:.4f}) "
            "{}",
            above, best.name, finding.tried_r, best.r, what.empty() ? best.advice : what);
        return;
    }
    if (result.rounds.size() < enough_rounds) {
        finding.cause = "still falling";
        finding.advice =
            fmt::format("{} (few iterations were run, so no causes were tried) run {} or more",
                        above, enough_rounds);
        return;
    }
    bool const falls = still_falls(result);
    finding.cause = falls ? "still falling" : "unexplained";
    finding.advice = fmt::format(
        "{} ({}) {}", above,
        falls
            ? "it is still falling, and no cause that was tried on a part of the patterns lowers it"
            : "unexplained: no cause that was tried on a part of the patterns lowers it",
        falls ? "run more iterations"
              : "refine the positions, take slices for a thick object, or look at the detector's "
                "mask and background");
}

}  // namespace

Result<Trial> trial_of(Patterns const& part) {
    // Places at the border have few neighbours that tell of them.
    auto const inner_ones = inner(part.positions, part.count() * 3 / 5);
    std::vector<std::uint8_t> out(static_cast<std::size_t>(part.count()));
    for (std::size_t i = 1; i < inner_ones.size(); i += 3)
        out[static_cast<std::size_t>(inner_ones[i])] = 1;
    std::vector<index> seen, held_out;
    for (index j = 0; j < part.count(); ++j)
        (out[static_cast<std::size_t>(j)] ? held_out : seen).push_back(j);
    Trial trial;
    SLUICE_TRY(trial.seen, stem4d::part_of(part, seen));
    SLUICE_TRY(trial.held_out, stem4d::part_of(part, held_out));
    return trial;
}

}  // namespace sluice::ptycho

namespace sluice::stem4d {

Result<Patterns> part_to_try(Patterns const& patterns, PtychographyOptions const& options) {
    SLUICE_CHECK(check_patterns(patterns));
    if (patterns.count() == 0)
        return Error{Code::invalid_argument,
                     "there are no patterns (causes are tried on some of them) give those that the "
                     "result was made from"};
    index const cost = patterns.size * patterns.size * options.modes * options.slices;
    index const most = std::clamp<index>((index{1} << 21) / std::max<index>(cost, 1), 36, 100);
    auto numbers = ptycho::inner(patterns.positions, most);
    std::ranges::sort(numbers);
    return part_of(patterns, numbers);
}

Status explain_misfit(PtychographyResult& result, Patterns const& patterns,
                      PtychographyOptions const& options, CauseWords const& words) {
    auto const misfit = std::ranges::find(result.findings, "misfit", &Judgement::name);
    if (misfit == result.findings.end() || !misfit->found || result.rounds.empty()) return {};
    if (options.communicator && options.communicator->ranks() > 1) return ptycho::alone(options);
    Judgement explained = *misfit;
    explained.tried.clear();
    SLUICE_TRY(Patterns const part, part_to_try(patterns, options));
    if (result.rounds.size() >= ptycho::enough_rounds)
        SLUICE_CHECK(ptycho::try_all(explained, part, options));
    ptycho::conclude(explained, result, words);
    *misfit = std::move(explained);
    std::string const note = ptycho::note_of(*misfit);
    for (std::string& old : result.notes)
        if (old.starts_with("misfit (")) old = note;
    return {};
}

}  // namespace sluice::stem4d
