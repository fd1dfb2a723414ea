// The stages of a reconstruction, one after the other: each iterates, keeps checkpoints, goes back.
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cmath>

#include "domain/ptychography/counting.h"
#include "domain/ptychography/keep_state.h"
#include "domain/ptychography/modes.h"
#include "domain/ptychography/refine/refine.h"
#include "domain/ptychography/run/reconstruction.h"
#include "domain/ptychography/run/rounds.h"
#include "domain/ptychography/solvers/pace.h"
#include "domain/ptychography/stage_kind.h"
#include "domain/ptychography/stage_work.h"
#include "domain/ptychography/step/fast_step.h"
#include "domain/ptychography/variable_probe.h"
#include "sluice/trace.h"

namespace sluice::ptycho {

namespace {

// The stage at work.
template <class Real>
struct AtWork {
    Job<Real>& job;
    StageWork<Real>& work;
    KeepStage<Real> const& keep;
    Watching<Real>& watching;
};

template <class Real>
Result<std::unique_ptr<PatternStep<Real>>> make_step(Reconstruction<Real> const& r,
                                                     Model const& model) {
    if constexpr (std::is_same_v<Real, float>)
        // What goes to a device lies row by row.
        if (is_fast(model) && r.measured.in_order_of_passes == model.plain_detector())
            return make_fast_step(model, r.measured, r.options.device.isa());
    return make_plain_step<Real>(model, r.measured);
}

template <class Real>
Result<std::unique_ptr<StageWork<Real>>> make_work(Reconstruction<Real> const& r, Job<Real>& job) {
    if constexpr (std::is_same_v<Real, float>)
        if (r.on_device.patterns) return remote::make_work(r.on_device, r.options, job);
    return make_host_work<Real>(r.options, job);
}

template <class Real>
Job<Real> job_of(Reconstruction<Real>& r, PatternStep<Real>& step) {
    auto const& stage = r.stage_options();
    return {
        .state = r.state,
        .step = step,
        .stage = stage,
        .share = r.share,
        .rows = row_loops<Real>(r.options.device.isa()),
        .patterns = r.patterns().count(),
        .mean_power = r.totals.mean,
        .largest_power = r.totals.largest,
        .counting_noise = counting_noise(r.totals, r.count),
        // One pattern is too little work to share.
        .threads = group_size(stage, r.patterns().count(), r.options.slices) > 1 || projects(stage)
                       ? r.options.device.threads()
                       : 1,
        .seed = r.options.seed};
}

template <class Real>
void begin_progress(Reconstruction<Real> const& r, Job<Real>& job, Watching<Real>& watching) {
    index iterations = 0;
    for (auto const& stage : r.options.stages) iterations += stage.iterations;
    auto const patterns = static_cast<std::uint64_t>(r.patterns().count());
    job.progress = watching.progress();
    job.done = static_cast<std::uint64_t>(r.result.rounds.size()) * patterns;
    job.all = static_cast<std::uint64_t>(iterations) * patterns;
}

// The first iteration of a stage that is to be done.
template <class Real>
Result<index> first_iteration(Reconstruction<Real>& r, KeepStage<Real> const& keep) {
    if (!r.reached) return index{1};
    SLUICE_CHECK(r.reached->restore_stage(keep));
    index const done = r.reached->reached().iteration;
    r.reached.reset();
    // It may have come to rest with its last iteration.
    if (r.options.stop_early && rests(r.result.rounds, done)) {
        r.result.notes.push_back(note_of_rest(r.stage, done));
        return r.stage_options().iterations + 1;
    }
    return done + 1;
}

template <class Real>
Status save(Reconstruction<Real>& r, index iteration, KeepStage<Real> const& keep) {
    bool const last = iteration == r.stage_options().iterations;
    return r.keeper.keep(r.share, last, [&](std::string const& path) -> Status {
        Step const step(r.options.trace, Phase::write, 0);
        SLUICE_CHECK(fetch(r));
        return save_checkpoint(path, r.belongs, r.share, r.options,
                               {r.stage, iteration, r.result.rounds, r.result.notes}, r.state,
                               keep);
    });
}

// Without values where they were not finite, and the stage can go back.
template <class Real>
Result<std::optional<Errors>> update(Reconstruction<Real>& r, AtWork<Real> const& s) {
    auto const traced = [&](Phase phase, auto const& work) {
        Step const step(r.options.trace, phase, 0, s.job.round + 1);
        return work();
    };
    auto const iterated = traced(Phase::iterate, [&] { return s.work.iterate(s.job); });
    if (!iterated) {
        bool const left = s.job.length >= 1 || s.work.best().any();
        if (iterated.error().code == Code::invalid_argument && goes_back(r.options, s.job.stage) &&
            left)
            return std::optional<Errors>();
        return iterated.error();
    }
    SLUICE_CHECK(traced(Phase::constrain, [&] { return s.work.settle(s.job, r.result.notes); }));
    return std::optional(*iterated);
}

template <class Real>
Status iterate_once(Reconstruction<Real>& r, AtWork<Real> const& s, index iteration) {
    auto const start = std::chrono::steady_clock::now();
    auto& [job, work, keep, watching] = s;
    auto const& patterns = r.patterns();
    job.iteration = iteration;
    job.round = std::ssize(r.result.rounds);
    job.last_r = last_r(r.result.rounds, r.stage);
    job.collected.clear(patterns.count(), r.state.background.size());
    SLUICE_TRY(auto const updated, update(r, s));
    Errors const errors = updated.value_or(Errors{});
    std::chrono::duration<double> const took = std::chrono::steady_clock::now() - start;
    r.result.rounds.push_back(
        {r.stage, errors.r(), errors.r_intensity(),
         errors.loss / static_cast<double>(patterns.count() * patterns.size * patterns.size),
         took.count()});
    watching.iteration(job.done, job.all);
    work.judge(updated ? errors.r() : NAN, iteration);
    return {};
}

// To the best state. The rounds after it go too, so that the last R is that of the state.
template <class Real>
Status go_back(Reconstruction<Real>& r, AtWork<Real> const& s, index iteration, bool ends) {
    auto const& best = s.work.best();
    auto& rounds = r.result.rounds;
    rounds.resize(rounds.size() - static_cast<std::size_t>(iteration - best.iteration()));
    r.result.notes.push_back(note_of_going_back(best, r.stage, iteration, ends));
    return s.work.go_back(s.job);
}

template <class Real>
Status iterate(Reconstruction<Real>& r, AtWork<Real> const& s, index first) {
    index const last = r.stage_options().iterations;
    for (index i = first; i <= last; ++i) {
        SLUICE_CHECK(iterate_once(r, s, i));
        // A stage does not end with a state worse than its best one.
        bool const worse = i == last && s.work.best().ends_worse();
        if (worse || s.work.best().diverges()) {
            bool const ends = worse || s.job.length < 1;
            SLUICE_CHECK(go_back(r, s, i, ends));
            if (ends) return {};
            i = s.work.best().iteration();
            s.job.length = 0.5;
            continue;
        }
        SLUICE_CHECK(save(r, i, s.keep));
        if (r.options.stop_early && rests(r.result.rounds, i)) {
            r.result.notes.push_back(note_of_rest(r.stage, i));
            return {};
        }
    }
    return {};
}

template <class Real>
Status run_stage(Reconstruction<Real>& r, Watching<Real>& watching) {
    auto const& stage = r.stage_options();
    Model const model = model_now(r);
    if (r.options.sub_pixel && !model.sub_pixel && !r.reached)
        r.result.notes.push_back(
            "positions are rounded to whole pixels in the stage of projections");
    SLUICE_TRY(auto const step, make_step(r, model));
    begin_variation(r.state, stage, r.totals.mean, r.options.seed);
    Job<Real> job = job_of(r, *step);
    begin_refinement(job, r.totals, r.patterns().bad);
    begin_progress(r, job, watching);
    SLUICE_TRY(auto const work, make_work(r, job));
    r.fetch_stage = [&] { return work->fetch(job); };
    KeepStage<Real> const keep = [&](Archive<Real>& archive) -> Status {
        SLUICE_CHECK(work->keep(job, archive));
        keep_refining(r.state, archive);
        archive.number("length of steps", job.length);
        return {};
    };
    SLUICE_TRY(index const first, first_iteration(r, keep));
    SLUICE_CHECK(iterate(r, AtWork<Real>{job, *work, keep, watching}, first));
    // Projections and mPIE, whose R swings, do not go back, nor do stages that are not to.
    if (!goes_back(r.options, stage))
        if (auto note = note_of_rise(r.result.rounds, r.stage); !note.empty())
            r.result.notes.push_back(std::move(note));
    end_refinement(job, r.result.notes);
    SLUICE_CHECK(work->fetch(job));
    // While they move on by themselves they stay as they are.
    if (has_momentum(job)) make_orthogonal(r.state.probe);
    r.fetch_stage = {};
    return {};
}

}  // namespace

template <class Real>
Status run_stages(Reconstruction<Real>& r, Watching<Real>& watching) {
    index const first = r.reached ? r.reached->reached().stage : 0;
    for (index number = first; number < std::ssize(r.options.stages); ++number) {
        Step const step(r.options.trace, Phase::stage, 0, number + 1);
        r.stage = number;
        SLUICE_CHECK(run_stage(r, watching));
    }
    return {};
}

template Status run_stages(Reconstruction<float>&, Watching<float>&);
template Status run_stages(Reconstruction<double>&, Watching<double>&);

}  // namespace sluice::ptycho
