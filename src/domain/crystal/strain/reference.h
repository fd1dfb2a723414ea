// The lattice that strain is measured from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/strain.h"

namespace sluice::crystal {

struct Reference {
    stem4d::LatticeBasis basis;
    std::string note;  ///< what it is, and how well it is known
};
/// As it is given, or the median. Errors: no lattice in the region; vectors on a line.
Result<Reference> reference_of(stem4d::LatticeFit const& fit, stem4d::StrainOptions const& options);

}  // namespace sluice::crystal
