// The tiles of a CZI file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/tile_source.h"

namespace sluice::slide {

Result<std::unique_ptr<TileSource const>> open_czi_tiles(std::shared_ptr<Source const> source,
                                                         SlideOpenOptions options);

/// Sorts tiles into levels by how much smaller they are stored than they are.
void set_levels(Model& model);

}  // namespace sluice::slide
