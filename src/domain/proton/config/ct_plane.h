// A plane out of an image, turned so that the beam goes along its rows' numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/result.h"
#include "sluice/volume.h"

namespace sluice::proton {

/// "x" or "-x", y, z: x is the first axis of a file and the last of an array.
struct Axis {
    int number = 0;
    bool reversed = false;
};
Result<Axis> parse_axis(std::string_view text);
std::string axis_text(Axis axis);

struct CtPlane {
    index rows = 0, columns = 0;      ///< along the beam and across
    double dz = 0, dx = 0;            ///< mm
    std::vector<double> values = {};  ///< [row][column]

    double depth() const { return dz * static_cast<double>(rows); }
    double width() const { return dx * static_cast<double>(columns); }
    /// Between the middles of the pixels; z from the first row's edge, x from the plane's middle.
    double at(double z, double x) const;
};

/// `slice`, from 0, counts along the axis that is neither of the two. Errors: axes and slices that
/// do not exist, and values that are not finite.
Result<CtPlane> ct_plane(Volume const& volume, Axis depth, Axis across, std::optional<index> slice);

}  // namespace sluice::proton
