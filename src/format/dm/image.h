// An image of a DM3 or DM4 file: its array, its axes and what its tags say of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "format/boxes/axes.h"
#include "format/dm/tags.h"
#include "format/stored_type.h"
#include "sluice/dataset.h"

namespace sluice::dm {

/// Of one dimension.
struct Calibration {
    double scale = 0;
    std::string units = {};
};

struct Image {
    int listed = 0;                      ///< its place in the list
    std::string path = {};               ///< of its tags: "ImageList.1"
    std::vector<index> shape = {};       ///< slowest first
    std::vector<Calibration> axes = {};  ///< in the same order
    StoredType stored = {};
    std::uint64_t at = 0;
    std::string format = {};  ///< "Diffraction image", "Spectrum image", ...
    /// Of four dimensions: whether patterns lie in one piece.
    std::optional<bool> swapped = {};

    index values() const;
    /// As users name it, from 1 on.
    int number() const { return listed + 1; }
};

/// Those that have two dimensions or more and a type of numbers that is read, without thumbnails.
/// `left_out` gets what the others are. Errors: sides and sizes that contradict each other.
Result<std::vector<Image>> find_images(Tree const& tree, std::vector<std::string>& left_out);

/// Which dimensions are whose, and who says so. A spectrum image of three gets a fourth, of one
/// row, so that its spectra are frames.
struct Axes {
    boxes::FrameAxes axes;
    std::string from;
};
Axes axes_of(Image& image);

/// Steps, energy and the rest of what the microscope said.
void describe(Tree const& tree, Image const& image, boxes::FrameAxes const& axes, Dataset& d);

}  // namespace sluice::dm
