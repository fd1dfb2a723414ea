// What the processors did, as /proc/stat counts it: how much the host gave to other machines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sluice::bench {

/// All and stolen ticks of all processors since the machine began.
struct Ticks {
    double all = 0, stolen = 0;
};

/// Of the first line of /proc/stat; zeros where it is no such line.
Ticks parse_ticks(std::string const& line);
Ticks ticks_now();

/// The share of the time between two moments that the host gave away, 0 to 1.
double stolen_share(Ticks const& before, Ticks const& after);

}  // namespace sluice::bench
