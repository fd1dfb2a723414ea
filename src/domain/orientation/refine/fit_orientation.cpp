// The rounds of the fit: predict, assign, step.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/refine/fit_orientation.h"

#include <algorithm>

#include "domain/crystal/fit/solve.h"

namespace sluice::orient {
namespace {

constexpr int first_rounds = 2, most_rounds = 10;
constexpr double start_error = 0.02;  // 1/ångström that places may miss at first
constexpr double most_turn = 0.02;    // radian of a step
constexpr double settled = 1e-4;      // radian
constexpr float far_away = 1e9F;
// An envelope of slabs is first so many times twice as wide, and the part of the root of an
// intensity that is error is this.
constexpr int widenings = 2;
constexpr double wide_part = 0.5;
constexpr double huber = 3;      // standard deviations beyond which a miss counts less
constexpr double damping = 100;  // of 1 / radian^2: a tenth of a radian

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

// A part of the geometric mean: a model that is too high or too low by a factor costs the same.
double FitOrientation::root_variance(double seen, double should, double own) const {
    return own + rules_.errors.root_variance + square(part_) * seen * should;
}

void FitOrientation::gather() {
    auto const& t = rules_.library.tables[static_cast<std::size_t>(phase_)];
    auto const& heights = rules_.heights[static_cast<std::size_t>(phase_)];
    near_.clear();
    auto const low = [](double x) { return static_cast<float>(x); };
    float const zx = low(frame_[2][0]), zy = low(frame_[2][1]), zz = low(frame_[2][2]);
    for (std::size_t i = 0; i < t.x.size(); ++i) {
        float const z = zx * t.x[i] + zy * t.y[i] + zz * t.z[i];
        if (z > heights.low[i] && z < heights.high[i])
            near_.push_back({t.place(i), static_cast<double>(t.strength[i])});
    }
    best_.resize(near_.size());
    // Whole blocks: those behind the last one are nowhere.
    x_.assign((near_.size() + 7) / 8 * 8, far_away);
    y_ = x_;
}

void FitOrientation::predict() {
    Ewald const& ewald = ewald_;
    double const l = ewald.wavelength();
    for (Near& n : near_) {
        n.q = {dot(frame_[0], n.g), dot(frame_[1], n.g), dot(frame_[2], n.g)};
        n.excitation = ewald.excitation(n.q);
        double const across = ewald.precesses() ? std::hypot(n.q[0], n.q[1]) : 0;
        auto const [value, slope] = ewald.envelope_slope(n.excitation, across);
        n.model = std::sqrt(n.strength * value);
        double const by_s = n.model > 0 ? n.strength * slope / (2 * n.model) : 0;
        n.slope = -2 * by_s * (1 + l * n.excitation) / (2 + 2 * l * n.q[2]);
        n.disk = -1;
        auto const i = static_cast<std::size_t>(&n - near_.data());
        x_[i] = static_cast<float>(n.q[0]), y_[i] = static_cast<float>(n.q[1]);
    }
}

// The likeliest reflection near a place; -1: none is.
index FitOrientation::likeliest(double x, double y, double variance, double tolerance,
                                double& most) const {
    constexpr std::size_t block = 8;
    float const fx = static_cast<float>(x), fy = static_cast<float>(y);
    float const most_away = static_cast<float>(tolerance * tolerance);
    index at = -1;
    most = -INFINITY;
    for (std::size_t from = 0; from < x_.size(); from += block) {
        // Most blocks have no reflection near.
        float away[block];
        for (std::size_t k = 0; k < block; ++k) {
            float const u = x_[from + k] - fx, v = y_[from + k] - fy;
            away[k] = u * u + v * v;
        }
        float least = away[0];
        for (std::size_t k = 1; k < block; ++k) least = std::min(least, away[k]);
        if (!(least <= most_away)) continue;
        for (std::size_t k = 0; k < block; ++k) {
            if (!(away[k] <= most_away)) continue;
            Near const& n = near_[from + k];
            double const likely = 2 * std::log(std::max(n.model, 1e-9)) -
                                  static_cast<double>(away[k]) / (2 * variance);
            if (likely > most) most = likely, at = static_cast<index>(from + k);
        }
    }
    return at;
}

// Of several disks near a reflection the best one has it.
void FitOrientation::assign(double variance, double tolerance) {
    std::ranges::fill(reflection_, -1);
    for (index j = 0; j < disks_->size(); ++j) {
        auto const d = static_cast<std::size_t>(j);
        double most = 0;
        index const at = likeliest(static_cast<double>(disks_->x[d]),
                                   static_cast<double>(disks_->y[d]), variance, tolerance, most);
        if (at < 0) continue;
        auto const i = static_cast<std::size_t>(at);
        if (near_[i].disk >= 0) {
            if (best_[i] >= most) continue;
            reflection_[static_cast<std::size_t>(near_[i].disk)] = -1;
        }
        near_[i].disk = j, best_[i] = most;
        reflection_[d] = at;
    }
}

void FitOrientation::scale_intensities() {
    double up = 0, down = 0;
    for (std::size_t j = 0; j < reflection_.size(); ++j) {
        if (reflection_[j] < 0) continue;
        double const m = near_[static_cast<std::size_t>(reflection_[j])].model;
        double const over =
            1 / root_variance(root_[j], std::max(root_[j], scale_ * m), root_own_variance_[j]);
        up += root_[j] * m * over, down += m * m * over;
    }
    if (down > 0) scale_ = up / down;
}

// Of another crystal's disks, which were dropped, one may lie over its place.
bool FitOrientation::could_show(Near const& n) const {
    if (!rules_.reader.could_be_at(n.q[0], n.q[1]) ||
        !(std::hypot(n.q[0], n.q[1]) > rules_.reader.least_frequency()))
        return false;
    for (std::size_t i = 0; i < disks_->gone_x.size(); ++i)
        if (square(static_cast<double>(disks_->gone_x[i]) - n.q[0]) +
                square(static_cast<double>(disks_->gone_y[i]) - n.q[1]) <
            square(rules_.tolerance))
            return false;
    return true;
}

bool FitOrientation::is_missing(Near const& n) const {
    return n.disk < 0 && scale_ * n.model > root_seen_ && could_show(n);
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
        double const over = 1 / root_variance(root, should, own);
        double const by_z = scale_ * n.slope;
        // By turns about x, y and z, of which z changes nothing.
        add({by_z * n.q[1], -by_z * n.q[0], 0, should}, miss,
            over * huber_weight(miss * miss * over));
    };
    bool any = false;
    for (Near const& n : near_) {
        if (n.disk < 0) {
            if (is_missing(n)) add_root(n, root_seen_, usual_root_variance_);
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

void FitOrientation::look_at(PatternDisks const& disks, index phase, Frame const& frame) {
    disks_ = &disks;
    phase_ = phase;
    frame_ = frame;
    scale_ = 0;
    root_seen_ = std::sqrt(rules_.reader.least_intensity());
    auto const n = disks.x.size();
    reflection_.assign(n, -1);
    root_.resize(n), root_own_variance_.resize(n);
    double own = 0, own_root = 0;
    for (std::size_t j = 0; j < n; ++j) {
        root_[j] = std::sqrt(static_cast<double>(disks.intensity[j]));
        double const error = static_cast<double>(disks.intensity_error[j]);
        root_own_variance_[j] = error * error / (4 * static_cast<double>(disks.intensity[j]));
        own_root += root_own_variance_[j];
        own += static_cast<double>(disks.var_x[j] + disks.var_y[j]) / 2;
    }
    // Wide errors are of no use once they are below those of the disks.
    fine_ = std::max(rules_.errors.place_variance, own / static_cast<double>(n) / 2);
    usual_root_variance_ = own_root / static_cast<double>(n);
    gather();
}

// The likelihood of a sharp envelope has many hills: the fit begins with a wide one.
void FitOrientation::sharpen(int halvings) {
    ErrorModel const& e = rules_.errors;
    bool const is_wide = rules_.refine && e.envelope == Envelope::slab;
    int const left = is_wide ? std::max(0, widenings - halvings) : 0;
    ewald_ = rules_.ewald_of(std::ldexp(1.0, left));
    part_ = std::max(e.intensity_part, wide_part * left / widenings);
}

double FitOrientation::round(double variance) {
    predict();
    assign(variance, rules_.tolerance);
    scale_intensities();
    return step(variance);
}

void FitOrientation::settle(double variance) {
    predict();
    assign(variance, rules_.tolerance);
    scale_intensities();
}

Begun FitOrientation::begin(PatternDisks const& disks, Start const& start) {
    look_at(disks, start.phase, frame_of(start.orientation));
    double variance = start_error * start_error;
    sharpen(0);
    for (int i = 0; rules_.refine && i < first_rounds; ++i) {
        if (round(variance) < 0) break;
        variance = std::max(variance / 4, fine_);
    }
    settle(variance);
    Fitted so_far;
    judge(variance, so_far);
    return {phase_, frame_, so_far.log_odds};
}

Fitted FitOrientation::finish(PatternDisks const& disks, Begun const& begun) {
    look_at(disks, begun.phase, begun.frame);
    double variance = start_error * start_error * std::pow(0.25, first_rounds);
    for (int i = 0; rules_.refine && i < most_rounds; ++i) {
        variance = std::max(variance / 4, fine_);
        sharpen(i + 1);
        bool const last = variance == fine_ && i + 1 >= widenings;
        double const turn = round(last ? rules_.errors.place_variance : variance);
        if (turn < 0 || (turn < settled && last)) break;
    }
    sharpen(widenings);
    settle(rules_.errors.place_variance);
    Fitted out;
    out.phase = phase_;
    out.orientation = stem4d::from_matrix(frame_).inverse();
    judge(rules_.errors.place_variance, out);
    out.covariance = covariance();
    return out;
}

}  // namespace sluice::orient
