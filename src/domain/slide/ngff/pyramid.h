// The levels of an OME-Zarr image that have a place in a pyramid, and its axes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/ngff/folder.h"
#include "sluice/slide.h"
#include "zarr/reader.h"

namespace sluice::slide {

/// One level: an array, and what its pixels are.
struct ZarrLevel {
    zarr::Reader array;
    int factor = 1;
    index width = 0, height = 0;
    std::size_t number = 0;  ///< among all levels of the image, also those left out
    /// The only existing files of an array with more chunks than are listed; empty: all are listed.
    std::optional<std::vector<std::vector<index>>> files = {};
};

struct ZarrPyramid {
    std::vector<ZarrLevel> levels;  ///< finest first
    std::size_t x = 0, y = 0;       ///< which axis
    /// Which dimension each axis is; empty for x, y and axes of one element.
    std::vector<std::optional<Dimension>> dimensions;
    PlaneIndex counts = {};
    PixelType pixel_type = PixelType::gray8;
    std::vector<std::string> notes;
};

Result<ZarrPyramid> open_pyramid(ngff::Folder const& folder);

/// The metadata of an image, in the words of slides; `notes` receives entries that are not
/// understood.
Metadata metadata_of(ngff::Image const& image, PixelType pixel_type,
                     std::vector<std::string>& notes);

}  // namespace sluice::slide
