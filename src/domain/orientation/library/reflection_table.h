// ReflectionTable: a crystal's reflections in columns, and those that show where it lies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/orientation/library/ewald.h"
#include "sluice/structure_factors.h"

namespace sluice::orient {

struct ReflectionTable {
    std::vector<stem4d::Indices> hkl;
    std::vector<float> x, y, z;    ///< in 1/ångström, in the crystal's frame
    std::vector<float> frequency;  ///< the lowest first
    std::vector<float> strength;   ///< |F|^2 of the strongest one, from 0 to 1

    index size() const { return std::ssize(x); }
    Vector3 place(std::size_t i) const {
        return {static_cast<double>(x[i]), static_cast<double>(y[i]), static_cast<double>(z[i])};
    }
};
/// Those up to a frequency whose |F|^2 is not below `least` of the strongest one's. Errors: those
/// of structure_factors(); no reflection at all.
Result<ReflectionTable> reflection_table(stem4d::UnitCell const& cell, double most_frequency,
                                         double least);

/// [reflection] along the sample's z: it shows between them, and nowhere else.
struct Heights {
    std::vector<float> low, high;
};
/// Where the envelope is above `least`, and where it may be after turns of `margin` radian.
Heights heights_of(ReflectionTable const& table, Ewald const& ewald, double least,
                   double margin = 0);

/// Rows are the axes of the sample in the crystal's frame: takes the crystal to the sample.
using Frame = std::array<Vector3, 3>;
Frame frame_of(stem4d::Orientation const& g);

/// What a crystal shows, in columns.
struct Excited {
    std::vector<index> number;  ///< in the table
    std::vector<float> x, y, excitation;
    std::vector<float> intensity;  ///< that of the strongest one may be below 1

    index size() const { return std::ssize(x); }
    void clear();
};
/// Replaces `out` by the reflections whose intensity is at least `least` of the strongest one.
void excite(ReflectionTable const& table, Heights const& heights, Ewald const& ewald,
            Frame const& frame, double least, Excited& out);

}  // namespace sluice::orient
