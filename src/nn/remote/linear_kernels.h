// Linear layers as functors, right for every shape: a call makes a channel of a few neighbours.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nn/shape.h"

namespace sluice::nn {

/// Outputs of a call: each weight is read once for all of them. It changes no bit. Loops over them
/// have this many rounds always, so that a GPU keeps them in registers.
inline constexpr index neighbours = 8;

/// A convolution of any size and step, zeros around. Element = a channel of `neighbours` pixels of
/// a row. A tap's products are added up in float, one channel after the other, then the taps.
struct Convolve {
    float const* x;        ///< [rows][width][in]
    float const* weights;  ///< [taps[0]][taps[1]][in][out]
    float* y;              ///< [rows_out][width_out][out]
    index rows, width, in;
    index width_out, out;
    index taps[2], step[2];
    index before;  ///< rows and columns of zeros above and left
    bool add;

    SLUICE_HD void operator()(index i) const {
        index const tiles = (width_out + neighbours - 1) / neighbours;
        index const o = i % out, tile = i / out % tiles, r = i / out / tiles;
        index const first = tile * neighbours;
        float sum[neighbours] = {};
        for (index a = 0; a < taps[0]; ++a) {
            index const row = r * step[0] + a - before;
            if (row < 0 || row >= rows) continue;
            for (index b = 0; b < taps[1]; ++b)
                tap(x + row * width * in, first * step[1] + b - before,
                    weights + (a * taps[1] + b) * in * out + o, sum);
        }
        for (index k = 0; k < neighbours; ++k) {
            if (first + k >= width_out) break;
            float& to = y[(r * width_out + first + k) * out + o];
            to = add ? to + sum[k] : sum[k];
        }
    }

  private:
    SLUICE_HD void tap(float const* row, index column, float const* w, float* sum) const {
        float const* from[neighbours];
        bool inside[neighbours];
        float part[neighbours] = {};
        for (index k = 0; k < neighbours; ++k) {
            index const at = column + k * step[1];
            inside[k] = at >= 0 && at < width;
            from[k] = row + (inside[k] ? at : 0) * in;
        }
        for (index c = 0; c < in; ++c) {
            float const weight = w[c * out];
            for (index k = 0; k < neighbours; ++k) part[k] += weight * from[k][c];
        }
        for (index k = 0; k < neighbours; ++k)
            if (inside[k]) sum[k] += part[k];
    }
};

/// The transpose of a convolution whose step is its size. Element = a channel of `neighbours`
/// pixels that have the same tap, and so are step[1] apart.
struct Grow {
    float const* x;        ///< [rows][width][in]
    float const* weights;  ///< [step[0]][step[1]][in][out]
    float* y;              ///< [rows step[0]][width step[1]][out]
    index width, in, out;
    index step[2];
    bool add;

    SLUICE_HD void operator()(index i) const {
        index const tiles = (width + neighbours - 1) / neighbours;
        index const o = i % out, b = i / out % step[1], tile = i / out / step[1] % tiles;
        index const r = i / out / step[1] / tiles, first = tile * neighbours;
        index const count = first + neighbours < width ? neighbours : width - first;
        float const* const from = x + (r / step[0] * width + first) * in;
        float const* const w = weights + (r % step[0] * step[1] + b) * in * out + o;
        float sum[neighbours] = {};
        for (index c = 0; c < in; ++c) {
            float const weight = w[c * out];
            for (index k = 0; k < neighbours; ++k)
                sum[k] += weight * from[(k < count ? k : 0) * in + c];
        }
        for (index k = 0; k < neighbours; ++k) {
            if (k >= count) break;
            float& to = y[((r * width + first + k) * step[1] + b) * out + o];
            to = add ? to + sum[k] : sum[k];
        }
    }
};

/// Every row and channel alike. Element = a channel at `neighbours` places of a row.
struct AlongWidth {
    float const* x;        ///< [rows][width][channels]
    float const* weights;  ///< [width][across]
    float* y;              ///< [rows][across][channels]
    index width, across, channels;
    bool add;

    SLUICE_HD void operator()(index i) const {
        index const tiles = (across + neighbours - 1) / neighbours;
        index const c = i % channels, tile = i / channels % tiles, r = i / channels / tiles;
        index const first = tile * neighbours;
        index const count = first + neighbours < across ? neighbours : across - first;
        float const* const from = x + r * width * channels + c;
        float const* const w = weights + first;
        float sum[neighbours] = {};
        for (index f = 0; f < width; ++f) {
            float const number = from[f * channels];
            for (index k = 0; k < neighbours; ++k)
                sum[k] += w[f * across + (k < count ? k : 0)] * number;
        }
        for (index k = 0; k < neighbours; ++k) {
            if (k >= count) break;
            float& to = y[(r * across + first + k) * channels + c];
            to = add ? to + sum[k] : sum[k];
        }
    }
};

}  // namespace sluice::nn
