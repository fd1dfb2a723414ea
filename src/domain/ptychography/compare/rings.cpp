// ring_correlation(): sums over rings of two spectra, and where they fall below the half-bit curve.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "domain/ptychography/compare/overlay.h"
#include "fft/fft.h"

namespace sluice::ptycho {

namespace {

using stem4d::RingCorrelation;

struct Ring {
    double product = 0, a = 0, b = 0;
    index pixels = 0;
};

// Ring i holds the frequencies about i / short side, in cycles per pixel.
std::vector<Ring> rings_of(Plane const& a, Plane const& b, index rows, index cols) {
    index const side = std::min(rows, cols);
    std::vector<Ring> rings(static_cast<std::size_t>(side / 2 + 1));
    for (index k = 0; k < rows; ++k)
        for (index l = 0; l < cols; ++l) {
            auto const y = static_cast<double>(std::min(k, rows - k)) / static_cast<double>(rows);
            auto const x = static_cast<double>(std::min(l, cols - l)) / static_cast<double>(cols);
            auto const number =
                static_cast<std::size_t>(std::lround(std::hypot(y, x) * static_cast<double>(side)));
            if (number >= rings.size()) continue;
            auto const at = static_cast<std::size_t>(k * cols + l);
            Ring& ring = rings[number];
            ring.product += (a[at] * std::conj(b[at])).real();
            ring.a += std::norm(a[at]);
            ring.b += std::norm(b[at]);
            ++ring.pixels;
        }
    return rings;
}

// Where the line between two points of each curve meets; the first time.
void find_crossing(RingCorrelation& found) {
    auto const& f = found.frequency;
    for (std::size_t i = 0; i < f.size(); ++i) {
        double const above = found.correlation[i] - found.threshold[i];
        if (above >= 0) continue;
        double at = f[i];
        if (i > 0) {
            double const before = found.correlation[i - 1] - found.threshold[i - 1];
            at = f[i - 1] + (f[i] - f[i - 1]) * before / (before - above);
        }
        found.resolution = 1 / at;
        found.crossed = true;
        return;
    }
    found.resolution = 1 / f.back();
}

}  // namespace

}  // namespace sluice::ptycho

namespace sluice::stem4d {

Result<RingCorrelation> ring_correlation(Array<std::complex<float>> const& a,
                                         Array<std::complex<float>> const& b, double pixel_nm) {
    if (a.shape.size() != 2 || a.shape != b.shape || a.shape[0] < 16 || a.shape[1] < 16 ||
        a.size() != a.shape[0] * a.shape[1] || b.size() != a.size())
        return Error{Code::invalid_argument,
                     "the two objects must be [row][col] of one shape, with 16 pixels a side or "
                     "more (smaller rings have too few pixels) reconstruct a larger part"};
    index const rows = a.shape[0], cols = a.shape[1];
    SLUICE_TRY(auto const laid, ptycho::overlay(b, a, {}, {4, 4}));
    auto flat = a;
    // Both without a's ramp, which would move its spectrum.
    SLUICE_TRY(auto const ramp, remove_ramp(flat));
    auto other = laid.object;
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c)
            other.values[static_cast<std::size_t>(r * cols + c)] *=
                static_cast<std::complex<float>>(
                    std::polar(1.0, -(ramp.row * static_cast<double>(r) +
                                      ramp.col * static_cast<double>(c) + ramp.phase)));
    SLUICE_TRY(auto const plan, fft::Plan<double>::make({.shape = {rows, cols}}));
    auto x = ptycho::windowed(flat), y = ptycho::windowed(other);
    SLUICE_CHECK(plan.forward(x));
    SLUICE_CHECK(plan.forward(y));
    auto const rings = ptycho::rings_of(x, y, rows, cols);
    RingCorrelation found{.shift = {-laid.shift.row, -laid.shift.col}};
    double const pixel = pixel_nm > 0 ? pixel_nm : 1;
    for (std::size_t i = 1; i < rings.size(); ++i) {
        ptycho::Ring const& ring = rings[i];
        double const both = std::sqrt(ring.a * ring.b);
        double const root = std::sqrt(static_cast<double>(ring.pixels) / 2.25);
        found.frequency.push_back(static_cast<double>(i) /
                                  (static_cast<double>(std::min(rows, cols)) * pixel));
        found.correlation.push_back(both > 0 ? ring.product / both : 0);
        found.threshold.push_back((0.2071 + 1.9102 / root) / (1.2071 + 0.9102 / root));
    }
    ptycho::find_crossing(found);
    return found;
}

}  // namespace sluice::stem4d
