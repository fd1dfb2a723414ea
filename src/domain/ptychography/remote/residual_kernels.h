// Residuals of modelled patterns, as functors: weights of pixels, and sums of errors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>

#include "domain/ptychography/remote/places.h"
#include "domain/ptychography/step/poisson.h"
#include "domain/ptychography/step/residual_step.h"
#include "fft/frequency.h"
#include "sluice/ptychography.h"

namespace sluice::ptycho::remote {

/// The natural logarithm of a normal number above zero, to about a millionth, with the same bits on
/// every device: x = 2^e m with m in [1/sqrt 2, sqrt 2), ln m = 2 artanh((m - 1) / (m + 1)).
SLUICE_HD float logarithm(float x) {
    auto const bits = std::bit_cast<std::int32_t>(x) - 0x3f3504f3;
    auto const m = std::bit_cast<float>((bits & 0x7fffff) + 0x3f3504f3);
    float const t = (m - 1) / (m + 1), s = t * t;
    float const series = ((2.0f / 7 * s + 2.0f / 5) * s + 2.0f / 3) * s + 2;
    return t * series + static_cast<float>(bits >> 23) * 0.693147181f;
}

/// Of a pixel: dL/dM, and its part of the loss; as ptycho::weigh() has them.
struct Weighed {
    float weight, loss;
};
SLUICE_HD Weighed weighed(stem4d::Likelihood likelihood, float model, float counts, float count) {
    constexpr float tiny = 1e-9f;
    if (likelihood == stem4d::Likelihood::poisson) {
        auto const pixel =
            poisson_pixel(model, counts, count, [](float x) { return logarithm(x); });
        return {pixel.weight, pixel.loss};
    }
    if (likelihood == stem4d::Likelihood::gaussian) {
        float const d = model - counts;
        return {2 * d / (counts + 1), d * d / (counts + 1)};
    }
    float const root = std::sqrt(model + tiny), a = root - std::sqrt(counts);
    return {a / root, a * a};
}

/// Which pixels of a wave at the detector a detector's pixel adds up, along one axis.
struct Pixels {
    index n, detector, bin;
    bool near = false;  ///< both are images with the detector in the middle

    /// The b-th of them; else zero frequency is the first pixel of both.
    SLUICE_HD index in_wave(index pixel, index b) const {
        if (near) return (n - bin * detector) / 2 + pixel * bin + b;
        index const from_middle = (pixel + detector / 2) % detector * bin + b - bin * detector / 2;
        return from_middle < 0 ? from_middle + n : from_middle;
    }
    /// The detector's pixel that a pixel of the wave belongs to, or -1.
    SLUICE_HD index in_pattern(index i) const {
        index const seen = bin * detector;
        index const from_edge = near ? i - (n - seen) / 2 : fft::frequency(i, n) + seen / 2;
        if (from_edge < 0 || from_edge >= seen) return -1;
        return near ? from_edge / bin : (from_edge / bin + detector - detector / 2) % detector;
    }
};

/// Quantities of errors that patterns have on a device: amplitude, model, difference, loss; and
/// Gradients::slopes.
constexpr index errors_of_groups = 4;
constexpr index quantities = errors_of_groups + parts_of_residual;

/// Weights of a pattern's pixels, and sums of errors down its columns. Element = a column of a
/// pattern, so that neighbours read neighbours. Columns are short enough for float.
template <class T>
struct WeighPixels {
    Some some;
    Z const* spectra;         ///< [slot][mode][pixel], not scaled; of a near field waves
    T const* counts;          ///< [pattern][row][col]
    std::uint8_t const* bad;  ///< null: none
    Pixels pixels;
    index modes;
    stem4d::Likelihood likelihood;
    bool slopes;      ///< whether they are wanted
    float* weights;   ///< [slot][row][col] of the pattern
    float* sums;      ///< [slot][quantity][col]
    float count = 1;  ///< the value of one count

    SLUICE_HD float model(index slot, index r, index c) const {
        index const n = pixels.n;
        float sum = 0;
        for (index k = 0; k < modes; ++k)
            for (index b = 0; b < pixels.bin * pixels.bin; ++b) {
                Z const z =
                    spectra[(slot * modes + k) * n * n + pixels.in_wave(r, b / pixels.bin) * n +
                            pixels.in_wave(c, b % pixels.bin)];
                sum += z.re * z.re + z.im * z.im;
            }
        return pixels.near ? sum : sum / static_cast<float>(n * n);
    }

    SLUICE_HD void operator()(index i) const {
        index const side = pixels.detector, slot = i / side, c = i % side;
        T const* const measured = counts + some.pattern(slot) * side * side;
        float all[quantities] = {};
        for (index r = 0; r < side; ++r) {
            index const p = r * side + c;
            float& weight = weights[slot * side * side + p];
            weight = 0;
            if (bad && bad[p]) continue;
            float const here = model(slot, r, c), there = static_cast<float>(measured[p]);
            Weighed const w = weighed(likelihood, here, there, count);
            float const apart = std::sqrt(here) - std::sqrt(there);
            weight = w.weight;
            all[0] += apart * apart;
            all[1] += here;
            all[2] += (here - there) * (here - there);
            all[3] += w.loss;
            for (index k = 0; slopes && k < parts_of_residual; ++k)
                all[errors_of_groups + k] += slope_at(residual_part(k), w.weight, here, there);
        }
        for (index k = 0; k < quantities; ++k) sums[(slot * quantities + k) * side + c] = all[k];
    }
};

/// Spectra times their pixels' weights.
struct ApplyWeights {
    float const* weights;
    Pixels pixels;
    index modes;
    Z* spectra;

    SLUICE_HD void operator()(index i) const {
        index const n = pixels.n, q = i % (n * n), slot = i / (n * n) / modes;
        index const r = pixels.in_pattern(q / n), c = pixels.in_pattern(q % n);
        float const w =
            r < 0 || c < 0 ? 0 : weights[(slot * pixels.detector + r) * pixels.detector + c];
        spectra[i] = spectra[i] * w;
    }
};

/// The sum of each row of numbers, in double.
struct AddRows {
    float const* from;
    index length;
    double* to;

    SLUICE_HD void operator()(index i) const {
        double sum = 0;
        for (index k = 0; k < length; ++k) sum += static_cast<double>(from[i * length + k]);
        to[i] = sum;
    }
};

/// The errors of groups: [group][errors_of_groups + 1], sums in the group's order, and last the
/// first slot of the iteration whose numbers are not finite, or -1.
struct AddErrors {
    double const* errors;        ///< [slot of the iteration][quantity]
    std::int32_t const* begins;  ///< [group + 1], slots of the iteration
    double* sums;

    SLUICE_HD static bool is_number(double x) { return x - x == 0; }

    SLUICE_HD void operator()(index i) const {
        index const group = i / (errors_of_groups + 1), k = i % (errors_of_groups + 1);
        double sum = k < errors_of_groups ? 0 : -1;
        for (index s = begins[group]; s < begins[group + 1]; ++s) {
            double const* const mine = errors + s * quantities;
            if (k < errors_of_groups)
                sum += mine[k];
            else if (sum < 0 && !(is_number(mine[0]) && is_number(mine[1])))
                sum = static_cast<double>(s);
        }
        sums[i] = sum;
    }
};

}  // namespace sluice::ptycho::remote
