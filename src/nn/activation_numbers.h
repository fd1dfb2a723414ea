// The numbers that activations are made of, once for processors and for devices.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::nn {

/// The normal distribution less a half is x P(x^2) / Q(x^2), within 1e-8 (fitted here by weighted
/// least squares whose weights follow the error). At `end` it is exactly a half in float, and
/// stays so.
struct GeluNumbers {
    float end = 5.53125f;
    float p[6] = {0x1.98845p-2f,   0x1.199a36p-5f,  0x1.347da8p-8f,
                  0x1.6c91e8p-13f, 0x1.aa9058p-18f, 0x1.7c729ep-26f};
    float q[6] = {1.0f,           0x1.02e656p-2f, 0x1.da256cp-6f, 0x1.f57604p-10f, 0x1.3afb98p-14f,
                  0x1.3ccda4p-20f};
};

/// exp(x) - 1 = 2^k (exp(r) - 1) + (2^k - 1) with |r| <= log(2) / 2; the polynomial is that of
/// Cephes.
struct EluNumbers {
    float least = -20;  ///< exp() of less is nothing beside one
    float p[6] = {5.0000001201e-1f, 1.6666665459e-1f, 4.1665795894e-2f,
                  8.3334519073e-3f, 1.3981999507e-3f, 1.9875691500e-4f};
    float per_log2 = 1.44269504f;
    /// Adding 1.5 * 2^23 leaves the nearest whole number in the lowest bits.
    float whole = 12582912.0f;
    float log2[2] = {0.693359375f, -2.12194440e-4f};  ///< log(2) is their sum
};

}  // namespace sluice::nn
