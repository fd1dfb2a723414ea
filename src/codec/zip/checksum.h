// The checksum that zip files keep of each member.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::zip {

/// An error if `bytes`, those of `what` in `file` from `at` on, do not have the CRC-32 `crc`. With
/// 0 nothing is compared: PyTorch writes that where it was told to compute none.
Status check_crc(Bytes bytes, std::uint32_t crc, std::string_view what, std::string const& file,
                 std::uint64_t at);

}  // namespace sluice::zip
