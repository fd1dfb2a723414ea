// Launches an iteration's groups, waits for its errors, and keeps the probe's power and modes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/remote/remote_work.h"

#include <chrono>
#include <numeric>
#include <utility>

#include "domain/ptychography/constraints/constraints.h"
#include "domain/ptychography/constraints/probe_power.h"
#include "domain/ptychography/constraints/probe_support.h"
#include "domain/ptychography/keep_state.h"
#include "domain/ptychography/modes.h"
#include "domain/ptychography/refine/refine.h"
#include "domain/ptychography/remote/dense.h"
#include "domain/ptychography/remote/plan.h"
#include "domain/ptychography/remote/remote_solver.h"
#include "domain/ptychography/solvers/groups_of.h"
#include "domain/ptychography/solvers/pace.h"
#include "domain/ptychography/stage_kind.h"
#include "launch/map.h"

namespace sluice::ptycho::remote {

namespace {

using S = PtychographyStage::Solver;

std::unique_ptr<RemoteSolver> make_solver(Job<float> const& job) {
    PtychographyStage const& stage = job.stage;
    if (projects(stage)) return make_remote_projections();
    if (stage.solver == S::lsqml) return make_remote_lsqml(has_momentum(job));
    if (stage.solver == S::sgd || stage.solver == S::adam) return make_remote_descent();
    return make_remote_pie();
}

std::vector<std::vector<index>> groups_or_all(Job<float> const& job) {
    if (!projects(job.stage)) return groups_of(job);
    std::vector<index> all(static_cast<std::size_t>(job.patterns));
    std::iota(all.begin(), all.end(), index{0});
    return {std::move(all)};
}

/// What a state has beside object and probe, as far as devices change it.
struct Placed {
    std::vector<Position> positions = {};
    bool rest = false;
    std::array<double, 4> speed = {};

    Placed() = default;
    explicit Placed(State<float> const& state)
        : positions(state.positions), rest(state.positions_rest), speed(state.affine_speed) {}
    void restore(State<float>& state) const {
        state.positions = positions;
        state.positions_rest = rest;
        state.affine_speed = speed;
    }
};

class RemoteWork final : public StageWork<float> {
  public:
    RemoteWork(std::unique_ptr<RemoteStep> step, stem4d::PtychographyOptions const& options,
               Job<float> const& job)
        : step_(std::move(step)),
          solver_(make_solver(job)),
          best_(goes_back(options, job.stage), job.counting_noise, constrains(job.stage)),
          at_(step_->at()) {}

    /// Object and probe as the job has them.
    Status begin(Job<float> const& job) {
        SLUICE_CHECK(step_->upload(at_.object, dense(job.state.object)));
        return step_->upload(at_.probe, dense(job.state.probe));
    }

    Result<Errors> iterate(Job<float>& job) override {
        SLUICE_CHECK(step_->begin(groups_or_all(job)));
        SLUICE_CHECK(solver_->begin(*step_, job));
        if (best_.on()) {
            SLUICE_CHECK(copy(at_.object, candidate_object_, at_.probe, candidate_probe_));
            candidate_ = Placed(job.state);
        }
        for (Group const& group : step_->groups()) {
            object_is_here_ = object_is_here_ && !job.moves_object();
            probe_is_here_ = probe_is_here_ && !job.moves_probe();
            SLUICE_CHECK(solver_->move(*step_, job, group));
            SLUICE_CHECK(advance(job, group.count));
        }
        // What settle() looks at comes with the errors.
        std::shared_ptr<std::vector<Z>> probe;
        std::shared_ptr<std::vector<double>> slopes;
        if (settles(job) && !probe_is_here_) {
            SLUICE_TRY(probe, download(at_.probe, step_->sizes().probe()));
        }
        if (at_.position_gradients) {
            SLUICE_TRY(slopes, download(at_.position_gradients, 2 * job.patterns));
        }
        SLUICE_TRY(Errors const errors, step_->errors(job.iteration));
        if (probe) planar(*probe, job.state.probe);
        probe_is_here_ = probe_is_here_ || probe;
        if (slopes) take_slopes(job, *slopes);
        return errors;
    }

