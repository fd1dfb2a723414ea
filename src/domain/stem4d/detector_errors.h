// What is wrong with a detector, and where it lies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// An error where a pixel of a mask or of weights is NaN or infinite. It must come before masks are
/// cut or binned, which would hide such values.
Status check_finite(Detector const& detector);

/// "its own rows are 1 to 2 and its columns 3 to 4", or where its centre is, for what has one.
std::string place_of(Detector const& detector, Point center);

}  // namespace sluice::stem4d
