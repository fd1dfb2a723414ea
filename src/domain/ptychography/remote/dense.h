// Planes of the host as the dense numbers that devices have, and back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/ptychography/planar.h"
#include "domain/ptychography/remote/places.h"

namespace sluice::ptycho::remote {

inline std::vector<Z> dense(std::vector<Planar<float>> const& planes) {
    std::vector<Z> all;
    for (auto const& plane : planes)
        for (index r = 0; r < plane.rows(); ++r)
            for (index c = 0; c < plane.cols(); ++c)
                all.push_back({plane.re(r)[c], plane.im(r)[c]});
    return all;
}

inline void planar(std::vector<Z> const& all, std::vector<Planar<float>>& planes) {
    auto z = all.begin();
    for (auto& plane : planes)
        for (index r = 0; r < plane.rows(); ++r)
            for (index c = 0; c < plane.cols(); ++c, ++z) plane.set(r, c, {z->re, z->im});
}

}  // namespace sluice::ptycho::remote
