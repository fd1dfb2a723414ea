// remove_ramp() and lit_part(): what an object is without the phase that the probe may take over.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/ptychography/compare/tilt.h"
#include "fft/fft.h"
#include "sluice/ptychography_compare.h"

namespace sluice::stem4d {

namespace {

using Complex = std::complex<double>;

// The product of the slices where the region is; [row][col].
std::vector<Complex> product_of(Array<std::complex<float>> const& object,
                                std::vector<std::uint8_t> const& region) {
    index const cols = object.shape.back(), rows = object.shape[object.shape.size() - 2];
    auto const pixels = static_cast<std::size_t>(rows * cols);
    std::vector<Complex> product(pixels, 1);
    for (std::size_t i = 0; i < object.values.size(); ++i)
        product[i % pixels] *= Complex(object.values[i]);
    for (std::size_t i = 0; i < region.size(); ++i)
        if (!region[i]) product[i] = 0;
    return product;
}

// Turns [..][row][col] by -part of the ramp.
void turn_back(Array<std::complex<float>>& planes, Ramp const& ramp, double part) {
    index const cols = planes.shape.back(), rows = planes.shape[planes.shape.size() - 2];
    for (index i = 0; i < planes.size(); ++i) {
        auto const r = static_cast<double>(i / cols % rows), c = static_cast<double>(i % cols);
        auto& z = planes.values[static_cast<std::size_t>(i)];
        z = static_cast<std::complex<float>>(
            Complex(z) * std::polar(1.0, -part * (ramp.row * r + ramp.col * c + ramp.phase)));
    }
}

Status check_planes(Array<std::complex<float>> const& object,
                    std::vector<std::uint8_t> const& region) {
    std::size_t const rank = object.shape.size();
    if (rank != 2 && rank != 3)
        return Error{Code::invalid_argument, "an object is [row][col] or [slice][row][col]"};
    index const area = object.shape[rank - 1] * object.shape[rank - 2];
    if (area < 4 || object.size() % area != 0 || (rank == 2 && object.size() != area))
        return Error{Code::invalid_argument, "the object's values do not fill its shape"};
    if (!region.empty() && std::ssize(region) != area)
        return Error{Code::invalid_argument,
                     fmt::format("the region has {} pixels and the object {} (it is [row][col] of "
                                 "the object) cut it alike",
                                 region.size(), area)};
    return {};
}

}  // namespace

Result<Ramp> remove_ramp(Array<std::complex<float>>& object,
                         std::vector<std::uint8_t> const& region) {
    SLUICE_CHECK(check_planes(object, region));
    index const cols = object.shape.back(), rows = object.shape[object.shape.size() - 2];
    auto const z = product_of(object, region);
    SLUICE_TRY(auto const tilt,
               ptycho::strongest_tilt(
                   z, rows, cols, {static_cast<double>(rows) / 2, static_cast<double>(cols) / 2}));
    if (!std::isfinite(std::norm(tilt.sum)) || tilt.sum == Complex{})
        return Error{Code::invalid_argument,
                     "the object is 0 or holds no numbers where its ramp is looked for"};
    Ramp const ramp{tilt.row, tilt.col, std::arg(tilt.sum)};
    index const slices = object.size() / (rows * cols);
    turn_back(object, ramp, 1 / static_cast<double>(slices));
    return ramp;
}

Result<LitPart> lit_part(PtychographyResult const& result) {
    index const rows = result.object.shape[1], cols = result.object.shape[2];
    index const n = result.probe.shape[1];
    SLUICE_TRY(auto const plan, fft::Plan<double>::make({.shape = {rows, cols}}));
    // Probes at all places: a convolution that does not wrap, since the object holds all windows.
    std::vector<Complex> places(static_cast<std::size_t>(rows * cols)), probe = places;
    std::array<index, 2> low{rows, cols}, high{0, 0};
    for (Position const& p : result.positions) {
        index const r = std::lround(p.row), c = std::lround(p.col);
        if (r < 0 || c < 0 || r + n > rows || c + n > cols)
            return Error{Code::invalid_argument, "a window lies outside of the object"};
        places[static_cast<std::size_t>(r * cols + c)] += 1;
        low = {std::min(low[0], r), std::min(low[1], c)};
        high = {std::max(high[0], r), std::max(high[1], c)};
    }
    for (index i = 0; i < result.probe.size(); ++i)
        probe[static_cast<std::size_t>(i / n % n * cols + i % n)] +=
            std::norm(result.probe.values[static_cast<std::size_t>(i)]);
    SLUICE_CHECK(plan.forward(places));
    SLUICE_CHECK(plan.forward(probe));
    for (std::size_t i = 0; i < places.size(); ++i) places[i] *= probe[i];
    SLUICE_CHECK(plan.inverse(places));
    LitPart part{.row = low[0] + n / 2,
                 .col = low[1] + n / 2,
                 .rows = high[0] - low[0] + 1,
                 .cols = high[1] - low[1] + 1};
    double most = 0;
    for (Complex const& light : places) most = std::max(most, light.real());
    for (index r = part.row; r < part.row + part.rows; ++r)
        for (index c = part.col; c < part.col + part.cols; ++c)
            part.lit.push_back(places[static_cast<std::size_t>(r * cols + c)].real() >= 0.1 * most);
    return part;
}

Result<Ramp> remove_ramp(PtychographyResult& result) {
    SLUICE_TRY(auto const part, lit_part(result));
    index const cols = result.object.shape[2];
    std::vector<std::uint8_t> region(static_cast<std::size_t>(result.object.shape[1] * cols));
    for (index r = 0; r < part.rows; ++r)
        std::copy_n(part.lit.begin() + r * part.cols, part.cols,
                    region.begin() + (part.row + r) * cols + part.col);
    SLUICE_TRY(Ramp const ramp, remove_ramp(result.object, region));
    if (result.object.shape[0] == 1) turn_back(result.probe, {ramp.row, ramp.col, 0}, -1);
    return ramp;
}

}  // namespace sluice::stem4d
