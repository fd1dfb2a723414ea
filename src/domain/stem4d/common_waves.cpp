// What two images that nearly coincide have in common.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/common_waves.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fft/frequency.h"

namespace sluice::stem4d {
namespace {

using Complex = fft::Complex<double>;
constexpr std::size_t bands = 12;

// 1 inside, and a squared sine over an eighth of the length at each end, which leaves a point
// between it and the edge so that it can move.
std::vector<double> window(index n, double shift) {
    std::vector<double> out(static_cast<std::size_t>(n), 1.0);
    if (n < 2) return out;
    double const last = static_cast<double>(n - 1),
                 fade = std::max(static_cast<double>(n) / 8, 1.0);
    for (index i = 0; i < n; ++i) {
        double const at = static_cast<double>(i) - shift;
        double const depth = std::min(at, last - at) - 0.5;
        out[static_cast<std::size_t>(i)] =
            depth >= fade ? 1
            : depth <= 0  ? 0
                          : std::pow(std::sin(std::numbers::pi / 2 * depth / fade), 2);
    }
    return out;
}

// The alternating wave has 0: its shift has no sign.
std::vector<double> radians(index n) {
    std::vector<double> out(static_cast<std::size_t>(n));
    for (index i = 0; i < n; ++i)
        if (2 * i != n)
            out[static_cast<std::size_t>(i)] = 2 * std::numbers::pi *
                                               static_cast<double>(fft::frequency(i, n)) /
                                               static_cast<double>(n);
    return out;
}

struct Window {
    std::vector<double> down, across;
    double operator()(std::size_t i) const {
        return down[i / across.size()] * across[i % across.size()];
    }
};

// About its mean in the window, and of energy 1.
Result<std::vector<Complex>> waves_of(std::vector<double> const& image, Window const& window,
                                      index rows, index cols) {
    double mean = 0, all = 0, energy = 0;
    for (std::size_t i = 0; i < image.size(); ++i) mean += window(i) * image[i], all += window(i);
    if (all > 0) mean /= all;
    std::vector<Complex> out(image.size());
    for (std::size_t i = 0; i < image.size(); ++i) out[i] = window(i) * (image[i] - mean);
    SLUICE_TRY(auto const plan, fft::Plan<double>::make({.shape = {rows, cols}}));
    SLUICE_CHECK(plan.forward(std::span<Complex>(out)));
    auto const n = static_cast<std::size_t>(cols);
    for (std::size_t i = 0; i < out.size(); ++i) {
        bool const lone =
            2 * static_cast<index>(i / n) == rows || 2 * static_cast<index>(i % n) == cols;
        if (lone || i == 0) out[i] = 0;
        energy += std::norm(out[i]);
    }
    for (Complex& v : out) v *= energy > 0 ? 1 / std::sqrt(energy) : 0;
    return out;
}

std::vector<Complex> turns(std::vector<double> const& waves, double by) {
    std::vector<Complex> out;
    for (double const w : waves) out.push_back(std::polar(1.0, w * by));
    return out;
}

}  // namespace

Result<CommonWaves> CommonWaves::make(ImagePair const& pair, Point at) {
    CommonWaves c;
    c.waves_ = {radians(pair.rows), radians(pair.cols)};
    Window const still{window(pair.rows, 0), window(pair.cols, 0)};
    Window const moved{window(pair.rows, at.row), window(pair.cols, at.col)};
    SLUICE_TRY(auto const left, waves_of(pair.reference, still, pair.rows, pair.cols));
    SLUICE_TRY(c.product_, waves_of(pair.image, moved, pair.rows, pair.cols));
    for (std::size_t i = 0; i < left.size(); ++i) c.product_[i] *= std::conj(left[i]);
    c.weight_.assign(left.size(), 1.0);
    c.signal_.assign(left.size(), 0.0);
    for (auto const* one : {&still.down, &still.across}) {
        double two = 0, four = 0;
        for (double const w : *one) two += w * w, four += w * w * w * w;
        if (two > 0) c.spread_ *= static_cast<double>(one->size()) * four / (two * two);
    }
    return c;
}

CommonWaves::At CommonWaves::at(Point shift) const {
    auto const r = turns(waves_[0], shift.row), c = turns(waves_[1], shift.col);
    At out;
    for (std::size_t i = 0; i < r.size(); ++i)
        for (std::size_t j = 0; j < c.size(); ++j) {
            std::size_t const k = i * c.size() + j;
            Complex const v = weight_[k] * product_[k] * (r[i] * c[j]);
            double const x = waves_[0][i], y = waves_[1][j];
            out.value += v.real();
            out.slope[0] -= x * v.imag(), out.slope[1] -= y * v.imag();
            out.bend[0] += x * x * v.real(), out.bend[1] += x * y * v.real(),
                out.bend[2] += y * y * v.real();
        }
    return out;
}

Point CommonWaves::best_of_grid(double reach) const {
    std::array<std::vector<double>, 2> shifts;
    std::array<std::vector<std::vector<Complex>>, 2> turned;
    for (std::size_t axis = 0; axis < 2; ++axis) {
        double const far = waves_[axis].size() > 1 ? reach : 0;
        for (double s = -far; s <= far; s += 0.25) {
            shifts[axis].push_back(s);
            turned[axis].push_back(turns(waves_[axis], s));
        }
    }
    std::size_t const rows = waves_[0].size(), cols = waves_[1].size(), wide = shifts[1].size();
    std::vector<double> value(shifts[0].size() * wide);
    // One axis after the other, so that a wave costs as many turns as a row of the grid has.
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t s = 0; s < wide; ++s) {
            Complex line;
            for (std::size_t j = 0; j < cols; ++j)
                line += weight_[i * cols + j] * product_[i * cols + j] * turned[1][s][j];
            for (std::size_t r = 0; r < shifts[0].size(); ++r)
                value[r * wide + s] += (line * turned[0][r][i]).real();
        }
    auto const best = static_cast<std::size_t>(std::ranges::max_element(value) - value.begin());
    return {shifts[0][best / wide], shifts[1][best % wide]};
}

