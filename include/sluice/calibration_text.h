// Calibrations as texts, which travel to other processes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "sluice/crystal_calibration.h"

namespace sluice::stem4d {

/// What save_calibration() writes.
std::string calibration_text(Calibration const& calibration);
/// Errors are those of load_calibration(), and call the text `name`.
Result<Calibration> parse_calibration(std::string_view text, std::string const& name);

}  // namespace sluice::stem4d
