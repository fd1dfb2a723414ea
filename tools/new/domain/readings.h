// Readings: numbers in memory as items to fold. What comes out of files takes this place.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "fold/items.h"

namespace sluice::@name@ {

/// A view: the numbers must outlive it.
class Readings {
  public:
    using Item = double;

    class Reader {
      public:
        explicit Reader(std::span<double const> values) : values_(values) {}
        Result<fold::Batch<double>> read(fold::Range items) const {
            auto const first = static_cast<std::size_t>(items.first);
            auto const count = static_cast<std::size_t>(items.count());
            return fold::Batch<double>{values_.subspan(first, count), items.last};
        }

      private:
        std::span<double const> values_;
    };

    explicit Readings(std::span<double const> values) : values_(values) {}

    index groups() const { return (size() + group_size - 1) / group_size; }
    fold::Range group(index number) const {
        return {number * group_size, std::min((number + 1) * group_size, size())};
    }
    Reader reader(int) const { return Reader(values_); }
    void retire(Reader const&) const {}

  private:
    // Groups are what workers take: large enough that asking for one costs nothing beside it.
    static constexpr index group_size = 4096;

    index size() const { return std::ssize(values_); }

    std::span<double const> values_;
};

}  // namespace sluice::@name@
