// Values of images in space: at points, on planes and lines in mm, and how two images differ.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sluice/progress.h"
#include "sluice/result.h"
#include "sluice/volume.h"

namespace sluice::proton {

/// mm, in the order of files: x first. The third number of an image of two axes is not looked at.
using Place = std::array<double, 3>;

/// Where the middles of an image's elements lie. Spacing and origin that a file does not tell are 1
/// and 0: elements stand in for mm. Of turned axes the origin is 0: mm along the stored axes.
struct Lattice {
    int axes = 3;                            ///< 2 or 3
    std::array<index, 3> sides = {1, 1, 1};  ///< elements along each axis; 1 where there is none
    Place spacing = {1, 1, 1}, origin = {0, 0, 0};  ///< mm

    /// The middle of an element along an axis, mm.
    double middle(int axis, index element) const;
};
Lattice lattice_of(Volume const& volume);

/// Whether places in mm mean the same in two images: they have as many axes, neither is turned, and
/// both tell their spacing. Two images without a spacing need one size.
Status comparable(Volume const& a, Volume const& b);

/// The value at a place: linear between the middles of elements, and that of the outermost element
/// half a spacing beyond its middle. NaN outside, and where a neighbour that counts is NaN. A place
/// within a millionth of a spacing of a middle is at it, so that own middles give own values.
double sample(Volume const& volume, Place const& place);

/// A plane along two axes of space: rows go along `down`, columns along `across`.
struct Plane {
    int across = 0, down = 1;               ///< axes, 0 to 2, different ones
    index rows = 1, columns = 1;            ///< both above 0
    double step_across = 1, step_down = 1;  ///< mm; negative: from the axis's other end
    Place first = {0, 0, 0};                ///< of row 0, column 0
};
/// The plane through a lattice's own elements; `at` is its place along the third axis, mm.
/// `across_back` and `down_back` begin at the axis's other end.
Plane plane_of(Lattice const& lattice, int across, bool across_back, int down, bool down_back,
               double at);
/// [row][column]: what `sample` gives at each point of the plane.
Array<float> sample_plane(Volume const& volume, Plane const& plane);

/// All middles of some lattices along an axis, ascending; those nearer to each other than a
/// millionth of the smallest spacing are one. mm.
std::vector<double> stations(std::span<Lattice const> lattices, int axis);
/// What `sample` gives on a line through a place along an axis, at each of the positions (mm).
std::vector<float> sample_line(Volume const& volume, int axis, Place through,
                               std::span<double const> positions);

/// What the values of an image are like.
struct ValueRange {
    double least = 0, most = 0;  ///< of the finite values; NaN where there are none
    Place most_at = {};          ///< the middle of the first element that has `most`, mm
    index not_finite = 0;        ///< values that are NaN or infinite
};
ValueRange value_range(Volume const& volume);

/// How one image differs from another.
struct Difference {
    index points = 0;                   ///< elements of the first where both have a finite value
    double mean = 0, mean_size = 0;     ///< of a - b and of |a - b|; NaN where there are no points
    double least = 0, most = 0;         ///< of a - b
    Place least_at = {}, most_at = {};  ///< mm
};
/// a - b at the elements of a; b is sampled there. Errors: they are not comparable. `progress`
/// counts planes of a.
Result<Difference> difference(Volume const& a, Volume const& b, Progress const& progress = {});

}  // namespace sluice::proton
