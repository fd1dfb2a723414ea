// What a first read waits for: the disk, the system, or an unknown cause.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "domain/slide/profile/rules/rule.h"
#include "domain/slide/profile/rules/words.h"

namespace sluice::slide::rule {
namespace {

// A first read is at least so much slower if the disk slows it.
constexpr double slower = 1.5;

// The read from the cache with as many threads as the one from the disk.
ReadFacts const* beside_cold(Facts const& f) {
    if (!f.cold) return nullptr;
    auto const same = std::find_if(f.reads.begin(), f.reads.end(), [&](ReadFacts const& r) {
        return r.threads == f.cold->read.threads;
    });
    return same == f.reads.end() || same->wall_s <= 0 ? nullptr : &*same;
}

}  // namespace

std::optional<Finding> disk(Facts const& f) {
    ReadFacts const* const cached = beside_cold(f);
    if (!cached) return {};
    ReadFacts const& cold = f.cold->read;
    double const times = cold.wall_s / cached->wall_s;
    if (f.bytes_read < enough_bytes)
        return Finding{"disk unknown",
                       fmt::format("The tiles have {:.3g} MB, which is too little to tell whether "
                                   "the disk limits a first read.",
                                   f.bytes_read / 1e6),
                       how_to_measure_more()};
    if (cold.spread > bench::unsteady_spread || cold.steal >= bench::much_steal)
        return Finding{"disk unknown",
                       fmt::format("The times of first reads differ by {}: they do not show "
                                   "whether the disk limits them.",
                                   percent(cold.spread)),
                       "To get an answer, measure again on a quiet machine."};
    std::string const numbers =
        fmt::format("A first read takes {:.3g} times as long as one from the cache", times);
    std::string const grounds =
        evidence(f,
                 fmt::format("{} from the disk and {} from the cache with {}",
                             duration(cold.wall_s), duration(cached->wall_s), count(cold.threads)),
                 cold);
    if (times < slower) return Finding{"disk", numbers + ": the disk does not limit.", {}, grounds};
    // Half of what it takes longer must have been waiting.
    if (f.cold->waited < (1 - 1 / times) / 2)
        return Finding{
            "disk",
            fmt::format(
                "{}, and {} of it waits for the disk: the system needs longer to fill its cache.",
                numbers, percent(f.cold->waited)),
            {},
            grounds};
    return Finding{"disk",
                   fmt::format("{}, and {} of it waits for the disk: the disk limits a first read.",
                               numbers, percent(f.cold->waited)),
                   "More threads will not help then; copy the file to a faster disk, or read it "
                   "once and keep it in memory.",
                   grounds};
}

std::optional<Finding> not_cold(Facts const& f) {
    if (!f.cold_asked || f.cold) return {};
    return Finding{"not cold",
                   fmt::format("The system kept {} of the file in its cache although asked to drop "
                               "it: these times do not show the disk.",
                               percent(f.cached)),
                   "Profile a file that no program has read since the machine started."};
}

}  // namespace sluice::slide::rule
