// How well an orientation explains the disks of a pattern.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "domain/crystal/fit/solve.h"
#include "domain/orientation/refine/fit_orientation.h"

namespace sluice::orient {
namespace {

// A reflection without a disk may lie under a beam stop: it costs no more.
constexpr double most_loss = 8;

}  // namespace

// Of a turn of the sample, which is the opposite of that of the crystal: the same covariance.
std::array<double, 6> FitOrientation::covariance() const {
    std::array<double, 6> out;
    out.fill(NAN);
    auto const factors = crystal::Cholesky::of(fisher_, 4);
    if (!rules_.refine || !factors) return out;
    std::array<std::array<double, 3>, 3> all{};
    for (std::size_t k = 0; k < 3; ++k) {
        std::array<double, 4> one{};
        one[k] = 1;
        auto const column = factors->solve(one);
        std::copy_n(column.begin(), 3, all[k].begin());
    }
    return {all[0][0], all[1][1], all[2][2], all[0][1], all[0][2], all[1][2]};
}

void FitOrientation::judge(double place_variance, Fitted& out) {
    double const tolerance = rules_.tolerance;
    index visible = 0;
    double missing_counts = 0, loss = 0;
    for (Near const& n : near_) {
        double const should = scale_ * n.model;
        bool const seen = n.disk >= 0;
        visible += seen || (should > root_seen_ && could_show(n));
        if (seen || !is_missing(n)) continue;
        double const miss = should - root_seen_;
        loss += std::min(
            most_loss, miss * miss / (2 * root_variance(root_seen_, should, usual_root_variance_)));
        missing_counts += should * should;
        ++out.missing;
    }
    double const area = std::numbers::pi * square(rules_.reader.most_frequency());
    double const brightest = *std::ranges::max_element(root_);
    double counts = 0, explained = 0, squares = 0;
    double along = 0, frequencies = 0;
    explained_.assign(root_.size(), 0);
    for (std::size_t j = 0; j < root_.size(); ++j) {
        counts += root_[j] * root_[j];
        if (reflection_[j] < 0) {
            squares += tolerance * tolerance;
            continue;
        }
        Near const& n = near_[static_cast<std::size_t>(reflection_[j])];
        double const xx = static_cast<double>(disks_->var_x[j]) + place_variance,
                     yy = static_cast<double>(disks_->var_y[j]) + place_variance,
                     xy = static_cast<double>(disks_->cov_xy[j]), det = xx * yy - xy * xy;
        double const u = static_cast<double>(disks_->x[j]) - n.q[0],
                     v = static_cast<double>(disks_->y[j]) - n.q[1];
        double const place = (yy * u * u - 2 * xy * u * v + xx * v * v) / det;
        double const should = scale_ * n.model;
        double const variance = root_variance(root_[j], should, root_own_variance_[j]);
        double const root = square(root_[j] - should) / variance;
        double const odds =
            std::log(area / (2 * std::numbers::pi * std::sqrt(det) *
                             static_cast<double>(std::max<index>(1, visible)))) +
            std::max(0.0, std::log(brightest / std::sqrt(2 * std::numbers::pi * variance))) -
            place / 2 - root / 2;
        out.log_odds += std::max(0.0, odds);
        out.place_chi2 += place, out.intensity_chi2 += root;
        out.place_squares += u * u + v * v;
        explained += root_[j] * root_[j];
        explained_[j] = 1;
        ++out.disks;
        // Radially, where all places are a common factor too far out.
        double const f = std::hypot(n.q[0], n.q[1]), over = 2 / (xx + yy);
        along += over * (u * n.q[0] + v * n.q[1]);
        frequencies += over * f * f;
    }
    squares += out.place_squares;
    out.log_odds -= loss;
    out.visible = visible;
    out.residual = std::sqrt(squares / static_cast<double>(root_.size()));
    out.explained = explained / (counts + missing_counts);
    if (frequencies > 0) {
        out.stretch = along / frequencies;
        out.stretch_variance = 1 / frequencies;
    }
}

std::vector<Miss> FitOrientation::misses() const {
    std::vector<Miss> all;
    for (std::size_t j = 0; j < reflection_.size(); ++j) {
        if (reflection_[j] < 0) continue;
        Near const& n = near_[static_cast<std::size_t>(reflection_[j])];
        double const u = static_cast<double>(disks_->x[j]) - n.q[0],
                     v = static_cast<double>(disks_->y[j]) - n.q[1];
        all.push_back({u * u + v * v, static_cast<double>(disks_->var_x[j] + disks_->var_y[j]) / 2,
                       root_[j] - scale_ * n.model, root_own_variance_[j], scale_ * n.model});
    }
    // Of the numbers that were fitted, places tell one and intensities three.
    if (all.size() < 4) return {};
    auto const n = static_cast<double>(all.size());
    for (Miss& m : all) m.square *= 2 * n / (2 * n - 1), m.root *= std::sqrt(n / (n - 3));
    return all;
}

}  // namespace sluice::orient
