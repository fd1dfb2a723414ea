// The one loop of all benchmarks.
// SPDX-License-Identifier: Apache-2.0
#include "bench/rounds.h"

#include "base/run.h"

namespace sluice::bench {
namespace {

Spread spread(std::vector<Lap> const& laps, double Lap::*what) {
    std::vector<double> values;
    for (Lap const& lap : laps) values.push_back(lap.*what);
    return spread_of(std::move(values));
}

Result<Lap> turn(Contestant const& who) {
    if (who.prepare) SLUICE_CHECK(who.prepare());
    return who.run();
}

Measured measured(std::size_t place, Contestant const& who, std::vector<Lap> laps) {
    Json details = who.details;
    if (who.tell) details.update(who.tell());
    return {place,     who.contest, who.name,           who.rival,      who.threads,
            who.items, who.bytes,   std::move(details), std::move(laps)};
}

}  // namespace

Spread Measured::wall() const {
    return spread(laps, &Lap::wall_s);
}

double Measured::cpu_s() const {
    return spread(laps, &Lap::cpu_s).median;
}

double Measured::bytes_per_s() const {
    double const seconds = wall_s();
    return seconds > 0 ? bytes / seconds : 0;
}

double Measured::of_bandwidth(double copied_per_s) const {
    return copied_per_s > 0 ? bytes_per_s() / copied_per_s : 0;
}

Trial Measured::trial() const {
    Trial t;
    Spread const times = wall();
    t.threads = threads;
    t.wall_s = times.median;
    t.cpu_s = cpu_s();
    double waited = 0, ready = 0;
    for (Lap const& lap : laps) {
        waited += lap.waited_s;
        ready += lap.wall_s * threads;
    }
    t.starved = ready > 0 ? waited / ready : 0;
    t.repeats = static_cast<int>(laps.size());
    // The whole range grows with every round, and twice the middle half does not: of three rounds
    // both are the same.
    if (times.median > 0)
        t.spread = 2 * (times.upper_quartile - times.lower_quartile) / times.median;
    return t;
}

Result<std::vector<Measured>> run_rounds(std::vector<Contestant>& all, Rounds const& how,
                                         std::vector<std::string>& notes) {
    std::vector<std::vector<Lap>> laps(all.size());
    int const rounds = how.warm_up + how.rounds;
    auto const turns = static_cast<std::uint64_t>(rounds) * all.size();
    std::uint64_t done = 0;
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < all.size(); ++i) {
            ++done;
            if (all[i].out) continue;
            Result<Lap> const lap = turn(all[i]);
            if (!lap) {
                SLUICE_CHECK(failed(all[i], lap.error(), notes));
                continue;
            }
            if (round >= how.warm_up) laps[i].push_back(*lap);
            SLUICE_CHECK(tell_progress(how.progress, done, turns, "nothing was written"));
        }
    std::vector<Measured> results;
    // A rival without all of its rounds has no place beside the others.
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!all[i].out) results.push_back(measured(i, all[i], std::move(laps[i])));
    return results;
}

}  // namespace sluice::bench
