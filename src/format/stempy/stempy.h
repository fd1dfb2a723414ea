// Counted electrons as stempy writes them (4D Camera of NCEM): HDF5 with a list for each frame.
// Source: stempy's own reader and writer (BSD), io/sparse_array.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/table.h"

namespace sluice::stempy {

/// An HDF5 file that has electron_events; it is opened to see.
bool recognises(std::string_view path, Bytes head);
Result<Dataset> open(std::string const& path, OpenOptions const& options);

inline constexpr Format format{.name = "stempy",
                               .title = "counted electrons (HDF5) of stempy and the 4D Camera",
                               .recognises = recognises,
                               .open = open};

}  // namespace sluice::stempy
