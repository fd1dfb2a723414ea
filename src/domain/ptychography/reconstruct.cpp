// stem4d::ptychography(): the stages, one after the other, on one step.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/reconstruct.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <optional>

#include "domain/ptychography/arrays_of.h"
#include "domain/ptychography/check_options.h"
#include "domain/ptychography/checkpoint/checkpoint.h"
#include "domain/ptychography/checkpoint/keeper.h"
#include "domain/ptychography/checkpoint/of_share.h"
#include "domain/ptychography/constraints/check_constraints.h"
#include "domain/ptychography/constraints/probe_support.h"
#include "domain/ptychography/counting.h"
#include "domain/ptychography/counts.h"
#include "domain/ptychography/few_counts.h"
#include "domain/ptychography/grid.h"
#include "domain/ptychography/job.h"
#include "domain/ptychography/judge/outcome.h"
#include "domain/ptychography/keep_state.h"
#include "domain/ptychography/memory_plan.h"
#include "domain/ptychography/modes.h"
#include "domain/ptychography/refine/refine.h"
#include "domain/ptychography/remote/plan.h"
#include "domain/ptychography/remote/remote_work.h"
#include "domain/ptychography/solvers/pace.h"
#include "domain/ptychography/stage_work.h"
#include "domain/ptychography/start/doubts.h"
#include "domain/ptychography/start/first_object.h"
#include "domain/ptychography/start/start.h"
#include "domain/ptychography/step/fast_step.h"
#include "domain/ptychography/variable_probe.h"
#include "domain/ptychography/watching.h"
#include "sluice/ptychography_check.h"

namespace sluice::ptycho {

namespace {

using stem4d::Patterns;
using stem4d::PtychographyOptions;
using stem4d::PtychographyResult;

Model model_in(Patterns const& patterns, PtychographyOptions const& options,
               PtychographyStage const& stage, double count) {
    Model model = model_of(patterns, options);
    model.likelihood = fitted(stage);
    if (count > 0) model.count = count;
    // The overlap of stored waves is that of whole pixels.
    model.sub_pixel = options.sub_pixel && !projects(stage);
    return model;
}

template <class Real>
class Reconstruction {
  public:
    /// `count`: the value of one count; 0: there are none.
    Reconstruction(Measured const& measured, Share const& share, PtychographyOptions const& options,
                   Totals totals, double count, Canvas canvas, Belongs const& belongs,
                   remote::OnDevice const& on_device)
        : measured_(measured),
          share_(share),
          patterns_(measured.patterns),
          options_(options),
          totals_(std::move(totals)),
          count_(count),
          canvas_(std::move(canvas)),
          belongs_(belongs),
          on_device_(on_device),
          keeper_(options.checkpoint, options.checkpoint_every) {}

    Result<PtychographyResult> run() {
        SLUICE_CHECK(begin());
        for (index s = reached_ ? reached_->reached().stage : 0; s < std::ssize(options_.stages);
             ++s) {
            ::sluice::Step const step(options_.trace, Phase::stage, 0, s + 1);
            SLUICE_CHECK(run_stage(s));
        }
        ::sluice::Step const step(options_.trace, Phase::judge, 0);
        SLUICE_TRY(Errors const ended, errors_now(true));
        result_.floor = floor_of(ended);
        note_last_step(ended.r());
        return finish();
    }

