// The parts of matRad's base data.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "domain/proton/machine/mat_record.h"
#include "sluice/proton_machine.h"

namespace sluice::proton {

/// What all energies share, and what is told of them afterwards.
struct MatFacts {
    double source = 0, plane = 0;
    std::optional<double> least_fwhm;  ///< of the closest spots
    index foci = 1;
    bool emittance = false;
    std::size_t without_spectrum = 0, without_let = 0, late = 0;
    double residual = 0, residual_at = 0, residual_energy = 0;
    double from = 0, to = 0;  ///< of the widths that were fitted, above the isocentre
};

/// The moments on the plane that `initFocus` has the widths of.
Result<SpotGaussian> read_focus(MatRecord const& record, double energy, MatFacts& facts);

/// Depth doses of one energy.
Status read_kernel(MatRecord const& record, MachineEnergy& e, MatFacts& facts);

}  // namespace sluice::proton
