// Tiles: squares of a slide at factor-2 zooms, and attachments, as messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/slide/describe.h"
#include "app/view/slide/request.h"

namespace sluice::app {

/// Pixels along each side of a tile.
inline constexpr index tile_side = 512;

/// A slide that is shown.
struct ShownSlide {
    std::string id, path;
    slide::Slide slide;
    SlideContent content;
};

/// How many zooms a slide has: at the last one it is a single tile.
int zooms_of(slide::Rect const& bounds);

/// What the page is told of a slide.
Json describe(ShownSlide const& shown);

/// What an answer is made with.
struct TileOptions {
    slide::TileCache* cache = nullptr;
    Progress progress = {};
};

/// Adds to `header` what the tile is, and its pixels behind it.
Result<server::SharedMessage> answer_tile(ShownSlide const& shown, TileRequest const& request,
                                          TileOptions const& options, Json header);
Result<server::SharedMessage> answer_attachment(ShownSlide const& shown,
                                                AttachmentRequest const& request, Json header);

}  // namespace sluice::app
