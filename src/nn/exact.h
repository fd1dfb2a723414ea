// Numbers and activations in double, for the slow twins.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "base/bf16.h"
#include "nn/activation.h"

namespace sluice::nn {

inline double exact(float value) {
    return static_cast<double>(value);
}
inline double exact(Bf16 value) {
    return static_cast<double>(static_cast<float>(value));
}

inline void put(double value, float& to) {
    to = static_cast<float>(value);
}
inline void put(double value, Bf16& to) {
    to = Bf16::of(static_cast<float>(value));
}

inline double activated(double x, Activation activation) {
    switch (activation.kind) {
        case Activation::Kind::identity:
            return x;
        case Activation::Kind::relu:
            return x < 0 ? 0 : x;
        case Activation::Kind::elu:
            return x < 0 ? static_cast<double>(activation.alpha) * std::expm1(x) : x;
        case Activation::Kind::gelu:
            return x / 2 * std::erfc(-x / std::sqrt(2.0));
    }
    return x;
}

}  // namespace sluice::nn
