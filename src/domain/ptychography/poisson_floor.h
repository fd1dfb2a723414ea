// The R that counting noise alone leaves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::ptycho {

/// The mean of (sqrt(n) - sqrt(m))^2 where n is Poisson's with mean m: a quarter for large m.
double root_noise(double mean);

}  // namespace sluice::ptycho
