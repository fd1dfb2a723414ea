// Means of 2 x 2 pixels, as a functor: the coarser levels of a pyramid.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "sluice/view.h"

namespace sluice::halve {

/// Integers are rounded to the nearest, halves up. Shifting right rounds down, also below zero.
template <class T>
SLUICE_HD T mean(T a, T b, T c, T d) {
    if constexpr (std::is_floating_point_v<T>) {
        T const m = ((a + b) + (c + d)) * T(0.25);
        // One NaN of the many: which one an addition makes depends on the processor.
        return std::isnan(m) ? std::numeric_limits<T>::quiet_NaN() : m;
    } else {
        using Sum = std::conditional_t<sizeof(T) == 4, std::int64_t, std::int32_t>;
        return static_cast<T>((Sum{a} + Sum{b} + Sum{c} + Sum{d} + 2) >> 2);
    }
}

/// Element i of ceil(height / 2) x ceil(width / 2) pixels of `samples` elements each. Where a row
/// or a column has no neighbour, it is taken twice: half a sum of pairs rounds alike.
template <class T>
struct Rows {
    T const* from = nullptr;  ///< [height][width][samples]
    T* to = nullptr;
    index width = 0, height = 0, samples = 1;

    SLUICE_HD void operator()(index i) const {
        index const across = (width + 1) / 2;
        index const s = i % samples, x = i / samples % across, y = i / samples / across;
        index const right = 2 * x + 1 < width ? samples : 0;
        index const below = 2 * y + 1 < height ? width * samples : 0;
        T const* const at = from + (2 * y * width + 2 * x) * samples + s;
        to[i] = mean(at[0], at[right], at[below], at[below + right]);
    }
    index elements() const { return (width + 1) / 2 * ((height + 1) / 2) * samples; }
};

}  // namespace sluice::halve