  private:
    // The first guess, or where the checkpoint ends.
    Status begin() {
        ::sluice::Step const step(options_.trace, Phase::guess, 0);
        auto probe =
            first_probe<Real>(model_of(patterns_, options_), options_, totals_, result_.notes);
        SLUICE_CHECK(share_.agree(probe ? Status{} : probe.error()));
        state_.probe = *std::move(probe);
        auto const& mode = state_.probe.front();
        for (auto& note : notes_of_constraints(options_)) result_.notes.push_back(std::move(note));
        index const width = probe_width(mode);
        if (canvas_.nearest >= static_cast<double>(width))
            return Error{Code::invalid_argument,
                         fmt::format("the windows do not overlap (the nearest positions are {:.1f} "
                                     "pixels apart, and the probe is {} wide) check the units of "
                                     "the positions and the pixel's size",
                                     canvas_.nearest, width)};
        if (canvas_.nearest > 0.5 * static_cast<double>(width))
            result_.notes.push_back(fmt::format(
                "neighbouring places share little: they are {:.1f} pixels apart, and the probe is "
                "{} wide",
                canvas_.nearest, width));
        for (auto& note : doubts_of(measured_, share_, totals_, canvas_, width,
                                    options_.propagation == stem4d::Propagation::near, count_))
            result_.notes.push_back(std::move(note));
        if (auto note = warn_of_few_counts(totals_, options_, count_); !note.empty())
            result_.notes.push_back(std::move(note));
        if (width > mode.rows() * 9 / 10 && options_.propagation == stem4d::Propagation::far)
            result_.notes.push_back(fmt::format(
                "the probe fills its window ({} of {} pixels): a detector_bin of {} makes one that "
                "holds it",
                width, mode.rows(), 2 * options_.detector_bin));
        SLUICE_CHECK(place(mode));
        began_ = center_of(state_.probe);
        began_powers_ = mode_powers(state_.probe);
        state_.slice_nm = options_.slice_nm;
        state_.tilt_rad = model_of(patterns_, options_).tilt_rad;
        SLUICE_CHECK(check_grid(patterns_, options_, &result_.notes));
        for (auto const& stage : options_.stages) total_ += stage.iterations;
        return resume();
    }

    // Object and positions. Ranks begin with those of the first, and with its probe: a file that
    // they were read from may be another one on another machine.
    Status place(Planar<Real> const& mode) {
        auto object = first_object<Real>(measured_, share_, options_, canvas_, mode, result_.notes);
        SLUICE_CHECK(share_.agree(object ? Status{} : object.error()));
        auto positions = first_positions(options_.positions, canvas_, mode.rows());
        SLUICE_CHECK(share_.agree(positions ? Status{} : positions.error()));
        state_.object = *std::move(object);
        state_.positions = *std::move(positions);
        for (auto* const planes : {&state_.object, &state_.probe})
            for (auto& plane : *planes) share_.send(bytes_of(plane), 0);
        share_.send(std::as_writable_bytes(std::span(state_.positions)), 0);
        return {};
    }

    Status resume() {
        if (options_.resume.empty()) return {};
        SLUICE_TRY(reached_, Checkpoint::open(options_.resume, belongs_, share_, options_));
        SLUICE_CHECK(reached_->restore(state_));
        result_.rounds = reached_->reached().rounds;
        result_.notes = reached_->reached().notes;
        return {};
    }

    // The first iteration of a stage that is to be done.
    Result<index> begin_stage(index number, KeepStage<Real> const& stage) {
        if (!reached_) return index{1};
        SLUICE_CHECK(reached_->restore_stage(stage));
        index const done = reached_->reached().iteration;
        reached_.reset();
        // It may have come to rest with its last iteration.
        if (options_.stop_early && rests(done)) {
            note_rest(number, done);
            return options_.stages[static_cast<std::size_t>(number)].iterations + 1;
        }
        return done + 1;
    }

    void note_rest(index number, index iteration) {
        result_.notes.push_back(fmt::format(
            "stage {} stopped after {} iterations: R fell by less than 0.001 in the last ten",
            number + 1, iteration));
    }

    Status keep(index stage, index iteration, bool last, KeepStage<Real> const& keep_stage) {
        return keeper_.keep(share_, last, [&](std::string const& path) -> Status {
            ::sluice::Step const step(options_.trace, Phase::write, 0);
            SLUICE_CHECK(fetch());
            return save_checkpoint(path, belongs_, share_, options_,
                                   {stage, iteration, result_.rounds, result_.notes}, state_,
                                   keep_stage);
        });
    }

    Result<std::unique_ptr<Step<Real>>> make_step(Model const& model) const {
        if constexpr (std::is_same_v<Real, float>)
            // What goes to a device lies row by row.
            if (is_fast(model) && measured_.in_order_of_passes == model.plain_detector())
                return make_fast_step(model, measured_, options_.device.isa());
        return make_plain_step<Real>(model, measured_);
    }

    // As it is now.
    Model model_now(PtychographyStage const& stage) const {
        Model model = model_in(patterns_, options_, stage, count_);
        model.slice_nm = state_.slice_nm;
        model.tilt_rad = state_.tilt_rad;
        return model;
    }

