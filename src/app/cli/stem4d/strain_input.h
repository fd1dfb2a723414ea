// What `sluice stem4d strain` is told: a basis, and the reference of the strain.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/cli/shell/outputs.h"
#include "sluice/strain.h"

namespace sluice::cli {

/// "A_ROW:A_COL,B_ROW:B_COL" in pixels; the origin is the middle of the detector.
Result<stem4d::LatticeBasis> parse_basis(std::string const& text,
                                         std::array<index, 2> detector_shape);

/// "median", "ROW:ROW,COL:COL" of the scan, or an NPY file: [3][2] of origin, a and b, [2][2] of a
/// and b, or [row][col] of the scan, where what is not 0 is the region.
Status read_reference(std::string const& text, std::array<index, 2> scan_shape,
                      stem4d::StrainOptions& into);

Json basis_json(stem4d::LatticeBasis const& basis);

}  // namespace sluice::cli