    // Support, power and modes concern the probe only; constraints that need the object are done
    // here.
    Status settle(Job<float>& job, std::vector<std::string>& notes) override {
        bool const refines = job.stage.refine_positions, here = refines || constrains(job.stage);
        if (here) SLUICE_CHECK(fetch(job));
        if (refines) {
            bool const rested = job.state.positions_rest;
            SLUICE_CHECK(refine(job, notes));
            if (job.state.positions_rest != rested) best_.begin_anew();
            SLUICE_CHECK(step_->place(job.state.positions));
        }
        if (!constrains(job.stage)) return settles(job) ? settle_probe(job) : Status{};
        SLUICE_CHECK(constraints_.apply(job, remembers(job)));
        return begin(job);
    }

    void judge(double r, index iteration) override {
        if (!best_.after(r, iteration)) return;
        std::swap(best_object_, candidate_object_);
        std::swap(best_probe_, candidate_probe_);
        std::swap(best_placed_, candidate_);
    }

    BestRound const& best() const override { return best_; }

    Status go_back(Job<float>& job) override {
        SLUICE_CHECK(copy(best_object_, at_.object, best_probe_, at_.probe));
        best_placed_.restore(job.state);
        SLUICE_CHECK(step_->place(job.state.positions));
        best_.went_back();
        solver_ = make_solver(job);
        object_is_here_ = probe_is_here_ = false;
        return {};
    }

    Status fetch(Job<float>& job) override {
        std::shared_ptr<std::vector<Z>> object, probe;
        if (!object_is_here_) {
            SLUICE_TRY(object, download(at_.object, step_->sizes().object()));
        }
        if (!probe_is_here_) {
            SLUICE_TRY(probe, download(at_.probe, step_->sizes().probe()));
        }
        SLUICE_CHECK(step_->queue().wait());
        if (object) planar(*object, job.state.object);
        if (probe) planar(*probe, job.state.probe);
        object_is_here_ = probe_is_here_ = true;
        return {};
    }

    Status keep(Job<float>& job, Archive<float>& archive) override {
        shelf_ = std::make_unique<Shelf>(*step_, archive);
        SLUICE_CHECK(solver_->keep(*step_, *shelf_));
        constraints_.keep(job, archive);
        return best_.on() ? keep_best(job, archive) : Status{};
    }

  private:
    using Clock = std::chrono::steady_clock;

    static bool keeps_power(Job<float> const& job) {
        return job.stage.probe_power && job.moves_object();
    }
    // Waves, moments and velocities belong to the modes as they are.
    static bool remembers(Job<float> const& job) {
        return projects(job.stage) || job.stage.solver == S::adam || job.stage.solver == S::mpie;
    }
    static bool settles(Job<float> const& job) {
        return job.moves_probe() &&
               (has_usual_support(job.stage, job.step.model()) ||
                (!remembers(job) && (keeps_power(job) || job.state.probe.size() > 1)));
    }

    void take_slopes(Job<float>& job, std::vector<double> const& slopes) const {
        for (std::size_t s = 0; 2 * s < slopes.size(); ++s) {
            auto const j = static_cast<std::size_t>(step_->pattern(static_cast<index>(s)));
            job.collected.position[j] = {slopes[2 * s], slopes[2 * s + 1]};
        }
    }

    // As Constraints::apply() does where nothing else is wanted.
    Status settle_probe(Job<float>& job) {
        keep_support(job);
        if (!remembers(job)) SLUICE_CHECK(keep_power_and_modes(job));
        return step_->upload(at_.probe, dense(job.state.probe));
    }

