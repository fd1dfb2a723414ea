// The layers of a TFC-TDF U-Net as their definitions say them.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/twin/slow_layers.h"

#include <cmath>
#include <numbers>

namespace sluice::music {
namespace {

double activated(double x, nn::Activation a) {
    switch (a.kind) {
        case nn::Activation::Kind::relu:
            return x > 0 ? x : 0;
        case nn::Activation::Kind::elu:
            return x > 0 ? x : static_cast<double>(a.alpha) * std::expm1(x);
        case nn::Activation::Kind::gelu:
            return x * (1 + std::erf(x / std::numbers::sqrt2)) / 2;
        case nn::Activation::Kind::identity:
            return x;
    }
    return x;
}

}  // namespace

SlowMap slow_convolution(SlowMap const& x, std::span<double const> weights, index out, index height,
                         index width, std::array<index, 2> stride) {
    index const up = height == 3 && stride[0] == 1, left = width == 3 && stride[1] == 1;
    SlowMap y = SlowMap::of(out, x.frames / stride[0], x.bins / stride[1]);
    for (index o = 0; o < out; ++o)
        for (index t = 0; t < y.frames; ++t)
            for (index f = 0; f < y.bins; ++f) {
                double sum = 0;
                for (index i = 0; i < x.channels; ++i)
                    for (index a = 0; a < height; ++a)
                        for (index b = 0; b < width; ++b) {
                            index const from_t = t * stride[0] + a - up;
                            index const from_f = f * stride[1] + b - left;
                            if (from_t < 0 || from_t >= x.frames || from_f < 0 || from_f >= x.bins)
                                continue;
                            sum += weights[static_cast<std::size_t>(
                                       ((o * x.channels + i) * height + a) * width + b)] *
                                   x.at(i, from_t, from_f);
                        }
                y.at(o, t, f) = sum;
            }
    return y;
}

SlowMap slow_transposed(SlowMap const& x, std::span<double const> weights, index out,
                        std::array<index, 2> scale) {
    SlowMap y = SlowMap::of(out, x.frames * scale[0], x.bins * scale[1]);
    for (index o = 0; o < out; ++o)
        for (index t = 0; t < y.frames; ++t)
            for (index f = 0; f < y.bins; ++f) {
                double sum = 0;
                for (index i = 0; i < x.channels; ++i)
                    sum +=
                        weights[static_cast<std::size_t>(
                            ((i * out + o) * scale[0] + t % scale[0]) * scale[1] + f % scale[1])] *
                        x.at(i, t / scale[0], f / scale[1]);
                y.at(o, t, f) = sum;
            }
    return y;
}

SlowMap slow_linear(SlowMap const& x, std::span<double const> weights, index out) {
    SlowMap y = SlowMap::of(x.channels, x.frames, out);
    for (index c = 0; c < x.channels; ++c)
        for (index t = 0; t < x.frames; ++t)
            for (index o = 0; o < out; ++o) {
                double sum = 0;
                for (index f = 0; f < x.bins; ++f)
                    sum += weights[static_cast<std::size_t>(o * x.bins + f)] * x.at(c, t, f);
                y.at(c, t, o) = sum;
            }
    return y;
}

SlowMap slow_norm(SlowMap const& x, NormKind kind, std::span<double const> gamma,
                  std::span<double const> beta, std::span<double const> mean,
                  std::span<double const> variance) {
    if (kind.kind == NormKind::Kind::none) return x;
    SlowMap y = x;
    bool const given = kind.kind == NormKind::Kind::batch;
    index const groups = kind.kind == NormKind::Kind::groups ? kind.groups : x.channels;
    index const each = x.channels / groups;
    for (index g = 0; g < groups; ++g) {
        double m = 0, v = 0;
        auto const n = static_cast<double>(each * x.frames * x.bins);
        auto const over = [&](auto const& f) {
            for (index c = g * each; c < (g + 1) * each; ++c)
                for (index t = 0; t < x.frames; ++t)
                    for (index b = 0; b < x.bins; ++b) f(c, t, b);
        };
        over([&](index c, index t, index b) { m += x.at(c, t, b) / n; });
        over([&](index c, index t, index b) { v += std::pow(x.at(c, t, b) - m, 2) / n; });
        if (given) m = mean[static_cast<std::size_t>(g)], v = variance[static_cast<std::size_t>(g)];
        over([&](index c, index t, index b) {
            y.at(c, t, b) =
                gamma[static_cast<std::size_t>(c)] * (x.at(c, t, b) - m) / std::sqrt(v + 1e-5) +
                beta[static_cast<std::size_t>(c)];
        });
    }
    return y;
}

SlowMap slow_activation(SlowMap x, nn::Activation activation) {
    for (double& v : x.values) v = activated(v, activation);
    return x;
}

SlowMap slow_sum(SlowMap x, SlowMap const& y) {
    for (std::size_t i = 0; i < x.values.size(); ++i) x.values[i] += y.values[i];
    return x;
}

SlowMap slow_product(SlowMap x, SlowMap const& y) {
    for (std::size_t i = 0; i < x.values.size(); ++i) x.values[i] *= y.values[i];
    return x;
}

SlowMap slow_joined(SlowMap const& x, SlowMap const& y) {
    SlowMap both = x;
    both.channels += y.channels;
    both.values.insert(both.values.end(), y.values.begin(), y.values.end());
    return both;
}

}  // namespace sluice::music
