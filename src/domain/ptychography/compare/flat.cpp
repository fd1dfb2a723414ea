// The mode of the phase gradient: of neighbouring numbers, then of blocks twice as wide each time.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/compare/flat.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sluice::ptycho {

namespace {

using Complex = std::complex<double>;

// Blocks of `size` by `size` numbers, summed; `part` is how much of a block holds any.
struct Level {
    index rows = 0, cols = 0, size = 1;
    std::vector<Complex> z = {};
    std::vector<float> part = {};
};

// The value about which the most lie. The mean of the shortest quarter, then of all within 2.5
// times the deviation that a quarter so short has: of one cloud of values this is nearly the mean.
double most_common(std::vector<double> values) {
    std::ranges::sort(values);
    std::size_t const n = values.size(), some = n / 4;
    std::size_t first = 0;
    for (std::size_t i = 0; i + some <= n; ++i)
        if (values[i + some - 1] - values[i] < values[first + some - 1] - values[first]) first = i;
    auto const mean_of = [&](std::size_t from, std::size_t to) {
        double sum = 0;
        for (std::size_t i = from; i < to; ++i) sum += values[i];
        return sum / static_cast<double>(to - from);
    };
    // A quarter of normal deviates lies within 0.3186 of their mean.
    double const deviation = (values[first + some - 1] - values[first]) / (2 * 0.3186);
    double middle = mean_of(first, first + some);
    for (int i = 0; i < 8; ++i) {
        auto const low = std::ranges::lower_bound(values, middle - 2.5 * deviation - 1e-12);
        auto const high = std::ranges::upper_bound(values, middle + 2.5 * deviation + 1e-12);
        if (low >= high) break;
        double const next = mean_of(static_cast<std::size_t>(low - values.begin()),
                                    static_cast<std::size_t>(high - values.begin()));
        if (next == middle) break;
        middle = next;
    }
    return middle;
}

// rad from one block to the next; 0 where there are too few.
double common_step(Level const& level, bool down) {
    std::vector<double> steps;
    index const r_end = level.rows - (down ? 1 : 0), c_end = level.cols - (down ? 0 : 1);
    index const next = down ? level.cols : 1;
    for (index r = 0; r < r_end; ++r)
        for (index c = 0; c < c_end; ++c) {
            auto const a = static_cast<std::size_t>(r * level.cols + c);
            auto const b = a + static_cast<std::size_t>(next);
            if (level.part[a] > 0.75F && level.part[b] > 0.75F)
                steps.push_back(std::arg(level.z[b] * std::conj(level.z[a])));
        }
    return steps.size() < 64 ? 0 : most_common(std::move(steps));
}

void turn_back(Level& level, double row, double col) {
    std::vector<Complex> along;
    for (index c = 0; c < level.cols; ++c)
        along.push_back(std::polar(1.0, -col * static_cast<double>(c)));
    for (index r = 0; r < level.rows; ++r) {
        Complex const down = std::polar(1.0, -row * static_cast<double>(r));
        for (index c = 0; c < level.cols; ++c)
            level.z[static_cast<std::size_t>(r * level.cols + c)] *=
                down * along[static_cast<std::size_t>(c)];
    }
}

Level halved(Level const& level) {
    Level half{.rows = level.rows / 2, .cols = level.cols / 2, .size = 2 * level.size};
    for (index r = 0; r < half.rows; ++r)
        for (index c = 0; c < half.cols; ++c) {
            auto const at = static_cast<std::size_t>(2 * r * level.cols + 2 * c);
            auto const below = at + static_cast<std::size_t>(level.cols);
            half.z.push_back(level.z[at] + level.z[at + 1] + level.z[below] + level.z[below + 1]);
            half.part.push_back(
                (level.part[at] + level.part[at + 1] + level.part[below] + level.part[below + 1]) /
                4);
        }
    return half;
}

}  // namespace

std::array<double, 2> common_gradient(std::span<Complex const> z, index rows, index cols,
                                      std::array<double, 2> start) {
    Level level{.rows = rows, .cols = cols, .z = {z.begin(), z.end()}};
    for (Complex const& v : z) level.part.push_back(v == Complex{} ? 0.0F : 1.0F);
    turn_back(level, start[0], start[1]);
    auto found = start;
    // Noise of a block's step falls with its area, and blocks must stay many.
    while (std::min(level.rows, level.cols) >= 8) {
        double const row = common_step(level, true), col = common_step(level, false);
        found[0] += row / static_cast<double>(level.size);
        found[1] += col / static_cast<double>(level.size);
        turn_back(level, row, col);
        level = halved(level);
    }
    return found;
}

}  // namespace sluice::ptycho
