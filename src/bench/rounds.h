// Rounds of all contestants in turns: what the machine is busy with meets all of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/contestant.h"
#include "bench/trust.h"
#include "sluice/measured.h"
#include "sluice/progress.h"

namespace sluice::bench {

struct Rounds {
    int warm_up = 1;  ///< rounds before those that count
    int rounds = 7;
    Progress progress = {};  ///< in turns
};

/// A contestant, and what its rounds took.
struct Measured {
    std::size_t contestant = 0;  ///< its place among all
    std::string contest, name;
    bool rival = false;
    int threads = 1;
    double items = 1, bytes = 0;
    Json details = Json::object();
    std::vector<Lap> laps;

    Spread wall() const;
    double wall_s() const { return wall().median; }
    double cpu_s() const;
    double item_s() const { return wall_s() / items; }
    double bytes_per_s() const;
    /// Beside that many bytes a second; 0 where either is not known.
    double of_bandwidth(double copied_per_s) const;
    Trial trial() const;
};

/// A B C, A B C ...: every contestant once in each round. A rival that fails is noted and not among
/// the results.
Result<std::vector<Measured>> run_rounds(std::vector<Contestant>& all, Rounds const& how,
                                         std::vector<std::string>& notes);

}  // namespace sluice::bench
