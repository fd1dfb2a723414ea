// Rates of rounds, and how long their threads waited for processors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "bench/stopwatch.h"
#include "sluice/doctor.h"

namespace sluice::doctor {

/// Rates that somebody measured between two moments of a clock, of which `lap` tells.
MeasuredRate rate_of(std::vector<double> per_s, bench::Lap const& lap, int threads);

/// Rounds of work that does `amount` each.
class Rounds {
  public:
    Rounds(double amount, int threads, std::function<void()> work,
           bench::Clock const& clock = bench::system_clock())
        : amount_(amount), threads_(threads), work_(std::move(work)), clock_(&clock) {}
    void round();
    MeasuredRate rate() const;

  private:
    double amount_;
    int threads_;
    std::function<void()> work_;
    bench::Clock const* clock_;
    std::vector<double> per_s_;
    bench::Lap all_;
};

/// The same work on one thread and on all, in turns, after a round of each that does not count.
/// work(threads) does `amount` on each of them. Where others have the processors there are fewer
/// rounds: none begins after `most_s` seconds.
struct OneAndAll {
    MeasuredRate one, all;
};
OneAndAll one_and_all(double amount, int threads, int rounds, std::function<void(int)> const& work,
                      double most_s);

}  // namespace sluice::doctor
