// Plain HDF5: one 3-D or 4-D dataset of frames in any HDF5 file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/table.h"

namespace sluice::hdf5 {

bool recognises(std::string_view path, Bytes head);
Result<Dataset> open(std::string const& path, OpenOptions const& options);

inline constexpr auto dataset_field = format_field<&Hdf5Options::dataset>(
    "dataset", "dataset inside an HDF5 file, array inside a Zarr folder");
inline constexpr config::Field<OpenOptions> hdf5_fields[] = {dataset_field, axis_order_field};
inline constexpr std::string_view growing_files[] = {".h5", ".hdf5", ".nxs", ".emd"};
inline constexpr Format format{.name = "hdf5",
                               .title = "HDF5 file with a 3-D or 4-D dataset of frames",
                               .recognises = recognises,
                               .open = open,
                               .fields = hdf5_fields,
                               .while_written = growing_files};

}  // namespace sluice::hdf5
