// What follows from a stage's options.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/stage_kind.h"

#include <algorithm>

namespace sluice::ptycho {

using stem4d::PtychographyOptions;
using stem4d::PtychographyStage;

bool projects(PtychographyStage const& stage) {
    return stage.solver == PtychographyStage::Solver::ap ||
           stage.solver == PtychographyStage::Solver::dm ||
           stage.solver == PtychographyStage::Solver::raar ||
           stage.solver == PtychographyStage::Solver::rrr ||
           stage.solver == PtychographyStage::Solver::sdr;
}

bool goes_back(PtychographyOptions const& options, PtychographyStage const& stage) {
    return options.restore_best && !projects(stage) &&
           stage.solver != PtychographyStage::Solver::mpie;
}

bool chooses_likelihood(PtychographyStage const& stage) {
    using Solver = PtychographyStage::Solver;
    return stage.solver == Solver::lsqml || stage.solver == Solver::sgd ||
           stage.solver == Solver::adam || stage.solver == Solver::mlcg;
}

stem4d::Likelihood fitted(PtychographyStage const& stage) {
    return chooses_likelihood(stage) ? stage.likelihood : stem4d::Likelihood::amplitude;
}

bool weighs_residuals(PtychographyStage const& stage) {
    return stage.solver == PtychographyStage::Solver::lsqml &&
           stage.likelihood == stem4d::Likelihood::poisson;
}

index group_size(PtychographyStage const& stage, index patterns, index slices) {
    using S = PtychographyStage::Solver;
    if (stage.group > 0) return std::min(stage.group, patterns);
    bool const pie = stage.solver == S::epie || stage.solver == S::rpie || stage.solver == S::mpie;
    index const some = std::max<index>(1, patterns / (pie ? 50 : 5));
    // LSQML keeps what each pattern of a group wants: 8 bytes a pixel for the probe and for each
    // slice, beside one or two of counts.
    if (stage.solver == S::lsqml)
        return std::min(
            some, std::max<index>(10, std::max<index>(100, patterns / 100) * 2 / (1 + slices)));
    return some;
}

}  // namespace sluice::ptycho
