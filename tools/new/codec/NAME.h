// @Name@: one sentence on the compression and who uses it.
// Source: the specification this follows, with its version.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::codec {

/// Decompresses `bytes`, which must fill `out` exactly; Error::at is the offset in `bytes`.
Status decode_@name@(Bytes bytes, std::span<std::byte> out);

/// The bytes that decode_@name@() turns back into `values`.
std::vector<std::byte> encode_@name@(Bytes values);

}  // namespace sluice::codec
