// Superblock: how wide addresses and lengths are in an HDF5 file, and where it begins.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/read_at.h"

namespace sluice::hdf5 {

struct Superblock {
    unsigned address_bytes = 8;  ///< 1..8
    unsigned length_bytes = 8;   ///< 1..8
    std::uint64_t base = 0;      ///< added to every address of the file
    std::uint64_t end = 0;       ///< where the file ends, as it says itself

    /// What the file writes for "no address".
    std::uint64_t undefined() const {
        return address_bytes >= 8 ? ~std::uint64_t{0}
                                  : (std::uint64_t{1} << (8 * address_bytes)) - 1;
    }
};

/// Looks for the signature at 0, 512, 1024, ... (a file may begin with a user block).
Result<Superblock> read_superblock(ReadAt const& in);

/// Reads `size` bytes at an address of the file, which is checked against the file's own size.
Result<std::vector<std::byte>> read_block(ReadAt const& in, Superblock const& sb,
                                          std::uint64_t address, std::uint64_t size);

}  // namespace sluice::hdf5
