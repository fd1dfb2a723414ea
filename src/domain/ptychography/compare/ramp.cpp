// remove_ramp() and lit_part(): what an object is without the phase that the probe may take over.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/ptychography/compare/check_waves.h"
#include "domain/ptychography/compare/flat.h"
#include "domain/ptychography/compare/tilt.h"
#include "sluice/ptychography_compare.h"

namespace sluice::ptycho {

namespace {

using stem4d::Ramp;

using Complex = std::complex<double>;

// The rectangle that holds the region; the whole object where no region is given.
struct Box {
    index row = 0, col = 0, rows = 0, cols = 0;
};

Box box_of(std::vector<std::uint8_t> const& region, index rows, index cols) {
    if (region.empty()) return {0, 0, rows, cols};
    std::array<index, 2> low{rows, cols}, high{-1, -1};
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c)
            if (region[static_cast<std::size_t>(r * cols + c)]) {
                low = {std::min(low[0], r), std::min(low[1], c)};
                high = {std::max(high[0], r), std::max(high[1], c)};
            }
    if (high[0] < 0) return {0, 0, 1, 1};
    return {low[0], low[1], high[0] - low[0] + 1, high[1] - low[1] + 1};
}

// The product of the slices where the region is; [row][col] of the box.
std::vector<Complex> product_of(Array<std::complex<float>> const& object,
                                std::vector<std::uint8_t> const& region, Box const& box) {
    index const cols = object.shape.back(), area = cols * object.shape[object.shape.size() - 2];
    std::vector<Complex> product(static_cast<std::size_t>(box.rows * box.cols));
    for (index i = 0; i < std::ssize(product); ++i) {
        index const pixel = (box.row + i / box.cols) * cols + box.col + i % box.cols;
        if (!region.empty() && !region[static_cast<std::size_t>(pixel)]) continue;
        Complex z = 1;
        for (index at = pixel; at < object.size(); at += area)
            z *= Complex(object.values[static_cast<std::size_t>(at)]);
        product[static_cast<std::size_t>(i)] = z;
    }
    return product;
}

// Turns [..][row][col] by -part of the ramp.
void turn_back(Array<std::complex<float>>& planes, Ramp const& ramp, double part) {
    index const cols = planes.shape.back(), rows = planes.shape[planes.shape.size() - 2];
    std::vector<Complex> along;
    for (index c = 0; c < cols; ++c)
        along.push_back(std::polar(1.0, -part * ramp.col * static_cast<double>(c)));
    for (index line = 0; line < planes.size() / cols; ++line) {
        auto const r = static_cast<double>(line % rows);
        Complex const down = std::polar(1.0, -part * (ramp.row * r + ramp.phase));
        for (index c = 0; c < cols; ++c) {
            auto& z = planes.values[static_cast<std::size_t>(line * cols + c)];
            z = static_cast<std::complex<float>>(Complex(z) *
                                                 (down * along[static_cast<std::size_t>(c)]));
        }
    }
}

// What is left of the box's sum without a ramp.
Complex sum_under(std::vector<Complex> const& z, Box const& box, double row, double col) {
    std::vector<Complex> along;
    for (index c = 0; c < box.cols; ++c)
        along.push_back(std::polar(1.0, -col * static_cast<double>(c)));
    Complex sum{};
    for (index r = 0; r < box.rows; ++r) {
        Complex line{};
        for (index c = 0; c < box.cols; ++c)
            line +=
                z[static_cast<std::size_t>(r * box.cols + c)] * along[static_cast<std::size_t>(c)];
        sum += line * std::polar(1.0, -row * static_cast<double>(r));
    }
    return sum;
}

Status check_planes(Array<std::complex<float>> const& object,
                    std::vector<std::uint8_t> const& region) {
    std::size_t const rank = object.shape.size();
    if (rank != 2 && rank != 3)
        return Error{Code::invalid_argument, "an object must be [row][col] or [slice][row][col]"};
    for (index const side : object.shape)
        if (side < 1 || side > object.size())
            return Error{Code::invalid_argument, "the object's values do not fill its shape"};
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

}  // namespace sluice::ptycho

namespace sluice::stem4d {

Result<Ramp> remove_ramp(Array<std::complex<float>>& object,
                         std::vector<std::uint8_t> const& region) {
    SLUICE_CHECK(ptycho::check_planes(object, region));
    index const cols = object.shape.back(), rows = object.shape[object.shape.size() - 2];
    ptycho::Box const box = ptycho::box_of(region, rows, cols);
    auto const z = ptycho::product_of(object, region, box);
    SLUICE_TRY(auto const tilt, ptycho::strongest_tilt(z, box.rows, box.cols,
                                                       {static_cast<double>(box.rows) / 2,
                                                        static_cast<double>(box.cols) / 2}));
    if (!std::isfinite(std::norm(tilt.sum)) || tilt.sum == ptycho::Complex{})
        return Error{Code::invalid_argument,
                     "the object is 0 or not finite where its ramp is measured"};
    // The strongest tilt is a mean over the whole region: vacuum beside a wedge would stay tilted.
    auto const [down, along] = ptycho::common_gradient(z, box.rows, box.cols, {tilt.row, tilt.col});
    // The phase counts from the box.
    Ramp const ramp{down, along,
                    std::arg(ptycho::sum_under(z, box, down, along) *
                             std::polar(1.0, -(down * static_cast<double>(box.row) +
                                               along * static_cast<double>(box.col))))};
    index const slices = object.size() / (rows * cols);
    ptycho::turn_back(object, ramp, 1 / static_cast<double>(slices));
    return ramp;
}

Result<LitPart> lit_part(PtychographyResult const& result) {
    SLUICE_CHECK(ptycho::check_waves(result));
    if (result.positions.empty())
        return Error{Code::invalid_argument,
                     "the result has no positions (they say which part of the object was seen) "
                     "give them as they were found"};
    index const rows = result.object.shape[1], cols = result.object.shape[2];
    index const n = result.probe.shape[1];
    std::vector<double> probe(static_cast<std::size_t>(n * n));
    for (index i = 0; i < result.probe.size(); ++i)
        probe[static_cast<std::size_t>(i % (n * n))] +=
            std::norm(result.probe.values[static_cast<std::size_t>(i)]);
    // A sum for each pixel of a pattern is little beside an iteration, and the canvas may be large.
    std::vector<double> light(static_cast<std::size_t>(rows * cols));
    std::array<index, 2> low{rows, cols}, high{0, 0};
    for (Position const& p : result.positions) {
        auto const inside = [n](double at, index side) {
            return at > -0.5 && at < static_cast<double>(side - n) + 0.5;
        };
        if (!inside(p.row, rows) || !inside(p.col, cols))
            return Error{
                Code::invalid_argument,
                fmt::format("a window of {} pixels at ({:g}, {:g}) lies outside of the object of "
                            "{}x{} (an object holds all windows) give both as they were found",
                            n, p.row, p.col, rows, cols)};
        index const r = std::lround(p.row), c = std::lround(p.col);
        for (index i = 0; i < n; ++i)
            for (index k = 0; k < n; ++k)
                light[static_cast<std::size_t>((r + i) * cols + c + k)] +=
                    probe[static_cast<std::size_t>(i * n + k)];
        low = {std::min(low[0], r), std::min(low[1], c)};
        high = {std::max(high[0], r), std::max(high[1], c)};
    }
    LitPart part{.row = low[0] + n / 2,
                 .col = low[1] + n / 2,
                 .rows = high[0] - low[0] + 1,
                 .cols = high[1] - low[1] + 1};
    double const most = *std::ranges::max_element(light);
    for (index r = part.row; r < part.row + part.rows; ++r)
        for (index c = part.col; c < part.col + part.cols; ++c)
            part.lit.push_back(light[static_cast<std::size_t>(r * cols + c)] >= 0.1 * most);
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
    if (result.object.shape[0] == 1) ptycho::turn_back(result.probe, {ramp.row, ramp.col, 0}, -1);
    return ramp;
}

}  // namespace sluice::stem4d
