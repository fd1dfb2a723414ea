// The single side band: what each pattern has beyond the probe's own, taken back to the object, and
// divided by what a wave of the object leaves there.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/start/single_side_band.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "domain/ptychography/overlap.h"
#include "domain/ptychography/step/optics.h"
#include "fft/frequency.h"

namespace sluice::ptycho {

namespace {

using Complex = std::complex<double>;

// At most so many pixels that count: of more, every other one is enough.
constexpr index most_pixels = 4096;
constexpr double expected_rad = 0.3;
// Of the largest power, what is added to all: where a wave of the object changes patterns little,
// second orders of strong phases change them more.
constexpr double added_power = 0.1;

// What a pixel's difference from the probe's own pattern weighs: one over its variance, and little
// where the direct beam does not go.
std::vector<double> weights_of(std::vector<Complex> const& spectrum,
                               std::vector<std::uint8_t> bad) {
    double most = 0;
    for (auto const& z : spectrum) most = std::max(most, std::norm(z));
    std::vector<double> weights;
    for (std::size_t q = 0; q < spectrum.size(); ++q) {
        double const beam = std::norm(spectrum[q]);
        bool const counts = beam > 0.01 * most && (bad.empty() || !bad[q]);
        weights.push_back(counts ? 1 / (beam + 0.01 * most) : 0);
    }
    return weights;
}

// Sums over the patterns of 2 Im(conj(P) F^-1(w (I - |p|^2) p)), each where its window lies.
class Gathered {
  public:
    Gathered(Measured const& measured, Share const& share, Canvas const& canvas,
             std::vector<Complex> probe, std::vector<Complex> spectrum, std::vector<double> weights,
             fft::Plan<double> plan)
        : measured_(measured),
          share_(share),
          canvas_(canvas),
          probe_(std::move(probe)),
          spectrum_(std::move(spectrum)),
          weights_(std::move(weights)),
          plan_(std::move(plan)) {}

    std::vector<double> sum(int threads) {
        index const n = measured_.patterns.size;
        std::vector<double> sums(static_cast<std::size_t>(canvas_.rows * canvas_.cols));
        // Patterns at a time, so that memory does not grow with the scan.
        constexpr index some = 64;
        index const end = share_.first() + share_.count();
        std::vector<std::vector<double>> windows(some);
        for (index first = share_.first(); first < end; first += some) {
            std::vector<WindowPlace> places;
            for (index j = first; j < std::min(first + some, end); ++j)
                places.push_back(place_of(canvas_.corners[static_cast<std::size_t>(j)], false));
            parallel_for(std::ssize(places), threads, 1, [&](index w, int) {
                windows[static_cast<std::size_t>(w)] = window_of(first + w);
            });
            each_canvas_row<double>(
                places, n, {canvas_.rows, canvas_.cols}, 1, threads,
                [&](index w, index row, double* const* to) {
                    double const* const from =
                        windows[static_cast<std::size_t>(w)].data() + row * n;
                    for (index c = 0; c < n; ++c) to[0][c] += from[c];
                },
                [&](index y, index left, index right, double* const* row) {
                    for (index x = left; x < right; ++x)
                        sums[static_cast<std::size_t>(y * canvas_.cols + x)] += row[0][x];
                });
        }
        share_.sum(std::span(sums));
        return sums;
    }

  private:
    std::vector<double> window_of(index j) const {
        auto const counts = counts_of<double>(measured_, j);
        // The zero frequency says nothing about phases.
        double measured = 0, expected = 0;
        for (std::size_t q = 0; q < counts.size(); ++q)
            if (weights_[q] > 0) {
                measured += counts[q];
                expected += std::norm(spectrum_[q]);
            }
        double const bright = expected > 0 ? measured / expected : 1;
        std::vector<Complex> wave(counts.size());
        for (std::size_t q = 0; q < counts.size(); ++q)
            if (weights_[q] > 0)
                wave[q] =
                    weights_[q] * (counts[q] - bright * std::norm(spectrum_[q])) * spectrum_[q];
        // A window's transform takes the memory that it was planned with.
        if (!plan_.inverse(wave)) return std::vector<double>(counts.size());
        auto const unit = 2 * static_cast<double>(measured_.patterns.size);  // orthonormal
        std::vector<double> found;
        for (std::size_t i = 0; i < wave.size(); ++i)
            found.push_back(unit * (std::conj(probe_[i]) * wave[i]).imag());
        return found;
    }

