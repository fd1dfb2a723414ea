// RT structure sets as structures.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/dicom/dataset.h"
#include "format/dicom/grid.h"
#include "sluice/structures.h"

namespace sluice::dicom {

Result<StructureSet> read_structures(Dataset const& dataset, std::string const& file);

/// mm: corners no further apart along the direction that is square to a contour are in one plane.
inline constexpr double same_plane = 0.1;

/// Twice the area of a contour, as a vector that is square to its plane (Newell).
Vector3 double_area(Contour const& contour);

}  // namespace sluice::dicom