// Bands of wave numbers that widen, since structure lies at small ones.
std::size_t CommonWaves::band(std::size_t i) const {
    double const x = waves_[0][i / waves_[1].size()], y = waves_[1][i % waves_[1].size()];
    double const part = std::min(std::hypot(x, y) / std::numbers::pi, 1.0);
    return std::min(static_cast<std::size_t>(std::sqrt(part) * bands), bands - 1);
}

void CommonWaves::weigh(Point shift) {
    auto const r = turns(waves_[0], shift.row), c = turns(waves_[1], shift.col);
    std::array<double, bands> sum{}, count{};
    double common = 0;
    for (std::size_t k = 0; k < product_.size(); ++k) {
        if (product_[k] == Complex{}) continue;
        double const part = (product_[k] * (r[k / c.size()] * c[k % c.size()])).real();
        sum[band(k)] += part, count[band(k)] += 1, common += part;
    }
    noise_ = std::max(2 - 2 * common, 0.0) / static_cast<double>(product_.size());
    for (std::size_t k = 0; k < product_.size(); ++k) {
        std::size_t const b = band(k);
        signal_[k] = product_[k] == Complex{} ? 0 : std::max(sum[b] / std::max(count[b], 1.0), 0.0);
        double const all = signal_[k] + noise_ / 2;
        weight_[k] = all > 0 ? signal_[k] / all : 0;
    }
}

// The slope is a sum of signal times noise, and of noise times noise, half of it in each image.
CommonWaves::Noise CommonWaves::noise() const {
    Noise out;
    for (std::size_t k = 0; k < product_.size(); ++k) {
        double const x = waves_[0][k / waves_[1].size()], y = waves_[1][k % waves_[1].size()];
        double const one =
            spread_ * weight_[k] * weight_[k] * (noise_ * signal_[k] + noise_ * noise_ / 4);
        out.slope[0] += x * x * one, out.slope[1] += x * y * one, out.slope[2] += y * y * one;
        out.bend += std::pow(x * x + y * y, 2) * one;
    }
    out.bend = std::sqrt(out.bend);
    return out;
}

CommonWaves::Odds CommonWaves::odds(Point shift) const {
    auto const r = turns(waves_[0], shift.row), c = turns(waves_[1], shift.col);
    double sum = 0, two = 0, all = 0;
    for (std::size_t k = 0; k < product_.size(); ++k) {
        double const length = std::abs(product_[k]);
        if (!(length > 0)) continue;
        sum += weight_[k] / length * (product_[k] * (r[k / c.size()] * c[k % c.size()])).real();
        two += weight_[k] * weight_[k], all += 1;
    }
    if (!(two > 0)) return {};
    return {sum / std::sqrt(two * spread_), all / spread_};
}

}  // namespace sluice::stem4d
