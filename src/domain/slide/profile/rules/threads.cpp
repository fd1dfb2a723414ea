// How many threads to take, and what keeps more of them from helping.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "domain/slide/profile/rules/rule.h"
#include "domain/slide/profile/rules/words.h"

namespace sluice::slide::rule {

// Several threads: what they gave here, and not what they should have given.
std::optional<Finding> threads(Facts const& f) {
    if (f.reads.size() < 2 || f.reads.front().threads != 1) return {};
    ReadFacts const* const best = fastest(f);
    int const wanted = best_threads(f.reads);
    if (!best || wanted == 0) return {};
    double const gain = f.reads.front().wall_s / best->wall_s;
    if (wanted == 1)
        return Finding{"threads",
                       fmt::format("More threads did not help here (at best {:.2f} times as fast, "
                                   "{} processors).",
                                   gain, f.processors),
                       "Use --threads 1.", evidence(f, computing(*best), *best)};
    auto const chosen = std::find_if(f.reads.begin(), f.reads.end(),
                                     [&](ReadFacts const& r) { return r.threads == wanted; });
    return Finding{"threads",
                   fmt::format("{} threads read {:.2f} times as fast as one here ({} processors).",
                               wanted, f.reads.front().wall_s / chosen->wall_s, f.processors),
                   fmt::format("Use --threads {}.", wanted),
                   evidence(f, computing(*chosen), *chosen)};
}

// Workers that wait while one of them has the last tile.
std::optional<Finding> idle(Facts const& f) {
    if (f.reads.empty()) return {};
    ReadFacts const& r = f.reads.back();
    if (r.threads < 2 || r.threads > f.processors || r.idle < much_idle) return {};
    // One tile must be long enough to keep the others waiting for so long.
    if (f.longest_tile_s < r.idle * r.wall_s / 2) return {};
    return Finding{
        "idle",
        fmt::format("With {} threads, {} of their time is waiting for the "
                    "last tiles (the slowest takes {} of {}).",
                    r.threads, percent(r.idle), duration(f.longest_tile_s), duration(r.wall_s)),
        f.tiles >= many_tiles * r.threads
            ? std::string()
            : fmt::format("{} tiles are few for {} threads; read several planes or regions "
                          "at once.",
                          f.tiles, r.threads),
        evidence(f, computing(r), r)};
}

// The same work took more computing: processors that share a core, or memory that is too slow.
std::optional<Finding> inflated(Facts const& f) {
    if (f.reads.size() < 2 || f.reads.front().threads != 1) return {};
    ReadFacts const& one = f.reads.front();
    auto most = std::find_if(f.reads.rbegin(), f.reads.rend(), [&](ReadFacts const& r) {
        return r.threads > 1 && r.threads <= f.processors;
    });
    if (most == f.reads.rend() || one.cpu_s <= 0 || most->cpu_s < 1.3 * one.cpu_s) return {};
    return Finding{"slower cores",
                   fmt::format("With {} threads the same tiles took {:.2f} times the computing: "
                               "the processors share cores or memory, with each other or with "
                               "other work.",
                               most->threads, most->cpu_s / one.cpu_s),
                   {},
                   evidence(f, computing(*most), *most)};
}

}  // namespace sluice::slide::rule
