// Scans in NumPy's archives (NPZ): one array of frames of those that the file holds. PantaRhei's
// files (PRZ) are such archives.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/hdf5.h"
#include "sluice/source.h"

namespace sluice::npz_scan {

/// Zip files by their ending, .npz or .prz, but those of ptychographic patterns with positions.
bool recognises(std::string_view path, Bytes head);
Result<Dataset> open(std::string const& path, OpenOptions const& options);
/// The same of bytes from anywhere. What is unpacked takes up to `most_bytes`; 0: half of what is
/// free.
Result<Dataset> open_source_of(std::shared_ptr<Source const> const& file,
                               OpenOptions const& options, std::uint64_t most_bytes = 0);

inline constexpr config::Field<OpenOptions> fields[] = {hdf5::dataset_field};
inline constexpr Format format{.name = "npz",
                               .title = "NumPy archives (NPZ), and PRZ of PantaRhei",
                               .recognises = recognises,
                               .open = open,
                               .fields = fields};

}  // namespace sluice::npz_scan
