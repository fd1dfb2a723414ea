// Files of DICOM, which DCMTK reads and writes in a process of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>

#include "format/dicom/dataset.h"
#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::dicom {

/// All but pixels, private elements and bytes without a meaning.
Result<Dataset> read_dataset(std::string const& path);
/// Of many files, in their order; the first error.
Result<std::vector<Dataset>> read_datasets(std::vector<std::string> const& paths);

/// The pixels of each file, unpacked, as `bytes` bytes in the machine's byte order.
Status read_pixels(std::vector<std::string> const& paths, std::uint64_t bytes,
                   std::function<void(std::size_t file, Bytes)> const& take);

/// Whole or not at all. `pixels`: 32-bit words, or empty. Numbers become floats where the tag has
/// these, else one whole number of 16 bits.
Status write_dataset(std::string const& path, Dataset const& dataset,
                     std::span<std::uint32_t const> pixels);

}  // namespace sluice::dicom
