// Places as people write them: the bright-field disk, a point of a scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// "ROW:COL:RADIUS" in pixels of the full detector.
Result<Disk> parse_disk(std::string const& text);
/// "ROW:COL" of the full detector.
Result<Point> parse_center(std::string const& text);
/// "ROW:COL" of the full scan.
Result<std::array<index, 2>> parse_scan_point(std::string const& text);

}  // namespace sluice::stem4d
