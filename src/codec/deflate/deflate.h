// Zlib streams (HDF5 filter 1, Blosc), gzip (Zarr) and bare ones (zip), by zlib.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::codec {

/// Inflates one stream into `out`; returns its length, which may be less than there is room for.
Result<std::size_t> inflate_zlib(Bytes stream, std::span<std::byte> out);

/// The same for a stream of zlib or of gzip, as its first bytes say.
Result<std::size_t> inflate_any(Bytes stream, std::span<std::byte> out);

/// The same for a stream without any header (zip); of any length.
Result<std::size_t> inflate_raw(Bytes stream, std::span<std::byte> out);

/// What a stream of zlib begins with: as much as there is room for, less where it ends or is
/// damaged.
std::size_t inflate_begin(Bytes stream, std::span<std::byte> out);

}  // namespace sluice::codec
