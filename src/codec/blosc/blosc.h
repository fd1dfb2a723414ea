// Blosc 1 chunks (HDF5 filter 32001), decoded here: every length in them is checked.
// Source: README_CHUNK_FORMAT.rst of c-blosc.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::codec {

/// Decompresses one chunk into `out`; returns its length, which may be less than there is room for.
/// Code::unsupported for Snappy inside.
Result<std::size_t> blosc_decompress(Bytes chunk, std::span<std::byte> out);

/// Blosc's own LZ format.
Result<std::size_t> blosclz_decompress(Bytes block, std::span<std::byte> out);

}  // namespace sluice::codec
