// The elements of small datasets, out of any layout.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/attribute.h"

namespace sluice::hdf5::object {

/// Reads all elements of a dataset of at most `most_bytes`. Code::unsupported for larger ones, for
/// virtual datasets and for data in other files.
Result<Elements> read_elements(Object const& dataset, std::uint64_t most_bytes);

}  // namespace sluice::hdf5::object
