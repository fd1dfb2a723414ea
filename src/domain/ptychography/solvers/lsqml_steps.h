// The steps of LSQML out of its patterns' small systems.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/ptychography/step/residual_step.h"
#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// The sums of one pattern's 2x2 system, over all modes.
struct System {
    double oo = 0, pp = 0;  ///< |dO P|^2 and |dP O|^2
    double op = 0;          ///< Re (dO P) (dP O)*: steps are real
    double o = 0, p = 0;    ///< Re <dO P, chi> and Re <dP O, chi>, chi that part of the residual
};

/// Along the common directions of object and probe.
struct LsqmlSteps {
    double object = 0, probe = 0;
};

/// The part of its residual that a pattern's waves should take: `slopes` are those of the Poisson
/// likelihood. Gradients of other likelihoods than that of amplitudes are longer than the waves'
/// error.
double part_of_residual(stem4d::PtychographyStage const& stage, ResidualSlopes const& slopes);

/// A group's. `both`: object and probe move; else each is solved for alone. `length`: of the steps,
/// against what the stage says.
LsqmlSteps steps_of(std::vector<System> const& systems, stem4d::PtychographyStage const& stage,
                    bool both, double length);

}  // namespace sluice::ptycho
