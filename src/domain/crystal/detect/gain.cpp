// The noise of patterns against their values.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/gain.h"

#include <algorithm>
#include <cmath>

namespace sluice::crystal {
namespace {

struct Noise {
    double mean, variance;
};

// Sums over a block of pixels and all patterns.
struct Block {
    double values = 0, count = 0;
    double squares[3] = {};  // over rows, over columns, over patterns
    double pairs = 0;        // of patterns
};

// A block holds so many numbers and counts that its variance is known to a tenth.
constexpr double enough_numbers = 200, enough_counts = 300, least_blocks = 20;
constexpr index widest = 32;

bool good(Sample const& s, std::span<std::uint8_t const> bad, index at) {
    if (!bad.empty() && bad[static_cast<std::size_t>(at)]) return false;
    return std::isfinite(s.counts[static_cast<std::size_t>(at)]);
}

// Patterns with noise: one that holds the same value everywhere says nothing.
std::vector<char> noisy(Sample const& s) {
    std::vector<double> ratios;
    for (index f = 0; f < std::ssize(s.frames); ++f) {
        double sum = 0, squares = 0;
        for (index i = 1; i < s.pixels(); ++i) {
            auto const a = static_cast<double>(s.pattern(f)[i]),
                       b = static_cast<double>(s.pattern(f)[i - 1]);
            if (!std::isfinite(a) || !std::isfinite(b)) continue;
            sum += std::abs(a), squares += (a - b) * (a - b) / 2;
        }
        ratios.push_back(sum > 0 ? squares / sum : 0);
    }
    auto sorted = ratios;
    std::ranges::nth_element(sorted, sorted.begin() + std::ssize(sorted) / 2);
    std::vector<char> out;
    for (double const r : ratios) out.push_back(r > sorted[sorted.size() / 2] / 4);
    return out;
}

Block block_at(Sample const& s, std::span<std::uint8_t const> bad, std::span<char const> noisy,
               index row, index col, index side) {
    Block b;
    index const cols = s.shape[1];
    for (index r = row; r < row + side; ++r)
        for (index c = col; c < col + side; ++c) {
            index const at = r * cols + c;
            bool ok = true;
            for (index const other : {at, at - 1, at + 1, at - cols, at + cols})
                ok = ok && good(s, bad, other);
            if (!ok) continue;
            for (index f = 0; f < std::ssize(s.frames); ++f) {
                if (!noisy[static_cast<std::size_t>(f)]) continue;
                float const* const p = s.pattern(f) + at;
                auto const v = static_cast<double>(p[0]);
                b.values += v, b.count += 1;
                // What is linear over three pixels is no noise; the rest has 1.5 times its
                // variance.
                double const along = v - static_cast<double>(p[-1] + p[1]) / 2,
                             across = v - static_cast<double>(p[-cols] + p[cols]) / 2;
                b.squares[0] += along * along / 1.5;
                b.squares[1] += across * across / 1.5;
                if (f % 2 == 0 || !noisy[static_cast<std::size_t>(f - 1)]) continue;
                double const before = v - static_cast<double>(s.pattern(f - 1)[at]);
                b.squares[2] += before * before / 2;
                b.pairs += 1;
            }
        }
    return b;
}

// The counts of a pixel that is neither bright nor dark, where `gain` values make one.
double usual_counts(Sample const& s, double gain) {
    std::vector<double> means;
    for (index p = 0; p < s.pixels(); p += std::max<index>(1, s.pixels() / 4096)) {
        double sum = 0;
        for (index f = 0; f < std::ssize(s.frames); ++f)
            sum += static_cast<double>(s.pattern(f)[p]);
        if (std::isfinite(sum)) means.push_back(sum / static_cast<double>(s.frames.size()));
    }
    if (means.empty()) return 0;
    std::ranges::nth_element(means, means.begin() + std::ssize(means) / 2);
    return std::max(means[means.size() / 2] / gain, 1e-6);
}

std::vector<Noise> noise_of(Sample const& s, std::span<std::uint8_t const> bad, double gain) {
    auto const frames = static_cast<double>(s.frames.size());
    double const numbers = std::max(enough_numbers, enough_counts / usual_counts(s, gain));
    index const side =
        std::min(widest, static_cast<index>(std::ceil(std::sqrt(std::min(numbers / frames, 1e6)))));
    std::vector<char> const with_noise = noisy(s);
    std::vector<Noise> all;
    for (index r = 1; r + side < s.shape[0]; r += std::max<index>(side, s.shape[0] / 64))
        for (index c = 1; c + side < s.shape[1]; c += std::max<index>(side, s.shape[1] / 64)) {
            Block const b = block_at(s, bad, with_noise, r, c, side);
            if (b.count < enough_numbers / 2) continue;
            double least = std::min(b.squares[0], b.squares[1]) / b.count;
            if (b.pairs >= enough_numbers / 4) least = std::min(least, b.squares[2] / b.pairs);
            all.push_back({b.values / b.count, least});
        }
    return all;
}

Noise median_of(std::span<Noise const> some) {
    std::vector<double> means, variances;
    for (Noise const& n : some) means.push_back(n.mean), variances.push_back(n.variance);
    auto const middle = [](std::vector<double>& v) {
        std::ranges::nth_element(v, v.begin() + std::ssize(v) / 2);
        return v[v.size() / 2];
    };
    return {middle(means), middle(variances)};
}

std::optional<Gain> gain_of(std::vector<Noise> all) {
    if (static_cast<double>(all.size()) < least_blocks) return {};
    std::ranges::sort(all, {}, &Noise::mean);
    auto const half = all.size() / 2;
    Noise const dark = median_of(std::span(all).first(half)),
                bright = median_of(std::span(all).last(all.size() - half)), both = median_of(all);
    if (!(both.variance > 0) || !(bright.mean > 0)) return {};
    // Two levels tell what grows with the values and what does not.
    double const slope = (bright.variance - dark.variance) / (bright.mean - dark.mean),
                 rest = dark.variance - slope * dark.mean;
    bool const told = bright.mean > 1.5 * std::max(dark.mean, 0.0) && slope > 0;
    if (told && rest > 0.1 * dark.variance) return Gain{slope, std::sqrt(rest)};
    if (!(both.mean > 0)) return {};
    return Gain{both.variance / both.mean, 0};
}

}  // namespace

std::optional<Gain> measure_gain(Sample const& sample, std::span<std::uint8_t const> bad) {
    auto const first = gain_of(noise_of(sample, bad, 1));
    return first && first->gain > 2 ? gain_of(noise_of(sample, bad, first->gain)) : first;
}

}  // namespace sluice::crystal
