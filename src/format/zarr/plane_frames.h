// The frames of Zarr arrays whose chunks hold whole frames in shuffled bits, as bit planes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/boxes/block_reader.h"
#include "format/boxes/box_frames.h"
#include "zarr/reader.h"

namespace sluice::zarr_scan {

/// Whether chunks may be handed on as planes: counts of Blosc's, whole frames one after the other.
bool may_be_planes(zarr::Layout const& layout, boxes::FrameArray const& array);

/// The frames of `values`, which has the same array as values. Of chunks that have no planes they
/// are made. `keep`: bytes of chunks as values that stay decoded.
std::shared_ptr<FrameSource const> plane_frames(zarr::Reader reader, boxes::FrameArray array,
                                                std::shared_ptr<boxes::BoxFrames const> values,
                                                std::uint64_t keep);

}  // namespace sluice::zarr_scan
