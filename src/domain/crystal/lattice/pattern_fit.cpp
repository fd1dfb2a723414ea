// Fits the lattice of a pattern: where it starts, its rounds, and whether to believe it.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/lattice/pattern_fit.h"

#include <algorithm>
#include <limits>
#include <numbers>

#include "domain/crystal/lattice/believe.h"

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

LatticeBasis with_turn(LatticeBasis const& l, double radians) {
    Matrix2 const turn = turn_by(radians);
    return {l.origin, turn * l.a, turn * l.b};
}

bool most_of(index part, index all) {
    return 4 * part >= 3 * all;
}

// Which part of the squares of their errors disks miss a fitted lattice by.
double left_of_rests(index disks) {
    return std::max(freedom_of(disks), 1.0) / static_cast<double>(2 * disks);
}

// Whether a vector is another by more than 0.4, or the lattice is another hand's.
bool left(LatticeBasis const& from, LatticeBasis const& at) {
    auto const is_far = [](stem4d::Point p, stem4d::Point q) {
        return !(length_of({p.row - q.row, p.col - q.col}) <= 0.4 * length_of(q));
    };
    return is_far(at.a, from.a) || is_far(at.b, from.b) ||
           !(cross(at.a, at.b) * cross(from.a, from.b) > 0);
}

// Other origins and vectors as sums of those that are there: T of T C T^T, for each axis alike.
using Sums = std::array<std::array<double, 3>, 3>;

void carry(PatternLattice& found, Sums const& t) {
    LatticeBasis const l = found.at;
    std::array<stem4d::Point, 3> const old{l.origin, l.a, l.b};
    std::array<stem4d::Point*, 3> const now{&found.at.origin, &found.at.a, &found.at.b};
    std::array<double, 36> const c = found.covariance;
    found.covariance = {};
    for (std::size_t i = 0; i < 3; ++i) {
        *now[i] = {};
        for (std::size_t k = 0; k < 3; ++k)
            now[i]->row += t[i][k] * old[k].row, now[i]->col += t[i][k] * old[k].col;
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k)
                for (std::size_t m = 0; m < 3; ++m)
                    for (std::size_t x = 0; x < 2; ++x)
                        for (std::size_t y = 0; y < 2; ++y)
                            found.covariance[6 * (2 * i + x) + 2 * j + y] +=
                                t[i][k] * t[j][m] * c[6 * (2 * k + x) + 2 * m + y];
    }
}

// The vectors become those that are nearest to the basis.
void take_nearest_vectors(PatternLattice& found, LatticeBasis const& basis) {
    Matrix2 const m = nearest_vectors(basis, found.at).sums;
    if (m.rr != 1 || m.rc != 0 || m.cr != 0 || m.cc != 1)
        carry(found, {{{1, 0, 0}, {0, m.rr, m.cr}, {0, m.rc, m.cc}}});
}

// The origin becomes the lattice point nearest to `to`.
void move_origin(PatternLattice& found, stem4d::Point to) {
    LatticeBasis const& l = found.at;
    auto const index_of =
        columns_of(l).inverse() * stem4d::Point{to.row - l.origin.row, to.col - l.origin.col};
    double const h = nearest(index_of.row), k = nearest(index_of.col);
    if (h != 0 || k != 0) carry(found, {{{1, h, k}, {0, 1, 0}, {0, 0, 1}}});
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

void PatternFit::finish(PatternLattice& out) {
    double const freedom = freedom_of(out.used);
    out.chi2 = freedom > 0 ? disks_.chi2() / freedom : std::numeric_limits<double>::quiet_NaN();
    out.rms = freedom > 0 ? std::sqrt(disks_.squares() / freedom) : 0;
    out.left_out = disks_.size() - out.used;
    if (out.reason != LatticeReason::fitted) return;
    disks_.points(points_);
    out.on_a_part = on_a_part(points_);
    out.twice = shared_points(points_);
}

// A pattern whose origin has wandered, or whose lattice is strained: the brightest disks are tried
// as the origin, and the lattice grows from the disks around it. Then turned ones are tried.
PatternLattice PatternFit::search() {
    double const longer = std::max(length_of(rules_.basis.a), length_of(rules_.basis.b));
    std::array<double, 3> const reaches{1.6 * longer, 3.2 * longer, Limits::none};
    PatternLattice best = from(rules_.basis, reaches);
    for (double const turn : {0.0, 0.12, -0.12, 0.24, -0.24}) {
        LatticeBasis start = with_turn(rules_.basis, turn);
        for (index j = 0; j < std::min(disks_.size(), turn == 0 ? brightest_tried : 2); ++j) {
            if (is_likely(best) && most_of(best.used, disks_.size())) return best;
            start.origin = disks_.place(j);
            if (PatternLattice other = from(start, reaches); worth(other) > worth(best))
                best = other;
        }
    }
    return best;
}

// About the logarithm of how likely the disks lie there by a lattice and not by chance.
double PatternFit::worth(PatternLattice const& found) const {
    if (found.reason != LatticeReason::fitted) return -1;
    double const part = std::max(found.rms / rules_.tolerance, 0.01);
    double const sum = static_cast<double>(found.used) * std::log1p(1 / (part * part));
    return is_likely(found) ? sum : sum / 100;
}

// Which part of its disks a lattice needs. Fits that began at many places find up to half of the
// disks of another lattice, of few disks even more, and most where they may be strained much.
double PatternFit::least_part(PatternLattice const& found, double stretch) const {
    auto const all = static_cast<double>(found.used + found.left_out);
    double const area = std::abs(cross(found.at.a, found.at.b)),
                 radius = std::min(rules_.tolerance, 4 * found.rms);
    double const of_few = std::min(0.5 + 2.5 / all, 0.8) + (stretch > 0.06 ? 0.15 : 0);
    double const of_missed = found.chi2 > 4 ? 0.8 : found.chi2 > 2 ? 0.65 : 0;
    return std::max({of_few, of_missed, 2 * std::numbers::pi * radius * radius / area});
}

// Whether a lattice is the basis, strained and turned a little. What is strained more is another
// lattice, of which a part lies on this one: one that is half as dense, say.
bool PatternFit::is_likely(PatternLattice const& found) const {
    if (found.reason != LatticeReason::fitted) return false;
    Change const change = nearest_vectors(rules_.basis, found.at).change;
    auto const part =
        static_cast<double>(found.used) / static_cast<double>(found.used + found.left_out);
    // Strain that is larger than a crystal bears is believed where nothing speaks against it.
    bool const whole = part >= 0.9 && found.used >= 12 && !found.on_a_part;
    if (change.stretch > (whole ? 0.2 : most_stretch) || change.angle > most_turn) return false;
    if (part < least_part(found, change.stretch)) return false;
    double const most = rules_.tolerance / (found.used < 8 ? 10 : 4);
    if (found.chi2 > 9 && found.rms > most) return false;
    bool const much = change.stretch > 0.03 || change.angle > 0.05;
    return !found.on_a_part || (part >= 0.8 && !much);
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
    if (found.reason == LatticeReason::fitted && 6 * found.twice > found.used) {
        found.reason = LatticeReason::two_lattices;
    } else if (is_likely(found)) {
        take_nearest_vectors(found, rules_.basis);
        move_origin(found, rules_.basis.origin);
    } else if (found.reason == LatticeReason::fitted) {
        found.reason = LatticeReason::other_lattice;
    }
    return found;
}

}  // namespace sluice::crystal
