// The chunks of a Zarr array as blocks that frames are cut from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/boxes/block_reader.h"
#include "format/boxes/box_frames.h"
#include "zarr/reader.h"

namespace sluice::zarr_scan {

/// The frames of an array, of any order of axes. `stored_bytes` is what its files have.
Result<std::shared_ptr<FrameSource const>> frames_of(zarr::Reader reader, boxes::FrameArray array,
                                                     index frames, std::uint64_t stored_bytes);

}  // namespace sluice::zarr_scan
