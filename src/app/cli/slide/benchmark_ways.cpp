// Which ways of reading there are, for how thorough a benchmark is asked to be.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/cli/slide/benchmark_jobs.h"
#include "base/plural.h"

namespace sluice::cli {

void Settings::defaults() {
    grid = !workers.empty() && !batches.empty();
    if (workers.empty()) {
        workers = depth == Thoroughness::quick ? std::vector{1, std::max(2, processors)}
                                               : std::vector{1, 2, 4, 8};
        if (processors > 8) workers.push_back(processors);
    }
    std::sort(workers.begin(), workers.end());
    workers.erase(std::unique(workers.begin(), workers.end()), workers.end());
    every_batch = !batches.empty();
    if (batches.empty())
        batches = depth == Thoroughness::full ? std::vector<index>{25, 10, 50, 100}
                                              : std::vector<index>{25, 100};
}

Json to_json(Settings const& s) {
    constexpr std::string_view names[] = {"quick", "medium", "full"};
    return {{"depth", names[static_cast<std::size_t>(s.depth)]},
            {"rounds", s.rounds},
            {"workers", s.workers},
            {"batches", s.batches},
            {"max_tiles", s.max_tiles},
            {"cold", s.cold}};
}

std::vector<Way> ways_of(Pattern pattern, Settings const& s) {
    std::vector<Way> ways;
    bool const more = s.depth != Thoroughness::quick;
    bool const regions = pattern != Pattern::mosaic && pattern != Pattern::tiles;
    ways.push_back({"sequential", "give --threads 1", 0, 1, 0, 1, false, false});
    index const batch = s.batches.front();
    int most = 1;
    for (int const t : s.workers) {
        if (t <= s.processors) most = std::max(most, t);
        if (t > 1)
            ways.push_back({pattern == Pattern::tiles && s.every_batch
                                ? fmt::format("{} threads, batches of {}", t, batch)
                                : fmt::format("{} threads", t),
                            fmt::format("give --threads {}", t), 1, t, 0, batch, false, false});
    }
    if (regions)
        for (int const t : std::set{1, most})
            ways.push_back({plural(t, "thread") + ", tile cache",
                            fmt::format("keep a TileCache, with --threads {}", t), 2, t, 0, 1,
                            false, true});
    if (pattern == Pattern::tiles && (more || s.every_batch))
        for (int const t : s.grid ? s.workers : std::vector{most})
            for (index const b : s.batches) {
                // That is one of the ways above, but for the sequential one, which has no batches.
                if (b == batch && t > 1) continue;
                if (t == 1 && b <= 1) continue;
                ways.push_back(
                    {fmt::format("{}, batches of {}", plural(t, "thread"), b),
                     fmt::format("give read_tiles {} tiles at a time, with --threads {}", b, t), 2,
                     t, 0, b, false, false});
            }
    if (!more) return ways;
    for (int const t : std::set{1, most})
        ways.push_back({plural(t, "thread") + ", mmap", fmt::format("give --mmap --threads {}", t),
                        3, t, 0, batch, true, false});
    for (int const p : s.workers)
        if (p > 1 && (s.depth == Thoroughness::full || p == std::max(2, most)))
            ways.push_back({fmt::format("{} processes", p),
                            fmt::format("start {} processes with a part each", p), 4, 1, p, batch,
                            false, false});
    return ways;
}

}  // namespace sluice::cli
