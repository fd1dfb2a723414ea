// Files by DCMTK. Only a process that works apart calls this (apart_files.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "format/dicom/dataset.h"
#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::dicom {

/// All but pixels, private elements and bytes without a meaning.
Result<Dataset> read_by_dcmtk(std::string const& path);
/// The pixels, unpacked, in the machine's byte order; an error where they are not so many bytes.
Result<std::vector<std::byte>> pixels_by_dcmtk(std::string const& path, std::uint64_t bytes);
/// Explicit VR little endian. `pixels`: 32-bit words, or empty.
Status write_by_dcmtk(std::string const& path, Dataset const& dataset,
                      std::span<std::uint32_t const> pixels);

}  // namespace sluice::dicom
