// All rules in their order, and which of them apply to times that cannot be trusted.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile/rules/findings.h"

#include <algorithm>

#include "domain/slide/profile/rules/rule.h"

namespace sluice::slide {
namespace {

using rule::Rule;

constexpr Rule gates[] = {rule::too_short, rule::starved, rule::unlike};
constexpr Rule timed[] = {rule::decoding, rule::copying, rule::composing, rule::filling,
                          rule::threads,  rule::disk,    rule::idle,      rule::inflated,
                          rule::opening,  rule::flat};
// These count tiles and bytes, and need no clock.
constexpr Rule counted[] = {rule::not_cold, rule::amplification, rule::order, rule::hidden};

}  // namespace

std::optional<Finding> cannot_tell(Facts const& facts) {
    for (Rule const gate : gates)
        if (auto found = gate(facts)) return found;
    return {};
}

std::vector<Finding> findings_of(Facts const& facts) {
    std::vector<Finding> all;
    auto const add = [&](auto const& rules) {
        for (Rule const each : rules)
            if (auto found = each(facts)) all.push_back(*std::move(found));
    };
    if (auto nothing = cannot_tell(facts)) {
        all.push_back(*std::move(nothing));
        add(counted);
        for (std::size_t i = 1; i < all.size(); ++i) all[i].advice.clear();
        return all;
    }
    if (!facts.reads.empty()) add(timed);
    add(counted);
    // The limit of a first read comes before the limits of later ones.
    std::stable_partition(all.begin(), all.end(),
                          [](Finding const& f) { return f.rule == "disk" && !f.advice.empty(); });
    return all;
}

}  // namespace sluice::slide
