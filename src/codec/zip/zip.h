// The members of a zip file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/source.h"

namespace sluice::zip {

struct Member {
    std::string name;
    std::uint64_t at = 0;      ///< of its first byte in the file
    std::uint64_t size = 0;    ///< bytes, unpacked
    std::uint64_t packed = 0;  ///< bytes in the file
    bool deflated = false;     ///< else they are stored as they are
    std::uint32_t crc = 0;     ///< CRC-32 of them, unpacked, or 0
};

/// Which members are read.
enum class Packing : std::uint8_t { stored, deflated_too };
/// What it means that a name is there twice: damage, or that the later member replaces the other,
/// as for those who use a zip as a folder.
enum class Twice : std::uint8_t { wrong, newest };

/// The members in the order of their bytes. Each lies within the file, overlaps no other, and has
/// the name and the size that both of its headers say. Members of other packings are an error.
Result<std::vector<Member>> zip_members(Source const& file, Packing packing = Packing::stored,
                                        Twice twice = Twice::wrong);

/// The bytes of a member, unpacked and compared with its checksum; more than `most` are an error.
Result<std::vector<std::byte>> read_member(Source const& file, Member const& member,
                                           std::uint64_t most);

}  // namespace sluice::zip
