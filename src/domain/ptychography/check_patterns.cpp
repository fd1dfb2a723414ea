// Whether the parts of patterns belong together.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "domain/ptychography/wrong.h"
#include "sluice/ptychography_check.h"

namespace sluice::stem4d {

using ptycho::wrong;

Status check_patterns(Patterns const& patterns) {
    index const n = patterns.size;
    if (n < 1 || n > 4096)
        return wrong(fmt::format(
            "patterns have {} pixels a side (1 to 4096 are possible) cut or bin them", n));
    index const have = std::visit([](auto const& c) { return std::ssize(c); }, patterns.counts);
    index const area = n * n, count = patterns.count();
    // Divided, not multiplied: a number of positions has no bound.
    if (have % area != 0 || have / area != count)
        return wrong(
            have % area == 0
                ? fmt::format("there are {} patterns of {}x{} pixels and {} positions (each "
                              "pattern has one) give a pattern for each position",
                              have / area, n, n, count)
                : fmt::format("there are {} counts for {} positions of {}x{} pixels (each pattern "
                              "needs {}) give a pattern for each position",
                              have, count, n, n, area));
    if (patterns.first != 0)
        return wrong(fmt::format(
            "the patterns begin with pattern {} (only ranks share patterns) give all of "
            "them, from the first",
            patterns.first));
    if (!patterns.bad.empty() && std::ssize(patterns.bad) != area)
        return wrong(fmt::format(
            "the mask of bad pixels has {} pixels and a pattern {}x{} (it is [row][col] "
            "of one) cut it alike",
            patterns.bad.size(), n, n));
    for (index j = 0; j < count; ++j) {
        Position const& p = patterns.positions[static_cast<std::size_t>(j)];
        if (!std::isfinite(p.row) || !std::isfinite(p.col))
            return wrong(fmt::format(
                "position {} is ({}, {}) (no window can lie there) leave its pattern out", j, p.row,
                p.col));
    }
    return {};
}

}  // namespace sluice::stem4d
