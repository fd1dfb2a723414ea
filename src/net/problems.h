// Problems: what was wrong with what came, counted, and the first of each kind in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/stream.h"

namespace sluice::net {

using Problem = StreamProblem;

/// Threads may share it.
class Problems {
  public:
    /// `first`: of the first one; empty: nothing is known of it.
    void tell(std::string_view what, std::string first, index count = 1);
    /// By their names: threads tell them in any order.
    std::vector<Problem> list() const;

  private:
    mutable std::mutex mutex_;
    std::vector<Problem> list_ = {};
};

}  // namespace sluice::net
