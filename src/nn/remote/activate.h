// The activation of one number, with the bits that it has beside others in a register.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>

#include "nn/activation.h"
#include "nn/activation_numbers.h"
#include "sluice/view.h"

namespace sluice::nn {

/// Numbers of an activation come as constants, which device code cannot refer to, but copy.
SLUICE_HD float polynomial(float x, float const (&of)[6]) {
    return ((((of[5] * x + of[4]) * x + of[3]) * x + of[2]) * x + of[1]) * x + of[0];
}

SLUICE_HD float gelu(float x) {
    constexpr GeluNumbers of;
    float const below = x < of.end ? x : of.end;
    float const c = below > -of.end ? below : -of.end;
    float const u = c * c;
    return x * (c * polynomial(u, of.p) / polynomial(u, of.q) + 0.5f);
}

SLUICE_HD float elu(float x, float alpha) {
    if (!(x < 0)) return x;
    constexpr EluNumbers of;
    float const c = x > of.least ? x : of.least;
    float const shifted = c * of.per_log2 + of.whole;
    float const k = shifted - of.whole;
    float const r = c - k * of.log2[0] - k * of.log2[1];
    auto const power =
        std::bit_cast<float>((std::bit_cast<std::uint32_t>(shifted) << 23) + 0x3f800000u);
    return alpha * (power * (r * r * polynomial(r, of.p) + r) + (power - 1.0f));
}

SLUICE_HD float activate(float x, Activation activation) {
    switch (activation.kind) {
        case Activation::Kind::relu:
            return x < 0 ? 0 : x;
        case Activation::Kind::elu:
            return elu(x, activation.alpha);
        case Activation::Kind::gelu:
            return gelu(x);
        case Activation::Kind::identity:
            return x;
    }
    return x;
}

}  // namespace sluice::nn
