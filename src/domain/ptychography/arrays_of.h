// Planes as the arrays that callers are given.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "domain/ptychography/planar.h"

namespace sluice::ptycho {

/// [plane][row][col], a copy. All have one size; there is at least one.
template <class Real>
Array<std::complex<float>> array_of(std::span<Planar<Real> const> planes) {
    index const rows = planes.front().rows(), cols = planes.front().cols();
    auto out = Array<std::complex<float>>::zeros({std::ssize(planes), rows, cols});
    auto z = out.values.begin();
    for (auto const& plane : planes)
        for (index r = 0; r < rows; ++r)
            for (index c = 0; c < cols; ++c)
                *z++ = static_cast<std::complex<float>>(plane.at(r, c));
    return out;
}

/// [row][col], a copy.
template <class Real>
Array<std::complex<float>> array_of(Planar<Real> const& plane) {
    auto out = array_of(std::span(&plane, 1));
    out.shape.erase(out.shape.begin());
    return out;
}

}  // namespace sluice::ptycho
