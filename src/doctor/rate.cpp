// Rounds on a stopwatch.
// SPDX-License-Identifier: Apache-2.0
#include "doctor/rate.h"

#include <algorithm>

#include "bench/trust.h"

namespace sluice {

bool MeasuredRate::quiet() const {
    return taken() && waited < bench::much_waiting;
}

double MeasuredRate::variation() const {
    return per_s.median > 0 ? 2 * (per_s.upper_quartile - per_s.lower_quartile) / per_s.median : 0;
}

namespace doctor {

MeasuredRate rate_of(std::vector<double> per_s, bench::Lap const& lap, int threads) {
    MeasuredRate rate;
    rate.threads = threads;
    if (per_s.empty()) return rate;
    rate.not_taken.clear();
    rate.per_s = spread_of(std::move(per_s));
    // The lap is of all rounds. A kernel that does not count waiting has zero there.
    if (lap.wall_s > 0) rate.waited = std::clamp(lap.waited_s / (lap.wall_s * threads), 0.0, 1.0);
    return rate;
}

void Rounds::round() {
    bench::Stopwatch const watch(*clock_);
    work_();
    bench::Lap const lap = watch.lap();
    if (lap.wall_s <= 0) return;
    per_s_.push_back(amount_ / lap.wall_s);
    all_.wall_s += lap.wall_s;
    all_.cpu_s += lap.cpu_s;
    all_.waited_s += lap.waited_s;
}

MeasuredRate Rounds::rate() const {
    return rate_of(per_s_, all_, threads_);
}

OneAndAll one_and_all(double amount, int threads, int rounds, std::function<void(int)> const& work,
                      double most_s) {
    Rounds one(amount, 1, [&] { work(1); });
    Rounds all(amount * threads, threads, [&] { work(threads); });
    double const begin = bench::system_clock().wall();
    work(1);
    work(threads);
    for (int i = 0; i < rounds; ++i) {
        if (i > 0 && bench::system_clock().wall() - begin > most_s) break;
        one.round();
        all.round();
    }
    return {one.rate(), all.rate()};
}

}  // namespace doctor
}  // namespace sluice
