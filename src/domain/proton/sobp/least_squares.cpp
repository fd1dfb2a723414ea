// Weights from 0 on that make a sum flat.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/sobp/least_squares.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sluice::proton {

void least_squares(std::vector<std::vector<double>> const& parts, double target,
                   std::vector<double>& weights) {
    std::size_t const n = parts.size();
    std::vector<double> squares(n * n), slope(n);
    for (std::size_t i = 0; i < n; ++i) {
        slope[i] = -target * std::accumulate(parts[i].begin(), parts[i].end(), 0.0);
        for (std::size_t j = 0; j < n; ++j)
            squares[i * n + j] =
                std::inner_product(parts[i].begin(), parts[i].end(), parts[j].begin(), 0.0);
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) slope[i] += squares[i * n + j] * weights[j];
    for (int round = 0; round < 20000; ++round) {
        double change = 0, size = 0;
        for (std::size_t i = 0; i < n; ++i) {
            double const own = squares[i * n + i];
            if (own <= 0) continue;
            double const next = std::max(0.0, weights[i] - slope[i] / own);
            double const step = next - weights[i];
            weights[i] = next;
            for (std::size_t j = 0; j < n; ++j) slope[j] += step * squares[j * n + i];
            change = std::max(change, std::abs(step));
            size = std::max(size, next);
        }
        if (change <= 1e-7 * size) return;
    }
}

}  // namespace sluice::proton
