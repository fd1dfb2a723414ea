// An array that lies in one piece in a file, read in blocks that suit its frames.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/file.h"
#include "format/boxes/axes.h"
#include "format/boxes/block_reader.h"

namespace sluice::boxes {

/// Hands out the open file.
using OpenFile = std::function<Result<std::shared_ptr<File const>>()>;

/// Where the array begins, what it is, and how its dimensions are to be read.
struct FlatArray {
    Sides extent;
    std::size_t element = 1;  ///< bytes
    std::uint64_t offset = 0;
    FrameAxes axes;
};

/// Reads whole frames, or many at once where a frame's pixels lie far apart.
Result<std::shared_ptr<BoxReader const>> flat_reader(FlatArray const& array, OpenFile open);

}  // namespace sluice::boxes
