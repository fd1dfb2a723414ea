// Narrow: whole numbers in as few bytes each as their largest needs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "kernel/tables/cpu.h"
#include "sluice/view.h"

namespace sluice::store {

class Narrow {
  public:
    Narrow() = default;
    /// `count` zeros, in whose place numbers up to `largest` may be put.
    Narrow(std::size_t count, std::uint64_t largest)
        : width_(width_of(largest)), bytes_(count * width_) {}

    /// As many numbers, out of the bytes that bytes() has; their count divides those.
    Narrow(std::size_t count, std::vector<std::byte> bytes)
        : width_(count == 0 ? 0 : bytes.size() / count), bytes_(std::move(bytes)) {}

    /// Threads may put numbers at different places at once.
    void put(std::size_t first, std::span<std::uint64_t const> numbers);
    /// Adds those from `first` on to as many sums.
    void add_to(std::span<std::uint64_t> sums, std::size_t first = 0) const;
    /// Those from `first` on, for kernels.
    tables::Numbers numbers(std::size_t first = 0) const {
        return {bytes_.data() + first * width_, width_};
    }
    /// The same numbers in no more bytes than they need; zeros need none.
    Narrow packed() const;

    std::uint64_t bytes() const { return bytes_.size(); }
    std::size_t width() const { return width_; }
    Bytes stored() const { return bytes_; }

  private:
    static std::size_t width_of(std::uint64_t largest) {
        return largest == 0            ? 0
               : largest <= 0xff       ? 1
               : largest <= 0xffff     ? 2
               : largest <= 0xffffffff ? 4
                                       : 8;
    }
    template <class F>
    static void with_type(std::size_t width, F const& f);

    std::size_t width_ = 0;  // bytes of a number; 0: all are zeros
    std::vector<std::byte> bytes_ = {};
};

}  // namespace sluice::store
