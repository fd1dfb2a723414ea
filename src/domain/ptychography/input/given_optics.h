// What a caller says of wavelength and detector, and whether that makes sense for the propagation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// As in PatternsOptions; 0: not given.
struct GivenOptics {
    stem4d::Propagation propagation = stem4d::Propagation::far;
    bool center = false;  ///< of the direct beam, is given
    double kilovolts = 0, wavelength_nm = 0;
    double detector_step_mrad = 0, detector_pixel_um = 0;
};
/// Fails where two of them state the same quantity, or one does not belong to the propagation.
Status check_optics(GivenOptics const& given);
/// Of PatternsOptions or PatternFileOptions.
template <class Options>
GivenOptics given_optics(Options const& options) {
    return {.propagation = options.propagation,
            .center = options.center.has_value(),
            .kilovolts = options.kilovolts,
            .wavelength_nm = options.wavelength_nm,
            .detector_step_mrad = options.detector_step_mrad,
            .detector_pixel_um = options.detector_pixel_um};
}

/// In nm; 0: neither is given.
double wavelength_of(double kilovolts, double wavelength_nm);

/// The same for a scan: where neither is given, by the energy that its file states. Notes say how
/// that was used. Fails where no microscope has the file's energy.
Result<double> wavelength_of(Scan const& scan, stem4d::PatternsOptions const& options,
                             std::vector<std::string>* notes);

}  // namespace sluice::ptycho
