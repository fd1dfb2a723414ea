// Holds our decoder against LZ4's library, between pages that must not be touched; for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "codec/lz4planes/lz4planes.h"

namespace sluice::codec {

/// Memory with forbidden pages before its first byte's page and right after its last byte.
class Guarded {
  public:
    explicit Guarded(std::size_t most);
    ~Guarded();
    Guarded(Guarded const&) = delete;
    Guarded& operator=(Guarded const&) = delete;

    /// The last n bytes before the forbidden page.
    std::byte* last(std::size_t n) const { return end_ - n; }

  private:
    std::byte* map_;
    std::size_t bytes_;
    std::byte* end_;
};

struct Compared {
    bool taken = false;      ///< our decoder took the block
    bool valid = false;      ///< LZ4's library did
    int written = 0;         ///< planes that ours wrote
    std::string fault = {};  ///< what must not be, or nothing
};

/// Decodes a block by both, `beyond` readable bytes after it; `input` and `output` are the
/// caller's, and large enough.
Compared compare_with_library(Bytes block, std::size_t beyond, std::size_t plane_bytes, int count,
                              Isa isa, Guarded const& input, Guarded const& output);

}  // namespace sluice::codec
