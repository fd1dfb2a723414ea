// Structures: contours of organs and targets, out of RT structure sets of DICOM.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sluice/result.h"

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
};

/// Fails where a contour has corners that are missing, or not in one plane. A structure without
/// contours is one with an empty list.
Result<StructureSet> load_structures(std::string const& path);

/// Areas of the contours (one within another is a hole: even and odd) times the distance between
/// their planes, as cm3. 0 without contours, or where all are in one plane.
double volume_cm3(Structure const& structure);

}  // namespace sluice