    Status run_stage(index number) {
        stage_ = number;
        auto const& stage = options_.stages[static_cast<std::size_t>(number)];
        Model const model = model_now(stage);
        if (options_.sub_pixel && !model.sub_pixel && !reached_)
            result_.notes.push_back(
                "positions are rounded to whole pixels in the stage of projections");
        SLUICE_TRY(auto const step, make_step(model));
        begin_variation(state_, stage, totals_.mean, options_.seed);
        Job<Real> job{
            .state = state_,
            .step = *step,
            .stage = stage,
            .share = share_,
            .rows = row_loops<Real>(options_.device.isa()),
            .patterns = patterns_.count(),
            .mean_power = totals_.mean,
            .largest_power = totals_.largest,
            .counting_noise = counting_noise(totals_, count_),
            // What one pattern gives is too little to share.
            .threads = group_of(stage, patterns_.count(), options_.slices) > 1 || projects(stage)
                           ? options_.device.threads()
                           : 1,
            .seed = options_.seed};
        begin_refinement(job, totals_, patterns_.bad);
        auto const patterns = static_cast<std::uint64_t>(patterns_.count());
        job.progress = watching_.progress();
        job.done = static_cast<std::uint64_t>(result_.rounds.size()) * patterns;
        job.all = static_cast<std::uint64_t>(total_) * patterns;
        SLUICE_TRY(auto const work, make_work(job));
        fetch_ = [&] { return work->fetch(job); };
        KeepStage<Real> const keep_stage = [&](Archive<Real>& archive) -> Status {
            SLUICE_CHECK(work->keep(job, archive));
            keep_refining(state_, archive);
            archive.number("length of steps", job.length);
            return {};
        };
        SLUICE_TRY(index const first, begin_stage(number, keep_stage));
        for (index i = first; i <= stage.iterations; ++i) {
            auto const start = std::chrono::steady_clock::now();
            job.iteration = i;
            job.round = std::ssize(result_.rounds);
            job.last_r = last_r(number);
            job.collected.clear(patterns_.count(), state_.background.size());
            auto const iterated = traced(Phase::iterate, job, [&] { return work->iterate(job); });
            if (!iterated &&
                (iterated.error().code != Code::invalid_argument || !goes_back(options_, stage) ||
                 (job.length < 1 && !work->best().any())))
                return iterated.error();
            Errors const errors = iterated ? *iterated : Errors{};
            if (iterated)
                SLUICE_CHECK(traced(Phase::constrain, job,
                                    [&] { return work->settle(job, result_.notes); }));
            std::chrono::duration<double> const took = std::chrono::steady_clock::now() - start;
            result_.rounds.push_back(
                {number, errors.r(), errors.r_intensity(),
                 errors.loss /
                     static_cast<double>(patterns_.count() * patterns_.size * patterns_.size),
                 took.count()});
            watching_.iteration(job.done, job.all);
            work->judge(iterated ? errors.r() : NAN, i);
            // What a stage ends with is not worse than what it had.
            bool const ends = i == stage.iterations && work->best().ends_worse();
            if (ends || work->best().diverges()) {
                bool const again = ends || job.length < 1;
                note_going_back(work->best(), number, i, again);
                SLUICE_CHECK(work->go_back(job));
                if (again) break;
                i = work->best().iteration();
                job.length = 0.5;
                continue;
            }
            SLUICE_CHECK(keep(number, i, i == stage.iterations, keep_stage));
            if (options_.stop_early && rests(i)) {
                note_rest(number, i);
                break;
            }
        }
        note_rise(stage, number);
        end_refinement(job, result_.notes);
        SLUICE_CHECK(work->fetch(job));
        // While they move on by themselves they stay as they are.
        if (has_momentum(job)) make_orthogonal(state_.probe);
        fetch_ = {};
        return {};
    }

    template <class Work>
    auto traced(Phase phase, Job<Real> const& job, Work const& work) const {
        ::sluice::Step const step(options_.trace, phase, 0, job.round + 1);
        return work();
    }

