// stem4d::ptychography(): the stages, one after the other, on one step.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <optional>

#include "base/memory.h"
#include "domain/ptychography/best_state.h"
#include "domain/ptychography/checkpoint/checkpoint.h"
#include "domain/ptychography/checkpoint/keeper.h"
#include "domain/ptychography/constraints/check_constraints.h"
#include "domain/ptychography/constraints/constraints.h"
#include "domain/ptychography/counts.h"
#include "domain/ptychography/few_counts.h"
#include "domain/ptychography/grid.h"
#include "domain/ptychography/job.h"
#include "domain/ptychography/judge/outcome.h"
#include "domain/ptychography/keep_state.h"
#include "domain/ptychography/modes.h"
#include "domain/ptychography/refine/refine.h"
#include "domain/ptychography/start.h"
#include "domain/ptychography/step/fast_step.h"
#include "domain/ptychography/variable_probe.h"
#include "domain/ptychography/watching.h"

namespace sluice::ptycho {

namespace {

using stem4d::Patterns;
using stem4d::PtychographyOptions;
using stem4d::PtychographyResult;
using S = PtychographyStage::Solver;

bool projects(PtychographyStage const& stage) {
    return stage.solver == S::ap || stage.solver == S::dm || stage.solver == S::raar ||
           stage.solver == S::rrr || stage.solver == S::sdr;
}

// Only where R falls by nature does its rise tell anything.
bool goes_back(PtychographyOptions const& options, PtychographyStage const& stage) {
    return options.restore_best && !projects(stage) && stage.solver != S::mpie;
}

template <class Real>
std::unique_ptr<Solver<Real>> make_solver(PtychographyStage const& stage) {
    if (projects(stage)) return make_projections<Real>();
    switch (stage.solver) {
        case S::lsqml:
            return make_lsqml<Real>();
        case S::sgd:
        case S::adam:
            return make_descent<Real>();
        case S::mlcg:
            return make_conjugate<Real>();
        default:
            return make_pie<Real>();
    }
}

Model model_in(Patterns const& patterns, PtychographyOptions const& options,
               PtychographyStage const& stage) {
    Model model = model_of(patterns, options);
    model.likelihood = stage.solver == S::lsqml || stage.solver == S::sgd ||
                               stage.solver == S::adam || stage.solver == S::mlcg
                           ? stage.likelihood
                           : Likelihood::amplitude;
    // The overlap of stored waves is that of whole pixels.
    model.sub_pixel = options.sub_pixel && !projects(stage);
    return model;
}

Status check_options(Patterns const& patterns, PtychographyOptions const& options) {
    auto const wrong = [](std::string message) {
        return Error{Code::invalid_argument, std::move(message)};
    };
    if (options.stages.empty()) return wrong("there is no stage (nothing would be done) add one");
    if (options.modes < 1 || options.modes > 64)
        return wrong(fmt::format("a probe of {} modes (1 to 64 can be had)", options.modes));
    if (options.slices < 1 || options.slices > 1000)
        return wrong(fmt::format("an object of {} slices (1 to 1000 can be had)", options.slices));
    if (options.slices > 1 &&
        !(options.slice_nm > 0 && patterns.wavelength_nm > 0 && patterns.pixel_nm > 0))
        return wrong(
            "slices need their distance, the wavelength and the pixel's size (waves "
            "spread between them) give all three in nm");
    SLUICE_CHECK(check_grid(patterns, options));
    SLUICE_CHECK(check_refinement(options));
    if (options.margin < 0 || options.margin > 10000)
        return wrong("the margin is 0 to 10000 pixels");
    SLUICE_CHECK(check_variation(patterns.count(), options));
    if (options.checkpoint_every < 0) return wrong("a checkpoint comes every 0 or more iterations");
    for (auto const& stage : options.stages) {
        SLUICE_CHECK(check_constraints(patterns, options, stage));
        if (stage.iterations < 1) return wrong("a stage has at least one iteration");
        if (projects(stage) && options.slices > 1)
            return wrong(
                "projections know one slice only (waves are kept behind it) take lsqml, "
                "sgd, adam or an engine of the PIE family");
        if (projects(stage) && stage.refine_positions)
            return wrong(
                "projections do not refine positions (their waves belong to them) take "
                "another solver for that stage");
        if (stage.fix_object && stage.fix_probe && !stage.refine_positions &&
            !stage.refine_descan && !stage.refine_background && !stage.refine_slice_distance &&
            !stage.refine_tilt)
            return wrong("a stage that fixes object and probe changes nothing");
        for (double given : {stage.object_step, stage.probe_step, stage.relaxation,
                             stage.position_step, stage.power_bound})
            if (!std::isfinite(given) || given < 0)
                return wrong("steps, relaxation and bounds are numbers of 0 and more");
        for (double part : {stage.object_regularisation, stage.probe_regularisation})
            if (!(part > 0 && part <= 1))
                return wrong(
                    "a regularisation is above 0 and at most 1 (it keeps dark places from "
                    "being divided by) take 0.05 to 1");
        for (double part : {stage.momentum, stage.momentum_gain, stage.momentum_chance})
            if (!(part >= 0 && part <= 1)) return wrong("momentum, its gain and chance are 0 to 1");
    }
    return {};
}

// Patterns of a group on one rank: groups are random, so some have more than their mean.
std::uint64_t of_group(std::uint64_t group, std::uint64_t ranks) {
    if (ranks == 1) return group;
    auto const mean = static_cast<double>(group) / static_cast<double>(ranks);
    return std::min(group, static_cast<std::uint64_t>(mean + 3 * std::sqrt(mean) + 1));
}

std::uint64_t planned(Patterns const& patterns, PtychographyOptions const& options,
                      Canvas const& canvas, std::uint64_t real) {
    index const window = grid_of(patterns, options).window;
    auto const area = static_cast<std::uint64_t>(window * window);
    auto const place = static_cast<std::uint64_t>(canvas.rows * canvas.cols) *
                       static_cast<std::uint64_t>(options.slices);
    auto const modes = static_cast<std::uint64_t>(options.modes);
    auto const ranks =
        static_cast<std::uint64_t>(options.communicator ? options.communicator->ranks() : 1);
    auto const count = (static_cast<std::uint64_t>(patterns.count()) + ranks - 1) / ranks;
    std::uint64_t most = 0;
    for (auto const& stage : options.stages) {
        auto const slices = static_cast<std::uint64_t>(options.slices);
        std::uint64_t bytes = 0;
        if (projects(stage))
            bytes = count * modes * area * 2 * real;
        else {
            // The plain step adds up so many at once.
            std::uint64_t const group =
                of_group(static_cast<std::uint64_t>(group_of(stage, patterns.count())), ranks);
            bytes =
                (stage.solver == S::lsqml || varies(stage) ? group
                                                           : std::min<std::uint64_t>(32, group)) *
                area * (modes + slices) * 2 * real;
        }
        // Sums, directions, moments, velocities.
        std::uint64_t canvases =
            stage.solver == S::mpie || stage.solver == S::adam || stage.solver == S::mlcg ? 5
            : stage.solver == S::lsqml                                                    ? 2
                                                                                          : 1;
        if (stage.tv_weight > 0) canvases += 2;
        if (goes_back(options, stage)) bytes += (place + modes * area) * 4 * real;
        most = std::max(most, bytes + canvases * place * 2 * real);
    }
    return place * 2 * real + modes * area * 2 * real * 4 + most;
}

template <class Real>
class Reconstruction {
  public:
    Reconstruction(Measured const& measured, Share const& share, PtychographyOptions const& options,
                   Totals totals, Canvas canvas, Belongs const& belongs)
        : measured_(measured),
          share_(share),
          patterns_(measured.patterns),
          options_(options),
          totals_(std::move(totals)),
          canvas_(std::move(canvas)),
          belongs_(belongs),
          keeper_(options.checkpoint, options.checkpoint_every) {}

