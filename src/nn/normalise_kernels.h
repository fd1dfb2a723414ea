// What normalising does with a few rows, for each instruction set; and the slow twin of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"
#include "nn/activation.h"
#include "nn/rows.h"

namespace sluice::nn {

/// Each channel's mean and sum of squared distances from it.
struct Tally {
    double* mean;
    double* squares;
};

/// Rows that are summed in float before they are joined with others in double.
inline constexpr index block_rows = 64;

/// How much room tally() and add() need at `scratch`, in floats.
inline constexpr index tally_scratch(index channels) {
    return 3 * (channels + 15) / 16 * 16 + 3 * 16;
}

template <class From, class To>
using Normalise = void (*)(Rows<From const> x, float const* scale, float const* shift,
                           Activation activation, Rows<To> y, bool past_caches);
template <class T>
using TallyRows = void (*)(Rows<T const> x, float* scratch, Tally out);
template <class T>
using AddRows = void (*)(Rows<T const> a, Rows<T const> b, Rows<T> sum, float* scratch, Tally out);

/// For one thread and at least one row. With `past_caches`, rows of y begin with cache lines and
/// consist of whole ones, and past_caches_done() is to be called.
struct NormaliseKernels {
    TallyRows<float> tally_f32;
    TallyRows<Bf16> tally_bf16;
    AddRows<float> add_f32;
    AddRows<Bf16> add_bf16;
    Normalise<float, float> f32_to_f32;
    Normalise<float, Bf16> f32_to_bf16;
    Normalise<Bf16, float> bf16_to_f32;
    Normalise<Bf16, Bf16> bf16_to_bf16;

    template <class T>
    TallyRows<T> tally() const {
        if constexpr (std::is_same_v<T, float>)
            return tally_f32;
        else
            return tally_bf16;
    }
    template <class T>
    AddRows<T> add() const {
        if constexpr (std::is_same_v<T, float>)
            return add_f32;
        else
            return add_bf16;
    }
    template <class From, class To>
    Normalise<From, To> normalise() const {
        if constexpr (std::is_same_v<From, float> && std::is_same_v<To, float>)
            return f32_to_f32;
        else if constexpr (std::is_same_v<From, float>)
            return f32_to_bf16;
        else if constexpr (std::is_same_v<To, float>)
            return bf16_to_f32;
        else
            return bf16_to_bf16;
    }
};

/// In double, one number after the other.
NormaliseKernels const& reference_normalise();
NormaliseKernels const& normalise_kernels(Isa isa);

namespace baseline {
NormaliseKernels normalise_kernels();
}
namespace avx2 {
NormaliseKernels normalise_kernels();
}
namespace avx512 {
NormaliseKernels normalise_kernels();
}

}  // namespace sluice::nn
