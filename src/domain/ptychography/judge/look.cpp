// The phase of the lit part and its spectrum.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/judge/look.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fft/fft.h"

namespace sluice::ptycho {

std::vector<double> hann_window(index n) {
    std::vector<double> window;
    for (index i = 0; i < n; ++i)
        window.push_back(0.5 -
                         0.5 * std::cos(2 * std::numbers::pi * (static_cast<double>(i) + 0.5) /
                                        static_cast<double>(n)));
    return window;
}

Result<std::vector<double>> power_of(std::vector<double> const& samples, index rows, index cols) {
    SLUICE_TRY(auto const plan,
               fft::Plan<double>::make({.shape = {rows, cols}, .numbers = fft::Numbers::real}));
    std::vector<std::complex<double>> spectrum(static_cast<std::size_t>(rows * (cols / 2 + 1)));
    SLUICE_CHECK(plan.forward(samples, spectrum));
    std::vector<double> power;
    power.reserve(spectrum.size());
    for (auto const& z : spectrum) power.push_back(std::norm(z));
    return power;
}

double median_of(std::vector<double> values) {
    if (values.empty()) return 0;
    auto const middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

Result<Look> look_at(stem4d::PtychographyResult const& result, stem4d::LitPart part) {
    Look look{.result = result, .part = std::move(part)};
    index const rows = look.part.rows, cols = look.part.cols;
    index const width = result.object.shape[2], area = result.object.shape[1] * width;
    auto plane = Array<std::complex<float>>::zeros({rows, cols});
    for (index i = 0; i < rows * cols; ++i) {
        std::complex<double> z = 1;
        for (index s = 0; s < result.object.shape[0]; ++s)
            z *= std::complex<double>(result.object.values[static_cast<std::size_t>(
                s * area + (look.part.row + i / cols) * width + look.part.col + i % cols)]);
        plane.values[static_cast<std::size_t>(i)] = static_cast<std::complex<float>>(z);
    }
    SLUICE_TRY(auto const ramp, stem4d::remove_ramp(plane, look.part.lit));
    static_cast<void>(ramp);
    auto const down = hann_window(rows), along = hann_window(cols);
    auto const window_at = [&](index i) {
        return look.part.lit[static_cast<std::size_t>(i)]
                   ? down[static_cast<std::size_t>(i / cols)] *
                         along[static_cast<std::size_t>(i % cols)]
                   : 0;
    };
    double mean = 0, weight = 0;
    look.phase.reserve(plane.values.size());
    for (index i = 0; i < rows * cols; ++i) {
        double const w = window_at(i);
        look.phase.push_back(std::arg(plane.values[static_cast<std::size_t>(i)]));
        mean += w * look.phase.back();
        weight += w;
    }
    if (weight > 0) mean /= weight;
    std::vector<double> waves;
    waves.reserve(look.phase.size());
    for (index i = 0; i < rows * cols; ++i) {
        double const w = window_at(i);
        waves.push_back(w == 0 ? 0 : w * (look.phase[static_cast<std::size_t>(i)] - mean));
    }
    SLUICE_TRY(look.power, power_of(waves, rows, cols));
    return look;
}

}  // namespace sluice::ptycho
