// Reads that were too short, starved or restless: nothing can be told from their times.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "domain/slide/profile/rules/rule.h"
#include "domain/slide/profile/rules/words.h"

namespace sluice::slide::rule {
namespace {

// Below these a read is over before anything can be told of it.
constexpr double enough_s = 0.05;
constexpr index enough_tiles = 4;

// What a read from the cache with one thread did not compute, it waited; and there is nothing but
// processors to wait for.
double starved_share(ReadFacts const& r) {
    double const lost = r.threads == 1 && r.wall_s > 0 ? 1 - r.cpu_s / r.wall_s : 0;
    return std::max({r.starved, lost, 0.0});
}

// The first read that had to wait for processors which should have been free.
ReadFacts const* disturbed(Facts const& f) {
    auto const first = std::find_if(f.reads.begin(), f.reads.end(), [&](ReadFacts const& r) {
        return r.steal >= much_steal ||
               (r.threads <= f.processors && starved_share(r) >= much_idle);
    });
    return first == f.reads.end() ? nullptr : &*first;
}

}  // namespace

std::optional<Finding> too_short(Facts const& f) {
    if (f.reads.empty()) return {};
    ReadFacts const& one = f.reads.front();
    if (one.wall_s >= enough_s && f.tiles >= enough_tiles) return {};
    return Finding{"too short",
                   fmt::format("A read of {} takes {}: too little to tell what limits it.",
                               plural(f.tiles, "tile"), duration(one.wall_s)),
                   how_to_measure_more()};
}

std::optional<Finding> starved(Facts const& f) {
    ReadFacts const* const r = disturbed(f);
    if (!r) return {};
    std::string const text =
        r->steal >= much_steal
            ? fmt::format(
                  "With {}, the host gave {} of the processors' time to other machines: "
                  "nothing can be told from these times.",
                  count(r->threads), percent(r->steal))
            : fmt::format(
                  "With {}, {} of the time was waiting for a processor that other "
                  "programs had: nothing can be told from these times.",
                  count(r->threads), percent(starved_share(*r)));
    return Finding{"starved", text, "To get an answer, measure again on a quiet machine."};
}

std::optional<Finding> unlike(Facts const& f) {
    for (ReadFacts const& r : f.reads)
        if (r.threads <= f.processors && r.spread > unsteady)
            return Finding{
                "unsteady",
                fmt::format("The same read with {} took times that differ by {}: nothing can be "
                            "told from them.",
                            count(r.threads), percent(r.spread)),
                "To get an answer, measure again on a quiet machine."};
    return {};
}

}  // namespace sluice::slide::rule
