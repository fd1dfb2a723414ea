// The members of a zip file that stores them as they are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/source.h"

namespace sluice::weights {

struct Member {
    std::string name;
    std::uint64_t at = 0;    ///< of its first byte in the file
    std::uint64_t size = 0;  ///< bytes
    std::uint32_t crc = 0;   ///< CRC-32 of them, or 0
};

/// The members in the order of their bytes. Each lies within the file, overlaps no other, and has
/// the name and the size that both of its headers say. Compressed members are an error.
Result<std::vector<Member>> zip_members(Source const& file);

}  // namespace sluice::weights
