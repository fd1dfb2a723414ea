// How many tiles an OME-Zarr image has, and whether its files can hold them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/ngff/pyramid.h"

namespace sluice::slide {

/// Pieces of a length, the last one maybe shorter.
inline index parts(index whole, index part) {
    return whole / part + (whole % part != 0);
}

/// An error where there are too many tiles, or many without files. Where the image states how many
/// files it has, and they exist, its levels get the list of them.
Status check_count(ngff::Image const& image, ZarrPyramid& p, std::string const& path);

}  // namespace sluice::slide
