// Fits the lattice of a pattern: where it starts, its rounds, and whether to believe it.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/lattice/pattern_fit.h"

#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

#include "domain/crystal/lattice/matrix2.h"

namespace sluice::crystal {
namespace {

using stem4d::LatticeBasis;
using stem4d::LatticeReason;

constexpr int most_rounds = 12, most_equal_rounds = 3;
constexpr index brightest_tried = 8;
// The median of the sum of two squares of standard normal numbers.
constexpr double usual_median = 1.3862943611198906;

LatticeBasis moved(LatticeBasis l, std::array<double, 6> const& step) {
    l.origin.row += step[0], l.origin.col += step[1];
    l.a.row += step[2], l.a.col += step[3];
    l.b.row += step[4], l.b.col += step[5];
    return l;
}

bool most_of(index part, index all) {
    return 4 * part >= 3 * all;
}

// Which part of the squares of their errors disks miss a fitted lattice by.
double left_of_rests(index disks) {
    return std::max(freedom_of(disks), 1.0) / static_cast<double>(2 * disks);
}

// Whether a vector is another by more than half, or the lattice is another hand's.
bool left(LatticeBasis const& from, LatticeBasis const& at) {
    auto const is_far = [](stem4d::Point p, stem4d::Point q) {
        return !(length_of({p.row - q.row, p.col - q.col}) <= length_of(q) / 2);
    };
    return is_far(at.a, from.a) || is_far(at.b, from.b) ||
           !(cross(at.a, at.b) * cross(from.a, from.b) > 0);
}

// The origin becomes the lattice point nearest to `to`, and its covariance that of this point.
void move_origin(PatternLattice& found, stem4d::Point to) {
    LatticeBasis& l = found.at;
    auto const index_of =
        columns_of(l).inverse() * stem4d::Point{to.row - l.origin.row, to.col - l.origin.col};
    double const h = nearest(index_of.row), k = nearest(index_of.col);
    if (h == 0 && k == 0) return;
    l.origin.row += h * l.a.row + k * l.b.row, l.origin.col += h * l.a.col + k * l.b.col;
    auto& c = found.covariance;
    // Rows first, then columns: T C T^T with T = [1 h k; 0 1 0; 0 0 1] for each axis.
    for (std::size_t j = 0; j < 6; ++j)
        for (std::size_t axis = 0; axis < 2; ++axis)
            c[6 * axis + j] += h * c[6 * (2 + axis) + j] + k * c[6 * (4 + axis) + j];
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t axis = 0; axis < 2; ++axis)
            c[6 * i + axis] += h * c[6 * i + 2 + axis] + k * c[6 * i + 4 + axis];
}

}  // namespace

// One solution with the disks that take part, and what they miss it by.
LatticeReason PatternFit::solve(PatternLattice& out, bool equal) {
    out.used = disks_.used();
    if (out.used < rules_.least_disks) return LatticeReason::too_few;
    Normal6 const sums = equal ? disks_.equal_normal() : disks_.normal();
    std::array<double, 6> step{};
    if (sums.collinear() || !sums.solve(step, out.covariance)) return LatticeReason::collinear;
    out.at = moved(out.at, step);
    if (left(rules_.basis, out.at)) return LatticeReason::not_converged;
    disks_.place_on(out.at);
    return LatticeReason::fitted;
}

// Cuts at multiples of what most disks miss the lattice by, so that a model that is not right does
// not lose the disks that are good. Whether another solution is needed.
bool PatternFit::cut(PatternLattice const& out, double reach) {
    double const scale = disks_.median() / (usual_median * left_of_rests(out.used));
    return disks_.choose({.distance = 2 * rules_.tolerance,
                          .mahalanobis = rules_.cut * rules_.cut * std::max(1.0, scale),
                          .reach = reach});
}

// Outliers of small errors pull a lattice to themselves and hide behind the misfit of the others.
// So the first solutions give all disks the same weight.
LatticeReason PatternFit::careful_rounds(PatternLattice& out, double reach) {
    bool weighted = false;
    for (int round = 0; round < most_rounds; ++round) {
        LatticeReason const reason = solve(out, !weighted);
        if (reason != LatticeReason::fitted) return reason;
        bool changed = false;
        if (weighted)
            changed = cut(out, reach);
        else
            changed = disks_.choose(
                {.distance = 2 * rules_.tolerance,
                 .reach = reach,
                 .blurred = rules_.cut * rules_.cut,
                 .spread2 = disks_.median_square() / (usual_median * left_of_rests(out.used))});
        if (!changed && weighted) break;
        weighted = weighted || !changed || round == most_equal_rounds;
    }
    return LatticeReason::fitted;
}

