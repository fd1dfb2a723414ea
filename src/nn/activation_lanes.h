// The activations of numbers side by side in a register; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nn/activation.h"
#include "nn/activation_numbers.h"
#include "nn/lanes.h"

namespace sluice::nn::SLUICE_ISA {
namespace {

template <std::size_t Count>
[[gnu::always_inline]] inline Floats polynomial(Floats const& x, float const (&of)[Count]) {
    Floats sum = Floats{} + of[Count - 1];
    for (std::size_t i = Count - 1; i-- > 0;) sum = sum * x + of[i];
    return sum;
}

[[gnu::always_inline, maybe_unused]] inline Floats gelu(Floats const& x) {
    constexpr GeluNumbers of;
    Floats const below = x < of.end ? x : Floats{} + of.end;
    Floats const c = below > -of.end ? below : Floats{} - of.end;
    Floats const u = c * c;
    return x * (c * polynomial(u, of.p) / polynomial(u, of.q) + 0.5f);
}

[[gnu::always_inline, maybe_unused]] inline Floats elu(Floats const& x, float alpha) {
    constexpr EluNumbers of;
    Floats const negative = x < 0 ? x : Floats{};
    Floats const c = negative > of.least ? negative : Floats{} + of.least;
    Floats const shifted = c * of.per_log2 + of.whole;
    Floats const k = shifted - of.whole;
    Floats const r = c - k * of.log2[0] - k * of.log2[1];
    Floats const power = (Floats)(((Words)shifted << 23) + 0x3f800000u);
    Floats const less_one = power * (r * r * polynomial(r, of.p) + r) + (power - 1.0f);
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
