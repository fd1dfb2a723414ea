// Blosc 1 chunks (HDF5 filter 32001), decoded here: every length in them is checked.
// Source: README_CHUNK_FORMAT.rst of c-blosc.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "device/isa.h"
#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::codec {

/// Decompresses one chunk into `out`; returns its length, which may be less than there is room for.
/// Code::unsupported for Snappy inside.
Result<std::size_t> blosc_decompress(Bytes chunk, std::span<std::byte> out);

/// Plane p of all elements begins at planes + p * stride. `memory` is for a block: as many bytes as
/// the elements have, and planes_slack (codec/lz4planes).
struct PlanesRoom {
    std::byte* planes = nullptr;
    index stride = 0;
    std::byte* memory = nullptr;
};
/// The bit planes of a chunk of so many elements (a multiple of 8) of so many bytes, where Blosc
/// shuffled their bits; else nothing. Returns how many there are: those above are empty, and not
/// written.
Result<std::optional<int>> blosc_planes(Bytes chunk, int element, index elements, Isa isa,
                                        PlanesRoom const& room);

/// Blosc's own LZ format.
Result<std::size_t> blosclz_decompress(Bytes block, std::span<std::byte> out);

}  // namespace sluice::codec
