// Pieces of registers, of four or more floats, read and written apart; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "fft/squares/lanes.h"

namespace sluice::fft::SLUICE_ISA {
namespace {

template <index i>
struct Constant {
    [[gnu::always_inline]] constexpr operator index() const { return i; }
};

template <index n>
struct OfSize {
    typedef float Type __attribute__((vector_size(n * 4)));
};
/// n floats of a register.
template <index n>
using Piece = typename OfSize<n>::Type;

template <int first, int... i>
[[gnu::always_inline]] inline auto cut(Floats const& x, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(x, x, (first + i)...);
}
/// Writes n floats of a register, from the lane `first` on.
template <index n, index first>
[[gnu::always_inline]] inline void save_piece(Floats const& x, float* to) {
    Piece<n> const some =
        cut<static_cast<int>(first)>(x, std::make_integer_sequence<int, static_cast<int>(n)>{});
    std::memcpy(to, &some, sizeof some);
}

template <class Half, int... i>
[[gnu::always_inline]] inline auto join(Half const& a, Half const& b,
                                        std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(a, b, i...);
}
/// Pieces of n floats as one of `many`; at(i) is where those from lane i on are.
template <index many, index n, index first = 0, class At>
[[gnu::always_inline]] inline Piece<many> load_pieces(At const& at) {
    if constexpr (many == n) {
        Piece<n> some;
        std::memcpy(&some, at(first), sizeof some);
        return some;
    } else {
        return join(load_pieces<many / 2, n, first>(at),
                    load_pieces<many / 2, n, first + many / 2>(at),
                    std::make_integer_sequence<int, static_cast<int>(many)>{});
    }
}

/// Calls work(Constant<i>) for i = 0, n, 2 n ... below `lanes`; at most four of them.
template <index n, class Work>
[[gnu::always_inline]] inline void each_piece(Work const& work) {
    work(Constant<0>{});
    if constexpr (n < lanes) work(Constant<n>{});
    if constexpr (2 * n < lanes) {
        work(Constant<2 * n>{});
        work(Constant<3 * n>{});
    }
}

}  // namespace
}  // namespace sluice::fft::SLUICE_ISA
