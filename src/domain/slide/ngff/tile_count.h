// How many tiles an OME-Zarr image has, and whether they can be there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/ngff/pyramid.h"

namespace sluice::slide {

/// Pieces of a length, the last one maybe shorter.
inline index parts(index whole, index part) {
    return whole / part + (whole % part != 0);
}

/// An error where the tiles are more than are read, or many of which no file is there. Where the
/// image tells how many files it has, and they are there, its levels get the list of them.
Status check_count(ngff::Image const& image, ZarrPyramid& p, std::string const& path);

}  // namespace sluice::slide
