// Files: positioned reads that never trust a size, and writes that appear whole or not at all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice {

/// A file open for reading. Reads are positioned, so that threads share one File.
class File {
  public:
    static Result<File> open(std::string const& path);
    File(File&& other) noexcept;
    File& operator=(File&& other) noexcept;
    ~File();

    std::string const& path() const { return path_; }
    /// The size when it was opened, in bytes.
    std::uint64_t size() const { return size_; }
    /// Reads exactly out.size() bytes at `offset`, or says where the file ends.
    Status read(std::uint64_t offset, std::span<std::byte> out) const;
    /// The same into several pieces, one after the other.
    Status read_pieces(std::uint64_t offset, std::span<std::span<std::byte> const> pieces) const;
    /// The file mapped for reading; the caller unmaps it. Not for empty files.
    Result<Bytes> map() const;
    /// Asks the system to forget what it has cached of the file.
    void drop_cache() const;

  private:
    File() = default;
    std::string path_;
    int fd_ = -1;
    std::uint64_t size_ = 0;
};

/// The whole of a small file; more than `limit` bytes is an error.
Result<std::vector<std::byte>> read_file(std::string const& path, std::uint64_t limit);

/// When a finished file goes to the disk.
enum class Flush : std::uint8_t {
    now,    ///< before it gets its name: a machine that stops leaves it whole or not at all
    later,  ///< by the caller, who writes many files and flushes them together
};

/// A file being written under a temporary name in the folder of `path`. commit() gives it its name;
/// without commit() it is removed, also when a signal or an exception ends the work. Several
/// writers of one path, on whatever machines, each have a temporary name; the last commit() counts.
class NewFile {
  public:
    static Result<NewFile> create(std::string const& path);
    NewFile(NewFile&& other) noexcept;
    NewFile& operator=(NewFile&&) = delete;
    ~NewFile();

    /// The temporary name, for libraries that open files themselves.
    std::string const& temporary() const { return temporary_; }
    Status write(Bytes bytes);
    /// Replaces bytes that were written.
    Status write_at(std::uint64_t offset, Bytes bytes);
    /// Flushes and renames; after an error nothing is left behind.
    Status commit(Flush flush = Flush::now);

  private:
    NewFile() = default;
    std::string path_, temporary_;
    int fd_ = -1;
};

/// Writes a text file, whole or not at all.
Status save_text(std::string const& path, std::string_view text);

/// Waits until the names in a folder are on the disk.
Status flush_folder(std::string const& path);

/// Makes a folder and those above it; says so when one is not writable.
Status make_folder(std::string const& path);

}  // namespace sluice
