// The limits from which on times say something.
// SPDX-License-Identifier: Apache-2.0
#include "bench/trust.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/words.h"

namespace sluice::bench {
namespace {

constexpr char const* quiet_machine = "To get an answer, measure again on a quiet machine.";

// What one thread did not compute, it waited: for a processor, or for a disk.
double starved_share(Trial const& t) {
    double const lost = t.threads == 1 && t.wall_s > 0 ? 1 - t.cpu_s / t.wall_s : 0;
    return std::max({t.starved, lost, 0.0});
}

// More threads than processors wait for each other, whatever else runs.
bool disturbed(Trial const& t, int processors) {
    return t.steal >= much_steal || (t.threads <= processors && starved_share(t) >= much_waiting);
}

std::optional<Finding> too_short(std::span<Trial const> rounds) {
    for (Trial const& t : rounds)
        if (t.wall_s < enough_s)
            return Finding{"too short",
                           fmt::format("A round takes {}, no longer than threads need to begin: "
                                       "nothing can be told from it.",
                                       duration(t.wall_s)),
                           "To get an answer, give it more to do."};
    return {};
}

}  // namespace

std::optional<Finding> too_few(std::span<Trial const> rounds) {
    int least = enough_repeats;
    for (Trial const& t : rounds) least = std::min(least, t.repeats);
    if (least >= enough_repeats) return {};
    return Finding{"too few",
                   fmt::format("{} cannot tell what is usual from what is chance.",
                               least == 1 ? "One round" : plural(least, "round")),
                   fmt::format("To get an answer, give --rounds {} or more.", enough_repeats)};
}

std::optional<Finding> starved(std::span<Trial const> trials, int processors) {
    auto const t = std::ranges::find_if(
        trials, [&](Trial const& each) { return disturbed(each, processors); });
    if (t == trials.end()) return {};
    std::string const text =
        t->steal >= much_steal
            ? fmt::format(
                  "With {}, the host gave {} of the processors' time to other machines: "
                  "nothing can be told from these times.",
                  count(t->threads), percent(t->steal))
            : fmt::format(
                  "With {}, {} of the time was waiting for {}: nothing can be told from these "
                  "times.",
                  count(t->threads), percent(starved_share(*t)),
                  t->starved >= much_waiting ? "a processor that other programs had"
                                             : "a processor or a disk");
    return Finding{"starved", text, quiet_machine};
}

std::optional<Finding> unsteady(std::span<Trial const> trials, int processors,
                                std::string_view what) {
    for (Trial const& t : trials)
        if (t.threads <= processors && t.spread > unsteady_spread)
            return Finding{
                "unsteady",
                fmt::format("The same {} with {} took times that differ by {}: nothing can be "
                            "told from them.",
                            what, count(t.threads), percent(t.spread)),
                quiet_machine};
    return {};
}

std::optional<Finding> cannot_tell(std::span<Trial const> rounds, int processors) {
    if (auto found = too_few(rounds)) return found;
    if (auto found = too_short(rounds)) return found;
    if (auto found = starved(rounds, processors)) return found;
    return unsteady(rounds, processors, "round");
}

}  // namespace sluice::bench
