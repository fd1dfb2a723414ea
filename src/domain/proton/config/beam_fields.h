// The tables of the keys that beams, their lists, sweeps and spread-out peaks have.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/proton_sobp.h"

namespace sluice::proton {

/// What a beam is given by: MeV, mm and radians. A Beam has the covariance that these imply.
struct BeamKeys {
    double energy = 0, energy_spread = 0;
    double x = 0, sigma_x = 0;
    double angle = 0, divergence = 0;
    double correlation = 0;  ///< of x and angle, -1 to 1
    double weight = 1;
};
/// Of [[beam]], of [sweep], and of the columns of lists. The energy is the first.
config::Fields<BeamKeys> beam_fields();

/// Of [[sobp]]; its other keys are those of its beam, without the energy.
config::Fields<SobpPlan> sobp_fields();

/// [beams]
struct BeamList {
    std::string file;
};
config::Fields<BeamList> beam_list_fields();

/// What a key of a [sweep] is to be: `count` values, both ends included.
struct SweepSteps {
    std::string from, to;  ///< as the key itself has them
    index count = 2;
};
config::Fields<SweepSteps> sweep_step_fields();

}  // namespace sluice::proton
