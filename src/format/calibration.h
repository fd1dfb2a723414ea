// Calibration that a file states: numbers that make sense, and notes about those that do not.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sluice/dataset.h"

namespace sluice {

/// `value` where it is a finite number above 0. Else 0, and a note that names the place; `what` is
/// "energy", "scan step" or the like.
double positive_or_noted(double value, std::string_view what, std::string_view place,
                         std::vector<std::string>& notes);

/// The nearest number of ten decimal digits. Files state few digits, and the last bits that the
/// factor of a unit changes are not part of a calibration.
double ten_digits(double value);

}  // namespace sluice
