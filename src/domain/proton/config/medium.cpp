// [[medium]]: boxes of material.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/config/phantom_fields.h"

namespace sluice::proton {
namespace {

/// One side of a box, in cells.
struct Span {
    double from, to, step, origin;
    index first = 0, past = 0;

    // A cell has the material of its middle.
    Span(double low, double high, double cell, double start, index cells)
        : from(low), to(high), step(cell), origin(start), past(cells) {
        auto const middle = [&](index k) { return start + (static_cast<double>(k) + 0.5) * cell; };
        while (first < cells && middle(first) < low) ++first;
        while (past > first && middle(past - 1) >= high) --past;
        // What lies outside is cut off there.
        from = std::max(from, origin);
        to = std::min(to, origin + static_cast<double>(cells) * cell);
    }
    double laid_from() const { return origin + static_cast<double>(first) * step; }
    double laid_to() const { return origin + static_cast<double>(past) * step; }
    double moved() const {
        return std::max(std::abs(laid_from() - from), std::abs(laid_to() - to));
    }
    bool empty() const { return first >= past; }
};

/// A box whose edges may have moved.
struct Moved {
    std::string name;
    Span depth, across;
};

Guard guard_of(Moved const& m) {
    constexpr double most = 0.2, tiny = 1e-6;
    bool const deep = m.depth.moved() > tiny, wide = m.across.moved() > tiny;
    Guard g{.name = "medium_edges", .value = std::max(m.depth.moved(), m.across.moved())};
    g.limit = most;
    g.unit = "mm";
    g.severity = Severity::note;
    if (g.value > most + tiny) g.severity = Severity::warning;
    g.text = m.name + " lies between cells";
    if (deep)
        g.text += fmt::format(": {:g} to {:g} mm deep instead of {:g} to {:g}", m.depth.laid_from(),
                              m.depth.laid_to(), m.depth.from, m.depth.to);
    if (wide)
        g.text += fmt::format(": {:g} to {:g} mm across instead of {:g} to {:g}",
                              m.across.laid_from(), m.across.laid_to(), m.across.from, m.across.to);
    Span const& worse = m.depth.moved() >= m.across.moved() ? m.depth : m.across;
    g.key = &worse == &m.depth ? "grid.dz" : "grid.dx";
    if (double const step = fitting(worse.step, worse.origin, {worse.from, worse.to}); step > 0)
        g.wanted = fmt::format("{:.4g} mm", step);
    else
        g.key = "move its edges to multiples of " + g.key;
    return g;
}

}  // namespace

Result<Box> read_medium(Table medium, Config& c) {
    Phantom& p = c.phantom;
    MediumKeys keys;
    SLUICE_CHECK(read_fields(medium, medium_fields(), keys));
    SLUICE_CHECK(medium.nothing_else());
    double const from = keys.from.value_or(0), to = keys.to.value_or(p.depth());
    double const left = keys.left.value_or(p.x0), right = keys.right.value_or(p.x0 + p.width());
    std::string const& name = keys.material;
    auto m = material(name, keys.density);
    if (!m) return medium.error(m.error().message);
    if (!(from < to && left < right) || from >= p.depth() || to <= 0 || left >= p.x0 + p.width() ||
        right <= p.x0)
        return medium.error(fmt::format(
            "{} from {} to {} mm, {} to {} mm across, lies outside of the phantom ({} mm deep, "
            "{} to {} mm across)",
            name, from, to, left, right, p.depth(), p.x0, p.x0 + p.width()));
    Moved const moved{fmt::format("{} at line {}", name, medium.line()),
                      Span(from, to, p.dz, 0, p.planes), Span(left, right, p.dx, p.x0, p.columns)};
    if (moved.depth.empty() || moved.across.empty())
        return medium.error(fmt::format(
            "{} from {:g} to {:g} mm, {:g} to {:g} mm across, is so thin that no cell of {:g} x "
            "{:g} mm has its middle in it, and would be left out; make grid.{} smaller",
            name, from, to, left, right, p.dz, p.dx, moved.depth.empty() ? "dz" : "dx"));
    if (p.map.empty()) p.map.assign(static_cast<std::size_t>(p.planes * p.columns), 0);
    p.materials.push_back(*m);
    auto const number = static_cast<std::uint16_t>(p.materials.size() - 1);
    for (index z = moved.depth.first; z < moved.depth.past; ++z)
        std::fill_n(p.map.begin() + z * p.columns + moved.across.first,
                    moved.across.past - moved.across.first, number);
    if (moved.depth.moved() > 1e-6 || moved.across.moved() > 1e-6)
        c.guards.push_back(guard_of(moved));
    return Box{moved.depth.from, moved.depth.to, moved.across.first, moved.across.past, number};
}

}  // namespace sluice::proton
