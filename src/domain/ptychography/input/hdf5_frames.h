// Frames and small arrays of HDF5 files of patterns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "domain/ptychography/input/frames_in.h"
#include "format/hdf5/object/object.h"

namespace sluice::ptycho {

/// The frames of one dataset [...][row][col] or of several, one after the other.
Result<std::unique_ptr<FramesIn>> hdf5_frames(hdf5::object::Object const& root,
                                              std::vector<std::string> const& datasets);

/// An array of at most 2^27 numbers with its shape; empty where the file has no such array.
struct SmallArray {
    std::vector<std::uint64_t> shape = {};
    std::vector<double> values = {};
};
Result<std::optional<SmallArray>> small_array(hdf5::object::Object const& root,
                                              std::string const& name);
/// The first of these names that holds a number.
Result<std::optional<double>> first_number(hdf5::object::Object const& root,
                                           std::vector<std::string> const& names);

/// A mask [row][col], or one for each frame: a pixel that is bad in any of them is bad. `is_bad`
/// judges a value.
Result<std::vector<std::uint8_t>> mask_of(SmallArray const& mask, FramesIn const& frames,
                                          bool (*is_bad)(double), std::string const& path,
                                          std::vector<std::string>& notes);

}  // namespace sluice::ptycho
