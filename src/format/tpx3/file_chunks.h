// FileChunks: the chunks of a part of a file, one after the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "format/tpx3/packets.h"
#include "sluice/result.h"
#include "sluice/source.h"

namespace sluice::tpx3 {

class FileChunks {
  public:
    /// From a chunk's beginning up to `end`; `room` bytes are read at once.
    FileChunks(Source const& file, std::uint64_t begin, std::uint64_t end, std::size_t room);

    struct Next {
        Found found;
        std::uint64_t at = 0;
        bool cut_off = false;  ///< noise: a chunk that ends behind the file
    };
    /// A chunk, whose bytes are valid until the next call, or noise; empty: there is no more.
    Result<std::optional<Next>> next();

  private:
    Status fill(std::size_t wanted);

    Source const* file_;
    std::uint64_t at_, end_;  // of what comes next
    std::uint64_t visible_;   // what shows whether a chunk follows the last one
    std::size_t room_;
    std::vector<std::byte> bytes_ = {};  // from `bytes_at_` on
    std::uint64_t bytes_at_ = 0;
};

}  // namespace sluice::tpx3
