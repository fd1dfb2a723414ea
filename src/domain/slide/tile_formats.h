// The formats of slides; tile_formats.cpp has the only list of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/tile_source.h"

namespace sluice::slide {

/// The tiles at a path, by the first format that recognises it.
Result<std::unique_ptr<TileSource const>> open_tiles(std::string const& path,
                                                     SlideOpenOptions options, Access access);

}  // namespace sluice::slide
