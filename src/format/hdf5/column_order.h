// Programs that store an array with its first dimension last.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/stored_dataset.h"

namespace sluice::hdf5 {

/// The program that wrote the dataset, if its arrays have columns in one piece (MATLAB, GNU
/// Octave, Julia, R): by an attribute of it, by the file's first bytes, or by the file's name.
Result<std::optional<std::string>> column_order_program(StoredDataset const& dataset);

}  // namespace sluice::hdf5
