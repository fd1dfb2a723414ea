// Which rings and frequencies are worth their work.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/match/polar.h"

#include <algorithm>
#include <cmath>

namespace sluice::orient {
namespace {

// A ring of n widths takes frequencies up to this times n: a Gaussian has 2 % there.
constexpr double frequencies_a_width = 2.8;

}  // namespace

Polar::Polar(double width, double most_radius) : width_(width) {
    auto const rings = std::max<index>(1, static_cast<index>(std::ceil(most_radius / width)));
    for (index n = 1; n <= rings; ++n)
        frequencies_of_.push_back(
            std::min(most_frequencies,
                     1 + static_cast<index>(frequencies_a_width * static_cast<double>(n))));
    for (index f = 0; f < frequencies_of_.back(); ++f) {
        auto const first = std::ranges::upper_bound(frequencies_of_, f) - frequencies_of_.begin();
        first_ring_.push_back(first);
        for (index ring = first; ring < rings; ++ring) {
            // The sum over frequencies of exp(-x^2 / 2) cos is a Gaussian as high as the radius.
            auto const radius = static_cast<double>(ring + 1);
            double const x = static_cast<double>(f) / radius;
            smooth_.push_back(static_cast<float>(std::exp(-x * x / 4) / std::sqrt(radius)));
        }
    }
}

PolarView Polar::view() const {
    return {static_cast<float>(width_),
            rings(),
            frequencies(),
            terms(),
            spectrum_floats(),
            first_ring_.data(),
            frequencies_of_.data(),
            smooth_.data()};
}

float overlap(Polar const& polar, float const* a, float const* b) {
    float sum = 0;
    for (index i = 0; i < 2 * polar.terms(); ++i) sum += a[i] * b[i];
    float zero = 0;  // frequency 0, which has no opposite
    for (index i = 0; i < 2 * polar.rings(); ++i) zero += a[i] * b[i];
    return 2 * sum - zero;
}

}  // namespace sluice::orient
