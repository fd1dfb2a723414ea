// The outline of a structure on a plane that is square to an axis of space.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "format/dicom/structure_stack.h"

namespace sluice::proton {

/// Places in the patient, mm, joined one after the other; the last of a closed line is the first.
using OutlineLine = std::vector<std::array<double, 3>>;

/// On planes along the contours: the contours of the slab that holds `at`, as they were drawn. On
/// others: the outline of the slabs that the plane cuts, exact, with a step at each end of a slab.
/// `stack` is one of dicom::solid_of(); `axis` (0 is x) is square to the plane.
std::vector<OutlineLine> outline(dicom::Stack const& stack, std::size_t axis, double at);

}  // namespace sluice::proton
