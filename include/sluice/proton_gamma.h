// The gamma index of two doses in space.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/proton.h"
#include "sluice/result.h"
#include "sluice/volume.h"

namespace sluice::proton {

/// How far two doses in space are apart.
struct VolumeGamma {
    Volume gamma;             ///< at the reference's elements; NaN where left out
    index points = 0;         ///< elements that are not left out
    index outside = 0;        ///< of them those that lie outside of the evaluated image
    double passed = 0;        ///< part of the points with at most 1
    double mean = 0;          ///< larger ones count as `GammaOptions::most`
    double highest_dose = 0;  ///< of the reference, in its unit
};
/// Low et al. 1998 (https://doi.org/10.1118/1.598248), at each element of the reference: the exact
/// distance to the evaluated dose, which is linear in the six tetrahedra of each cell between
/// middles of elements (Ju et al. 2008, https://doi.org/10.1118/1.2836952). The images may have
/// other spacings and origins. Nothing is beyond the outermost middles of the evaluated image.
/// Progress counts rows of the reference. Errors: images without three axes of two elements or
/// more, without spacing and origin, with axes of other directions, with values that are not
/// finite, a reference without dose.
Result<VolumeGamma> gamma_index(Volume const& reference, Volume const& evaluated,
                                GammaOptions const& options = {});

}  // namespace sluice::proton
