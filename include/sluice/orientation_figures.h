// Pictures of orientation maps: inverse pole figure maps with their legends, pole figures.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sluice/orientation_map.h"
#include "sluice/save.h"

namespace sluice::stem4d {

struct IpfMapOptions {
    /// Of the sample: a panel for each. A pattern has the colour of the crystal's direction along
    /// it.
    std::vector<Vector3> directions = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    bool white = false;           ///< patterns that are not indexed are white, else black
    double boundary_degrees = 0;  ///< lines where neighbours differ by so much; 0: none
};
/// The colours of the patterns, a pixel each. Indexed patterns are never black or white. Errors:
/// those of check_orientations(), a direction of no length.
Result<Picture> ipf_colors(OrientationMap const& map, Vector3 const& direction, bool white = false);
/// With the triangle of each phase. The end of the path says the format: .png, .svg or .pdf.
Status save_ipf_map(std::string const& path, OrientationMap const& map,
                    IpfMapOptions const& options = {});

enum class PoleProjection : std::uint8_t { equal_area, stereographic };

struct PoleFigureOptions {
    std::int32_t phase = 0;
    double halfwidth_degrees = 5;  ///< each pole is smeared so far: 1 to 45
    PoleProjection projection = PoleProjection::equal_area;  ///< of what is drawn
};
/// How often directions occur, in multiples of what crystals that lie in any way would have.
/// Opposite directions are one.
struct PoleDensity {
    index side = 0;
    /// [row][col] over the square around the disk that is the equal-area projection of a
    /// hemisphere: column and row from -1 to 1 along right and down; NaN outside.
    std::vector<double> values;
    double largest = 0;
    index patterns = 0;  ///< that took part; 0: all values are 0
};
/// Where the normals of planes {hkl} point, in the sample: x to the right, y down, as on the map;
/// seen from where the electrons come from. Errors: those of check_orientations(), no such phase,
/// (000).
Result<PoleDensity> pole_density(OrientationMap const& map, Indices const& hkl,
                                 PoleFigureOptions const& options = {});
/// Which directions of the crystal point along one of the sample: in the frame of its symmetry, x
/// to the right, y up, seen from z.
Result<PoleDensity> inverse_pole_density(OrientationMap const& map, Vector3 const& direction,
                                         PoleFigureOptions const& options = {});

/// A panel for each family of planes.
Status save_pole_figures(std::string const& path, OrientationMap const& map,
                         std::span<Indices const> planes, PoleFigureOptions const& options = {});
/// A triangle for each direction of the sample.
Status save_inverse_pole_figures(std::string const& path, OrientationMap const& map,
                                 std::span<Vector3 const> directions,
                                 PoleFigureOptions const& options = {});

}  // namespace sluice::stem4d
