// Block: memory of a size that is known before; a lack of it is an error, not an exception.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::nn {

/// Begins on a page; its bytes are zero, and belong to no thread before they are written.
class Block {
  public:
    static Result<Block> make(index bytes);
    Block() = default;
    Block(Block&& other) noexcept;
    Block& operator=(Block&& other) noexcept;
    ~Block();

    std::byte* data() const { return data_; }
    index size() const { return size_; }

  private:
    std::byte* data_ = nullptr;
    index size_ = 0;
};

/// Where parts of a block begin, so that no two share a cache line.
constexpr index on_line(index bytes) {
    return (bytes + 63) / 64 * 64;
}

}  // namespace sluice::nn
