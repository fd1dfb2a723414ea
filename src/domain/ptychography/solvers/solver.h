// Solver: what a stage does with the gradients of its groups, in each iteration.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "domain/ptychography/archive.h"
#include "domain/ptychography/job.h"

namespace sluice::ptycho {

template <class Real>
class Solver {
  public:
    virtual ~Solver() = default;
    /// Before an iteration: from where it sets out. The iteration's R belongs to this state.
    virtual void set_out(Job<Real>&) {}
    /// The errors before its updates.
    virtual Result<Errors> iterate(Job<Real>& job) = 0;
    /// Shows all that one iteration leaves to the next, beside the state.
    virtual void keep(Job<Real>&, Archive<Real>&) {}
};

/// Of the host.
template <class Real>
std::unique_ptr<Solver<Real>> make_pie();
template <class Real>
std::unique_ptr<Solver<Real>> make_projections();
template <class Real>
std::unique_ptr<Solver<Real>> make_lsqml();
template <class Real>
std::unique_ptr<Solver<Real>> make_descent();
template <class Real>
std::unique_ptr<Solver<Real>> make_conjugate();

/// That of a stage.
template <class Real>
std::unique_ptr<Solver<Real>> make_solver(PtychographyStage const& stage);

}  // namespace sluice::ptycho
