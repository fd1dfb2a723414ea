// LZF blocks (HDF5 filter 32000, h5py's own), decoded.
// Source: the format as Marc Lehmann's liblzf describes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::codec {

/// Decompresses one block into `out`; returns its length, which may be less than there is room for.
Result<std::size_t> lzf_decompress(Bytes block, std::span<std::byte> out);

}  // namespace sluice::codec
