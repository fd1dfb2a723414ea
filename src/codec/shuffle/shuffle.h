// The byte shuffle of HDF5 filter 2 and of Blosc: first bytes of all elements first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::codec {

/// Puts the bytes of elements of `element_bytes` together again. Bytes at the end that fill no
/// element stay where they are. Both have the same size.
Status unshuffle(Bytes shuffled, int element_bytes, std::span<std::byte> out);

/// The inverse.
Status shuffle(Bytes values, int element_bytes, std::span<std::byte> out);

}  // namespace sluice::codec
