// LZW as TIFF has it: codes of 9 to 12 bits, most significant bit first, wider one code early.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::codec {

/// Decompresses a stream that must fill `out` exactly; what follows is not looked at.
Status lzw_decompress(Bytes stream, std::span<std::byte> out);

}  // namespace sluice::codec
