// Finds the indices of directions, and writes them with bars.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/figures/indices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sluice/structure_factors.h"

namespace sluice::orient {
namespace {

using figure::Pen;
using stem4d::UnitCell;

// Corners of triangles have small indices.
constexpr int largest = 4;
// Lengths that files round make directions that are this far from their names.
constexpr double near_degrees = 0.3;

// The smallest whole numbers whose sum of axes points along v.
std::optional<std::array<int, 3>> small_numbers(Vector3 const& v,
                                                std::array<Vector3, 3> const& axes,
                                                std::array<Vector3, 3> const& star) {
    Vector3 const part{dot(star[0], v), dot(star[1], v), dot(star[2], v)};
    double const most = std::max({std::abs(part[0]), std::abs(part[1]), std::abs(part[2])});
    for (int top = 1; top <= largest; ++top) {
        std::array<int, 3> n{};
        for (std::size_t i = 0; i < 3; ++i)
            n[i] = static_cast<int>(std::lround(top * part[i] / most));
        Vector3 const made =
            sum(sum(scaled(axes[0], n[0]), scaled(axes[1], n[1])), scaled(axes[2], n[2]));
        if (angle_between(unit(made), unit(v)) < near_degrees * degree) return n;
    }
    return {};
}

bool is_hexagonal(UnitCell const& c) {
    return std::abs(c.a - c.b) < 1e-3 * c.a && std::abs(c.alpha - 90) < 0.1 &&
           std::abs(c.beta - 90) < 0.1 && std::abs(c.gamma - 120) < 0.1;
}

// Of directions: U = (2u - v) / 3 and so on; of planes i = -(h + k).
std::vector<int> four_of_direction(std::array<int, 3> const& n) {
    std::vector<int> out{2 * n[0] - n[1], 2 * n[1] - n[0], -(n[0] + n[1]), 3 * n[2]};
    int divisor = 0;
    for (int x : out) divisor = std::gcd(divisor, x);
    for (int& x : out) x /= std::max(divisor, 1);
    return out;
}

std::string digits(int n) {
    return fmt::format("{}", std::abs(n));
}

index gap_of(IndexText const& text, Pen const& pen) {
    bool const wide = std::ranges::any_of(text.numbers, [](int n) { return std::abs(n) > 9; });
    return static_cast<index>(std::lround(pen.cap * (wide ? 0.5 : 0.12)));
}

}  // namespace

IndexText indices_of(Vector3 const& direction, UnitCell const& cell) {
    auto const axes = stem4d::axes_of(cell), star = stem4d::reciprocal_axes_of(cell);
    if (auto const n = small_numbers(direction, axes, star)) {
        return axis_of(*n, cell);
    }
    // In the reciprocal lattice the axes exchange their parts.
    if (auto const n = small_numbers(direction, star, axes))
        return {"(", ")", {n->begin(), n->end()}};
    std::size_t best = 0;
    for (std::size_t i = 1; i < 3; ++i)
        if (std::abs(direction[i]) > std::abs(direction[best])) best = i;
    return {.before = fmt::format("{}{}", direction[best] < 0 ? "−" : "", "xyz"[best])};
}

IndexText axis_of(stem4d::Indices const& uvw, UnitCell const& cell) {
    if (is_hexagonal(cell)) return {"[", "]", four_of_direction(uvw)};
    return {"[", "]", {uvw.begin(), uvw.end()}};
}

IndexText planes_of(stem4d::Indices const& hkl, UnitCell const& cell) {
    if (is_hexagonal(cell)) return {"{", "}", {hkl[0], hkl[1], -(hkl[0] + hkl[1]), hkl[2]}};
    return {"{", "}", {hkl.begin(), hkl.end()}};
}

index width_of(IndexText const& text, Pen const& pen) {
    index width = figure::text_width(text.open + text.close + text.before, pen);
    for (int n : text.numbers) width += figure::text_width(digits(n), pen) + gap_of(text, pen);
    return width;
}

void draw_indices(figure::Drawing& drawing, index baseline, index left, IndexText const& text,
                  Pen const& pen) {
    auto const put = [&](std::string const& words) {
        figure::draw_text(drawing, baseline, left, words, pen);
        left += figure::text_width(words, pen);
    };
    put(text.before + text.open);
    for (int n : text.numbers) {
        left += gap_of(text, pen) / 2;
        index const from = left;
        put(digits(n));
        if (n < 0) {
            double const row = static_cast<double>(baseline) - 1.35 * pen.cap;
            index const high = static_cast<index>(std::ceil(2 * pen.cap));
            figure::draw_line(
                drawing, {baseline - high, from, high, left - from},
                {{static_cast<double>(from) + 1, row}, {static_cast<double>(left) - 1, row}},
                std::max(1., pen.cap / 8), pen.colour);
        }
        left += gap_of(text, pen) - gap_of(text, pen) / 2;
    }
    put(text.close);
}

std::string plain(IndexText const& text) {
    if (text.numbers.empty()) return text.before;
    return fmt::format("{}{}{}", text.open, fmt::join(text.numbers, " "), text.close);
}

}  // namespace sluice::orient