    Status keep_power_and_modes(Job<float>& job) {
        if (keeps_power(job)) {
            PowerFactors const by = power_factors(job);
            scale_planes(job.state.probe, by.probe);
            SLUICE_CHECK(launch::map(step_->queue(), step_->sizes().object(),
                                     Scale{static_cast<float>(by.slice), at_.object}));
            object_is_here_ = false;
        }
        if (!has_momentum(job)) make_orthogonal(job.state.probe);
        return {};
    }

    Status copy(Z const* object, Z* object_to, Z const* probe, Z* probe_to) {
        SLUICE_CHECK(launch::map(step_->queue(), step_->sizes().object(), Copy{object, object_to}));
        return launch::map(step_->queue(), step_->sizes().probe(), Copy{probe, probe_to});
    }

    // As BestState's.
    Status keep_best(Job<float> const& job, Archive<float>& archive) {
        best_.keep(archive);
        bool any = !best_placed_.positions.empty();
        archive.number("has best", any);
        if (!any) return {};
        best_here_ = job.state;
        if (!best_placed_.positions.empty()) best_placed_.restore(best_here_);
        SLUICE_TRY(auto const object, download(best_object_, step_->sizes().object()));
        SLUICE_TRY(auto const probe, download(best_probe_, step_->sizes().probe()));
        SLUICE_CHECK(step_->queue().wait());
        planar(*object, best_here_.object);
        planar(*probe, best_here_.probe);
        keep_state(best_here_, archive);
        SLUICE_CHECK(check_places(best_here_));
        best_placed_ = Placed(best_here_);
        SLUICE_CHECK(step_->upload(best_object_, dense(best_here_.object)));
        return step_->upload(best_probe_, dense(best_here_.probe));
    }

    // There after the queue's wait(), which keeps it until then.
    template <class T>
    Result<std::shared_ptr<std::vector<T>>> download(T const* from, index count) {
        auto const to = std::make_shared<std::vector<T>>(static_cast<std::size_t>(count));
        step_->queue().hold(to);
        SLUICE_CHECK(step_->queue().download(std::as_writable_bytes(std::span(*to)), from));
        return to;
    }

    // The host waits for a device between groups only to show progress and to stop.
    Status advance(Job<float>& job, index patterns) {
        if (job.progress && Clock::now() - waited_ > std::chrono::milliseconds(100)) {
            SLUICE_CHECK(step_->queue().wait());
            waited_ = Clock::now();
        }
        return job.advance(patterns);
    }

    std::unique_ptr<RemoteStep> step_;
    std::unique_ptr<RemoteSolver> solver_;
    Constraints<float> constraints_;
    BestRound best_;
    Placed best_placed_, candidate_;
    State<float> best_here_;        ///< as the archive sees it
    std::unique_ptr<Shelf> shelf_;  ///< the same
    Arrays at_;
    Z *best_object_ = at_.best_object, *best_probe_ = at_.best_probe,
      *candidate_object_ = at_.candidate_object, *candidate_probe_ = at_.candidate_probe;
    bool object_is_here_ = true, probe_is_here_ = true;
    Clock::time_point waited_ = Clock::now();
};

}  // namespace

Result<std::unique_ptr<StageWork<float>>> make_work(OnDevice const& there,
                                                    stem4d::PtychographyOptions const& options,
                                                    Job<float> const& job) {
    ptycho::Canvas canvas;
    canvas.corners = job.state.positions;
    canvas.rows = job.canvas()[0];
    canvas.cols = job.canvas()[1];
    Sizes const sizes =
        sizes_of(there.patterns->measured().patterns, options, job.stage, canvas, there.most_waves);
    SLUICE_TRY(auto step, RemoteStep::make(*there.patterns, sizes, job.step.model()));
    auto work = std::make_unique<RemoteWork>(std::move(step), options, job);
    // A stage that refines positions may have been before.
    SLUICE_CHECK(there.patterns->place(job.state.positions, job.step.model().sub_pixel));
    SLUICE_CHECK(work->begin(job));
    return std::unique_ptr<StageWork<float>>(std::move(work));
}

}  // namespace sluice::ptycho::remote
