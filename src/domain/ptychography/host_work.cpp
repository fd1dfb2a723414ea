// The iterations of a stage in the host's memory: its solver, refinement, constraints.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/best_state.h"
#include "domain/ptychography/constraints/constraints.h"
#include "domain/ptychography/refine/refine.h"
#include "domain/ptychography/solvers/solver.h"
#include "domain/ptychography/stage_kind.h"
#include "domain/ptychography/stage_work.h"
#include "domain/ptychography/variable_probe.h"

namespace sluice::ptycho {

namespace {

template <class Real>
class HostWork final : public StageWork<Real> {
  public:
    HostWork(stem4d::PtychographyOptions const& options, Job<Real> const& job)
        : solver_(make_solver<Real>(job.stage)),
          best_(goes_back(options, job.stage), job.counting_noise, constrains(job.stage)) {}

    Result<Errors> iterate(Job<Real>& job) override {
        // The state may have gone back.
        if (job.step.model().slices > 1)
            job.step.set_slices(job.state.slice_nm, job.state.tilt_rad);
        solver_->set_out(job);
        best_.before(job.state);
        return solver_->iterate(job);
    }

    Status settle(Job<Real>& job, std::vector<std::string>& notes) override {
        bool const rested = job.state.positions_rest;
        SLUICE_CHECK(refine(job, notes));
        if (job.state.positions_rest != rested) best_.begin_anew();
        settle_variation(job);
        // Moments, directions and stored waves belong to the modes as they are.
        auto const& stage = job.stage;
        return constraints_.apply(job, projects(stage) ||
                                           stage.solver == PtychographyStage::Solver::adam ||
                                           stage.solver == PtychographyStage::Solver::mpie ||
                                           stage.solver == PtychographyStage::Solver::mlcg);
    }

    void judge(double r, index iteration) override { best_.after(r, iteration); }
    BestRound const& best() const override { return best_; }

    Status go_back(Job<Real>& job) override {
        // An iteration that stopped within a group left its gradients there.
        job.sums = {};
        best_.restore(job.state);
        solver_ = make_solver<Real>(job.stage);
        return {};
    }

    Status fetch(Job<Real>&) override { return {}; }

    Status keep(Job<Real>& job, Archive<Real>& archive) override {
        solver_->keep(job, archive);
        constraints_.keep(job, archive);
        return best_.keep(job.state, archive);
    }

  private:
    std::unique_ptr<Solver<Real>> solver_;
    BestState<Real> best_;
    Constraints<Real> constraints_;
};

}  // namespace

template <class Real>
std::unique_ptr<StageWork<Real>> make_host_work(stem4d::PtychographyOptions const& options,
                                                Job<Real> const& job) {
    return std::make_unique<HostWork<Real>>(options, job);
}

template std::unique_ptr<StageWork<float>> make_host_work(stem4d::PtychographyOptions const&,
                                                          Job<float> const&);
template std::unique_ptr<StageWork<double>> make_host_work(stem4d::PtychographyOptions const&,
                                                           Job<double> const&);

}  // namespace sluice::ptycho
