// The report of a benchmark: of the same shape for every domain.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "bench/rounds.h"

namespace sluice::bench {

struct Report {
    std::string benchmark;  ///< "slide", "proton", "stem4d load" ...
    Json machine;
    Json settings = Json::object();             ///< rounds, threads and what else was asked for
    Json subject = Json::object();              ///< what was worked on
    std::optional<double> copy_bandwidth = {};  ///< bytes a second; of the yardstick
    std::vector<Measured> results = {};
    std::vector<std::string> notes = {};
    std::vector<Finding> findings = {};
    std::string recommendation = {};
};

/// Compares the answers, times the rounds, and adds the results.
Status measure(Report& report, std::vector<Contestant>& all, Rounds const& how,
               Progress const& comparing = {});

/// Why nothing may be concluded from these times; none where they can be trusted.
std::optional<Finding> doubt_of(Measured const& m);

/// Adds what speaks against times of ours: each reason once, with the rows it holds for.
void add_doubts(Report& report);

/// All keys are there for every benchmark; what is not known is null. What only one domain has is
/// in "subject" and in each result's "details".
Json to_json(Report const& report);

/// One way of several, measured.
struct WayTimes {
    std::string name, options;  ///< what to give to get it
    double wall_s = 0;          ///< the median
    int effort = 0;             ///< simpler ways have less
};

/// The way to recommend: the one of least effort within a tenth of the fastest; -1 without any.
int recommended(std::vector<WayTimes> const& ways);

}  // namespace sluice::bench
