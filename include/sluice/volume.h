// Volume: an image and where its points lie in space.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sluice/view.h"

namespace sluice {

/// The unit vector of each axis of an image, [axis][component], x first. Components are counted to
/// the left, the back and the head, as DICOM counts them.
using AxisDirections = std::array<std::array<double, 3>, 3>;
/// The axes of the image are those of space.
constexpr AxisDirections straight_axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/// An image of two or three axes. The vectors have an entry per axis in the order of files, x
/// first: that is the last one of the shape.
struct Volume {
    Array<float> image = {};           ///< [y][x] or [z][y][x]
    std::vector<double> spacing = {};  ///< mm; empty where the file does not tell
    std::vector<double> origin = {};   ///< of the middle of the first element, mm; empty as above
    AxisDirections direction = straight_axes;
    std::string content = {};  ///< what it is and its unit, e.g. "dose, Gy"
};

/// Whether the axes are those of space, to a millionth.
bool is_straight(AxisDirections const& direction);
/// Whether an axis lies between those of space, by more than a thousandth: the axes are more than
/// mirrored or exchanged.
bool is_oblique(AxisDirections const& direction);
/// Where the middle of an element of three axes lies in space, mm; elements are counted in the
/// order of memory.
std::array<double, 3> place_of_element(Volume const& volume, index element);
/// As in "x along (0, 1, 0), y along (-1, 0, 0)"; `axes` is 2 or 3.
std::string describe(AxisDirections const& direction, std::size_t axes);

}  // namespace sluice
