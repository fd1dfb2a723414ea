// ScratchFile: bytes that wait on the disk, in a file without a name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice {

/// Nothing is left of it, however the process ends. For one thread at a time.
class ScratchFile {
  public:
    /// `folder` is where the file is, on the disk that has room for it; empty: the current one.
    static Result<ScratchFile> create(std::string const& folder);
    ScratchFile(ScratchFile&& other) noexcept;
    ScratchFile& operator=(ScratchFile&&) = delete;
    ~ScratchFile();

    /// Adds bytes at the end. Error where the disk is full.
    Status write(Bytes bytes);
    /// Fills `out` with the bytes from `at` on, which were written.
    Status read(std::uint64_t at, std::span<std::byte> out) const;

    /// Waits until all of it is on the disk.
    Status flush() const;
    /// As read(), but from the disk even where the system's cache has the bytes. `at`, the address
    /// of `out` and its size are multiples of direct_unit. Error where the file system cannot.
    Status read_past_cache(std::uint64_t at, std::span<std::byte> out) const;
    static constexpr std::size_t direct_unit = 4096;

    std::uint64_t size() const { return size_; }

  private:
    ScratchFile() = default;
    Status read_by(int fd, std::uint64_t at, std::span<std::byte> out) const;

    std::string folder_;
    std::uint64_t size_ = 0;
    int fd_ = -1;
    mutable int direct_ = -1;  ///< the same file, opened by read_past_cache()
};

}  // namespace sluice
