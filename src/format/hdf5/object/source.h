// Source: an HDF5 file whose metadata is read, every size checked and all work counted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "format/hdf5/checksum.h"
#include "format/hdf5/superblock.h"

namespace sluice::hdf5::object {

/// How much work reading metadata may be, for a file and those that it links to. A damaged or
/// hostile file ends in an error instead of an endless walk.
class Budget {
  public:
    /// Whether there is room for reading `bytes` more.
    bool spend(std::uint64_t bytes) const;
    std::uint64_t spent() const { return spent_; }

  private:
    mutable std::atomic<std::uint64_t> spent_ = 0;
};

/// Threads may share one: but for its budget it never changes.
class Source {
  public:
    using Pointer = std::shared_ptr<Source const>;
    /// A file of this computer. Refuses one that is cut off or still being written.
    static Result<Pointer> open(std::string const& path, std::shared_ptr<Budget const> = {});
    /// What `in` holds; `path` is its name in messages, and where external links start.
    static Result<Pointer> open(std::unique_ptr<ReadAt const> in, std::string path,
                                std::shared_ptr<Budget const> = {}, Sums = Sums::compare);

    std::string const& path() const { return path_; }
    ReadAt const& bytes() const { return *in_; }
    Superblock const& sb() const { return sb_; }
    std::shared_ptr<Budget const> const& budget() const { return budget_; }
    bool defined(std::uint64_t address) const { return sb_.defined(address); }
    unsigned address_bytes() const { return sb_.address_bytes; }
    unsigned length_bytes() const { return sb_.length_bytes; }

    /// Whether a block ends with its checksum.
    bool sum_holds(Bytes block) const;
    Sums sums() const { return sums_; }

    /// Reads exactly `size` bytes at an address.
    Result<std::vector<std::byte>> block(std::uint64_t address, std::uint64_t size) const;
    /// The same, but fewer at the end of the file, where nothing needs to be.
    Result<std::vector<std::byte>> block_up_to(std::uint64_t address, std::uint64_t most) const;
    /// Reads a block that begins with `mark` and ends with its checksum.
    Result<std::vector<std::byte>> summed_block(std::uint64_t address, std::uint64_t size,
                                                std::string_view mark, std::string_view what) const;

    /// "<what> (the file is damaged here); copy the file again", with the place.
    Error corrupt(std::string_view what, std::uint64_t address) const;
    /// "<what>; <advice>", with the place.
    Error unsupported(std::string_view what, std::uint64_t address) const;
    /// Gives an error without a place the file and this one.
    Error placed(Error e, std::uint64_t address) const;

  private:
    Source() = default;
    Status check() const;
    std::string path_;
    std::unique_ptr<ReadAt const> in_;
    Superblock sb_;
    std::shared_ptr<Budget const> budget_;
    Sums sums_ = Sums::compare;
};

/// The text up to its first zero.
std::string until_zero(Bytes bytes);

/// What a Cursor reads as address and as length in this file.
inline std::uint64_t take_address(Cursor& c, Source const& s) {
    return c.number(s.address_bytes());
}
inline std::uint64_t take_length(Cursor& c, Source const& s) {
    return c.number(s.length_bytes());
}

}  // namespace sluice::hdf5::object
