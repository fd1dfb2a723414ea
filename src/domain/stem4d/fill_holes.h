// Images without holes, for transforms that need a value everywhere.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// Points that are not finite become the mean of those of their eight neighbours that are, from the
/// edges of holes inwards; an image without any value becomes 0.
Array<double> without_holes(Array<double> image);

}  // namespace sluice::stem4d
