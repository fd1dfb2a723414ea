// A single image out of an NPY file: masks and weights that users bring.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::npy {

/// A 2-D array [row][col] of any number type as float; at most 256 million elements. Axes of one
/// element, as of 1x4x5, are left out.
Result<Array<float>> load_plane(std::string const& path);

}  // namespace sluice::npy
