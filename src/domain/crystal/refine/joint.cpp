// What comes out of a joint fit.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/refine/joint.h"

#include <algorithm>
#include <cmath>

#include "domain/crystal/refine/joint_fit.h"

namespace sluice::crystal {

// The lattice's numbers are the last ones, so that the last block of L is theirs alone.
void JointRefiner::Fit::invert_lattice() {
    index const n = unknowns() - 6;
    for (index column = 0; column < 6; ++column) {
        std::array<double, 6> y{};
        for (index i = column; i < 6; ++i) {
            double s = i == column ? 1 : 0;
            for (index j = column; j < i; ++j)
                s -= matrix(n + i, n + j) * y[static_cast<std::size_t>(j)];
            y[static_cast<std::size_t>(i)] = s / matrix(n + i, n + i);
        }
        for (index i = 5; i >= 0; --i) {
            double s = y[static_cast<std::size_t>(i)];
            for (index j = i + 1; j < 6; ++j)
                s -= matrix(n + j, n + i) * y[static_cast<std::size_t>(j)];
            y[static_cast<std::size_t>(i)] = s / matrix(n + i, n + i);
            out_.covariance[static_cast<std::size_t>(6 * i + column)] =
                y[static_cast<std::size_t>(i)];
        }
    }
}

// Rests are counts / lambda - 1 and weights 1 / lambda: one is the square over the other.
double JointRefiner::Fit::pearson() const {
    double sum = 0, pixels = 0;
    for (index r = 0; r < pattern_.rows; ++r) {
        float line = 0, good = 0;
        for (index c = 0; c < pattern_.cols; ++c) {
            index const i = r * pattern_.pitch + c;
            if (!(pictures_.weights[i] > 0)) continue;
            line += pictures_.rests[i] * pictures_.rests[i] / pictures_.weights[i];
            good += 1;
        }
        sum += static_cast<double>(line), pixels += static_cast<double>(good);
    }
    return sum / std::max(pixels - static_cast<double>(unknowns()), 1.0);
}

void JointRefiner::Fit::finish() {
    auto const& c = out_.covariance;
    out_.misfit = pearson();
    index seen = 0;
    for (std::size_t n = 0; n < room_.places_.size(); ++n) {
        Place const& p = room_.places_[n];
        auto const [row, col] = place_of(p);
        bool const in = row > -0.5 && col > -0.5 &&
                        row < static_cast<double>(pattern_.rows) - 0.5 &&
                        col < static_cast<double>(pattern_.cols) - 0.5;
        if (p.height > 0) out_.counts += static_cast<double>(p.height) * tables_.sum();
        if (!in) continue;
        DiskFit fit{.disk = {row, col, {}}, .converged = true};
        fit.disk.model.height = static_cast<double>(p.height);
        fit.disk.model.background = room_.backgrounds_[0].part;
        double const by[3] = {1, p.h, p.k};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                fit.var_row += by[i] * by[j] * c[12 * i + 2 * j];
                fit.cov += by[i] * by[j] * c[12 * i + 2 * j + 1];
                fit.var_col += by[i] * by[j] * c[12 * i + 6 + 2 * j + 1];
            }
        // The part of the inverse's diagonal that is this height's: the column of L^-1.
        index const size = unknowns();
        std::vector<double>& z = room_.right_;
        auto const first = static_cast<index>(n);
        for (index i = first; i < size; ++i) {
            double s = i == first ? 1 : 0;
            for (index j = std::max(first, room_.first_[static_cast<std::size_t>(i)]); j < i; ++j)
                s -= matrix(i, j) * z[static_cast<std::size_t>(j)];
            z[static_cast<std::size_t>(i)] = s / matrix(i, i);
            fit.var_height += z[static_cast<std::size_t>(i)] * z[static_cast<std::size_t>(i)];
        }
        fit.score = fit.disk.model.height * fit.disk.model.height / fit.var_height;
        out_.disks.push_back(fit);
        seen += fit.disk.model.height > 2 * std::sqrt(fit.var_height);
    }
    // Places on one lattice are not independent. As independent ones they would say the same of it
    // with covariances that are a third of their number as large.
    double const times = std::max(1.0, static_cast<double>(seen) / 3);
    for (DiskFit& fit : out_.disks) fit.var_row *= times, fit.var_col *= times, fit.cov *= times;
}

Refined JointRefiner::Fit::run() {
    if (heights() < 4) return out_;
    while (!step()) {
    }
    if (out_.converged) finish();
    return std::move(out_);
}

Refined JointRefiner::operator()(Room& room, Padded const& pattern,
                                 stem4d::LatticeBasis const& start) const {
    return Fit(*this, room, pattern, start).run();
}

}  // namespace sluice::crystal
