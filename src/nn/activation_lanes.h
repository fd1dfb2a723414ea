// The activations of numbers side by side in a register; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nn/activation.h"
#include "nn/lanes.h"

namespace sluice::nn::SLUICE_ISA {
namespace {

template <std::size_t Count>
[[gnu::always_inline]] inline Floats polynomial(Floats const& x, float const (&of)[Count]) {
    Floats sum = Floats{} + of[Count - 1];
    for (std::size_t i = Count - 1; i-- > 0;) sum = sum * x + of[i];
    return sum;
}

// The normal distribution less a half is x P(x^2) / Q(x^2), within 1e-8 (fitted here by weighted
// least squares whose weights follow the error). At 5.53125 it is exactly a half in float, and
// stays so.
[[gnu::always_inline, maybe_unused]] inline Floats gelu(Floats const& x) {
    constexpr float end = 5.53125f;
    constexpr float p[] = {0x1.98845p-2f,   0x1.199a36p-5f,  0x1.347da8p-8f,
                           0x1.6c91e8p-13f, 0x1.aa9058p-18f, 0x1.7c729ep-26f};
    constexpr float q[] = {
        1.0f, 0x1.02e656p-2f, 0x1.da256cp-6f, 0x1.f57604p-10f, 0x1.3afb98p-14f, 0x1.3ccda4p-20f};
    Floats const below = x < end ? x : Floats{} + end;
    Floats const c = below > -end ? below : Floats{} - end;
    Floats const u = c * c;
    return x * (c * polynomial(u, p) / polynomial(u, q) + 0.5f);
}

// exp(x) - 1 = 2^k (exp(r) - 1) + (2^k - 1) with |r| <= log(2) / 2; the polynomial is that of
// Cephes.
[[gnu::always_inline, maybe_unused]] inline Floats elu(Floats const& x, float alpha) {
    constexpr float p[] = {5.0000001201e-1f, 1.6666665459e-1f, 4.1665795894e-2f,
                           8.3334519073e-3f, 1.3981999507e-3f, 1.9875691500e-4f};
    Floats const negative = x < 0 ? x : Floats{};
    Floats const c = negative > -20 ? negative : Floats{} - 20;
    // Adding 1.5 * 2^23 leaves the nearest whole number in the lowest bits.
    Floats const shifted = c * 1.44269504f + 12582912.0f;
    Floats const k = shifted - 12582912.0f;
    Floats const r = c - k * 0.693359375f - k * -2.12194440e-4f;
    Floats const power = (Floats)(((Words)shifted << 23) + 0x3f800000u);
    Floats const less_one = power * (r * r * polynomial(r, p) + r) + (power - 1.0f);
    return x < 0 ? alpha * less_one : x;
}

template <Activation::Kind kind>
[[gnu::always_inline]] inline Floats activate(Floats const& x, float alpha) {
    if constexpr (kind == Activation::Kind::relu)
        return x < 0 ? Floats{} : x;
    else if constexpr (kind == Activation::Kind::elu)
        return elu(x, alpha);
    else if constexpr (kind == Activation::Kind::gelu)
        return gelu(x);
    else
        return x;
}

}  // namespace
}  // namespace sluice::nn::SLUICE_ISA
