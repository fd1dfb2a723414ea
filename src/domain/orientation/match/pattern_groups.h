// PatternGroups: the patterns of a scan by their numbers, as a source to fold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "fold/items.h"

namespace sluice::orient {

class PatternGroups {
  public:
    using Item = index;
    /// Those of a group at once: the search packs patterns that look alike.
    class Reader {
      public:
        Result<fold::Batch<index>> read(fold::Range items) {
            numbers_.resize(static_cast<std::size_t>(items.count()));
            std::iota(numbers_.begin(), numbers_.end(), items.first);
            return fold::Batch<index>{numbers_, items.last};
        }

      private:
        std::vector<index> numbers_;
    };

    static constexpr index group_size = 512;

    explicit PatternGroups(index patterns) : patterns_(patterns) {}

    index groups() const { return (patterns_ + group_size - 1) / group_size; }
    fold::Range group(index number) const {
        return {number * group_size, std::min(patterns_, (number + 1) * group_size)};
    }
    Reader reader(int /*worker*/) const { return {}; }
    void retire(Reader& /*reader*/) const {}

  private:
    index patterns_;
};

}  // namespace sluice::orient
