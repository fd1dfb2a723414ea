// Finds the origin of a lattice from the brightest disks.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/lattice/find_origin.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "domain/crystal/lattice/matrix2.h"
#include "domain/crystal/median.h"

namespace sluice::crystal {
namespace {

using stem4d::BraggVectors;
using stem4d::Point;

Point median(std::vector<Point> const& points) {
    std::vector<double> rows, cols;
    for (Point p : points) rows.push_back(p.row), cols.push_back(p.col);
    return {crystal::median(std::move(rows)), crystal::median(std::move(cols))};
}

bool is_finite(Point p) {
    return std::isfinite(p.row) && std::isfinite(p.col);
}

std::vector<Point> brightest(BraggVectors const& v) {
    std::vector<Point> out;
    for (index p = 0; p < v.patterns(); ++p) {
        if (v.count(p) == 0) continue;
        auto const j = static_cast<std::size_t>(v.first[static_cast<std::size_t>(p)]);
        if (Point const at{v.row[j], v.col[j]}; is_finite(at)) out.push_back(at);
    }
    return out;
}

// Of the disks of each pattern; a pattern whose intensities are not known weighs all the same.
std::vector<Point> middles(BraggVectors const& v) {
    std::vector<Point> out;
    for (index p = 0; p < v.patterns(); ++p) {
        double sum = 0;
        Point at;
        auto const end = static_cast<std::size_t>(v.first[static_cast<std::size_t>(p) + 1]);
        for (auto j = static_cast<std::size_t>(v.first[static_cast<std::size_t>(p)]); j < end;
             ++j) {
            double const w = v.intensity[j] > 0 ? static_cast<double>(v.intensity[j]) : 1e-30;
            sum += w, at.row += w * v.row[j], at.col += w * v.col[j];
        }
        at = {at.row / sum, at.col / sum};
        if (is_finite(at)) out.push_back(at);
    }
    return out;
}

// The rest of q - p that is left between lattice points.
Point rest_of(Point p, Point q, stem4d::LatticeBasis const& l, Matrix2 const& to) {
    Point const d{q.row - p.row, q.col - p.col}, at = to * d;
    double const h = nearest(at.row), k = nearest(at.col);
    return {d.row - h * l.a.row - k * l.b.row, d.col - h * l.a.col - k * l.b.col};
}

}  // namespace

Point find_origin(BraggVectors const& v, stem4d::LatticeBasis const& l) {
    std::vector<Point> const bright = brightest(v), middle = middles(v);
    if (bright.empty() || middle.empty()) return {};
    Point const usual = median(bright);
    double const shorter = std::min(length_of(l.a), length_of(l.b));
    auto const away = [](Point p, Point q) { return length_of({p.row - q.row, p.col - q.col}); };
    auto const there =
        std::ranges::count_if(bright, [&](Point p) { return away(p, usual) < shorter / 2; });
    Point const aim = 5 * there >= 3 * std::ssize(bright) ? usual : median(middle);
    // Every brightest disk lies on some lattice point: together they say where those are.
    Matrix2 const to = columns_of(l).inverse();
    Point const first =
        *std::ranges::min_element(bright, {}, [&](Point p) { return away(p, aim); });
    std::vector<Point> rests;
    for (Point p : bright) rests.push_back(rest_of(first, p, l, to));
    Point const rest = median(rests), on{first.row + rest.row, first.col + rest.col};
    Point const left = rest_of(on, aim, l, to);
    return {aim.row - left.row, aim.col - left.col};
}

}  // namespace sluice::crystal
