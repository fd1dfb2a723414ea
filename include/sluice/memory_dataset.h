// A dataset of an array that the caller holds, without a copy.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "sluice/dataset.h"

namespace sluice {

/// An array [scan row][scan column][detector row][detector column] in memory, in the machine's byte
/// order. It must not change while datasets and scans of it are used.
struct MemoryArray {
    void const* data = nullptr;  ///< of the element [0][0][0][0]
    DType dtype = DType::u16;    ///< any real type but bf16
    std::array<index, 4> shape = {};
    /// Bytes from an element to the next one along each axis, of any sign; none: C order, dense.
    std::optional<std::array<index, 4>> strides = {};
    /// Kept as long as the dataset is: whatever owns the memory. May be empty.
    std::shared_ptr<void const> owner = {};
    std::string name = "memory";  ///< what errors and provenance call it
};

/// Frames whose pixels lie together, of a type that detectors have, are read where they are; others
/// are gathered and converted frame by frame, and the dataset's notes say so. Errors: an extent
/// below 1, more elements than fit into 2^62 bytes, a type that counts and intensities do not have.
Result<Dataset> from_memory(MemoryArray const& array);

}  // namespace sluice
