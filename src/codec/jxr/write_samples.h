// Samples out of transformed coefficients; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/jxr/kernels.h"
#include "codec/jxr/lanes.h"

namespace sluice::codec::jxr::SLUICE_ISA {
namespace {

// The colours of a pixel out of Y, U and V.
SLUICE_HD void to_rgb(Lanes y, Lanes u, Lanes v, Lanes (&rgb)[3]) {
    Lanes r = 0U - u, g = y, b = v;
    g -= shift_right(r, 1);
    r -= shift_right(b + 1U, 1) - g;
    b += r;
    rgb[0] = r;
    rgb[1] = g;
    rgb[2] = b;
}

SLUICE_HD Lanes to_half(Lanes x) {
    Lanes const sign = shift_right(x, 31);
    return (((x & 0x7fffU) ^ sign) - sign) & 0xffffU;
}

// A float of `mantissa` bits and an exponent in as many as are left.
SLUICE_HD Lanes to_float(Lanes x, int mantissa, int bias) {
    Lanes const sign = shift_right(x, 31);
    Lanes const size = (x ^ sign) - sign;
    Lanes bits = (size << (23 - mantissa)) + (static_cast<std::uint32_t>(127 - bias) << 23);
    Lanes const small = (Lanes)((size >> mantissa) == 0U);
    // Numbers without a leading one: as it is a power of two that they are multiplied by, exactly.
    float const unit = __builtin_ldexpf(1.0F, 1 - mantissa - bias);
    for (int i = 0; i < lanes; ++i) {
        if (small[i] == 0) continue;
        float const value = static_cast<float>(size[i]) * unit;
        std::uint32_t as_bits;
        __builtin_memcpy(&as_bits, &value, 4);
        bits[i] = as_bits;
    }
    return bits | (sign & 0x80000000U);
}

template <int depth>
SLUICE_HD Lanes to_sample(Lanes x, int down, int up, int exponent_bias) {
    x = shift_right(x, down);
    if constexpr (depth == static_cast<int>(Depth::bit8)) return clipped(x, 0xff);
    if constexpr (depth == static_cast<int>(Depth::bit16)) return clipped(x << up, 0xffff);
    if constexpr (depth == static_cast<int>(Depth::half)) return to_half(x);
    return to_float(x, up, exponent_bias);
}

SLUICE_HD void store_lanes(Lanes x, std::byte* out) {
    __builtin_memcpy(out, &x, sizeof x);
}

// Words of two or three vectors in turns, which the compiler would take out one by one.
SLUICE_HD void weave(Lanes a, Lanes b, std::byte* out) {
    store_lanes(__builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11), out);
    store_lanes(__builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15), out + sizeof a);
}
SLUICE_HD void weave(Lanes a, Lanes b, Lanes c, std::byte* out) {
    Lanes x = __builtin_shufflevector(a, b, 0, 8, 0, 1, 9, 1, 2, 10);
    Lanes y = __builtin_shufflevector(a, b, 2, 3, 11, 3, 4, 12, 4, 5);
    Lanes z = __builtin_shufflevector(a, b, 13, 5, 6, 14, 6, 7, 15, 7);
    store_lanes(__builtin_shufflevector(x, c, 0, 1, 8, 3, 4, 9, 6, 7), out);
    store_lanes(__builtin_shufflevector(y, c, 10, 1, 2, 11, 4, 5, 12, 7), out + sizeof a);
    store_lanes(__builtin_shufflevector(z, c, 0, 13, 2, 3, 14, 5, 6, 15), out + 2 * sizeof a);
}

// The samples of four neighbouring pixels in eight blocks, as words of 32 bits.
template <int depth, int samples>
SLUICE_HD void pack(Lanes const (&pixel)[4][4], std::byte* out) {
    constexpr int per_word = depth == static_cast<int>(Depth::bit8)      ? 4
                             : depth == static_cast<int>(Depth::float32) ? 1
                                                                         : 2;
    constexpr int words = 4 * samples / per_word;
    Lanes packed[words];
    for (int w = 0; w < words; ++w) {
        packed[w] = Lanes{};
        for (int i = 0; i < per_word; ++i) {
            int const at = w * per_word + i;
            packed[w] |= pixel[at / samples][at % samples] << (32 / per_word * i);
        }
    }
    if constexpr (words == 1)
        store_lanes(packed[0], out);
    else if constexpr (words == 2)
        weave(packed[0], packed[1], out);
    else if constexpr (words == 3)
        weave(packed[0], packed[1], packed[2], out);
    else
        for (index block = 0; block < lanes; ++block)
            for (int w = 0; w < words; ++w) {
                std::uint32_t const word = packed[w][block];
                __builtin_memcpy(out + 4 * (block * words + w), &word, 4);
            }
}

template <int depth, int channels, int samples>
void write_as(Conversion const& how, Columns const* in, index n, std::byte* out) {
    constexpr index bytes = depth == static_cast<int>(Depth::bit8)      ? 1
                            : depth == static_cast<int>(Depth::float32) ? 4
                                                                        : 2;
    auto const bias = static_cast<std::uint32_t>(how.bias);
    for (index b = 0; b < n; b += lanes) {
        Lanes pixel[4][4];
        for (int c = 0; c < 4; ++c) {
            Lanes const y = load<Lanes>(in[0].at[c] + b) + bias;
            Lanes rgb[3] = {y, y, y};
            if constexpr (channels == 3)
                to_rgb(y, load<Lanes>(in[1].at[c] + b), load<Lanes>(in[2].at[c] + b), rgb);
            if (!how.rgb) {
                Lanes const red = rgb[0];
                rgb[0] = rgb[2];
                rgb[2] = red;
            }
            for (int s = 0; s < (samples == 1 ? 1 : 3); ++s)
                pixel[c][s] = to_sample<depth>(rgb[s], how.down, how.up, how.exponent_bias);
            if constexpr (samples == 4)
                pixel[c][3] = to_sample<depth>(
                    load<Lanes>(in[3].at[c] + b) + static_cast<std::uint32_t>(how.alpha_bias),
                    how.alpha_down, how.alpha_up, how.alpha_exponent_bias);
        }
        pack<depth, samples>(pixel, out + 4 * b * samples * bytes);
    }
}

template <int depth>
void write_depth(Conversion const& how, Columns const* in, index n, std::byte* out) {
    if (how.samples == 1) return write_as<depth, 1, 1>(how, in, n, out);
    if (how.samples == 3)
        return how.channels == 1 ? write_as<depth, 1, 3>(how, in, n, out)
                                 : write_as<depth, 3, 3>(how, in, n, out);
    return how.channels == 1 ? write_as<depth, 1, 4>(how, in, n, out)
                             : write_as<depth, 3, 4>(how, in, n, out);
}

void write(Conversion const& how, Columns const* in, index n, std::byte* out) {
    switch (static_cast<Depth>(how.depth)) {
        case Depth::bit8:
            return write_depth<static_cast<int>(Depth::bit8)>(how, in, n, out);
        case Depth::bit16:
            return write_depth<static_cast<int>(Depth::bit16)>(how, in, n, out);
        case Depth::half:
            return write_depth<static_cast<int>(Depth::half)>(how, in, n, out);
        case Depth::float32:
            return write_depth<static_cast<int>(Depth::float32)>(how, in, n, out);
    }
}

}  // namespace
}  // namespace sluice::codec::jxr::SLUICE_ISA
