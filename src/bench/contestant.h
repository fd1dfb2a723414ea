// Contestant: something that can be timed, and what there is to know of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/json.h"
#include "bench/stopwatch.h"
#include "sluice/result.h"

namespace sluice::bench {

/// One number for each item of an answer, as checksum() gives it.
using Answer = std::vector<std::uint64_t>;

struct Contestant {
    std::string contest;  ///< those of one contest stand in one table
    std::string name;
    std::function<Result<Lap>()> run;        ///< a round, and how long it took
    std::function<Status()> prepare = {};    ///< before every round; it is not timed
    std::function<Result<Answer>()> answer;  ///< empty: its answer is not compared
    /// How the answer of a rival differs in an item.
    std::function<Result<std::string>(std::size_t item)> difference = {};
    bool rival = false;  ///< another program: its errors are notes, and leave it out
    int threads = 1;
    double items = 1;  ///< reads, steps ... of a round
    double bytes = 0;  ///< that a round has to touch, at least; 0: not known
    Json details = Json::object();
    std::function<Json()> tell = {};  ///< more details, once its rounds are over
    bool out = false;                 ///< a rival that failed
};

/// A round that is timed here.
std::function<Result<Lap>()> timed(std::function<Status()> work,
                                   Clock const& clock = system_clock());

/// Leaves a rival out with a note; the error of another contestant ends everything.
Status failed(Contestant& who, Error error, std::vector<std::string>& notes);

}  // namespace sluice::bench
