// Source: bytes that are read by position, from a file today and from elsewhere tomorrow.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice {

/// Bytes of a known length that many threads read at once. A reader over HTTP ranges or an object
/// store would be another class of this kind.
class Source {
  public:
    virtual ~Source() = default;
    /// What errors call it: the path of a file.
    virtual std::string const& name() const = 0;
    /// The length in bytes when it was opened.
    virtual std::uint64_t size() const = 0;
    /// Reads exactly out.size() bytes at `offset`, or says where the bytes end.
    virtual Status read(std::uint64_t offset, std::span<std::byte> out) const = 0;
    /// Reads one stretch of bytes into several pieces, one after the other.
    virtual Status read_pieces(std::uint64_t offset,
                               std::span<std::span<std::byte> const> pieces) const;
    /// The bytes themselves where they are mapped into memory, else empty.
    virtual Bytes mapped() const { return {}; }
    /// An error once mapped bytes turned out not to be in the file any more; they are then zeros.
    virtual Status intact() const { return {}; }
    /// Asks for the bytes to be forgotten by the system's cache; for benchmarks.
    virtual void drop_cache() const {}
};

/// How a file is read.
enum class Access : std::uint8_t {
    read,  ///< pread: a file that shrinks meanwhile is an error
    map,   ///< mmap: views without copying; a file that shrinks meanwhile is an error, too. It
           ///< sets a handler for SIGBUS, which hands on signals that no mapped Source caused.
};

Result<std::shared_ptr<Source const>> open_source(std::string const& path,
                                                  Access access = Access::read);

/// Bytes in memory that it owns, as a Source called `name`.
std::shared_ptr<Source const> memory_source(std::string name, std::vector<std::byte> bytes);

}  // namespace sluice
