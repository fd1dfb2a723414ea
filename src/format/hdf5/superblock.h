// Superblock: how wide addresses and lengths are in an HDF5 file, and where it begins.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/read_at.h"

namespace sluice::hdf5 {

struct Superblock {
    unsigned address_bytes = 8;                   ///< 1..8
    unsigned length_bytes = 8;                    ///< 1..8
    std::uint64_t base = 0;                       ///< added to every address of the file
    std::uint64_t end = 0;                        ///< where the file ends, as it says itself
    std::uint64_t root = 0;                       ///< address of the root group's object header
    std::uint64_t extension = ~std::uint64_t{0};  ///< address of the object header of more settings
    std::uint64_t driver = ~std::uint64_t{0};     ///< says that the file is one of several
    bool being_written = false;                   ///< its writer has not closed it

    /// What the file writes for "no address".
    std::uint64_t undefined() const {
        return address_bytes >= 8 ? ~std::uint64_t{0}
                                  : (std::uint64_t{1} << (8 * address_bytes)) - 1;
    }
    bool defined(std::uint64_t address) const { return address < undefined(); }
};

/// Whether the signature of HDF5 stands where it may, however damaged what follows is.
bool has_signature(ReadAt const& in);

/// Looks for the signature at 0, 512, 1024, ... (a file may begin with a user block), and compares
/// the checksum where there is one.
Result<Superblock> read_superblock(ReadAt const& in);

/// Reads `size` bytes at an address of the file, which is checked against the file's own size.
Result<std::vector<std::byte>> read_block(ReadAt const& in, Superblock const& sb,
                                          std::uint64_t address, std::uint64_t size);

}  // namespace sluice::hdf5
