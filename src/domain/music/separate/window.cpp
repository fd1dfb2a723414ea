// The windows' formulas.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/separate/window.h"

#include <cmath>
#include <numbers>

namespace sluice::music {
namespace {

// A step is rounded to float32; torch then multiplies and adds with one rounding, as doubles do
// here. The first half counts from the start, the second from the end.
float linspace01(index k, index n) {
    if (n == 1) return 0;
    double const step = 1.0f / static_cast<float>(n - 1);
    if (k < n / 2) return static_cast<float>(step * static_cast<double>(k));
    return static_cast<float>(1 - step * static_cast<double>(n - 1 - k));
}

float linspace10(index k, index n) {
    if (n == 1) return 1;
    double const step = 1.0f / static_cast<float>(n - 1);
    if (k < n / 2) return static_cast<float>(1 - step * static_cast<double>(k));
    return static_cast<float>(step * static_cast<double>(n - 1 - k));
}

}  // namespace

std::vector<float> window_of(Window window, index samples) {
    std::vector<float> w(static_cast<std::size_t>(samples), 1.0f);
    if (window == Window::rectangular) return w;
    for (index k = 0; k < samples; ++k) {
        // Between 0 and 1, taken in the middle of each sample.
        double const at = (static_cast<double>(k) + 0.5) / static_cast<double>(samples);
        double const hann = std::sin(std::numbers::pi * at);
        double const v = window == Window::hann ? hann * hann : 1 - std::fabs(2 * at - 1);
        w[static_cast<std::size_t>(k)] = static_cast<float>(v);
    }
    return w;
}

std::vector<float> faded_window(index samples, index fade) {
    std::vector<float> w(static_cast<std::size_t>(samples), 1.0f);
    for (index k = 0; k < fade; ++k) {
        w[static_cast<std::size_t>(samples - fade + k)] = linspace10(k, fade);
        w[static_cast<std::size_t>(k)] = linspace01(k, fade);
    }
    return w;
}

}  // namespace sluice::music
