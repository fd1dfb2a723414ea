// What a network does beside its linear layers, as functors: maps are [pixel][channel] of float.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "nn/remote/activate.h"

namespace sluice::nn {

/// Element = a number of a map, which goes into the channels of perhaps wider pixels.
struct NormaliseInto {
    float const* x;
    float const* scale;
    float const* shift;
    Activation activation;
    index channels;
    float* y;
    index stride;  ///< numbers of a pixel of y

    SLUICE_HD void operator()(index i) const {
        index const pixel = i / channels, c = i - pixel * channels;
        y[pixel * stride + c] = activate(x[i] * scale[c] + shift[c], activation);
    }
};

/// y += x
struct AddTo {
    float const* x;
    float* y;

    SLUICE_HD void operator()(index i) const { y[i] += x[i]; }
};

/// y *= x
struct MultiplyBy {
    float const* x;
    float* y;

    SLUICE_HD void operator()(index i) const { y[i] *= x[i]; }
};

/// Pixels of which one call counts a channel, and parts of which one call joins a channel.
inline constexpr index tally_pixels = 64, joined_parts = 64;

/// Element = a channel of a part of the pixels; a tally is [2][channels]: the mean, and the sum of
/// squared distances from it.
struct TallyPart {
    float const* x;
    index pixels, channels;
    double* tallies;  ///< [part][2][channels]

    SLUICE_HD void operator()(index i) const {
        index const part = i / channels, c = i - part * channels, first = part * tally_pixels;
        index const n = first + tally_pixels < pixels ? tally_pixels : pixels - first;
        float const* const from = x + first * channels + c;
        float sum = 0;
        for (index p = 0; p < n; ++p) sum += from[p * channels];
        auto const number = static_cast<float>(n);
        float const mean = sum / number;
        // The mean was rounded: what the distances sum to is what it lacks.
        float lacks = 0, squares = 0;
        for (index p = 0; p < n; ++p) {
            float const apart = from[p * channels] - mean;
            lacks += apart;
            squares += apart * apart;
        }
        double const more = static_cast<double>(lacks) / static_cast<double>(n);
        double* const to = tallies + 2 * part * channels + c;
        to[0] = static_cast<double>(mean) + more;
        to[channels] = static_cast<double>(squares) - more * static_cast<double>(lacks);
    }
};

/// Element = a channel of some parts, joined in their order (Chan, Golub and LeVeque 1983).
struct JoinTallies {
    double const* from;  ///< [parts][2][channels]
    index parts, each;   ///< pixels of a part; the last one has what is left
    index pixels, channels;
    double* to;  ///< [group][2][channels]

    SLUICE_HD void operator()(index i) const {
        index const group = i / channels, c = i - group * channels, first = group * joined_parts;
        index const last = first + joined_parts < parts ? first + joined_parts : parts;
        double mean = 0, squares = 0, before = 0;
        for (index p = first; p < last; ++p) {
            index const n = (p + 1) * each < pixels ? each : pixels - p * each;
            auto const own = static_cast<double>(n);
            double const share = own / (before + own);
            double const apart = from[2 * p * channels + c] - mean;
            mean += apart * share;
            squares += from[(2 * p + 1) * channels + c] + apart * apart * (before * share);
            before += own;
        }
        to[2 * group * channels + c] = mean;
        to[(2 * group + 1) * channels + c] = squares;
    }
};

/// Element = a channel of one map or of two side by side: the affine map that normalises it by the
/// moments of its group.
struct AffineOf {
    double const* tally;  ///< of the first map, [2][split]
    double const* other;  ///< of the second one, [2][channels - split]
    index split, channels;
    index group;  ///< channels of a group
    double pixels, epsilon;
    float const* gamma;
    float const* beta;
    float* affine;  ///< [2][channels]

    SLUICE_HD double mean(index c) const { return c < split ? tally[c] : other[c - split]; }
    SLUICE_HD double variance(index c) const {
        double const squares = c < split ? tally[split + c] : other[channels - 2 * split + c];
        return squares > 0 ? squares / pixels : 0;
    }
    SLUICE_HD void operator()(index i) const {
        index const first = i / group * group;
        auto const number = static_cast<double>(group);
        double m = 0, v = 0;
        for (index c = first; c < first + group; ++c) m += mean(c) / number;
        for (index c = first; c < first + group; ++c) {
            double const apart = mean(c) - m;
            v += (variance(c) + apart * apart) / number;
        }
        double const scale = static_cast<double>(gamma[i]) / std::sqrt(v + epsilon);
        affine[i] = static_cast<float>(scale);
        affine[channels + i] = static_cast<float>(static_cast<double>(beta[i]) - m * scale);
    }
};

}  // namespace sluice::nn
