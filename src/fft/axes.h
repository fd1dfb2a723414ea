// Axes: an array is transformed along each of its axes, the last one first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fft/layout.h"
#include "fft/lines.h"

namespace sluice::fft {

/// One axis of arrays [outer][lines.length()][width].
template <class Real>
struct Axis {
    Lines<Real> lines;
    index outer, width;
};

/// In the order in which they are done.
template <class Real>
std::vector<Axis<Real>> axes_of(std::vector<index> const& shape) {
    std::vector<Axis<Real>> axes;
    index outer = 1, width = 1;
    for (index const extent : shape) outer *= extent;
    for (std::size_t d = shape.size(); d-- > 0;) {
        outer /= shape[d];
        axes.push_back({Lines<Real>(shape[d]), outer, width});
        width *= shape[d];
    }
    return axes;
}

/// Where a number of a whole spectrum is in the half that is kept of real samples.
struct Half {
    index rest[2] = {1, 1};  ///< the extents before the last one; 1 where there are fewer
    index last = 1;

    struct Spot {
        index at;
        bool is_conjugate;
    };
    SLUICE_HD index kept() const { return last / 2 + 1; }
    SLUICE_HD Spot spot(index i) const {
        index const l = i % last, k1 = i / last % rest[1], k0 = i / last / rest[1];
        if (l < kept()) return {(k0 * rest[1] + k1) * kept() + l, false};
        index const m0 = (rest[0] - k0) % rest[0], m1 = (rest[1] - k1) % rest[1];
        return {(m0 * rest[1] + m1) * kept() + last - l, true};
    }
    /// The number of the whole spectrum that number i of the half is.
    SLUICE_HD index whole(index i) const { return i / kept() * last + i % kept(); }
};

inline Half half_of(std::vector<index> const& shape) {
    Half h;
    h.last = shape.back();
    for (std::size_t d = 0; d + 1 < shape.size(); ++d) h.rest[d + 3 - shape.size()] = shape[d];
    return h;
}

}  // namespace sluice::fft
