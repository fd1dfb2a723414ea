// Fits ln |C d| = ln R to disks d of rings R, in rounds with Tukey's weights.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/calibrate/ring_fit.h"

#include <fmt/format.h>

#include "domain/crystal/calibrate/robust.h"
#include "domain/crystal/probe/normal_equations.h"

namespace sluice::crystal {
namespace {

using stem4d::Distortion;
using stem4d::DistortionModel;

constexpr int most_ring_rounds = 60;
constexpr double tukey_cut = 5;
constexpr double least_sigma = 1e-7;  // px
// The variance of the ellipse over that of disks in all directions, from which on it is not told.
constexpr double most_blurred = 50;

double log_length(RingDisk const& d, double along, double across) {
    auto const c = Distortion{.along = along, .across = across}.correction();
    return std::log(std::hypot(c[0] * d.row + c[1] * d.col, c[1] * d.row + c[2] * d.col));
}

class Fit {
  public:
    Fit(std::span<RingDisk const> disks, std::size_t rings, std::span<double const> known,
        DistortionModel model)
        : disks_(disks), known_(known), weights_(disks.size(), 1.0), rest_(disks.size()) {
        shape_ = model == DistortionModel::none ? 0 : model == DistortionModel::rectangular ? 1 : 2;
        logs_.assign(known.empty() ? rings : 1, 0);
        for (RingDisk const& d : disks) {
            double const r = std::hypot(d.row, d.col);
            double const v = (d.row * d.row * d.var_row + d.col * d.col * d.var_col +
                              2 * d.row * d.col * d.cov_row_col) /
                             (r * r);
            radius_.push_back(r);
            variance_.push_back(v > 0 ? v : 0);
        }
    }
    Result<RingFit> run() {
        start();
        for (int round = 0; round < most_ring_rounds; ++round) {
            measure();
            double const change = weigh(round);
            auto step = equations().solve();
            if (!step) return directions();
            double moved = 0;
            for (std::size_t i = 0; i < step->size(); ++i) moved += std::abs((*step)[i]);
            add(*step);
            if (round > 5 && moved < 1e-10 && change < 1e-6) break;
        }
        measure();
        return result();
    }

  private:
    void start() {
        std::vector<std::vector<double>> of(logs_.size());
        for (std::size_t i = 0; i < disks_.size(); ++i) {
            double const rest = std::log(radius_[i]) - theory(i);
            of[known_.empty() ? disks_[i].ring : 0].push_back(rest);
        }
        for (std::size_t k = 0; k < logs_.size(); ++k) logs_[k] = middle_of(std::move(of[k]));
    }
    double theory(std::size_t i) const {
        return known_.empty() ? 0 : std::log(known_[disks_[i].ring]);
    }
    std::size_t log_of(std::size_t i) const { return known_.empty() ? disks_[i].ring : 0; }
    void measure() {
        for (std::size_t i = 0; i < disks_.size(); ++i)
            rest_[i] = theory(i) + logs_[log_of(i)] - log_length(disks_[i], along_, across_);
    }
    // What disks miss their rings by beyond their errors is added to all.
    double weigh(int round) {
        std::vector<double> px(rest_.size()), known;
        for (std::size_t i = 0; i < px.size(); ++i) px[i] = rest_[i] * radius_[i];
        double const spread = std::max(spread_of(px), least_sigma), middle = middle_of(variance_);
        system_ = std::max(spread * spread - middle, 0.0);
        double change = 0;
        for (std::size_t i = 0; i < px.size(); ++i) {
            double const sigma =
                std::sqrt(std::max(variance_[i] + system_, least_sigma * least_sigma));
            // The first rounds hear all disks: the rings are still wide.
            double const t =
                round < 3 ? 1 / (1 + std::abs(px[i]) / sigma) : biweight(px[i] / sigma, tukey_cut);
            double const w = t * radius_[i] * radius_[i] / (sigma * sigma);
            change =
                std::max(change, std::abs(w - weights_[i]) / std::max(w + weights_[i], 1e-300));
            weights_[i] = w;
        }
        return change;
    }
    NormalEquations equations() const {
        auto const n = static_cast<index>(shape_ + logs_.size());
        NormalEquations out(n);
        constexpr double h = 1e-5;
        std::vector<double> slopes(static_cast<std::size_t>(n));
        std::vector<bool> seen(logs_.size());
        for (std::size_t i = 0; i < disks_.size(); ++i) {
            if (weights_[i] == 0) continue;
            std::ranges::fill(slopes, 0);
            RingDisk const& d = disks_[i];
            if (shape_ > 0)
                slopes[0] =
                    (log_length(d, along_ + h, across_) - log_length(d, along_ - h, across_)) /
                    (2 * h);
            if (shape_ > 1)
                slopes[1] =
                    (log_length(d, along_, across_ + h) - log_length(d, along_, across_ - h)) /
                    (2 * h);
            slopes[shape_ + log_of(i)] = -1;
            out.add(0, slopes, weights_[i], rest_[i]);
            seen[log_of(i)] = true;
        }
        // A ring that is none, two rings in one, say, has lost all its disks: it stays as it is.
        for (std::size_t k = 0; k < seen.size(); ++k)
            if (!seen[k]) out.add(static_cast<index>(shape_ + k), std::array{1.0}, 1, 0);
        return out;
    }
    void add(std::vector<double> const& step) {
        if (shape_ > 0) along_ += std::clamp(step[0], -0.2, 0.2);
        if (shape_ > 1) across_ += std::clamp(step[1], -0.2, 0.2);
        for (std::size_t k = 0; k < logs_.size(); ++k) logs_[k] += step[shape_ + k];
    }
    static Error directions() {
        return {Code::invalid_argument,
                "the disks lie in too few directions (an ellipse and a circle pass through them "
                "alike) take more rings or disks, or a distortion that is rectangular or none"};
    }
    Result<RingFit> result() const {
        auto const inverse = equations().inverse();
        if (!inverse) return directions();
        std::size_t const n = shape_ + logs_.size();
        RingFit out;
        out.distortion.along = along_, out.distortion.across = across_;
        if (shape_ > 0) out.distortion.covariance[0] = (*inverse)[0];
        if (shape_ > 1)
            out.distortion.covariance[1] = (*inverse)[n + 1],
            out.distortion.covariance[2] = (*inverse)[1];
        if (shape_ > 0 && !told_by_directions(out.distortion.covariance)) return directions();
        out.logs = logs_;
        for (std::size_t k = 0; k < logs_.size(); ++k)
            out.log_variances.push_back((*inverse)[(shape_ + k) * (n + 1)]);
        out.weights = weights_;
        out.used = std::ranges::count_if(weights_, [](double w) { return w > 0; });
        out.left_out = std::ssize(weights_) - out.used;
        out.sigma_sys = std::sqrt(system_);
        return out;
    }

