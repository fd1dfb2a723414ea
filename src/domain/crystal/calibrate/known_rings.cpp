// known_rings: the rings that spacings or a crystal make.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sluice/crystal_calibration.h"

namespace sluice::stem4d {
namespace {

// Rings nearer than this part are one.
constexpr double same_ring = 1e-4;

// Of the reflections of one ring the one whose indices read best.
bool reads_better(Indices const& g, Indices const& h) {
    auto const negative = [](Indices const& x) {
        return std::ranges::count_if(x, [](int i) { return i < 0; });
    };
    if (negative(g) != negative(h)) return negative(g) < negative(h);
    return g > h;
}

}  // namespace

std::vector<KnownRing> known_rings(std::span<double const> spacings) {
    std::vector<KnownRing> rings;
    for (double d : spacings)
        if (d > 0 && std::isfinite(d)) rings.push_back({1 / d, fmt::format("{:.4g} Å", d)});
    std::ranges::sort(rings, {}, &KnownRing::frequency);
    return rings;
}

Result<std::vector<KnownRing>> known_rings(UnitCell const& cell, double most_frequency) {
    SLUICE_TRY(auto const all, reflections(cell, most_frequency));
    std::vector<KnownRing> rings;
    Indices named{};
    for (Reflection const& r : all) {
        bool const same = !rings.empty() && r.frequency < rings.back().frequency * (1 + same_ring);
        if (same && !reads_better(r.hkl, named)) continue;
        if (!same) rings.push_back({r.frequency, {}});
        named = r.hkl;
        rings.back().name = fmt::format("({} {} {})", named[0], named[1], named[2]);
    }
    return rings;
}

}  // namespace sluice::stem4d
