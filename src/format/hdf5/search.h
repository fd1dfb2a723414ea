// Finding the dataset of frames in an HDF5 file that does not say which it is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/object.h"

namespace sluice::hdf5 {

/// The path of the only 3-D or 4-D dataset of numbers, external links included, or an error that
/// lists what there is. `name` is the file's, for messages.
Result<std::string> only_frames(object::Object const& file, std::string const& name);

}  // namespace sluice::hdf5
