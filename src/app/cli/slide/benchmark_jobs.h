// The jobs of a benchmark: which ways there are, and their processes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/slide/benchmark_process.h"
#include "bench/contestant.h"
#include "domain/slide/profile/rules/facts.h"

namespace sluice::cli {

enum class Thoroughness : std::uint8_t { quick, medium, full };

struct Settings {
    Thoroughness depth = Thoroughness::quick;
    int processors = 1, rounds = 3;
    std::vector<int> workers;
    std::vector<index> batches;
    /// Whether batches, or both numbers, were asked for: then every one is measured, and with both
    /// every one of one with every one of the other.
    bool every_batch = false, grid = false;
    index max_tiles = 0;
    bool cold = false;
    std::string rivals, driver;  ///< a Python, and the script it runs
    std::vector<std::string> beside;

    /// Fills in what was not given.
    void defaults();
};
Json to_json(Settings const& settings);

/// The ways of reading with a pattern, the simplest first.
std::vector<Way> ways_of(Pattern pattern, Settings const& settings);

/// One way with one pattern, and the process that does it.
struct Job {
    Pattern pattern;
    Way way;
    bool rival = false;
    Process process;
    Done done;  ///< of its last round
};

/// Starts all processes. Rivals that are not there are left out and named in `notes`; `versions`
/// says what the others are.
Result<std::vector<Job>> jobs_of(Workload const& load, std::vector<Pattern> const& patterns,
                                 Settings const& settings, Json& versions,
                                 std::vector<std::string>& notes);

/// The jobs as the harness times them; they must stay where they are.
std::vector<bench::Contestant> contestants_of(std::vector<Job>& jobs, Workload const& load);

/// Empties the system's cache of the file, and the memory of those who have mapped it.
Status forget(std::vector<Job>& jobs, std::string const& path);

/// Where the time of one thread goes, for the rules of the profile.
Result<slide::Facts> facts_of_jobs(std::vector<Job>& jobs, Workload const& load);

}  // namespace sluice::cli
