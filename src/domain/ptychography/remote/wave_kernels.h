// Waves of a group's patterns as functors: the moved probe, through slices, and the way back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/remote/places.h"
#include "fft/frequency.h"

namespace sluice::ptycho::remote {

/// exp(2 pi i turns) of up to a quarter of a turn, by products and sums alone: the same bits on
/// every device. Taylor's series; what is left is below 1e-16.
SLUICE_HD Z turned(double turns) {
    double const x = 6.283185307179586 * turns, square = x * x;
    double sine = 1, cosine = 1;
    for (int k = 10; k > 0; --k) {
        sine = 1 - square * sine / (2 * k * (2 * k + 1));
        cosine = 1 - square * cosine / (2 * k * (2 * k - 1));
    }
    return {static_cast<float>(cosine), static_cast<float>(x * sine)};
}

/// exp(-2 pi i k d / n) for each pattern, [slot][rows, columns][n]: what moves the probe's
/// spectrum.
struct MakeFactors {
    Some some;
    index n;
    Z* factors;

    SLUICE_HD void operator()(index i) const {
        index const k = i % n, axis = i / n % 2;
        Corner const& corner = some.corner(i / n / 2);
        double const d = axis ? corner.col_part : corner.row_part;
        factors[i] =
            turned(-d * static_cast<double>(fft::frequency(k, n)) / static_cast<double>(n));
    }
};

/// The factor of a pixel q of a spectrum.
SLUICE_HD Z factor_of(Z const* factors, index slot, index q, index n) {
    Z const* const mine = factors + slot * 2 * n;
    return mine[q / n] * mine[n + q % n];
}

/// The probe's spectra moved for each pattern: [slot][mode][pixel].
struct MoveProbe {
    Z const* spectra;  ///< [mode][pixel]
    Z const* factors;
    index n, modes;
    Z* out;

    SLUICE_HD void operator()(index i) const {
        index const q = i % (n * n), slot = i / (n * n) / modes;
        out[i] = spectra[i % (n * n * modes)] * factor_of(factors, slot, q, n);
    }
};

/// Spectra of what is wrong with a pattern's probe as those of the probe that all share.
struct MoveBack {
    Z const* factors;
    index n, modes;
    Z* data;

    SLUICE_HD void operator()(index i) const {
        index const q = i % (n * n), slot = i / (n * n) / modes;
        data[i] = data[i] * factor_of(factors, slot, q, n).conjugate();
    }
};

/// dL/d(row, col) of a pattern's position down a column: [slot][2][n]. The moved spectrum's
/// derivative by d is -i 2 pi / n times frequency times itself. Element = a column of a spectrum.
struct PositionSlopes {
    Z const* spectra;    ///< of the probe, [mode][pixel]
    Z const* factors;    ///< that move it
    Z const* gradients;  ///< spectra, [slot][mode][pixel]
    index n, modes;
    float* sums;

    SLUICE_HD void operator()(index i) const {
        index const slot = i / n, c = i % n, pixels = n * n;
        float weighted = 0, plain = 0;
        for (index r = 0; r < n; ++r) {
            index const q = r * n + c;
            Z const factor = factor_of(factors, slot, q, n);
            float turned = 0;
            for (index k = 0; k < modes; ++k) {
                Z const z = gradients[(slot * modes + k) * pixels + q].conjugate() *
                            (spectra[k * pixels + q] * factor);
                turned += z.im;
            }
            weighted += turned * static_cast<float>(fft::frequency(r, n));
            plain += turned;
        }
        // Both spectra are n times as long as orthonormal ones.
        float const unit = 12.566370614f / static_cast<float>(n * pixels);
        sums[slot * 2 * n + c] = unit * weighted;
        sums[slot * 2 * n + n + c] = unit * plain * static_cast<float>(fft::frequency(c, n));
    }
};

/// What enters a slice, for each pattern or the same for all.
struct Entry {
    Z const* waves;  ///< [slot][mode][pixel], or [mode][pixel]
    bool is_shared;

    SLUICE_HD Z at(index i, index of_pattern) const {
        return waves[is_shared ? i % of_pattern : i];
    }
};

/// Through a slice: [slot][mode][pixel].
struct PassSlice {
    Some some;
    Entry entry;
    Z const* object;
    CanvasShape canvas;
    index n, modes;
    Z* out;

    SLUICE_HD void operator()(index i) const {
        index const q = i % (n * n), of_pattern = n * n * modes;
        out[i] = entry.at(i, of_pattern) * object[canvas.at(some.corner(i / of_pattern), q, n)];
    }
};

/// The way back: times the slice's conjugate.
struct PassBack {
    Some some;
    Z const* object;
    CanvasShape canvas;
    index n, modes;
    Z* waves;

    SLUICE_HD void operator()(index i) const {
        index const q = i % (n * n), slot = i / (n * n) / modes;
        waves[i] = waves[i] * object[canvas.at(some.corner(slot), q, n)].conjugate();
    }
};

/// Spectra times the propagator from slice to slice, or its adjoint.
struct Propagate {
    Z const* by;
    index pixels;
    bool is_back;
    Z* spectra;

    SLUICE_HD void operator()(index i) const {
        Z const z = by[i % pixels];
        spectra[i] = spectra[i] * (is_back ? z.conjugate() : z);
    }
};

}  // namespace sluice::ptycho::remote
