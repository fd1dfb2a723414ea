// The rounds of the fit: predict, assign, step.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/refine/fit_orientation.h"

#include <algorithm>

#include "domain/crystal/fit/solve.h"

namespace sluice::orient {
namespace {

constexpr int most_rounds = 12;
constexpr double start_error = 0.03;  // 1/ångström that places may miss at first
constexpr double most_turn = 0.02;    // radian of a step
constexpr double margin = 0.05;       // radian that a fit may turn before reflections are lost
constexpr double settled = 2e-5;      // radian
constexpr double huber = 3;           // standard deviations beyond which a miss counts less
constexpr double damping = 100;       // of 1 / radian^2: a tenth of a radian

double huber_weight(double square) {
    return square <= huber * huber ? 1 : huber / std::sqrt(square);
}

Frame turned_by(Frame const& frame, Vector3 const& w) {
    double const angle = length(w);
    if (!(angle > 0)) return frame;
    // Rows are the sample's axes in the crystal; the crystal turns by w in the sample.
    auto const turn = stem4d::rotation_about(w, angle / degree).matrix();
    Frame out;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k)
            out[i][k] =
                turn[i][0] * frame[0][k] + turn[i][1] * frame[1][k] + turn[i][2] * frame[2][k];
    return out;
}

}  // namespace

double FitOrientation::root_variance(double root, double own) const {
    return own + square(rules_.intensity_part * root);
}

void FitOrientation::gather() {
    auto const& t = library_.tables[static_cast<std::size_t>(phase_)];
    double const least = std::max(1e-6, library_.options.least_intensity);
    near_.clear();
    for (std::size_t i = 0; i < t.x.size(); ++i) {
        Vector3 const g{static_cast<double>(t.x[i]), static_cast<double>(t.y[i]),
                        static_cast<double>(t.z[i])};
        Vector3 const q{dot(frame_[0], g), dot(frame_[1], g), dot(frame_[2], g)};
        double const frequency = static_cast<double>(t.frequency[i]);
        if (std::abs(library_.ewald.excitation(q)) <
            library_.ewald.reach(least, frequency) + margin * frequency)
            near_.push_back({g, static_cast<double>(t.strength[i])});
    }
}

void FitOrientation::predict() {
    double const l = library_.ewald.wavelength();
    for (Near& n : near_) {
        n.q = {dot(frame_[0], n.g), dot(frame_[1], n.g), dot(frame_[2], n.g)};
        n.excitation = library_.ewald.excitation(n.q);
        auto const [value, slope] =
            library_.ewald.envelope_slope(n.excitation, std::hypot(n.q[0], n.q[1]));
        n.model = std::sqrt(n.strength * value);
        double const by_s = n.model > 0 ? n.strength * slope / (2 * n.model) : 0;
        n.slope = -2 * by_s * (1 + l * n.excitation) / (2 + 2 * l * n.q[2]);
        n.disk = -1;
    }
}

// Of the reflections near a disk the one that most likely made it; of several disks near a
// reflection the best one.
void FitOrientation::assign(double variance, double tolerance) {
    std::vector<double> best(near_.size(), -INFINITY);
    std::ranges::fill(reflection_, -1);
    for (index j = 0; j < disks_->size(); ++j) {
        auto const d = static_cast<std::size_t>(j);
        double const x = disks_->x[d], y = disks_->y[d];
        double most = -INFINITY;
        index at = -1;
        for (std::size_t i = 0; i < near_.size(); ++i) {
            double const away = square(near_[i].q[0] - x) + square(near_[i].q[1] - y);
            if (away > tolerance * tolerance) continue;
            double const likely =
                2 * std::log(std::max(near_[i].model, 1e-9)) - away / (2 * variance);
            if (likely > most) most = likely, at = static_cast<index>(i);
        }
        if (at < 0) continue;
        auto const i = static_cast<std::size_t>(at);
        if (near_[i].disk >= 0) {
            if (best[i] >= most) continue;
            reflection_[static_cast<std::size_t>(near_[i].disk)] = -1;
        }
        near_[i].disk = j, best[i] = most;
        reflection_[d] = at;
    }
}

void FitOrientation::scale_intensities() {
    double up = 0, down = 0;
    for (std::size_t j = 0; j < reflection_.size(); ++j) {
        if (reflection_[j] < 0) continue;
        double const m = near_[static_cast<std::size_t>(reflection_[j])].model;
        double const over = 1 / root_variance(root_[j], root_own_variance_[j]);
        up += root_[j] * m * over, down += m * m * over;
    }
    if (down > 0) scale_ = up / down;
}

