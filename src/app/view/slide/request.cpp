// Checks every field of a request about slides; nothing of it is trusted.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/slide/request.h"

#include <fmt/format.h>

#include <limits>

namespace sluice::app {
namespace {

constexpr std::int64_t max_attachment = 100'000;

Result<std::vector<PlaneIndex>> plane_of(Fields const& fields) {
    std::vector<PlaneIndex> plane;
    auto const it = fields.find("plane");
    if (it == fields.end()) return plane;
    if (!it->is_object()) return wrong_field("plane", "must be indices by dimension");
    for (auto const& [name, value] : it->items()) {
        std::size_t const at = slide::dimension_letters.find(name);
        if (name.size() != 1 || at == std::string_view::npos)
            return wrong_field("plane",
                               fmt::format("'{}' is not one of the dimensions {}",
                                           name.substr(0, max_word), slide::dimension_letters));
        SLUICE_TRY(std::int64_t const i,
                   whole_of(value, name, std::numeric_limits<std::int32_t>::min() + 1,
                            std::numeric_limits<std::int32_t>::max()));
        plane.push_back({static_cast<slide::Dimension>(at), static_cast<std::int32_t>(i)});
    }
    return plane;
}

Result<TileRequest> tile_of(Fields const& fields) {
    TileRequest r;
    SLUICE_TRY(r.plane, plane_of(fields));
    SLUICE_TRY(std::int64_t const zoom, whole_field(fields, "zoom", max_zoom));
    r.zoom = static_cast<int>(zoom);
    SLUICE_TRY(r.row, whole_field(fields, "row", max_tile_index));
    SLUICE_TRY(r.col, whole_field(fields, "col", max_tile_index));
    return r;
}

}  // namespace

Result<SlideRequest> parse_slide_request(std::string const& op, Fields const& fields) {
    SlideRequest request{op, {}, StopRequest{}};
    if (op == "stop") return request;
    SLUICE_TRY(request.slide, text_field(fields, "slide", max_name));
    if (op == "tile") {
        SLUICE_TRY(request.what, tile_of(fields));
    } else if (op == "attachment") {
        SLUICE_TRY(std::int64_t const number, whole_field(fields, "number", max_attachment));
        request.what = AttachmentRequest{static_cast<std::size_t>(number)};
    } else {
        return wrong_field("op", fmt::format("'{}' is not known", op));
    }
    return request;
}

}  // namespace sluice::app
