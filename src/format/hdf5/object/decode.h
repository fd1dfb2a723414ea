// Undoing the filters of one chunk.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/dataset.h"

namespace sluice::hdf5::object {

/// The `bytes` bytes of elements that a stored chunk holds; `mask` has bit i set where filter i was
/// left out.
Result<std::vector<std::byte>> undo_filters(std::vector<PipelineFilter> const& filters,
                                            std::uint32_t mask, Bytes chunk, std::uint64_t bytes,
                                            std::uint64_t element_bytes);

}  // namespace sluice::hdf5::object
