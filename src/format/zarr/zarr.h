// Zarr 2 and 3, and HyperSpy's ZSPY: one array of 3 or 4 dimensions in a folder.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/hdf5.h"

namespace sluice::zarr_scan {

/// Whether a folder, or a zip of one, has an array of frames and is no microscope slide.
bool recognises(std::string_view path, Bytes head);
/// The same of a zip file, by its name and its first bytes.
bool recognises_zip(std::string_view path, Bytes head);
Result<Dataset> open(std::string const& path, OpenOptions const& options);

inline constexpr config::Field<OpenOptions> zarr_fields[] = {hdf5::dataset_field, axis_order_field};
inline constexpr Format format{.name = "zarr",
                               .title = "Zarr 2 or 3 with a 3-D or 4-D array of frames, ZSPY",
                               .recognises = recognises,
                               .open = open,
                               .fields = zarr_fields,
                               .folders = true};

inline constexpr Format zip_format{.name = "zarr-zip",
                                   .title = "Zarr or ZSPY in one zip file (.zip, .zarr, .zspy)",
                                   .recognises = recognises_zip,
                                   .open = open,
                                   .fields = zarr_fields};

}  // namespace sluice::zarr_scan