    Measured const& measured_;
    Share const& share_;
    Canvas const& canvas_;
    std::vector<Complex> probe_, spectrum_;
    std::vector<double> weights_;
    fft::Plan<double> plan_;
};

// Windows that begin in a pixel of the scanned area, on average.
double density_of(Canvas const& canvas) {
    double area = 1;
    for (auto const axis : {&stem4d::Position::row, &stem4d::Position::col}) {
        auto const [low, high] = std::ranges::minmax(
            canvas.corners, {}, [&](stem4d::Position const& p) { return p.*axis; });
        area *= std::max(high.*axis - low.*axis + canvas.nearest, 1.0);
    }
    return static_cast<double>(canvas.corners.size()) / area;
}

double between(std::vector<double> const& plane, index n, double row, double col) {
    double const y = std::floor(row), x = std::floor(col);
    auto const at = [&](double r, double c) {
        index const i = (static_cast<index>(r) + 2 * n) % n,
                    k = (static_cast<index>(c) + 2 * n) % n;
        return plane[static_cast<std::size_t>(i * n + k)];
    };
    double const v = row - y, u = col - x;
    return (1 - v) * ((1 - u) * at(y, x) + u * at(y, x + 1)) +
           v * ((1 - u) * at(y + 1, x) + u * at(y + 1, x + 1));
}

}  // namespace

std::vector<double> side_band_power(std::vector<Complex> const& spectrum,
                                    std::vector<double> const& weights, index n, int threads) {
    std::vector<index> pixels;
    for (index q = 0; q < n * n; ++q)
        if (weights[static_cast<std::size_t>(q)] > 0) pixels.push_back(q);
    index const by = std::ssize(pixels) / most_pixels + 1;
    std::vector<double> power(static_cast<std::size_t>(n * n));
    parallel_for(n, threads, 1, [&](index row, int) {
        for (index col = 0; col < n; ++col) {
            double sum = 0;
            for (std::size_t i = 0; i < pixels.size(); i += static_cast<std::size_t>(by)) {
                index const k = pixels[i] / n, l = pixels[i] % n;
                auto const p = spectrum[static_cast<std::size_t>(pixels[i])];
                auto const before =
                    spectrum[static_cast<std::size_t>((k - row + n) % n * n + (l - col + n) % n)];
                auto const behind =
                    spectrum[static_cast<std::size_t>((k + row) % n * n + (l + col) % n)];
                sum += weights[static_cast<std::size_t>(pixels[i])] *
                       std::norm(std::conj(p) * before - p * std::conj(behind));
            }
            power[static_cast<std::size_t>(row * n + col)] = static_cast<double>(by) * sum;
        }
    });
    return power;
}

template <class Real>
Result<std::vector<double>> single_side_band(Measured const& measured, Share const& share,
                                             Canvas const& canvas, Planar<Real> const& probe,
                                             int threads) {
    index const n = measured.patterns.size;
    SLUICE_TRY(auto plan, fft::Plan<double>::make({.shape = {n, n}}));
    SLUICE_TRY(auto const canvas_plan,
               fft::Plan<double>::make({.shape = {canvas.rows, canvas.cols}}));
    std::vector<Complex> wave;
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c) wave.emplace_back(probe.at(r, c));
    auto spectrum = wave;
    SLUICE_CHECK(plan.forward(spectrum));
    for (auto& z : spectrum) z /= static_cast<double>(n);
    auto const weights = weights_of(spectrum, measured.patterns.bad);
    auto const power = side_band_power(spectrum, weights, n, threads);
    Gathered gathered(measured, share, canvas, std::move(wave), std::move(spectrum), weights,
                      std::move(plan));
    auto const sums = gathered.sum(threads);
    std::vector<Complex> waves(sums.begin(), sums.end());
    SLUICE_CHECK(canvas_plan.forward(waves, threads));
    double const density = density_of(canvas);
    double const most = *std::max_element(power.begin(), power.end());
    double const least = std::max(added_power * most, 1 / (density * expected_rad * expected_rad));
    for (index r = 0; r < canvas.rows; ++r)
        for (index c = 0; c < canvas.cols; ++c) {
            auto const by = [&](index i, index size) {
                return static_cast<double>(fft::frequency(i, size) * n) / static_cast<double>(size);
            };
            double const here = between(power, n, by(r, canvas.rows), by(c, canvas.cols));
            waves[static_cast<std::size_t>(r * canvas.cols + c)] /= density * (here + least);
        }
    waves.front() = 0;  // a phase of the whole object
    SLUICE_CHECK(canvas_plan.inverse(waves, threads));
    std::vector<double> phases;
    for (auto const& z : waves) phases.push_back(z.real());
    return phases;
}

template Result<std::vector<double>> single_side_band(Measured const&, Share const&, Canvas const&,
                                                      Planar<float> const&, int);
template Result<std::vector<double>> single_side_band(Measured const&, Share const&, Canvas const&,
                                                      Planar<double> const&, int);

}  // namespace sluice::ptycho
