// Requests about slides (docs/protocol.md), checked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>
#include <vector>

#include "app/view/fields.h"
#include "sluice/slide_model.h"

namespace sluice::app {

/// Zooms are halvings: at most so many that 2^31 pixels become one.
inline constexpr int max_zoom = 31;
inline constexpr index max_tile_index = index{1} << 24;

/// A dimension of the plane and which of its indices.
struct PlaneIndex {
    slide::Dimension dimension = slide::C;
    std::int32_t at = 0;
};

/// A square of the fixed grid of a zoom; `plane` holds indices other than the first.
struct TileRequest {
    std::vector<PlaneIndex> plane;
    int zoom = 0;  ///< one pixel is 2^zoom by 2^zoom pixels of the full resolution
    index row = 0, col = 0;
};
struct AttachmentRequest {
    std::size_t number = 0;  ///< in the order of the description
};
/// Nothing more is wanted of the slot.
struct StopRequest {};

struct SlideRequest {
    std::string op, slide;
    std::variant<StopRequest, TileRequest, AttachmentRequest> what;
};
Result<SlideRequest> parse_slide_request(std::string const& op, Fields const& fields);

}  // namespace sluice::app
