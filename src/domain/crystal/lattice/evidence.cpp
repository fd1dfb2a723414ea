// Counts differences that lie on a lattice, and fits its vectors to them.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/lattice/evidence.h"

#include <algorithm>
#include <numbers>

#include "domain/crystal/lattice/matrix2.h"

namespace sluice::crystal {
namespace {

using stem4d::LatticeBasis;
using stem4d::Point;

struct Nearest {
    double h, k, distance2;
};

Nearest nearest_point(Cell const& cell, LatticeBasis const& l, Matrix2 const& to) {
    double const h = nearest(to.rr * cell.row + to.rc * cell.col),
                 k = nearest(to.cr * cell.row + to.cc * cell.col);
    double const row = cell.row - h * l.a.row - k * l.b.row,
                 col = cell.col - h * l.a.col - k * l.b.col;
    return {h, k, row * row + col * col};
}

class Sum {
  public:
    void add(double weight, double pairs, bool hit) {
        all_ += weight, pairs_ += pairs;
        if (hit) hits_ += weight;
    }
    Share share(double chance) const { return {all_ > 0 ? hits_ / all_ : 0, chance, pairs_}; }

  private:
    double all_ = 0, hits_ = 0, pairs_ = 0;
};

}  // namespace

std::vector<Cell> cells_of(Differences const& map) {
    std::vector<Cell> cells;
    for (index i = 0; i <= map.half; ++i)
        for (index j = i == 0 ? 1 : -map.half; j <= map.half; ++j)
            if (map.at(i, j) > 0)
                cells.push_back({static_cast<double>(i) * map.cell,
                                 static_cast<double>(j) * map.cell, map.at(i, j)});
    return cells;
}

// The divergence of Kullback and Leibler of hits from chance.
double Share::information() const {
    if (!(hits > chance) || !(chance > 0) || !(chance < 1)) return 0;
    double const misses = 1 - hits;
    return hits * std::log(hits / chance) +
           (misses > 0 ? misses * std::log(misses / (1 - chance)) : 0);
}

bool Share::credible() const {
    if (!(pairs > 0) || !(hits > 2 * chance)) return false;
    // Twenty standard deviations: the best of many lattices is above chance by some.
    return hits >= 0.5 || hits - chance > 20 * std::sqrt(chance * (1 - chance) / pairs);
}

Evidence evidence_of(std::span<Cell const> cells, LatticeBasis const& l, double tolerance) {
    Matrix2 const to = columns_of(l).inverse();
    double const area = std::abs(cross(l.a, l.b)), a = length_of(l.a), b = length_of(l.b),
                 near2 = tolerance * tolerance;
    Sum all, beside_a, beside_b;
    for (Cell const& cell : cells) {
        Nearest const n = nearest_point(cell, l, to);
        Point const at{cell.row, cell.col};
        double const weight = cell.pairs / dot(at, at);
        // What lies near 0 is no difference between two points of any lattice.
        bool const hit = n.distance2 <= near2 && (n.h != 0 || n.k != 0);
        all.add(weight, cell.pairs, hit);
        if (std::abs(cross(at, l.a)) > tolerance * a) beside_a.add(weight, cell.pairs, hit);
        if (std::abs(cross(at, l.b)) > tolerance * b) beside_b.add(weight, cell.pairs, hit);
    }
    double const chance = std::min(1.0, std::numbers::pi * near2 / area);
    return {all.share(chance), beside_a.share(chance), beside_b.share(chance)};
}

// Unweighted least squares of d = h a + k b, each coordinate for itself.
LatticeBasis refined(std::span<Cell const> cells, LatticeBasis l, double tolerance) {
    double const far = 4 * std::max(length_of(l.a), length_of(l.b));
    for (int round = 0; round < 4; ++round) {
        Matrix2 const to = columns_of(l).inverse();
        Matrix2 squares, products;  // of (h, k) with itself, and of (h, k) with (row, col)
        for (Cell const& cell : cells) {
            Nearest const n = nearest_point(cell, l, to);
            if (n.distance2 > tolerance * tolerance ||
                cell.row * cell.row + cell.col * cell.col > far * far)
                continue;
            squares = squares + Matrix2{n.h * n.h, n.h * n.k, n.h * n.k, n.k * n.k} * cell.pairs;
            products =
                products + Matrix2{n.h * cell.row, n.h * cell.col, n.k * cell.row, n.k * cell.col} *
                               cell.pairs;
        }
        if (!(squares.determinant() > 1e-9 * squares.rr * squares.cc)) break;
        Matrix2 const both = squares.inverse() * products;
        l.a = {both.rr, both.rc}, l.b = {both.cr, both.cc};
    }
    return l;
}

}  // namespace sluice::crystal
