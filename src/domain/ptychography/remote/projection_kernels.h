// Generalised projections as functors: every pattern's waves behind the object are kept.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/remote/residual_kernels.h"

namespace sluice::ptycho::remote {

/// (1 - c) psi + c v.
struct MixWaves {
    Z const *kept, *views;
    float c;
    Z* out;

    SLUICE_HD void operator()(index i) const { out[i] = kept[i] * (1 - c) + views[i] * c; }
};

/// psi becomes (1 - a - b) psi + a v + b m.
struct UpdateWaves {
    Z const *views, *mixed;
    float a, b;
    Z* kept;

    SLUICE_HD void operator()(index i) const {
        kept[i] = kept[i] * (1 - a - b) + views[i] * a + mixed[i] * b;
    }
};

/// Puts measured moduli into spectra, as far as a pattern's mean squared error is above the bound.
/// Element = a pixel of a pattern.
template <class T>
struct SetModuli {
    Some some;
    T const* counts;          ///< [pattern][pixel]
    std::uint8_t const* bad;  ///< null: none
    double const* errors;     ///< [slot][quantity], of the spectra
    double bound;
    index pixels, modes;
    float unit;  ///< of intensities
    Z* spectra;  ///< [slot][mode][pixel]

    SLUICE_HD void operator()(index i) const {
        index const q = i % pixels, slot = i / pixels;
        double const mean = errors[slot * quantities] / static_cast<double>(pixels);
        if (mean <= bound || (bad && bad[q])) return;
        Z* const mine = spectra + slot * modes * pixels + q;
        float sum = 0;
        for (index k = 0; k < modes; ++k) {
            Z const z = mine[k * pixels];
            sum += z.re * z.re + z.im * z.im;
        }
        float const now = std::sqrt(sum * unit);
        if (now == 0) return;
        float const measured =
            std::sqrt(static_cast<float>(counts[some.pattern(slot) * pixels + q]));
        auto const rest = static_cast<float>(std::sqrt(bound / mean));
        float const factor = (measured + (now - measured) * rest) / now;
        for (index k = 0; k < modes; ++k) mine[k * pixels] = mine[k * pixels] * factor;
    }
};

/// O = (sum P* psi + d O) / (sum |P|^2 + d). Element = a pixel of a tile.
struct FitObject {
    Tiles tiles;
    Z const* sum;
    float const* light;
    float inertia;
    Z* object;

    SLUICE_HD void operator()(index i) const {
        index const at = tiles.pixel(i);
        if (at >= 0) object[at] = (sum[at] + object[at] * inertia) * (1 / (light[i] + inertia));
    }
};

/// P = (sum O* psi + d P) / (sum |O|^2 + d), in the order of the patterns; how far it moved, and
/// its length: [2][mode][pixel]. Element = a pixel of a mode.
struct FitProbe {
    Some all;
    index count, n, modes;
    Z const* object;
    CanvasShape canvas;
    Z const* kept;       ///< [pattern][mode][pixel]
    float const* power;  ///< sum |O|^2: [pixel]
    float* moved;
    Z* probe;

    SLUICE_HD void operator()(index i) const {
        constexpr float inertia = 1e-9f;
        index const q = i % (n * n), of_pattern = n * n * modes;
        Z sum{};
        for (index s = 0; s < count; ++s)
            sum =
                sum + object[canvas.at(all.corner(s), q, n)].conjugate() * kept[s * of_pattern + i];
        Z const old = probe[i], now = (sum + old * inertia) * (1 / (power[q] + inertia));
        Z const apart = now - old;
        probe[i] = now;
        moved[i] = apart.re * apart.re + apart.im * apart.im;
        moved[of_pattern + i] = old.re * old.re + old.im * old.im;
    }
};

}  // namespace sluice::ptycho::remote