    // What the disks tell of the ellipse against what as many in all directions would.
    bool told_by_directions(std::array<double, 3> const& covariance) const {
        double sum = 0;
        for (double w : weights_) sum += w;
        auto const [a, b, ab] = covariance;
        double const largest = (a + b) / 2 + std::hypot((a - b) / 2, ab);
        return sum > 0 && largest * sum / 2 < most_blurred;
    }

    std::span<RingDisk const> disks_;
    std::span<double const> known_;
    std::vector<double> weights_, rest_, radius_, variance_, logs_;
    double along_ = 0, across_ = 0, system_ = 0;
    std::size_t shape_ = 0;
};

}  // namespace

Result<RingFit> fit_rings(std::span<RingDisk const> disks, std::size_t rings,
                          std::span<double const> known, DistortionModel model) {
    std::vector<index> count(known.empty() ? rings : 1);
    for (RingDisk const& d : disks) ++count[known.empty() ? d.ring : 0];
    for (std::size_t k = 0; k < count.size(); ++k)
        if (count[k] < 3)
            return Error{Code::invalid_argument,
                         fmt::format("a ring has {} disks (three and more are needed) give another "
                                     "ring, or detect more disks",
                                     count[k])};
    return Fit(disks, rings, known, model).run();
}

std::vector<RingDisk> disks_on(stem4d::BraggVectors const& v, stem4d::OriginFit const& origins,
                               stem4d::FoundRings const& found) {
    auto const [rr, rc, cc] = found.rough.correction();
    std::vector<RingDisk> out;
    for (index p = 0; p < v.patterns(); ++p) {
        if (v.count(p) == 0) continue;
        stem4d::Point const o = origins.at(p / v.scan_shape[1], p % v.scan_shape[1]);
        auto const first = static_cast<std::size_t>(v.first[static_cast<std::size_t>(p)]);
        for (std::size_t j = first; j < first + static_cast<std::size_t>(v.count(p)); ++j) {
            double const row = static_cast<double>(v.row[j]) - o.row,
                         col = static_cast<double>(v.col[j]) - o.col,
                         r = std::hypot(rr * row + rc * col, rc * row + cc * col);
            for (std::size_t k = 0; k < found.rings.size(); ++k)
                if (r >= found.rings[k].inner && r <= found.rings[k].outer && r > 0)
                    out.push_back({row, col, v.var_row[j], v.var_col[j], v.cov_row_col[j], k});
        }
    }
    return out;
}

}  // namespace sluice::crystal
