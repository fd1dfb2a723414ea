// corrected_sums(): sums of corrected values over frames that are kept as plain values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/compiled.h"

namespace sluice::stem4d {

/// to[frame], of a detector with references. The terms are added in the order of the weighted sums
/// over planes, so that the layout of a scan does not change the bits. Of floats that were not
/// measured neither the value nor its dark counts; the sum of a frame without any is NaN.
void corrected_sums(dense::Frames const& frames, Compiled const& detector, std::span<double> to);

}  // namespace sluice::stem4d
