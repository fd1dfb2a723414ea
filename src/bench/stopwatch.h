// A round's time: on the clock, on processors, and waiting for one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace sluice::bench {

/// What a round took, in seconds.
struct Lap {
    double wall_s = 0;
    double cpu_s = 0;     ///< of all threads, and of child processes that have ended
    double waited_s = 0;  ///< of threads that were ready without a processor; 0: not counted
};

/// Where times come from; tests move one by hand.
struct Clock {
    std::function<double()> wall, cpu, waited;
};
/// The clocks of the system, and the waiting that Linux counts of this process's threads.
Clock const& system_clock();

/// Begins when it is made.
class Stopwatch {
  public:
    explicit Stopwatch(Clock const& clock = system_clock());
    Lap lap() const;

  private:
    Clock const* clock_;
    Lap begin_;
};

}  // namespace sluice::bench