// From disks that lie on the lattice. Where each agrees with all others, one solution is enough.
LatticeReason PatternFit::rounds(PatternLattice& out, double reach) {
    LatticeBasis const start = out.at;
    LatticeReason const reason = solve(out, false);
    double const freedom = freedom_of(out.used);
    if (reason == LatticeReason::fitted && !cut(out, reach) && disks_.chi2() <= 4 * freedom)
        return reason;
    out.at = start;
    begin(out, reach);
    return careful_rounds(out, reach);
}

void PatternFit::begin(PatternLattice const& out, double reach) {
    disks_.place_on(out.at);
    disks_.choose({.distance = rules_.tolerance, .reach = reach});
}

PatternLattice PatternFit::from(LatticeBasis const& start, std::span<double const> reaches) {
    PatternLattice out{.at = start};
    for (double const reach : reaches) {
        begin(out, reach);
        out.reason = rounds(out, reach);
    }
    finish(out);
    return out;
}

void PatternFit::finish(PatternLattice& out) const {
    double const freedom = freedom_of(out.used);
    out.chi2 = freedom > 0 ? disks_.chi2() / freedom : std::numeric_limits<double>::quiet_NaN();
    out.rms = freedom > 0 ? std::sqrt(disks_.squares() / freedom) : 0;
    out.left_out = disks_.size() - out.used;
}

// A pattern whose origin has wandered, or whose lattice is strained or turned: the brightest disks
// are tried as the origin, and the lattice grows from the disks around it.
PatternLattice PatternFit::search() {
    double const longer = std::max(length_of(rules_.basis.a), length_of(rules_.basis.b));
    std::array<double, 3> const reaches{1.6 * longer, 3.2 * longer, Limits::none};
    PatternLattice best = from(rules_.basis, reaches);
    for (index j = 0; j < std::min(disks_.size(), brightest_tried); ++j) {
        if (is_likely(best) && most_of(best.used, disks_.size())) break;
        LatticeBasis start = rules_.basis;
        start.origin = disks_.place(j);
        if (PatternLattice other = from(start, reaches); worth(other) > worth(best)) best = other;
    }
    return best;
}

// About the logarithm of how likely the disks lie there by a lattice and not by chance.
double PatternFit::worth(PatternLattice const& found) const {
    if (found.reason != LatticeReason::fitted) return -1;
    double const part = std::max(found.rms / rules_.tolerance, 0.01);
    return static_cast<double>(found.used) * std::log1p(1 / (part * part));
}

// Disks of another lattice lie near this one by chance, evenly as far as the tolerance: they are as
// few as chance makes them, or they miss by more than disks of a lattice do.
bool PatternFit::is_likely(PatternLattice const& found) const {
    if (found.reason != LatticeReason::fitted) return false;
    double const area = std::abs(cross(found.at.a, found.at.b)),
                 radius = std::min(rules_.tolerance, 4 * found.rms);
    auto const all = static_cast<double>(found.used + found.left_out);
    // Two turned lattices of squares share every fifth point exactly.
    double const least = std::max(0.25, 2 * std::numbers::pi * radius * radius / area);
    if (static_cast<double>(found.used) < least * all) return false;
    double const most = rules_.tolerance / (found.used < 8 ? 10 : 4);
    return !(found.rms > most && found.chi2 > 9);
}

PatternLattice PatternFit::operator()(stem4d::BraggVectors const& vectors, index pattern) {
    disks_.take(vectors, pattern, rules_.variance, rules_.equal);
    PatternLattice none{.reason = LatticeReason::no_disks, .left_out = disks_.size()};
    if (disks_.size() == 0) return none;
    none.reason = LatticeReason::too_few;
    if (disks_.size() < rules_.least_disks) return none;
    PatternLattice found{.at = rules_.basis};
    begin(found, Limits::none);
    bool const near = most_of(disks_.used(), disks_.size());
    if (near) {
        found.reason = rounds(found, Limits::none);
        finish(found);
    }
    if (!near || !is_likely(found)) found = search();
    if (is_likely(found))
        move_origin(found, rules_.basis.origin);
    else if (found.reason == LatticeReason::fitted)
        found.reason = LatticeReason::other_lattice;
    return found;
}

}  // namespace sluice::crystal
