// One step of Gauss and Newton for all disks of a pattern.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/crystal/fit/render.h"
#include "domain/crystal/refine/joint_fit.h"

namespace sluice::crystal {

std::array<double, 2> JointRefiner::Fit::place_of(Place const& p) const {
    stem4d::LatticeBasis const& l = out_.at;
    return {l.origin.row + p.h * l.a.row + p.k * l.b.row,
            l.origin.col + p.h * l.a.col + p.k * l.b.col};
}

float* JointRefiner::Fit::own(std::size_t place) const {
    index const side = tables_.side();
    return room_.own_.data() + static_cast<index>(place) * 2 * side * side;
}

// The expected counts and their slopes.
void JointRefiner::Fit::expect() {
    index const size = room_.pictures_[0].size(), margin = tables_.side();
    index const first = margin * pattern_.pitch + margin;
    for (std::size_t a = 3; a < 9; ++a) std::fill_n(room_.pictures_[a].data(), size, 0.0F);
    float* const lambda = room_.pictures_[0].data();
    auto const part = static_cast<float>(room_.backgrounds_[0].part);
    // Beyond the frame nothing weighs, so that a plane may end there.
    for (index i = 0; i < size; ++i) lambda[i] = part * room_.backgrounds_[0].shape[i - first];
    for (std::size_t b = 1; b < room_.backgrounds_.size(); ++b) {
        auto const more = static_cast<float>(room_.backgrounds_[b].part);
        for (index i = 0; i < size; ++i) lambda[i] += more * room_.backgrounds_[b].shape[i - first];
    }
    for (std::size_t i = 0; i < room_.places_.size(); ++i) {
        Place& p = room_.places_[i];
        auto const [row, col] = place_of(p);
        Phase const phase = phase_at(tables_, row, col);
        p.row = phase.row, p.col = phase.col;
        kernels_.add(
            pictures_,
            {phase.table, tables_.side(), at(p), p.height, static_cast<float>(phase.d_row),
             static_cast<float>(phase.d_col), static_cast<float>(p.h), static_cast<float>(p.k)},
            own(i));
    }
}

void JointRefiner::Fit::fill_matrix() {
    std::ranges::fill(room_.matrix_, 0.0);
    JointRow row{.counts = pattern_.counts,
                 .weights = pattern_.weights,
                 .shapes = {},
                 .backgrounds = static_cast<int>(backgrounds()),
                 .floor = static_cast<float>(room_.backgrounds_[0].part / 20),
                 .at = 0,
                 .count = (pattern_.cols + 15) / 16 * 16};
    for (std::size_t b = 0; b < room_.backgrounds_.size(); ++b)
        row.shapes[b] = room_.backgrounds_[b].shape;
    JointSums sums;
    for (index r = 0; r < pattern_.rows; ++r) {
        row.at = r * pattern_.pitch;
        kernels_.row(pictures_, row, sums);
    }
    // Of the sums the lattice comes first, of the matrix last.
    index const n = heights(), nb = backgrounds();
    auto const place = [&](index a) { return a < 6 ? n + nb + a : n + a - 6; };
    for (index a = 0; a < 6 + nb; ++a) {
        auto const i = static_cast<std::size_t>(a);
        room_.right_[static_cast<std::size_t>(place(a))] = sums.slopes[i];
        room_.first_[static_cast<std::size_t>(place(a))] = 0;
        for (index b = 0; b <= a; ++b) {
            index const p = place(a), q = place(b);
            matrix(std::max(p, q), std::min(p, q)) = sums.fisher[i][static_cast<std::size_t>(b)];
        }
    }
    fill_heights(row);
    for (index i = 0; i < unknowns(); ++i)
        matrix(i, i) = matrix(i, i) > 0 ? matrix(i, i) * (1 + 1e-6) : 1;
}

void JointRefiner::Fit::fill_heights(JointRow const& row) {
    index const side = tables_.side(), n = heights(), nb = backgrounds();
    float* const weighted = room_.weighted_.data();
    for (index i = 0; i < n; ++i) {
        auto const iu = static_cast<std::size_t>(i);
        Place& p = room_.places_[iu];
        JointHeight const sums = kernels_.height(pictures_, row, side, at(p), own(iu), weighted);
        // A height that cannot move must not be thought to: the lattice would make up for it.
        p.held = p.held && sums.slope <= 0;
        room_.right_[iu] = p.held ? 0 : sums.slope;
        room_.first_[iu] = i / 4 * 4;
        if (p.held) continue;
        for (index a = 0; a < 6 + nb; ++a)
            matrix(a < 6 ? n + nb + a : n + a - 6, i) = sums.fisher[static_cast<std::size_t>(a)];
        index first = i;
        for (index j = 0; j <= i; ++j) {
            Place const& q = room_.places_[static_cast<std::size_t>(j)];
            index const rows = p.row - q.row, cols = p.col - q.col;
            if (q.held || std::abs(rows) >= side || std::abs(cols) >= side) continue;
            first = std::min(first, j);
            matrix(i, j) =
                kernels_.overlap(weighted, own(static_cast<std::size_t>(j)), side, rows, cols);
        }
        room_.first_[iu] = first / 4 * 4;
    }
}

// Solves for the step, into `right_`. `form` is what the lattice still gains in log-likelihood,
// twice.
bool JointRefiner::Fit::solve(double& form) {
    index const n = unknowns();
    if (!kernels_.decompose(room_.matrix_.data(), n, pitch_, room_.first_.data())) return false;
    double* const x = room_.right_.data();
    for (index i = 0; i < n; ++i) {
        double s = x[i];
        for (index j = room_.first_[static_cast<std::size_t>(i)]; j < i; ++j)
            s -= matrix(i, j) * x[j];
        x[i] = s / matrix(i, i);
    }
    form = 0;
    for (index i = n - 6; i < n; ++i) form += x[i] * x[i];
    for (index i = n - 1; i >= 0; --i) {
        x[i] /= matrix(i, i);
        for (index j = room_.first_[static_cast<std::size_t>(i)]; j < i; ++j)
            x[j] -= matrix(i, j) * x[i];
    }
    return std::isfinite(form);
}

std::array<double, 6> JointRefiner::Fit::lattice_step() const {
    std::array<double, 6> by{};
    std::copy_n(room_.right_.begin() + unknowns() - 6, 6, by.begin());
    return by;
}

double JointRefiner::Fit::shift_of(Place const& p, std::array<double, 6> const& by) const {
    return std::hypot(by[0] + p.h * by[2] + p.k * by[4], by[1] + p.h * by[3] + p.k * by[5]);
}

void JointRefiner::Fit::move(double part) {
    auto const by = lattice_step();
    stem4d::LatticeBasis& l = out_.at;
    l.origin.row += part * by[0], l.origin.col += part * by[1];
    l.a.row += part * by[2], l.a.col += part * by[3];
    l.b.row += part * by[4], l.b.col += part * by[5];
    auto const n = static_cast<std::size_t>(heights());
    Room::Background const& flat = room_.backgrounds_[0];
    for (std::size_t i = 0; i < n; ++i) {
        Place& p = room_.places_[i];
        auto const r = std::clamp<index>(p.row + tables_.before(), 0, pattern_.rows - 1),
                   c = std::clamp<index>(p.col + tables_.before(), 0, pattern_.cols - 1);
        double const under = flat.part * static_cast<double>(flat.shape[r * pattern_.pitch + c]);
        auto const height = static_cast<double>(p.height);
        // A place without a disk has a height of 0, give or take: it may be below.
        double const least = -0.3 * under;
        p.held = p.held || height + room_.right_[i] <= least;
        p.height = static_cast<float>(
            std::clamp(height + room_.right_[i], least, 5 * std::abs(height) + under));
    }
    double const scale = flat.part;
    for (std::size_t b = 0; b < room_.backgrounds_.size(); ++b) {
        double& own = room_.backgrounds_[b].part;
        own += room_.right_[n + b];
        own = b == 0 ? std::clamp(own, scale / 5, 5 * scale) : std::clamp(own, -scale, scale);
    }
}

// Whether it was the last one.
bool JointRefiner::Fit::step() {
    constexpr int least = 3, most = 20;
    expect();
    fill_matrix();
    double form = 0;
    ++out_.steps;
    if (!solve(form)) return true;
    auto const by = lattice_step();
    double farthest = 0;
    for (Place const& p : room_.places_) farthest = std::max(farthest, shift_of(p, by));
    double const part = farthest > 1 ? 1 / farthest : 1;
    out_.converged = out_.steps >= least && part == 1 && form < enough_after(out_.steps);
    if (out_.converged) invert_lattice();
    move(part);
    return out_.converged || out_.steps >= most;
}

}  // namespace sluice::crystal
