// What solvers do with sums of gradients, as functors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "domain/ptychography/remote/places.h"

namespace sluice::ptycho::remote {

/// What a pixel's step is divided by.
struct Divisor {
    enum class Kind : std::uint8_t { peak, shared, damped };
    Kind kind;
    float* peak;         ///< the largest weight, on the device
    float times;         ///< of the peak: what it is multiplied by, where that is all
    float part;          ///< of the peak: regularisation, or damping
    float const* local;  ///< weights

    SLUICE_HD float at(index i) const {
        if (kind == Kind::peak) return *peak * times;
        float const far = part * *peak;
        if (kind == Kind::shared) return (1 - part) * local[i] + far;
        return std::sqrt(local[i] * local[i] + far * far);
    }
};

/// z += by * sum / divisor. Element = a pixel of a tile, of one slice.
struct StepTiles {
    Tiles tiles;
    Z const* sum;
    float by;
    Divisor divisor;  ///< its weights are those of the tiles' pixels
    Z* z;

    SLUICE_HD void operator()(index i) const {
        index const at = tiles.pixel(i);
        if (at >= 0) z[at] = z[at] + sum[at] * (by / divisor.at(i));
    }
};

/// The same for modes of the probe: [mode][pixel].
struct StepProbe {
    Z const* sum;
    float by;
    Divisor divisor;
    index pixels;
    Z* z;

    SLUICE_HD void operator()(index i) const {
        z[i] = z[i] + sum[i] * (by / divisor.at(i % pixels));
    }
};

/// z += by * way, where the group is.
struct AddTiles {
    Tiles tiles;
    Z const* way;
    float by;
    Z* z;

    SLUICE_HD void operator()(index i) const {
        index const at = tiles.pixel(i);
        if (at >= 0) z[at] = z[at] + way[at] * by;
    }
};
/// The same for all numbers.
struct AddScaled {
    Z const* way;
    float by;
    Z* z;

    SLUICE_HD void operator()(index i) const { z[i] = z[i] + way[i] * by; }
};

/// Adam's step; the sum becomes zero. Rates of the probe are a part of its largest modulus.
struct StepAdam {
    Z* sum;
    double rate;        ///< over the bias of the first moment
    float const* peak;  ///< whose root the rate is multiplied by; null: by nothing
    float unbias;       ///< of the second moment
    Z* first;
    float* second;
    Z* z;

    SLUICE_HD void operator()(index i) const {
        auto const by =
            static_cast<float>(peak ? rate * std::sqrt(static_cast<double>(*peak)) : rate);
        Z const g = sum[i];
        Z const m = first[i] * 0.9f + g * 0.1f;
        float const v = 0.999f * second[i] + 0.001f * (g.re * g.re + g.im * g.im);
        first[i] = m;
        second[i] = v;
        float const length = std::sqrt(v * unbias) + 1e-8f;
        z[i] = {z[i].re - by * m.re / length, z[i].im - by * m.im / length};
        sum[i] = {};
    }
};

/// What moved since the last time adds to a velocity, and the velocity moves.
struct Drift {
    float keep, gain;
    Z *before, *speed, *z;

    SLUICE_HD void operator()(index i) const {
        speed[i] = speed[i] * keep + (z[i] - before[i]);
        z[i] = z[i] + speed[i] * gain;
        before[i] = z[i];
    }
};

/// The canvas becomes 0 where the group is.
struct ClearTiles {
    Tiles tiles;
    Z* z;

    SLUICE_HD void operator()(index i) const {
        index const at = tiles.pixel(i);
        if (at >= 0) z[at] = {};
    }
};
/// Numbers become 0.
struct Clear {
    float* data;
    SLUICE_HD void operator()(index i) const { data[i] = 0; }
};
struct Copy {
    Z const* from;
    Z* to;
    SLUICE_HD void operator()(index i) const { to[i] = from[i]; }
};
struct Scale {
    float by;
    Z* data;
    SLUICE_HD void operator()(index i) const { data[i] = data[i] * by; }
};

/// The sums of a pattern's 2x2 system of LSQML down a column of its window, as step_sums() of the
/// row loops has them: [slot][5][n]. Element = a column of a window.
struct StepSystems {
    Some some;
    CanvasShape canvas;
    index n, modes;
    Z const *object, *object_way;  ///< of the first slice
    Z const *probe, *probe_way;    ///< [mode][pixel]
    Z const* object_gradients;     ///< [slot][pixel]
    Z const *probe_gradients,
        *turned_way;  ///< [slot][mode][pixel], and the way there: spectra or not
    float unit;       ///< of products of these
    float* sums;

    SLUICE_HD void operator()(index i) const {
        index const slot = i / n, c = i % n, pixels = n * n;
        float oo = 0, pp = 0, op = 0, o = 0, p = 0;
        for (index r = 0; r < n; ++r) {
            index const q = r * n + c, at = canvas.at(some.corner(slot), q, n);
            Z const d = object_way[at], v = object[at], go = object_gradients[slot * pixels + q];
            o += d.re * go.re + d.im * go.im;
            for (index k = 0; k < modes; ++k) {
                Z const a = d * probe[k * pixels + q], b = probe_way[k * pixels + q] * v;
                Z const e = turned_way[k * pixels + q];
                Z const gp = probe_gradients[(slot * modes + k) * pixels + q];
                oo += a.re * a.re + a.im * a.im;
                pp += b.re * b.re + b.im * b.im;
                op += a.re * b.re + a.im * b.im;
                p += e.re * gp.re + e.im * gp.im;
            }
        }
        float const all[5] = {oo, pp, op, o, p * unit};
        for (index s = 0; s < 5; ++s) sums[(slot * 5 + s) * n + c] = all[s];
    }
};

}  // namespace sluice::ptycho::remote
