// Model: the physics between an object, a probe and a pattern, as far as no iteration changes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "sluice/ptychography.h"

namespace sluice::ptycho {

using stem4d::Likelihood;
using stem4d::Position;
using stem4d::Propagation;

struct Model {
    index window = 0;    ///< side of the square that a wave is computed on
    index detector = 0;  ///< side of a pattern
    /// Pixels of the wave at the detector that a detector pixel adds up, in each direction. bin *
    /// detector is at most window; what is beyond is not measured.
    index bin = 1;
    double blur = 0;  ///< standard deviation of the detector's response, in pixels of that wave
    /// From object to detector: by a Fourier transform, or over a short distance in between.
    Propagation propagation = Propagation::far;
    double distance_nm = 0;  ///< of the near field
    Likelihood likelihood = Likelihood::amplitude;
    double count = 1;       ///< the value of one count
    bool sub_pixel = true;  ///< the probe is moved by parts of a pixel; else positions are rounded

    index slices = 1;
    double slice_nm = 0;                  ///< from one slice to the next
    double wavelength_nm = 0;             ///< wanted for slices and the near field
    double pixel_nm = 0;                  ///< of the object; wanted for slices and the near field
    std::array<double, 2> tilt_rad = {};  ///< of the specimen, (row, col)

    bool near() const { return propagation == Propagation::near; }
    /// Each pixel of the wave at the detector is a pixel of the pattern.
    bool plain_detector() const { return bin == 1 && window == detector && blur == 0; }
};

/// Where a window lies on the canvas, and by what part of a pixel its probe moves.
struct WindowPlace {
    index row = 0, col = 0;
    double row_part = 0, col_part = 0;  ///< in [-0.5, 0.5]
};
WindowPlace place_of(Position corner, bool sub_pixel);

}  // namespace sluice::ptycho