    Result<std::unique_ptr<StageWork<Real>>> make_work(Job<Real>& job) {
        if constexpr (std::is_same_v<Real, float>)
            if (on_device_.patterns) return remote::make_work(on_device_, options_, job);
        return make_host_work<Real>(options_, job);
    }

    // Where nobody goes back: projections and mPIE, whose R swings, and where it is not wanted.
    void note_rise(PtychographyStage const& stage, index number) {
        if (goes_back(options_, stage)) return;
        double least = HUGE_VAL;
        for (auto const& round : result_.rounds)
            if (round.stage == number) least = std::min(least, round.r);
        double const last = result_.rounds.empty() ? 0 : result_.rounds.back().r;
        if (last > 1.5 * least)
            result_.notes.push_back(
                fmt::format("stage {}: R rose from {:.4f} to {:.4f} at its end, and nothing went "
                            "back (take fewer iterations, smaller steps, or another solver)",
                            number + 1, least, last));
    }

    // The rounds after the best one go too, so that the last R is that of the state.
    void note_going_back(BestRound const& best, index stage, index iteration, bool again) {
        auto& rounds = result_.rounds;
        std::string const rose =
            std::isfinite(best.last())
                ? fmt::format("R rose from {:.4f} to {:.4f}", best.r(), best.last())
                : std::string("numbers were none any more");
        rounds.resize(rounds.size() - static_cast<std::size_t>(iteration - best.iteration()));
        result_.notes.push_back(fmt::format(
            "stage {}: {} by iteration {}; {} the state of iteration {}{}", stage + 1, rose,
            iteration, again ? "it stopped with" : "it went on from", best.iteration(),
            again ? " (take smaller steps or smaller groups)" : " with half the steps"));
    }

    // Of the iteration before, where it is of the same stage.
    double last_r(index stage) const {
        auto const& rounds = result_.rounds;
        return !rounds.empty() && rounds.back().stage == stage ? rounds.back().r : NAN;
    }

    bool rests(index iteration) const {
        if (iteration < 11) return false;
        auto const& rounds = result_.rounds;
        return rounds[rounds.size() - 11].r - rounds.back().r < 0.001;
    }

    // R of an iteration is that of the state before it: the last step may have gone wrong.
    void note_last_step(double r) {
        double const before = result_.rounds.empty() ? r : result_.rounds.back().r;
        if (!(r <= 1.5 * before + 1e-3))
            result_.notes.push_back(
                fmt::format("the last iteration raised R from {:.4f} to {:.4f}, which no other "
                            "one mended: take fewer iterations or smaller steps",
                            before, r));
    }

    static double floor_of(Errors const& errors) {
        return errors.counts > 0 ? std::sqrt(errors.noise / errors.counts) : 0;
    }

    // Of up to 200 patterns, as they are modelled now. A watcher's is of this process' own ones:
    // the others may have none.
    Result<Errors> errors_now(bool of_all) const {
        Model const model = model_now(options_.stages[static_cast<std::size_t>(stage_)]);
        SLUICE_TRY(auto const step, make_plain_step<Real>(model, measured_));
        std::vector<index> some;
        index const by = patterns_.count() / 200 + 1;
        for (index j = 0; j < patterns_.count(); j += by) some.push_back(j);
        Errors sum;
        for (index const& j : share_.own(some)) {
            auto out = reserve(model, state_, 1);
            step->gradients(state_, {&j, 1}, {.noise = true}, out, 1);
            sum += out.front().errors;
        }
        double unused = 0;
        if (of_all) SLUICE_CHECK(share_.meet({}, sum, unused));
        return sum;
    }

    Status fetch() { return fetch_ ? fetch_() : Status{}; }

    double own_floor() {
        if (!fetch()) return 0;
        auto const found = errors_now(false);
        return found ? floor_of(*found) : 0;
    }

    void take_weights() {
        index const count = std::ssize(state_.positions);
        result_.opr_weights = {{count, std::ssize(state_.opr_weights) / count}, state_.opr_weights};
        double const part = variation_power(state_);
        if (part > 0.2)
            result_.notes.push_back(
                fmt::format("the probe varies by {:.0f} % of its power, which is much: positions, "
                            "modes or an intensity may hide in it",
                            100 * part));
        if (state_.probe.size() > 1)
            result_.notes.push_back(
                "modes are not orthogonal, since what varies belongs to the first of them");
    }

