// Frames one after the other in bytes from anywhere.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/frame_source.h"
#include "format/stored_type.h"
#include "sluice/source.h"

namespace sluice::npz_scan {

/// Of `size` bytes from `at` on, which hold whole frames.
std::shared_ptr<FrameSource const> source_frames(std::shared_ptr<Source const> bytes,
                                                 std::uint64_t at, std::uint64_t size,
                                                 StoredType stored, index pixels);

}  // namespace sluice::npz_scan
