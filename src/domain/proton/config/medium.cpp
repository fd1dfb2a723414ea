// [[medium]]: boxes of material.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "domain/proton/config/phantom_fields.h"

namespace sluice::proton {
namespace {

/// What a box has of the columns.
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

/// The largest whole part of a step that has both edges between its cells, or 0.
double fitting(double step, double origin, double low, double high) {
    for (int n = 1; n <= 20; ++n) {
        double const part = step / n;
        auto const fits = [&](double edge) {
            double const places = (edge - origin) / part;
            return std::abs(places - std::round(places)) * part < 1e-6;
        };
        if (fits(low) && fits(high)) return part;
    }
    return 0;
}

// Across the beam edges come to lie between columns.
Guard moved_edges(std::string const& name, Span const& across) {
    constexpr double most = 0.2, tiny = 1e-6;
    Guard g{.name = "medium_edges", .value = across.moved(), .limit = most, .unit = "mm"};
    g.severity = g.value > most + tiny ? Severity::warning : Severity::note;
    g.text = fmt::format("{} lies between cells: {:g} to {:g} mm across instead of {:g} to {:g}",
                         name, across.laid_from(), across.laid_to(), across.from, across.to);
    g.key = "grid.dx";
    if (double const step = fitting(across.step, across.origin, across.from, across.to); step > 0)
        g.wanted = fmt::format("{:.4g} mm", step);
    else
        g.key = "move its edges to multiples of " + g.key;
    return g;
}

// Boxes of one material share it, so that their mixtures are alike.
Result<std::uint16_t> number_of(Material const& m, Phantom& p) {
    auto const at = std::ranges::find_if(p.materials, [&](Material const& other) {
        return other.name == m.name && other.density == m.density;
    });
    if (at == p.materials.end() && p.materials.size() > std::numeric_limits<std::uint16_t>::max())
        return Error{
            Code::unsupported,
            "the phantom has more than 65000 different materials already; leave this medium out"};
    auto const number = static_cast<std::uint16_t>(at - p.materials.begin());
    if (at == p.materials.end()) p.materials.push_back(m);
    return number;
}

Guard mixed_planes(std::string const& name, Box const& box, double dz) {
    auto const within = [&](double edge) { return lies_within(edge, dz); };
    Guard g{.name = "medium_mixed", .severity = Severity::note};
    g.value = static_cast<double>(within(box.from)) + static_cast<double>(within(box.to));
    g.text = fmt::format(
        "{} lies from {:g} to {:g} mm, and planes are {:g} mm thick: where it begins or ends "
        "within a plane, the cells are mixtures by volume",
        name, box.from, box.to, dz);
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
    Span const across(left, right, p.dx, p.x0, p.columns);
    if (across.empty())
        return medium.error(fmt::format(
            "{} from {:g} to {:g} mm across is so thin that no column of {:g} mm has its middle in "
            "it, and would be left out; make grid.dx smaller",
            name, left, right, p.dx));
    auto const number = number_of(*m, p);
    if (!number) return medium.error(number.error().message);
    Box const box{std::max(from, 0.0), std::min(to, p.depth()), across.first, across.past, *number};
    std::string const where = fmt::format("{} at line {}", name, medium.line());
    if (across.moved() > 1e-6) c.guards.push_back(moved_edges(where, across));
    if (Guard g = mixed_planes(where, box, p.dz); g.value > 0) c.guards.push_back(std::move(g));
    return box;
}

}  // namespace sluice::proton
