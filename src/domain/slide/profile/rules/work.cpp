// What most of the computing is: decoding, copying, composing or filling.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domain/slide/profile/rules/rule.h"
#include "domain/slide/profile/rules/words.h"

namespace sluice::slide::rule {

std::optional<Finding> decoding(Facts const& f) {
    if (f.decode < large_share) return {};
    return Finding{"decoding",
                   fmt::format("Decoding {} is {} of the computing.", f.codec, percent(f.decode)),
                   {},
                   evidence(f, computing(f.reads.front()), f.reads.front())};
}

std::optional<Finding> copying(Facts const& f) {
    if (f.copy < large_share || f.copy <= f.decode) return {};
    return Finding{
        "copying",
        fmt::format("Copying pixels out of the system's cache is {} of the computing: memory, "
                    "and not decoding, sets the pace.",
                    percent(f.copy)),
        f.mapped ? std::string()
                 : "Compare --mmap, which saves a copy where single tiles are viewed in place.",
        evidence(f, computing(f.reads.front()), f.reads.front())};
}

std::optional<Finding> composing(Facts const& f) {
    if (f.compose < large_share) return {};
    return Finding{
        "composing",
        fmt::format("Putting tiles in their places, with the order of colours and bytes, "
                    "is {} of the computing.",
                    percent(f.compose)),
        {},
        evidence(f, computing(f.reads.front()), f.reads.front())};
}

// Not of any tile: large regions with few tiles, and threads for little work.
std::optional<Finding> filling(Facts const& f) {
    if (f.outside < large_share) return {};
    return Finding{"filling",
                   fmt::format("Filling the space without tiles, with page faults and the start of "
                               "threads, is {} of the computing.",
                               percent(f.outside)),
                   "Read the scenes or tiles by themselves, and not the space between them.",
                   evidence(f, computing(f.reads.front()), f.reads.front())};
}

}  // namespace sluice::slide::rule
