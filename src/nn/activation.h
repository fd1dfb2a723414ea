// Activation: the function that a layer's numbers go through, one by one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sluice::nn {

/// gelu is the exact one, x * (1 + erf(x / sqrt 2)) / 2; elu is alpha * (exp(x) - 1) below zero.
struct Activation {
    enum class Kind : std::uint8_t { identity, relu, elu, gelu };

    Kind kind = Kind::identity;
    float alpha = 1;  ///< of elu

    static constexpr Activation identity() { return {Kind::identity}; }
    static constexpr Activation relu() { return {Kind::relu}; }
    static constexpr Activation elu(float alpha) { return {Kind::elu, alpha}; }
    static constexpr Activation gelu() { return {Kind::gelu}; }
};

}  // namespace sluice::nn