    // Modes that were made of the first, and have together about the power that they were given.
    void note_powers() {
        auto const& powers = result_.mode_powers;
        auto const n = static_cast<std::size_t>(state_.probe.front().rows());
        std::size_t const given = std::max<std::size_t>(1, options_.probe.size() / (n * n));
        double now = 0, began = 0;
        for (std::size_t k = given; k < powers.size(); ++k) {
            now += powers[k];
            began += began_powers_[k];
        }
        bool const stayed =
            !options_.stages.back().fix_probe && now > 0.6 * began && now < 1.7 * began;
        if (stayed)
            result_.notes.emplace_back(
                "the powers of the modes stayed near what they began with: the patterns hardly "
                "tell them, so that they are no measurement (take 100 to 200 iterations of lsqml "
                "or mlcg, or a probe of known modes to begin with)");
    }

    PtychographyResult finish() {
        Model const model = model_of(patterns_, options_);
        if (std::ranges::any_of(options_.stages, [&](PtychographyStage const& stage) {
                return has_usual_support(stage, model);
            }))
            if (auto note = note_of_support(state_.probe); !note.empty())
                result_.notes.push_back(std::move(note));
        if (!options_.stages.back().fix_probe && !state_.varies()) make_orthogonal(state_.probe);
        result_.object = array_of<Real>(state_.object);
        result_.probe = array_of<Real>(state_.probe);
        if (!state_.opr_modes.empty()) result_.opr_modes = array_of<Real>(state_.opr_modes);
        if (state_.varies()) take_weights();
        result_.mode_powers = mode_powers(state_.probe);
        note_powers();
        double all = 0;
        for (double p : result_.mode_powers) all += p;
        for (double& p : result_.mode_powers) p /= all;
        result_.positions = state_.positions;
        result_.started = canvas_.corners;
        result_.shift = canvas_.shift;
        result_.pixel_nm = grid_of(patterns_, options_).pixel_nm;
        result_.propagation = options_.propagation;
        result_.descan = state_.descan;
        if (!state_.background.empty()) {
            result_.background = Array<float>::zeros({patterns_.size, patterns_.size});
            std::copy(state_.background.begin(), state_.background.end(),
                      result_.background.values.begin());
        }
        for (auto const& stage : options_.stages) result_.likelihoods.push_back(fitted(stage));
        result_.slice_nm = state_.slice_nm;
        result_.tilt_row_mrad = state_.tilt_rad[0] * 1e3;
        result_.tilt_col_mrad = state_.tilt_rad[1] * 1e3;
        Position const center = center_of(state_.probe);
        result_.probe_moved = {center.row - began_.row, center.col - began_.col};
        result_.probe_power = all / totals_.mean;
        // Of this run: a checkpoint may be of more ranks, or fewer.
        if (!share_.alone())
            result_.notes.push_back(
                fmt::format("{} ranks share the patterns", options_.communicator->ranks()));
        note_findings(result_);
        return std::move(result_);
    }

    Measured const& measured_;
    Share const& share_;
    Patterns const& patterns_;
    PtychographyOptions const& options_;
    Totals totals_;
    double count_;
    Canvas canvas_;
    Belongs belongs_;
    remote::OnDevice on_device_;          ///< without patterns: this is the host's work
    std::function<Status()> fetch_ = {};  ///< brings the state of the stage at work here
    Keeper keeper_;
    std::optional<Checkpoint> reached_;  ///< until its stage has begun
    State<Real> state_;
    Position began_;  // the probe's centre
    std::vector<double> began_powers_;
    index total_ = 0, stage_ = 0;
    PtychographyResult result_;
    Watching<Real> watching_{options_,
                             state_,
                             result_.rounds,
                             result_.notes,
                             canvas_.corners,
                             [this] { return own_floor(); },
                             [this] { (void)fetch(); }};  // the next iteration meets errors
};

template <class Real>
Result<PtychographyResult> run(Measured const& measured, Share const& share,
                               PtychographyOptions options, Totals totals, Belongs const& belongs,
                               std::uint64_t bytes, remote::OnDevice const& on_device = {}) {
    std::vector<std::string> notes;
    double const count = value_of_count(measured, share);
    choose_likelihoods(count, options, notes);
    auto const positions = positions_on_grid(measured.patterns, options);
    SLUICE_TRY(auto canvas,
               make_canvas(positions, grid_of(measured.patterns, options).window, options.margin));
    Reconstruction<Real> work(measured, share, options, std::move(totals), count, std::move(canvas),
                              belongs, on_device);
    SLUICE_TRY(auto result, work.run());
    result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
    result.memory = bytes;
    return result;
}

}  // namespace

}  // namespace sluice::ptycho

