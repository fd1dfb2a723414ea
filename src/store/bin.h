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
    /// Adds one decoded stored frame, whose bad pixels are zero already, and whose pixels that were
    /// not measured are NaN.
    void add(std::span<std::byte const> values);
    /// Instead of a frame that no file holds: means are over the others.
    void leave_out() { ++left_out_; }
    /// Writes the result frame in the plan's dtype; counts over 32 bits are an error. A mean is
    /// over what was measured; a sum that lacks a value is NaN, for it would pass for a darker
    /// place.
    Status finish(std::span<std::byte> out) const;

  private:
    template <class T, class Sum>
    void add_as(T const* values, std::vector<Sum>& sums);
    float value_of(std::size_t bin) const;

    Plan const& plan_;
    std::vector<std::uint64_t> counts_ = {};  // of integer frames
    std::vector<double> floats_ = {};         // of float frames
    std::vector<std::uint32_t> lacks_ = {};   // values of float frames that were not measured
    index left_out_ = 0;                      // frames
};

}  // namespace sluice::store
