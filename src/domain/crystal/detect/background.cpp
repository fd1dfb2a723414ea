// Sums up what is between disks, and smooths it.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/background.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "domain/crystal/away.h"

namespace sluice::crystal {
namespace {

using Numbers = std::vector<double>;

// Sums over columns, or rows, with a window times the distance to some power.
class Windows {
  public:
    Windows(std::array<index, 2> shape, double sigma)
        : shape_(shape), reach_(static_cast<index>(std::ceil(3.5 * sigma))) {
        for (index d = -reach_; d <= reach_; ++d) {
            auto const x = static_cast<double>(d);
            gauss_.push_back(std::exp(-x * x / (2 * sigma * sigma)));
        }
    }

    // Distances are to the pixel that the sum is for, in row and in col.
    Numbers sum(Numbers const& from, int row_power, int col_power) const {
        return along(along(from, 0, row_power), 1, col_power);
    }

  private:
    Numbers along(Numbers const& from, std::size_t axis, int power) const {
        index const step = axis == 0 ? shape_[1] : 1, last = shape_[axis] - 1;
        Numbers to(from.size());
        for (index i = 0; i < std::ssize(from); ++i) {
            index const at = axis == 0 ? i / shape_[1] : i % shape_[1];
            double sum = 0;
            for (index d = std::max(-reach_, -at); d <= std::min(reach_, last - at); ++d) {
                double w = gauss_[static_cast<std::size_t>(d + reach_)];
                for (int p = 0; p < power; ++p) w *= static_cast<double>(d);
                sum += w * from[static_cast<std::size_t>(i + d * step)];
            }
            to[static_cast<std::size_t>(i)] = sum;
        }
        return to;
    }

    std::array<index, 2> shape_;
    index reach_;
    Numbers gauss_;
};

// The value at 0 of the plane that fits best: m are the weights' moments 1, r, c, rr, rc, cc, and v
// those of weight times value, 1, r, c. Its neighbourhood's mean where that is not determined.
double plane_at(std::array<double, 6> const& m, std::array<double, 3> const& v) {
    double const a = m[3] * m[5] - m[4] * m[4];
    double const b = m[4] * m[2] - m[1] * m[5], c = m[1] * m[4] - m[3] * m[2];
    double const determinant = m[0] * a + m[1] * b + m[2] * c;
    double const mean = v[0] / m[0];
    if (!(determinant > 1e-6 * m[0] * m[3] * m[5])) return mean;
    double const fit = (a * v[0] + b * v[1] + c * v[2]) / determinant;
    // Beyond what was seen a plane is a guess.
    return std::clamp(fit, mean / 5, mean * 5);
}

}  // namespace

void BetweenDisks::add(float const* pattern, std::span<FoundDisk const> disks, double clear,
                       std::span<std::uint8_t const> bad, double saturation) {
    auto const [rows, cols] = shape_;
    std::vector<std::uint8_t> taken(bad.begin(), bad.end());
    taken.resize(counts_.size());
    auto const wide = static_cast<index>(2 * clear);
    for (index i = 0; i < rows * cols; ++i) {
        if (!(static_cast<double>(pattern[i]) > saturation)) continue;
        index const row = i / cols, left = std::max<index>(0, i % cols - wide),
                    right = std::min(cols, i % cols + wide + 1);
        for (index r = std::max<index>(0, row - wide); r < std::min(rows, row + wide + 1); ++r)
            std::fill(taken.begin() + r * cols + left, taken.begin() + r * cols + right, 1);
    }
    for (FoundDisk const& d : disks) {
        auto const row = static_cast<double>(d.row), col = static_cast<double>(d.col);
        auto const from = [&](double v) { return std::max<index>(0, std::lround(v - clear)); };
        for (index r = from(row); r < rows && static_cast<double>(r) <= row + clear; ++r)
            for (index c = from(col); c < cols && static_cast<double>(c) <= col + clear; ++c)
                if (away(static_cast<double>(r) - row, static_cast<double>(c) - col) <= clear)
                    taken[static_cast<std::size_t>(r * cols + c)] = 1;
    }
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        if (taken[i] || !std::isfinite(pattern[i])) continue;
        counts_[i] += static_cast<double>(pattern[i]) * scale_ + shift_;
        frames_[i] += 1;
    }
}

void BetweenDisks::add_rest(std::span<float const> rest, std::span<std::uint8_t const> bad) {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        if ((!bad.empty() && bad[i]) || !std::isfinite(rest[i])) continue;
        counts_[i] += static_cast<double>(rest[i]);
        frames_[i] += 1;
    }
}

double BetweenDisks::seen() const {
    auto const some = std::ranges::count_if(frames_, [](double f) { return f > 0; });
    return static_cast<double>(some) / static_cast<double>(frames_.size());
}

double BetweenDisks::level() const {
    double counts = 0, frames = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) counts += counts_[i], frames += frames_[i];
    return frames > 0 ? counts / frames : 0;
}

double BetweenDisks::sigma_for(double sigma) const {
    // A window of so many counts is known to a twentieth.
    constexpr double enough = 400, widest = 4;
    double counts = 0;
    for (double const c : counts_) counts += c;
    double const density = counts / std::max(seen() * static_cast<double>(counts_.size()), 1.0);
    double const needed = std::sqrt(enough / (2 * std::numbers::pi * std::max(density, 1e-9)));
    return std::clamp(needed, sigma, widest * sigma);
}

Array<double> BetweenDisks::smooth(double sigma) const {
    double counts = 0, frames = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) counts += counts_[i], frames += frames_[i];
    // So few counts say nothing about a shape.
    if (!(counts >= 100)) return {};
    double const mean = counts / frames;
    Windows const windows(shape_, sigma);
    constexpr std::array<std::array<int, 2>, 6> powers = {
        {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}}};
    std::array<Numbers, 6> weights;
    std::array<Numbers, 3> values;
    for (std::size_t k = 0; k < 6; ++k)
        weights[k] = windows.sum(frames_, powers[k][0], powers[k][1]);
    for (std::size_t k = 0; k < 3; ++k)
        values[k] = windows.sum(counts_, powers[k][0], powers[k][1]);
    Array<double> shape{{shape_[0], shape_[1]}, Numbers(counts_.size(), mean)};
    for (std::size_t i = 0; i < shape.values.size(); ++i) {
        std::array<double, 6> m;
        std::array<double, 3> v;
        for (std::size_t k = 0; k < 6; ++k) m[k] = weights[k][i];
        for (std::size_t k = 0; k < 3; ++k) v[k] = values[k][i];
        // Where nothing is near, the mean stays: no disk can be fitted there.
        if (m[0] > 1e-6) shape.values[i] = std::max(plane_at(m, v), 1e-3 * mean);
    }
    return shape;
}

}  // namespace sluice::crystal