    Result<PtychographyResult> run() {
        SLUICE_TRY(auto mode, first_mode<Real>(model_of(patterns_, options_), options_, totals_,
                                               result_.notes));
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
        if (auto note = warn_of_few_counts(totals_, options_); !note.empty())
            result_.notes.push_back(std::move(note));
        if (width > mode.rows() * 9 / 10 && options_.propagation == stem4d::Propagation::far)
            result_.notes.push_back(fmt::format(
                "the probe fills its window ({} of {} pixels): a detector_bin of {} makes one that "
                "holds it",
                width, mode.rows(), 2 * options_.detector_bin));
        state_.probe.push_back(std::move(mode));
        add_modes(state_.probe, options_.modes);
        began_ = center_of(state_.probe);
        Planar<Real> ones(canvas_.rows, canvas_.cols);
        for (index r = 0; r < ones.rows(); ++r) std::fill_n(ones.re(r), ones.cols(), Real{1});
        state_.object.assign(static_cast<std::size_t>(options_.slices), ones);
        state_.positions = canvas_.corners;
        if (!share_.alone())
            result_.notes.push_back(
                fmt::format("{} ranks share the patterns", options_.communicator->ranks()));
        state_.slice_nm = options_.slice_nm;
        state_.tilt_rad = model_of(patterns_, options_).tilt_rad;
        SLUICE_CHECK(check_grid(patterns_, options_, &result_.notes));
        for (auto const& stage : options_.stages) total_ += stage.iterations;
        SLUICE_CHECK(resume());
        for (index s = reached_ ? reached_->reached().stage : 0; s < std::ssize(options_.stages);
             ++s)
            SLUICE_CHECK(run_stage(s));
        SLUICE_TRY(result_.floor, floor(true));
        return finish();
    }

