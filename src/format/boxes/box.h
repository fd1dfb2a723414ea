// Box: a part of an array of any rank, and BoxReader: where its elements come from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::boxes {

using Sides = std::vector<std::uint64_t>;

/// Elements start .. start + count - 1 along each dimension; no count is 0.
struct Box {
    Sides start, count;
};

/// Where the elements of a box go: its first one to `to`, the next along dimension d `stride[d]`
/// bytes further. This is all that an array in another order takes.
struct Target {
    std::byte* to = nullptr;
    std::vector<std::ptrdiff_t> stride;
};

/// An array of elements as a file stores them. Threads may read at once.
class BoxReader {
  public:
    virtual ~BoxReader() = default;
    /// What was never written becomes the fill value. `memory` is of memory_bytes(), and the
    /// thread's own: blocks are decoded there.
    virtual Status read(Box const& box, Target const& target,
                        std::span<std::byte> memory) const = 0;
    virtual std::uint64_t memory_bytes() const = 0;
    /// Whether all of the box was written.
    virtual bool complete(Box const& box) const = 0;
    /// Whether everything was written, or nothing; no answer: some of it.
    virtual std::optional<bool> written() const = 0;
    /// Along each dimension: in steps of so many elements complete() may change.
    virtual Sides grain() const = 0;
    /// Bytes that the file takes for it, as far as known.
    virtual std::uint64_t stored_bytes() const = 0;
};

/// Copies `count` elements per dimension of `element` bytes each. A stride of 0 repeats.
void copy_box(std::byte const* from, std::span<std::ptrdiff_t const> from_stride, std::byte* to,
              std::span<std::ptrdiff_t const> to_stride, std::span<std::uint64_t const> count,
              std::size_t element);

/// The strides of an array in C order.
std::vector<std::ptrdiff_t> strides_of(Sides const& extent, std::size_t element);

/// The product, or nothing above `most`.
std::optional<std::uint64_t> product_of(std::span<std::uint64_t const> sides, std::uint64_t most);

}  // namespace sluice::boxes
