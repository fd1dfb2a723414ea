// Structures: contours of organs and targets, out of RT structure sets of DICOM.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sluice/result.h"
#include "sluice/volume.h"

namespace sluice {

/// Corners in the patient's coordinates (to the left, the back and the head), mm. A closed contour
/// has no last corner that repeats the first.
using Contour = std::vector<std::array<double, 3>>;

struct Structure {
    int number = 0;
    std::string name;
    std::string type;                  ///< as in PTV, ORGAN, EXTERNAL; empty: not told
    std::vector<Contour> contours;     ///< closed, each in one plane
    std::vector<Contour> points = {};  ///< what is no closed contour: points and open lines
};

struct StructureSet {
    std::string label;
    std::string frame_of_reference;     ///< the UID of the coordinates; that of the CT
    std::vector<Structure> structures;  ///< in the order of the file
    std::string path = {};              ///< the file, which errors name; empty: none
};

/// Fails where a contour has corners that are missing, or not in one plane. A structure without
/// contours is one with an empty list.
Result<StructureSet> load_structures(std::string const& path);

/// As cm3: the areas of the contours of each plane (one within another is a hole: even and odd;
/// one that is there twice counts once), times its thickness. Planes reach half way to their
/// neighbours; the outermost, and those whose neighbour is farther than 1.5 of the usual distance
/// (the median), half of this. 0 without contours, or where all are in one plane; NaN for contours
/// so intricate that they are refused elsewhere.
double volume_cm3(Structure const& structure);

/// What of a structure lies in the elements of a grid.
struct StructureParts {
    Array<float> parts = {};  ///< [z][y][x], 0 to 1
    double volume_cm3 = 0;    ///< of the whole structure: that of volume_cm3()
    double inside_cm3 = 0;    ///< of the part that lies in the grid
};
/// The part of each element of a volume with three axes that is in a structure: exact areas and
/// thicknesses of what volume_cm3() measures. Elements may be larger or smaller than contours are
/// apart, and axes mirrored or exchanged. Errors: a volume that does not say where it lies or lies
/// obliquely; no contours, or contours of one plane, or such as are oblique in space.
Result<StructureParts> structure_parts(Structure const& structure, Volume const& volume);

}  // namespace sluice