  private:
    Status resume() {
        if (options_.resume.empty()) return {};
        SLUICE_TRY(reached_, Checkpoint::open(options_.resume, belongs_, options_));
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
        return keeper_.keep(last, [&](std::string const& path) {
            return save_checkpoint(path, belongs_, options_,
                                   {stage, iteration, result_.rounds, result_.notes}, state_,
                                   keep_stage);
        });
    }

    Result<std::unique_ptr<Step<Real>>> make_step(Model const& model) const {
        if constexpr (std::is_same_v<Real, float>)
            if (measured_.in_order_of_passes && is_fast(model))
                return make_fast_step(model, measured_, options_.device.isa());
        return make_plain_step<Real>(model, measured_);
    }

    // As it is now.
    Model model_now(PtychographyStage const& stage) const {
        Model model = model_in(patterns_, options_, stage);
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
        auto solver = make_solver<Real>(stage);
        BestState<Real> best(goes_back(options_, stage));
        Constraints<Real> constraints;
        begin_variation(state_, stage, totals_.mean, options_.seed);
        Job<Real> job{.state = state_,
                      .step = *step,
                      .stage = stage,
                      .share = share_,
                      .rows = row_loops<Real>(options_.device.isa()),
                      .patterns = patterns_.count(),
                      .mean_power = totals_.mean,
                      .largest_power = totals_.largest,
                      // What one pattern gives is too little to share.
                      .threads = group_of(stage, patterns_.count()) > 1 || projects(stage)
                                     ? options_.device.threads()
                                     : 1,
                      .seed = options_.seed};
        begin_refinement(job, totals_, patterns_.bad);
        auto const patterns = static_cast<std::uint64_t>(patterns_.count());
        job.progress = watching_.progress();
        job.done = static_cast<std::uint64_t>(result_.rounds.size()) * patterns;
        job.all = static_cast<std::uint64_t>(total_) * patterns;
        KeepStage<Real> const keep_stage = [&](Archive<Real>& archive) {
            solver->keep(job, archive);
            constraints.keep(job, archive);
            best.keep(state_, archive);
            keep_refining(state_, archive);
            archive.number("length of steps", job.length);
        };
        SLUICE_TRY(index const first, begin_stage(number, keep_stage));
        for (index i = first; i <= stage.iterations; ++i) {
            auto const start = std::chrono::steady_clock::now();
            job.iteration = i;
            job.round = std::ssize(result_.rounds);
            job.collected.clear(patterns_.count(), state_.background.size());
            // The state may have gone back.
            if (model.slices > 1) step->set_slices(state_.slice_nm, state_.tilt_rad);
            best.before(state_);
            auto const iterated = solver->iterate(job);
            if (!iterated &&
                (iterated.error().code != Code::invalid_argument || !goes_back(options_, stage) ||
                 !share_.alone() || (job.length < 1 && !best.any())))
                return iterated.error();
            Errors const errors = iterated ? *iterated : Errors{};
            if (iterated) SLUICE_CHECK(refine(job, result_.notes));
            if (iterated) SLUICE_CHECK(constrain(job, constraints));
            std::chrono::duration<double> const took = std::chrono::steady_clock::now() - start;
            result_.rounds.push_back(
                {number, errors.r(), errors.r_intensity(),
                 errors.loss /
                     static_cast<double>(patterns_.count() * patterns_.size * patterns_.size),
                 took.count()});
            watching_.iteration(job.done, job.all);
            best.after(iterated ? errors.r() : NAN, i);
            if (best.diverges()) {
                bool const again = job.length < 1;
                go_back(best, number, i, again);
                if (again) break;
                i = best.iteration();
                job.length = 0.5;
                solver = make_solver<Real>(stage);
                continue;
            }
            SLUICE_CHECK(keep(number, i, i == stage.iterations, keep_stage));
            if (options_.stop_early && rests(i)) {
                note_rest(number, i);
                break;
            }
        }
        end_refinement(job, result_.notes);
        return {};
    }