bool FitOrientation::is_missing(Near const& n) const {
    return n.disk < 0 && scale_ * n.model > root_seen_ && reader_.could_be_at(n.q[0], n.q[1]) &&
           std::hypot(n.q[0], n.q[1]) > reader_.least_frequency();
}

// Gauss and Newton: how far it turned, in radian; negative: there is nothing to go by.
double FitOrientation::step(double variance) {
    fisher_.fill(0);
    std::array<double, 4> slopes{};
    auto const add = [&](std::array<double, 4> const& by, double miss, double over) {
        for (std::size_t a = 0, k = 0; a < 4; ++a) {
            slopes[a] += by[a] * miss * over;
            for (std::size_t b = 0; b <= a; ++b, ++k) fisher_[k] += by[a] * by[b] * over;
        }
    };
    auto const add_root = [&](Near const& n, double root, double own) {
        double const should = scale_ * n.model, miss = root - should;
        double const over = 1 / root_variance(should, own);
        double const by_z = scale_ * n.slope;
        // By turns about x, y and z, of which z changes nothing.
        add({by_z * n.q[1], -by_z * n.q[0], 0, should}, miss,
            over * huber_weight(miss * miss * over));
    };
    bool any = false;
    for (Near const& n : near_) {
        if (n.disk < 0) {
            if (is_missing(n)) add_root(n, root_seen_, 0.25);
            continue;
        }
        any = true;
        auto const j = static_cast<std::size_t>(n.disk);
        double const xx = static_cast<double>(disks_->var_x[j]) + variance,
                     yy = static_cast<double>(disks_->var_y[j]) + variance,
                     xy = static_cast<double>(disks_->cov_xy[j]), det = xx * yy - xy * xy;
        double const u = static_cast<double>(disks_->x[j]) - n.q[0],
                     v = static_cast<double>(disks_->y[j]) - n.q[1];
        double const w = huber_weight((yy * u * u - 2 * xy * u * v + xx * v * v) / det);
        // Along the covariance's own axes, by Cholesky: u / sigma, and v beyond what u says of it.
        double const part = xy / xx, rest = yy - part * xy;
        std::array<double, 4> const by_u{0, n.q[2], -n.q[1], 0};
        std::array<double, 4> by_v{-n.q[2], 0, n.q[0], 0};
        for (std::size_t a = 0; a < 3; ++a) by_v[a] -= part * by_u[a];
        add(by_u, u, w / xx);
        add(by_v, v - part * u, w / rest);
        add_root(n, root_[j], root_own_variance_[j]);
    }
    if (!any) return -1;
    std::array<double, 10> damped = fisher_;
    for (std::size_t k : {0, 2, 5}) damped[k] += damping;
    auto const factors = crystal::Cholesky::of(damped, 4);
    if (!factors) return -1;
    auto const by = factors->solve(slopes);
    Vector3 w{by[0], by[1], by[2]};
    double const angle = length(w);
    if (angle > most_turn) w = scaled(w, most_turn / angle);
    frame_ = turned_by(frame_, w);
    return angle;
}

Fitted FitOrientation::operator()(PatternDisks const& disks, Start const& start) {
    disks_ = &disks;
    phase_ = start.phase;
    frame_ = frame_of(start.orientation);
    root_seen_ = std::sqrt(reader_.least_intensity());
    auto const n = disks.x.size();
    reflection_.assign(n, -1);
    root_.resize(n), root_own_variance_.resize(n);
    for (std::size_t j = 0; j < n; ++j) {
        root_[j] = std::sqrt(static_cast<double>(disks.intensity[j]));
        double const error = disks.intensity_error[j];
        root_own_variance_[j] = error * error / (4 * static_cast<double>(disks.intensity[j]));
    }
    gather();
    double variance = start_error * start_error;
    if (!rules_.refine) variance = rules_.place_variance;
    for (int round = 0; rules_.refine && round < most_rounds; ++round) {
        variance = std::max(variance / 4, rules_.place_variance);
        predict();
        assign(variance, rules_.tolerance);
        scale_intensities();
        double const turn = step(variance);
        if (turn < 0 || (turn < settled && variance == rules_.place_variance)) break;
    }
    predict();
    assign(rules_.place_variance, rules_.tolerance);
    scale_intensities();
    Fitted out;
    out.phase = phase_;
    out.orientation = stem4d::from_matrix(frame_).inverse();
    judge(out);
    return out;
}

}  // namespace sluice::orient
