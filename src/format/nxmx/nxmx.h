// DECTRIS acquisitions (ARINA, EIGER, QUADRO): an NXmx master file and its data files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/hdf5.h"

namespace sluice::nxmx {

/// True for an HDF5 file that calls itself NXmx or links to data_NNNNNN; opens the file to see.
bool recognises(std::string_view path, Bytes head);
/// Opens the master file; the data files and the companion `<prefix>.h5` are found beside it.
Result<Dataset> open(std::string const& path, OpenOptions const& options);

/// With a dataset named, a master is opened as any HDF5 file.
inline constexpr config::Field<OpenOptions> nxmx_fields[] = {
    hdf5::dataset_field,
    axis_order_field,
    format_field<&NxmxOptions::channel>("channel",
                                        "channel of a multi-threshold file, by name or number"),
};
inline constexpr Format format{.name = "nxmx",
                               .title = "DECTRIS NXmx master file (ARINA, EIGER, QUADRO)",
                               .recognises = recognises,
                               .open = open,
                               .fields = nxmx_fields,
                               .while_written = hdf5::growing_files};

}  // namespace sluice::nxmx
