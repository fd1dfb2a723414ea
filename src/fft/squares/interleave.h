// Complex numbers, re and im by turns, as a register of each; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "fft/squares/lanes.h"

namespace sluice::fft::SLUICE_ISA {
namespace {

template <int... i>
[[gnu::always_inline]] inline void apart(Floats const& a, Floats const& b, Floats& re, Floats& im,
                                         std::integer_sequence<int, i...>) {
    re = __builtin_shufflevector(a, b, (2 * i)...);
    im = __builtin_shufflevector(a, b, (2 * i + 1)...);
}
[[gnu::always_inline, maybe_unused]] inline void load_complex(float const* from, Floats& re,
                                                              Floats& im) {
    apart(load(from), load(from + lanes), re, im,
          std::make_integer_sequence<int, static_cast<int>(lanes)>{});
}

template <int first, int... i>
[[gnu::always_inline]] inline Floats by_turns(Floats const& re, Floats const& im,
                                              std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(re, im, (first + i / 2 + i % 2 * static_cast<int>(lanes))...);
}
[[gnu::always_inline, maybe_unused]] inline void save_complex(Floats const& re, Floats const& im,
                                                              float* to) {
    constexpr std::make_integer_sequence<int, static_cast<int>(lanes)> all{};
    save(by_turns<0>(re, im, all), to);
    save(by_turns<static_cast<int>(lanes / 2)>(re, im, all), to + lanes);
}

}  // namespace
}  // namespace sluice::fft::SLUICE_ISA
