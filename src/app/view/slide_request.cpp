// Checks every field of a request about slides; nothing of it is trusted.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/slide_request.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace sluice::app {
namespace {

using Json = nlohmann::json;

constexpr std::size_t max_name = 256, max_slot = 32;
constexpr std::int64_t max_attachment = 100'000;

Error wrong(std::string const& field, std::string const& why) {
    return {Code::invalid_argument, fmt::format("field '{}' ({})", field, why)};
}

Result<std::string> text_field(Json const& json, std::string const& name, std::size_t longest) {
    auto const it = json.find(name);
    if (it == json.end() || !it->is_string()) return wrong(name, "must be a text");
    auto text = it->get<std::string>();
    if (text.size() > longest)
        return wrong(name, fmt::format("is longer than {} letters", longest));
    return text;
}

Result<std::int64_t> whole_of(Json const& value, std::string const& name, std::int64_t least,
                              std::int64_t most) {
    // A number that needs 64 bits without a sign would read as a negative one.
    bool const fits = value.is_number_integer() &&
                      (!value.is_number_unsigned() ||
                       value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most));
    if (!fits || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most)
        return wrong(name, fmt::format("must be a whole number from {} to {}", least, most));
    return value.get<std::int64_t>();
}

Result<std::int64_t> whole_field(Json const& json, std::string const& name, std::int64_t most) {
    auto const it = json.find(name);
    if (it == json.end()) return wrong(name, "is missing");
    return whole_of(*it, name, 0, most);
}

Result<std::vector<PlaneIndex>> plane_of(Json const& json) {
    std::vector<PlaneIndex> plane;
    auto const it = json.find("plane");
    if (it == json.end()) return plane;
    if (!it->is_object()) return wrong("plane", "must be indices by dimension");
    for (auto const& [name, value] : it->items()) {
        std::size_t const at = czi::dimension_letters.find(name);
        if (name.size() != 1 || at == std::string_view::npos)
            return wrong("plane", fmt::format("'{}' is none of the dimensions {}",
                                              name.substr(0, max_slot), czi::dimension_letters));
        SLUICE_TRY(std::int64_t const i,
                   whole_of(value, name, std::numeric_limits<std::int32_t>::min() + 1,
                            std::numeric_limits<std::int32_t>::max()));
        plane.push_back({static_cast<czi::Dimension>(at), static_cast<std::int32_t>(i)});
    }
    return plane;
}

Result<TileRequest> tile_of(Json const& json) {
    TileRequest r;
    SLUICE_TRY(r.plane, plane_of(json));
    SLUICE_TRY(std::int64_t const zoom, whole_field(json, "zoom", max_zoom));
    r.zoom = static_cast<int>(zoom);
    SLUICE_TRY(r.row, whole_field(json, "row", max_tile_index));
    SLUICE_TRY(r.col, whole_field(json, "col", max_tile_index));
    return r;
}

Status fill(SlideRequest& request, Json const& json) {
    if (request.op == "ping") return {};
    if (request.op == "stop") {
        request.what = StopRequest{};
        return {};
    }
    SLUICE_TRY(request.slide, text_field(json, "slide", max_name));
    if (request.op == "tile") {
        SLUICE_TRY(request.what, tile_of(json));
    } else if (request.op == "attachment") {
        SLUICE_TRY(std::int64_t const number, whole_field(json, "number", max_attachment));
        request.what = AttachmentRequest{static_cast<std::size_t>(number)};
    } else {
        return wrong("op", fmt::format("'{}' is not known", request.op));
    }
    return {};
}

}  // namespace

std::variant<SlideRequest, BadRequest> parse_slide_request(std::string_view text) {
    Json const json = Json::parse(text.begin(), text.end(), nullptr, false);
    if (json.is_discarded() || !json.is_object())
        return BadRequest{"the message is no JSON object"};
    SlideRequest request;
    auto const id = json.find("id");
    if (id == json.end() || !id->is_number_unsigned())
        return BadRequest{wrong("id", "must be a whole number").message};
    request.id = id->get<std::uint64_t>();
    auto slot = text_field(json, "slot", max_slot);
    if (!slot) return BadRequest{slot.error().message, {}, request.id};
    request.slot = *slot;
    auto op = text_field(json, "op", max_slot);
    Status status = op ? Status{} : Status{op.error()};
    if (status) {
        request.op = *op;
        status = fill(request, json);
    }
    if (!status) return BadRequest{status.error().message, request.slot, request.id};
    return request;
}

}  // namespace sluice::app
