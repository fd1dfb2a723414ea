// Which scan points take part in a pattern.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// Of a plane [row][col] of the full scan, or of what was read of it: [frame], 1 where it is not 0.
/// A bin of scan points takes part when all of them do. `file` is where errors say it came from.
Result<std::vector<std::uint8_t>> points_of(Array<float> const& plane, Scan const& scan,
                                            std::string const& file);
/// The one point (row, col) of the full scan: [frame].
Result<std::vector<std::uint8_t>> only_point(Scan const& scan, std::array<index, 2> at);

}  // namespace sluice::stem4d
