// Frames of an array in one piece in a file whose axes are in any order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/boxes/axes.h"
#include "format/raw/flat_source.h"

namespace sluice {

struct OrderedArray {
    std::vector<index> shape;  ///< in C order
    boxes::FrameAxes axes;
    StoredType stored;
    std::uint64_t offset = 0;  ///< of the first element, in bytes
};

/// The whole array must lie within the file.
Result<std::shared_ptr<FrameSource const>> ordered_source(File file, OrderedArray const& array);

}  // namespace sluice