namespace sluice::stem4d {

Result<PtychographyGrid> ptychography_grid(Patterns const& patterns,
                                           PtychographyOptions const& options) {
    SLUICE_CHECK(ptycho::check_grid(patterns, options));
    return ptycho::grid_of(patterns, options);
}

Result<std::array<index, 2>> ptychography_canvas(Patterns const& patterns,
                                                 PtychographyOptions const& options) {
    SLUICE_TRY(auto const grid, ptychography_grid(patterns, options));
    SLUICE_TRY(auto const canvas, ptycho::make_canvas(ptycho::positions_on_grid(patterns, options),
                                                      grid.window, options.margin));
    return std::array{canvas.rows, canvas.cols};
}

namespace {

Result<PtychographyResult> reconstruct(Patterns patterns, PtychographyOptions const& options) {
    ptycho::Measured measured{.patterns = std::move(patterns)};
    SLUICE_TRY(ptycho::Share const share,
               ptycho::share_out(measured.patterns, options.communicator));
    bool const kept = !options.checkpoint.empty() || !options.resume.empty();
    SLUICE_TRY(auto totals, ptycho::check(measured, share));
    ptycho::Belongs belongs;
    if (kept) belongs = ptycho::belongs_to(measured, share, options);
    auto const bytes = ptycho::affordable(measured.patterns, options);
    SLUICE_CHECK(share.agree(bytes ? Status{} : bytes.error()));
    if (options.device.kind() == Device::Kind::reference)
        return ptycho::run<double>(measured, share, options, std::move(totals), belongs, *bytes);
    auto const model = ptycho::model_of(measured.patterns, options);
    if (ptycho::is_fast(model) && model.plain_detector())
        ptycho::order_for_passes(measured, options.device.threads());
    return ptycho::run<float>(measured, share, options, std::move(totals), belongs, *bytes);
}

Error ran_out() {
    return {Code::out_of_memory,
            "memory ran out during the reconstruction (it sufficed when the work was "
            "planned; another program took it) take fewer modes, a smaller group or "
            "another solver"};
}

}  // namespace

Result<PtychographyResult> ptychography(Patterns patterns, PtychographyOptions const& options) {
    if (options.device.remote())
        return ptycho::reconstruct_by_launches(std::move(patterns), options);
    // What was free when it was planned may be gone by now.
    try {
        return reconstruct(std::move(patterns), options);
    } catch (std::bad_alloc const&) {
        return ran_out();
    }
}

}  // namespace sluice::stem4d

namespace sluice::ptycho {

Result<PtychographyResult> reconstruct_by_launches(Patterns patterns,
                                                   PtychographyOptions const& options) {
    SLUICE_CHECK(check_options(patterns, options));
    SLUICE_CHECK(remote::check_known(options));
    Measured measured{.patterns = std::move(patterns)};
    try {
        SLUICE_TRY(Share const share, share_out(measured.patterns, nullptr));
        SLUICE_TRY(auto totals, check(measured, share));
        SLUICE_TRY(Queue queue, Queue::of(options.device));
        SLUICE_TRY(index const waves, remote::waves_that_fit(queue, measured.patterns, options));
        SLUICE_TRY(auto const bytes, remote::planned(measured.patterns, options, waves));
        SLUICE_TRY(auto there, remote::Patterns::upload(queue, measured, options));
        Belongs belongs;
        if (!options.checkpoint.empty() || !options.resume.empty())
            belongs = belongs_to(measured, share, options);
        return run<float>(measured, share, options, std::move(totals), belongs, bytes,
                          {&there, waves});
    } catch (std::bad_alloc const&) {
        return stem4d::ran_out();
    }
}

}  // namespace sluice::ptycho
