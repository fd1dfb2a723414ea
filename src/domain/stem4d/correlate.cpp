// Correlation coefficients of two images at every whole shift.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/correlate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "domain/stem4d/smooth_size.h"
#include "fft/fft.h"

namespace sluice::stem4d {
namespace {

using Complex = fft::Complex<double>;
using Spectrum = std::vector<Complex>;

// An image on a larger grid of zeros: where it is known, its values about their mean, their
// squares.
struct Padded {
    Spectrum known, value, square;
    double power = 0;  // mean square of a value
};

struct PaddedGrid {
    index rows, cols;
    fft::Plan<double> plan;

    Spectrum transformed(std::vector<double> const& samples) const {
        Spectrum out(static_cast<std::size_t>(rows * (cols / 2 + 1)));
        if (!plan.forward(std::span<double const>(samples), std::span<Complex>(out))) out.clear();
        return out;
    }
    // sum over p of a(p) b(p + shift), for all shifts, modulo the grid.
    std::vector<double> correlated(Spectrum const& a, Spectrum const& b) const {
        Spectrum product(a.size());
        for (std::size_t i = 0; i < a.size(); ++i) product[i] = std::conj(a[i]) * b[i];
        std::vector<double> out(static_cast<std::size_t>(rows * cols));
        if (!plan.inverse(std::span<Complex const>(product), std::span<double>(out))) out.clear();
        return out;
    }
};

Padded padded(Array<double> const& image, PaddedGrid const& grid) {
    std::size_t const size = static_cast<std::size_t>(grid.rows * grid.cols);
    std::vector<double> known(size), value(size), square(size);
    double mean = 0, count = 0;
    for (double const v : image.values)
        if (std::isfinite(v)) mean += v, ++count;
    mean /= std::max(count, 1.0);
    Padded out;
    index const cols = image.shape[1];
    for (index i = 0; i < image.size(); ++i) {
        double const v = image.values[static_cast<std::size_t>(i)];
        if (!std::isfinite(v)) continue;
        auto const at = static_cast<std::size_t>(i / cols * grid.cols + i % cols);
        known[at] = 1, value[at] = v - mean, square[at] = (v - mean) * (v - mean);
        out.power += square[at] / count;
    }
    out.known = grid.transformed(known);
    out.value = grid.transformed(value);
    out.square = grid.transformed(square);
    return out;
}

// The sums over what overlaps, and what they say.
struct OverlapSums {
    double n, a, b, aa, bb, ab;
};
double coefficient(OverlapSums const& s, double least, double power_a, double power_b) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    if (s.n < least) return nan;
    double const va = s.aa - s.a * s.a / s.n, vb = s.bb - s.b * s.b / s.n;
    // Rounding of the transforms is no structure.
    constexpr double flat = 1e-9;
    if (!(va > flat * s.n * power_a) || !(vb > flat * s.n * power_b)) return nan;
    return std::clamp((s.ab - s.a * s.b / s.n) / std::sqrt(va * vb), -1.0, 1.0);
}

// Whole numbers, whatever the transforms' rounding.
double most_of(std::vector<double>& points) {
    double most = 0;
    for (double& n : points) most = std::max(most, n = std::round(n));
    return most;
}

double least_of(double most, double part) {
    return std::max(part * most, 9.0);
}

Correlogram empty_correlogram(index rows, index cols) {
    Correlogram out{.most_rows = rows, .most_cols = cols, .value = {}, .points = {}};
    out.value.assign(static_cast<std::size_t>((2 * rows + 1) * (2 * cols + 1)), 0.0);
    out.points = out.value;
    return out;
}

}  // namespace

Result<Correlogram> correlate(Array<double> const& reference, Array<double> const& image,
                              index most_rows, index most_cols, double least_part) {
    index const rows = smooth_size(reference.shape[0] + most_rows);
    index const cols = smooth_size(reference.shape[1] + most_cols);
    SLUICE_TRY(auto plan,
               fft::Plan<double>::make({.shape = {rows, cols}, .numbers = fft::Numbers::real}));
    PaddedGrid const grid{rows, cols, std::move(plan)};
    Padded const a = padded(reference, grid), b = padded(image, grid);
    std::vector<double> n = grid.correlated(a.known, b.known);
    std::vector<double> const sum_a = grid.correlated(a.value, b.known),
                              sum_b = grid.correlated(a.known, b.value),
                              sum_aa = grid.correlated(a.square, b.known),
                              sum_bb = grid.correlated(a.known, b.square),
                              sum_ab = grid.correlated(a.value, b.value);
    for (std::vector<double> const* sum : std::initializer_list<std::vector<double> const*>{
             &n, &sum_a, &sum_b, &sum_aa, &sum_bb, &sum_ab})
        if (sum->empty()) return fft::out_of_memory({rows, cols});
    Correlogram out = empty_correlogram(most_rows, most_cols);
    out.all = most_of(n);
    for (index r = -most_rows; r <= most_rows; ++r)
        for (index c = -most_cols; c <= most_cols; ++c) {
            auto const from =
                static_cast<std::size_t>((r + rows) % rows * cols + (c + cols) % cols);
            auto const to = static_cast<std::size_t>(out.at(r, c));
            out.points[to] = n[from];
            out.value[to] = coefficient(
                {n[from], sum_a[from], sum_b[from], sum_aa[from], sum_bb[from], sum_ab[from]},
                least_of(out.all, least_part), a.power, b.power);
        }
    return out;
}

Correlogram correlate_slowly(Array<double> const& reference, Array<double> const& image,
                             index most_rows, index most_cols, double least_part) {
    index const rows = reference.shape[0], cols = reference.shape[1];
    Correlogram out = empty_correlogram(most_rows, most_cols);
    std::vector<OverlapSums> all(out.value.size());
    for (index r = -most_rows; r <= most_rows; ++r)
        for (index c = -most_cols; c <= most_cols; ++c)
            for (index i = 0; i < rows * cols; ++i) {
                index const row = i / cols + r, col = i % cols + c;
                if (row < 0 || col < 0 || row >= rows || col >= cols) continue;
                double const a = reference.values[static_cast<std::size_t>(i)];
                double const b = image.values[static_cast<std::size_t>(row * cols + col)];
                if (!std::isfinite(a) || !std::isfinite(b)) continue;
                OverlapSums& s = all[static_cast<std::size_t>(out.at(r, c))];
                s.n += 1, s.a += a, s.b += b, s.aa += a * a, s.bb += b * b, s.ab += a * b;
            }
    for (std::size_t i = 0; i < all.size(); ++i) out.points[i] = all[i].n;
    out.all = most_of(out.points);
    for (std::size_t i = 0; i < all.size(); ++i)
        out.value[i] = coefficient(all[i], least_of(out.all, least_part), 0, 0);
    return out;
}

}  // namespace sluice::stem4d
