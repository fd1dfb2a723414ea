// Shares, times and counts as text, and the evidence of a sentence about times.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile/rules/words.h"

#include <fmt/format.h>

#include "domain/slide/profile/rules/rule.h"

namespace sluice::slide::rule {

// How sure a sentence about times is.
std::string evidence(Facts const& f, std::string numbers, ReadFacts const& r) {
    bool const sure = r.repeats >= 3 && r.spread <= 0.1 && f.tiles >= 2 * many_tiles;
    return fmt::format("{}: {}; {}, {} within {}", sure ? "sure" : "likely", std::move(numbers),
                       plural(f.tiles, "tile"), plural(r.repeats, "read"), percent(r.spread));
}

std::string computing(ReadFacts const& r) {
    return fmt::format("{} of computing in {} with {}", duration(r.cpu_s), duration(r.wall_s),
                       count(r.threads));
}

std::string how_to_measure_more() {
    return "To get an answer, read more at once: a larger --region, --max-tiles 0, or a larger "
           "file.";
}

}  // namespace sluice::slide::rule