    Status constrain(Job<Real>& job, Constraints<Real>& constraints) {
        auto const& stage = job.stage;
        settle_variation(job);
        // Moments, directions and stored waves belong to the modes as they are.
        return constraints.apply(job, projects(stage) || stage.solver == S::adam ||
                                          stage.solver == S::mpie || stage.solver == S::mlcg);
    }

    // The rounds after the best one go too, so that the last R is that of the state.
    void go_back(BestState<Real>& best, index stage, index iteration, bool again) {
        auto& rounds = result_.rounds;
        std::string const rose =
            std::isfinite(best.last())
                ? fmt::format("R rose from {:.4f} to {:.4f}", best.r(), best.last())
                : std::string("numbers were none any more");
        best.restore(state_);
        rounds.resize(rounds.size() - static_cast<std::size_t>(iteration - best.iteration()));
        result_.notes.push_back(fmt::format(
            "stage {}: {} by iteration {}; {} the state of iteration {}{}", stage + 1, rose,
            iteration, again ? "it stopped with" : "it went on from", best.iteration(),
            again ? " (take smaller steps or smaller groups)" : " with half the steps"));
    }

    bool rests(index iteration) const {
        if (iteration < 11) return false;
        auto const& rounds = result_.rounds;
        return rounds[rounds.size() - 11].r - rounds.back().r < 0.001;
    }

    // Of up to 200 patterns, as they are modelled now. A watcher's is of this process' own ones:
    // the others may have none.
    Result<double> floor(bool of_all) const {
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
        return sum.counts > 0 ? std::sqrt(sum.noise / sum.counts) : 0;
    }

