// The chunks of an OME-Zarr image as tiles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/tile_source.h"

namespace sluice::slide {

/// The folder of one image: a group with multiscales, a group of one such group, or an array.
Result<std::unique_ptr<TileSource const>> open_zarr_tiles(std::string const& path);

}  // namespace sluice::slide
