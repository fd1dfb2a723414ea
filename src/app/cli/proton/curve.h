// Depth curves out of text files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/proton.h"

namespace sluice::cli {

/// Lines of two numbers, depth and dose in any unit, with spaces or a comma between and whatever
/// behind. Lines that begin with # or a letter are skipped, but for a header that names the depths'
/// unit; without one they are mm. At least two lines.
Result<proton::DepthCurve> read_curve(std::string const& path);

}  // namespace sluice::cli
