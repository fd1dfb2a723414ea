// riCOM by Fourier transforms: one of the field, whose components are the parts of complex numbers.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>

#include "domain/stem4d/gradient.h"
#include "domain/stem4d/smooth_size.h"
#include "fft/fft.h"
#include "sluice/stem4d_ricom.h"

namespace sluice::stem4d {
namespace {

using Complex = fft::Complex<double>;

// Re((u + i v)(x - i y)) = u x + v y, on a grid that repeats.
std::vector<Complex> kernel_of(index rows, index cols, index down, index across) {
    std::vector<Complex> out(static_cast<std::size_t>(rows * cols));
    for (index r = -down; r <= down; ++r)
        for (index c = -across; c <= across; ++c) {
            if (r == 0 && c == 0) continue;
            auto const x = static_cast<double>(r), y = static_cast<double>(c);
            double const scale = 2 * std::numbers::pi * (x * x + y * y);
            out[static_cast<std::size_t>((r + rows) % rows * cols + (c + cols) % cols)] = {
                x / scale, -y / scale};
        }
    return out;
}

}  // namespace

Result<Array<double>> ricom(Array<double> const& row, Array<double> const& col, index kernel) {
    SLUICE_CHECK(check_field(row, col));
    if (kernel < 1)
        return Error{Code::invalid_argument,
                     fmt::format("a kernel of {} points has none; give 1 or more", kernel)};
    index const rows = row.shape[0], cols = row.shape[1];
    // One that reaches beyond the scan sees nothing more there. So many zeros keep its ends apart.
    index const down = std::min(kernel, rows - 1), across = std::min(kernel, cols - 1);
    index const high = smooth_size(rows + down), wide = smooth_size(cols + across);
    Point const mean = mean_of(row, col).mean;
    std::vector<Complex> field(static_cast<std::size_t>(high * wide));
    for (index i = 0; i < row.size(); ++i) {
        auto const at = static_cast<std::size_t>(i);
        if (is_known(row.values[at], col.values[at]))
            field[static_cast<std::size_t>(i / cols * wide + i % cols)] = {
                row.values[at] - mean.row, col.values[at] - mean.col};
    }
    std::vector<Complex> near = kernel_of(high, wide, down, across);
    SLUICE_TRY(auto const plan, fft::Plan<double>::make({.shape = {high, wide}}));
    SLUICE_CHECK(plan.forward(std::span<Complex>(field)));
    SLUICE_CHECK(plan.forward(std::span<Complex>(near)));
    for (std::size_t i = 0; i < field.size(); ++i) field[i] *= near[i];
    SLUICE_CHECK(plan.inverse(std::span<Complex>(field)));
    Array<double> out = Array<double>::zeros(row.shape);
    for (index i = 0; i < row.size(); ++i) {
        auto const at = static_cast<std::size_t>(i);
        out.values[at] = is_known(row.values[at], col.values[at])
                             ? field[static_cast<std::size_t>(i / cols * wide + i % cols)].real()
                             : std::numeric_limits<double>::quiet_NaN();
    }
    return out;
}

}  // namespace sluice::stem4d
