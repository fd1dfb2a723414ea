// StageWork: what the iterations of a stage do, wherever object and probe are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/archive.h"
#include "domain/ptychography/best_round.h"
#include "domain/ptychography/job.h"

namespace sluice::ptycho {

template <class Real>
class StageWork {
  public:
    virtual ~StageWork() = default;
    /// An iteration's updates; the errors before them.
    virtual Result<Errors> iterate(Job<Real>& job) = 0;
    /// What follows on them: refinement, and constraints.
    virtual Status settle(Job<Real>& job, std::vector<std::string>& notes) = 0;
    /// The iteration's R; NaN: it had none.
    virtual void judge(double r, index iteration) = 0;
    virtual BestRound const& best() const = 0;
    /// To the best state; solvers begin anew.
    virtual Status go_back(Job<Real>& job) = 0;
    /// The job's state becomes what it is now.
    virtual Status fetch(Job<Real>& job) = 0;
    /// Shows all that one iteration leaves to the next, beside the state.
    virtual Status keep(Job<Real>& job, Archive<Real>& archive) = 0;
};

/// In the host's memory, by job.step.
template <class Real>
std::unique_ptr<StageWork<Real>> make_host_work(stem4d::PtychographyOptions const& options,
                                                Job<Real> const& job);

extern template std::unique_ptr<StageWork<float>> make_host_work(stem4d::PtychographyOptions const&,
                                                                 Job<float> const&);
extern template std::unique_ptr<StageWork<double>> make_host_work(
    stem4d::PtychographyOptions const&, Job<double> const&);

}  // namespace sluice::ptycho
