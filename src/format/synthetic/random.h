// Random numbers by (seed, frame, counter): the same whatever thread asks, in whatever order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "base/splitmix.h"

namespace sluice::synthetic {

using splitmix::golden;
using splitmix::mix;

/// Where the counters of a frame start.
constexpr std::uint64_t frame_key(std::uint64_t seed, std::uint64_t frame) {
    return mix(mix(seed + golden) + (frame + 1) * golden);
}

/// A sequence of numbers in (0, 1).
class Uniform {
  public:
    explicit Uniform(std::uint64_t key) : counter_(key) {}
    double next() {
        counter_ += golden;
        return (static_cast<double>(mix(counter_) >> 12) + 0.5) * 0x1p-52;
    }

  private:
    std::uint64_t counter_;
};

/// log(k!), with an error below 1e-10; std::lgamma writes a global and so is not for threads.
inline double log_factorial(double k) {
    double shifted = 0;
    for (; k < 10; k += 1) shifted += std::log(k + 1);
    double const i = 1 / k, ii = i * i;
    double const series = i * (1.0 / 12 - ii * (1.0 / 360 - ii * (1.0 / 1260 - ii / 1680)));
    return (k + 0.5) * std::log(k) - k + 0.91893853320467274178 + series - shifted;
}

/// A Poisson variate: products of uniforms for small means, else Hoermann's transformed rejection
/// PTRS (doi:10.1016/0167-6687(93)90997-4).
inline std::uint64_t poisson(double mean, Uniform& u) {
    if (!(mean > 0)) return 0;
    if (mean < 10) {
        double const limit = std::exp(-mean);
        std::uint64_t k = 0;
        for (double p = u.next(); p > limit; p *= u.next()) ++k;
        return k;
    }
    double const b = 0.931 + 2.53 * std::sqrt(mean), a = -0.059 + 0.02483 * b;
    double const inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2);
    while (true) {
        double const x = u.next() - 0.5, v = u.next(), s = 0.5 - std::fabs(x);
        double const k = std::floor((2 * a / s + b) * x + mean + 0.43);
        if (s >= 0.07 && v <= v_r) return static_cast<std::uint64_t>(k);
        if (k < 0 || (s < 0.013 && v > s)) continue;
        if (std::log(v * inverse_alpha / (a / (s * s) + b)) <=
            k * std::log(mean) - mean - log_factorial(k))
            return static_cast<std::uint64_t>(k);
    }
}

}  // namespace sluice::synthetic
