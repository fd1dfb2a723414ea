// What is wrong with a detector.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// An error where a pixel of a mask or of weights is NaN or infinite. Comes before they are cut or
/// binned, which would make numbers of them.
Status check_finite(Detector const& detector);

}  // namespace sluice::stem4d
