// The memory of a scan that is loaded, part by part, as store/filling.cpp takes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/plan.h"
#include "store/plan.h"

namespace sluice::planning {

/// What loading takes is made of.
struct LoadedScan {
    index frames = 0;
    index pixels = 0;         ///< of the result's detector
    int value_bytes = 2;      ///< of the result
    index blocks = 0;         ///< of 8 x 8 pixels
    double tile_bytes = 0;    ///< of 16 frames, from a sample; 0: plain values
    double stored_bytes = 0;  ///< of a frame in the files
    int threads = 1;
    bool large_pages = true;  ///< the system gives them
};

/// Bytes of tiles or values that are touched, with what pages and pieces round them up to.
std::uint64_t arena_bytes(LoadedScan const& scan);
/// Bytes that all workers need while they decode.
std::uint64_t worker_bytes(LoadedScan const& scan);
/// The same where frames become values and no planes.
std::uint64_t value_worker_bytes(LoadedScan const& scan);
/// Bytes for finding frames in their files.
std::uint64_t index_bytes(LoadedScan const& scan);

}  // namespace sluice::planning
