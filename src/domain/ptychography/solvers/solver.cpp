// The solver of a stage, on the host.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/solvers/solver.h"

#include "domain/ptychography/stage_kind.h"

namespace sluice::ptycho {

template <class Real>
std::unique_ptr<Solver<Real>> make_solver(PtychographyStage const& stage) {
    using S = PtychographyStage::Solver;
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

template std::unique_ptr<Solver<float>> make_solver(PtychographyStage const&);
template std::unique_ptr<Solver<double>> make_solver(PtychographyStage const&);

}  // namespace sluice::ptycho