    double own_floor() const {
        auto const found = floor(false);
        return found ? *found : 0;
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

    PtychographyResult finish() {
        if (!options_.stages.back().fix_probe && !state_.varies()) make_orthogonal(state_.probe);
        auto const copy = [](std::vector<Planar<Real>> const& planes) {
            index const rows = planes.front().rows(), cols = planes.front().cols();
            auto out = Array<std::complex<float>>::zeros({std::ssize(planes), rows, cols});
            auto z = out.values.begin();
            for (auto const& plane : planes)
                for (index r = 0; r < rows; ++r)
                    for (index c = 0; c < cols; ++c)
                        *z++ = static_cast<std::complex<float>>(plane.at(r, c));
            return out;
        };
        result_.object = copy(state_.object);
        result_.probe = copy(state_.probe);
        if (!state_.opr_modes.empty()) result_.opr_modes = copy(state_.opr_modes);
        if (state_.varies()) take_weights();
        result_.mode_powers = mode_powers(state_.probe);
        double all = 0;
        for (double p : result_.mode_powers) all += p;
        for (double& p : result_.mode_powers) p /= all;
        result_.positions = state_.positions;
        result_.shift = canvas_.shift;
        result_.pixel_nm = grid_of(patterns_, options_).pixel_nm;
        result_.descan = state_.descan;
        if (!state_.background.empty()) {
            result_.background = Array<float>::zeros({patterns_.size, patterns_.size});
            std::copy(state_.background.begin(), state_.background.end(),
                      result_.background.values.begin());
        }
        result_.slice_nm = state_.slice_nm;
        result_.tilt_row_mrad = state_.tilt_rad[0] * 1e3;
        result_.tilt_col_mrad = state_.tilt_rad[1] * 1e3;
        Position const center = center_of(state_.probe);
        result_.probe_moved = {center.row - began_.row, center.col - began_.col};
        result_.probe_power = all / totals_.mean;
        note_findings(result_);
        return std::move(result_);
    }

    Measured const& measured_;
    Share const& share_;
    Patterns const& patterns_;
    PtychographyOptions const& options_;
    Totals totals_;
    Canvas canvas_;
    Belongs belongs_;
    Keeper keeper_;
    std::optional<Checkpoint> reached_;  ///< until its stage has begun
    State<Real> state_;
    Position began_;  // the probe's centre
    index total_ = 0, stage_ = 0;
    PtychographyResult result_;
    Watching<Real> watching_{options_,      state_,          result_.rounds,
                             result_.notes, canvas_.corners, [this] { return own_floor(); }};
};

template <class Real>
Result<PtychographyResult> run(Measured const& measured, Share const& share,
                               PtychographyOptions const& options, Totals totals,
                               Belongs const& belongs, std::uint64_t bytes) {
    auto const positions = positions_on_grid(measured.patterns, options);
    SLUICE_TRY(auto canvas,
               make_canvas(positions, grid_of(measured.patterns, options).window, options.margin));
    Reconstruction<Real> work(measured, share, options, std::move(totals), std::move(canvas),
                              belongs);
    SLUICE_TRY(auto result, work.run());
    result.memory = bytes;
    return result;
}

// The bytes planned; fails where there are fewer.
Result<std::uint64_t> affordable(Patterns const& patterns, PtychographyOptions const& options) {
    SLUICE_TRY(std::uint64_t const bytes, stem4d::ptychography_memory(patterns, options));
    std::uint64_t const limit = options.memory_limit ? options.memory_limit : memory_available();
    if (bytes > limit)
        return Error{
            Code::out_of_memory,
            fmt::format("the reconstruction takes {:.2f} GB and there are {:.2f} GB "
                        "(projections keep every wave, others a group's) take fewer "
                        "modes, a smaller group or another solver",
                        static_cast<double>(bytes) * 1e-9, static_cast<double>(limit) * 1e-9)};
    return bytes;
}

}  // namespace

}  // namespace sluice::ptycho

namespace sluice::stem4d {

Result<PtychographyGrid> ptychography_grid(Patterns const& patterns,
                                           PtychographyOptions const& options) {
    SLUICE_CHECK(ptycho::check_grid(patterns, options));
    return ptycho::grid_of(patterns, options);
}

Result<std::uint64_t> ptychography_memory(Patterns const& patterns,
                                          PtychographyOptions const& options) {
    SLUICE_CHECK(ptycho::check_options(patterns, options));
    SLUICE_TRY(auto const canvas,
               ptycho::make_canvas(ptycho::positions_on_grid(patterns, options),
                                   ptycho::grid_of(patterns, options).window, options.margin));
    bool const twice = options.device.kind() == Device::Kind::reference;
    return ptycho::planned(patterns, options, canvas, twice ? sizeof(double) : sizeof(float));
}

namespace {

Result<PtychographyResult> reconstruct(Patterns patterns, PtychographyOptions const& options) {
    ptycho::Measured measured{.patterns = std::move(patterns)};
    SLUICE_TRY(ptycho::Share const share,
               ptycho::share_out(measured.patterns, options.communicator));
    bool const kept = !options.checkpoint.empty() || !options.resume.empty();
    // Those of several ranks could be of different iterations after an end by force.
    if (kept && !share.alone())
        return Error{Code::unsupported,
                     "checkpoints are kept where one rank has all patterns (several ranks would "
                     "have to stop at the same iteration) leave them out"};
    SLUICE_TRY(auto totals, ptycho::check(measured, share));
    ptycho::Belongs belongs;
    if (kept) belongs = ptycho::belongs_to(measured, options.device.threads());
    auto const bytes = ptycho::affordable(measured.patterns, options);
    SLUICE_CHECK(share.agree(bytes ? Status{} : bytes.error()));
    if (options.device.kind() == Device::Kind::reference)
        return ptycho::run<double>(measured, share, options, std::move(totals), belongs, *bytes);
    if (options.device.kind() != Device::Kind::cpu)
        return Error{Code::unsupported,
                     "ptychography runs on processors (kernels for devices are "
                     "not there yet) take --device cpu"};
    if (ptycho::is_fast(ptycho::model_of(measured.patterns, options)))
        ptycho::order_for_passes(measured, options.device.threads());
    return ptycho::run<float>(measured, share, options, std::move(totals), belongs, *bytes);
}

}  // namespace

Result<PtychographyResult> ptychography(Patterns patterns, PtychographyOptions const& options) {
    // What was free when it was planned may be gone by now.
    try {
        return reconstruct(std::move(patterns), options);
    } catch (std::bad_alloc const&) {
        return Error{Code::out_of_memory,
                     "memory ran out during the reconstruction (it sufficed when the work was "
                     "planned; another program took it) take fewer modes, a smaller group or "
                     "another solver"};
    }
}

}  // namespace sluice::stem4d
