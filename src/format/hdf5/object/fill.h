// Fill values: the value of elements that were never written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/header.h"

namespace sluice::hdf5::object {

/// The value of one element as stored, of either fill value message; empty: none, which is zeros.
Result<std::vector<std::byte>> parse_fill(Source const& source, MessageType type, Bytes bytes,
                                          std::uint64_t address);

}  // namespace sluice::hdf5::object
