// Adds stored frames up into bins of detector pixels and scan points.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/plan.h"

namespace sluice::store {

/// The sums of one result frame while its stored frames arrive.
class Binner {
  public:
    explicit Binner(Plan const& plan) : plan_(plan) {}

    void begin();
    /// Adds one decoded stored frame, whose bad pixels are zero already.
    void add(std::span<std::byte const> values);
    /// Writes the result frame in the plan's dtype; counts over 32 bits are an error.
    Status finish(std::span<std::byte> out) const;

  private:
    template <class T, class Sum>
    void add_as(T const* values, std::vector<Sum>& sums) const;

    Plan const& plan_;
    std::vector<std::uint64_t> counts_ = {};  // of integer frames
    std::vector<double> floats_ = {};         // of float frames
};

}  // namespace sluice::store
