// A square of floats, a register a row, and its transpose; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "fft/squares/lanes.h"

namespace sluice::fft::SLUICE_ISA {
namespace {

// Register with the lanes lane_of(0), lane_of(1), ... of a, and from `lanes` on of b.
template <class LaneOf, int... i>
[[gnu::always_inline]] inline Floats mixed(Floats const& a, Floats const& b, LaneOf,
                                           std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(a, b, LaneOf{}(i)...);
}
template <class LaneOf>
[[gnu::always_inline]] inline Floats mixed(Floats const& a, Floats const& b, LaneOf of) {
    return mixed(a, b, of, std::make_integer_sequence<int, static_cast<int>(lanes)>{});
}

// In each 128 bits: the first (or second) two floats of a, between those of b.
template <int half>
struct Singles {
    constexpr int operator()(int i) const {
        return i / 4 * 4 + 2 * half + i % 4 / 2 + i % 2 * static_cast<int>(lanes);
    }
};
// The same with pairs for floats.
template <int half>
struct Pairs {
    constexpr int operator()(int i) const {
        return i / 4 * 4 + 2 * half + i % 2 + i % 4 / 2 * static_cast<int>(lanes);
    }
};
// The even (or odd) fours of a, then those of b.
template <int odd>
struct Fours {
    constexpr int operator()(int i) const { return (i / 4 * 2 + odd) * 4 + i % 4; }
};

[[gnu::always_inline, maybe_unused]] inline void transpose(Floats (&x)[lanes]) {
#pragma GCC unroll 4
    for (index i = 0; i < lanes; i += 4) {
        Floats const a = mixed(x[i], x[i + 1], Singles<0>{});
        Floats const b = mixed(x[i], x[i + 1], Singles<1>{});
        Floats const c = mixed(x[i + 2], x[i + 3], Singles<0>{});
        Floats const d = mixed(x[i + 2], x[i + 3], Singles<1>{});
        x[i] = mixed(a, c, Pairs<0>{}), x[i + 1] = mixed(a, c, Pairs<1>{});
        x[i + 2] = mixed(b, d, Pairs<0>{}), x[i + 3] = mixed(b, d, Pairs<1>{});
    }
    // Now x[i + j] has in its l-th four the column 4 l + j of the rows i ... i + 3.
#pragma GCC unroll 4
    for (index j = 0; j < 4 && lanes > 4; ++j) {
        if constexpr (lanes == 8) {
            Floats const a = mixed(x[j], x[j + 4], Fours<0>{});
            x[j + 4] = mixed(x[j], x[j + 4], Fours<1>{});
            x[j] = a;
        } else if constexpr (lanes == 16) {
            Floats const a = mixed(x[j], x[j + 4], Fours<0>{});
            Floats const b = mixed(x[j], x[j + 4], Fours<1>{});
            Floats const c = mixed(x[j + 8], x[j + 12], Fours<0>{});
            Floats const d = mixed(x[j + 8], x[j + 12], Fours<1>{});
            x[j] = mixed(a, c, Fours<0>{}), x[j + 8] = mixed(a, c, Fours<1>{});
            x[j + 4] = mixed(b, d, Fours<0>{}), x[j + 12] = mixed(b, d, Fours<1>{});
        }
    }
}

/// x[c] gets number c of each of `lanes` rows of sixteen floats that are `step` apart.
template <index step>
[[gnu::always_inline]] inline void load_turned(float const* from, Floats (&x)[16]) {
#pragma GCC unroll 4
    for (index c = 0; c < 16; c += lanes) {
        Floats square[lanes];
#pragma GCC unroll 16
        for (index i = 0; i < lanes; ++i) square[i] = load(from + i * step + c);
        transpose(square);
#pragma GCC unroll 16
        for (index i = 0; i < lanes; ++i) x[c + i] = square[i];
    }
}
/// The way back; `at(c)` is where x[c] is.
template <index step, class At>
[[gnu::always_inline]] inline void save_turned(Floats const (&x)[16], At const& at, float* to) {
#pragma GCC unroll 4
    for (index c = 0; c < 16; c += lanes) {
        Floats square[lanes];
#pragma GCC unroll 16
        for (index i = 0; i < lanes; ++i) square[i] = x[at(c + i)];
        transpose(square);
#pragma GCC unroll 16
        for (index i = 0; i < lanes; ++i) save(square[i], to + i * step + c);
    }
}

}  // namespace
}  // namespace sluice::fft::SLUICE_ISA
