// Decoding with the loops of a chosen instruction set, for the tests that compare them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/jxr/jxr.h"
#include "codec/jxr/kernels.h"

namespace sluice::codec::jxr {

/// As jxr_decode.
Status decode_with(Kernels const& kernels, Bytes file, JxrOptions const& options,
                   std::span<std::byte> out);

}  // namespace sluice::codec::jxr
