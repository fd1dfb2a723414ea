// Weights from 0 on that make a sum flat.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace sluice::proton {

/// The weights, none below 0, with which the sum of `parts` (all of one length) is nearest to
/// `target` at all of their points; `weights` is where it begins. By one weight after the other
/// (Franc, Hlavac and Navara 2005), which converges as the sum of squares is convex.
void least_squares(std::vector<std::vector<double>> const& parts, double target,
                   std::vector<double>& weights);

}  // namespace sluice::proton
