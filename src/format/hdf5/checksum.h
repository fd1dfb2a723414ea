// The checksum of HDF5 metadata: Bob Jenkins' public domain hash "lookup3".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sluice/view.h"

namespace sluice::hdf5 {

/// Specification 3.0, "Checksum": the hash of bytes, starting from 0. Names are hashed by it, too.
std::uint32_t checksum(Bytes bytes);

/// Whether the checksums of blocks are compared. Fuzz targets leave it, to get past them.
enum class Sums : std::uint8_t { compare, ignore };

/// Whether the last four bytes are the checksum of those before them.
bool checksum_holds(Bytes bytes);

}  // namespace sluice::hdf5
