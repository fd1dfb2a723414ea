// The phase of the lit part and its spectrum.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/judge/look.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fft/fft.h"

namespace sluice::ptycho {

double hann_window(index i, index n) {
    return 0.5 - 0.5 * std::cos(2 * std::numbers::pi * (static_cast<double>(i) + 0.5) /
                                static_cast<double>(n));
}

double median_of(std::vector<double> values) {
    if (values.empty()) return 0;
    auto const middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

Result<Look> look_at(stem4d::PtychographyResult const& result) {
    Look look{.result = result};
    SLUICE_TRY(look.part, stem4d::lit_part(result));
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
    double mean = 0, weight = 0;
    for (index i = 0; i < rows * cols; ++i) {
        auto const at = static_cast<std::size_t>(i);
        double const w =
            look.part.lit[at] ? hann_window(i / cols, rows) * hann_window(i % cols, cols) : 0;
        look.phase.push_back(std::arg(plane.values[at]));
        mean += w * look.phase.back();
        weight += w;
    }
    if (weight > 0) mean /= weight;
    std::vector<std::complex<double>> spectrum;
    for (index i = 0; i < rows * cols; ++i) {
        auto const at = static_cast<std::size_t>(i);
        double const w = hann_window(i / cols, rows) * hann_window(i % cols, cols);
        spectrum.emplace_back(look.part.lit[at] ? w * (look.phase[at] - mean) : 0);
    }
    SLUICE_TRY(auto const plan, fft::Plan<double>::make({.shape = {rows, cols}}));
    SLUICE_CHECK(plan.forward(spectrum));
    for (auto const& z : spectrum) look.power.push_back(std::norm(z));
    return look;
}

}  // namespace sluice::ptycho
