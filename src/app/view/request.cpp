// Checks every field of a request; nothing of it is trusted.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/request.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace sluice::app {
namespace {

using Json = nlohmann::json;

constexpr double max_coordinate = 1e6;
constexpr std::size_t min_corners = 3, max_corners = 1000, max_name = 256, max_slot = 32;

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

Result<double> number_of(Json const& value, std::string const& name) {
    if (!value.is_number()) return wrong(name, "must be a number");
    double const v = value.get<double>();
    if (!std::isfinite(v) || std::abs(v) > max_coordinate)
        return wrong(name, fmt::format("must lie within {} about 0", max_coordinate));
    return v;
}

Result<double> length_field(Json const& json, std::string const& name) {
    auto const it = json.find(name);
    if (it == json.end()) return wrong(name, "is missing");
    SLUICE_TRY(double const v, number_of(*it, name));
    if (v < 0) return wrong(name, "must not be negative");
    return v;
}

Result<stem4d::Point> point_of(Json const& value, std::string const& name) {
    if (!value.is_array() || value.size() != 2) return wrong(name, "must be [row, column]");
    SLUICE_TRY(double const row, number_of(value[0], name));
    SLUICE_TRY(double const col, number_of(value[1], name));
    return stem4d::Point{row, col};
}

Result<stem4d::Point> point_field(Json const& json, std::string const& name) {
    auto const it = json.find(name);
    if (it == json.end()) return wrong(name, "is missing");
    return point_of(*it, name);
}

Result<std::vector<stem4d::Point>> corners_field(Json const& json) {
    auto const it = json.find("corners");
    if (it == json.end() || !it->is_array() || it->size() < min_corners || it->size() > max_corners)
        return wrong("corners", fmt::format("must be {} to {} points", min_corners, max_corners));
    std::vector<stem4d::Point> corners;
    for (Json const& corner : *it) {
        SLUICE_TRY(stem4d::Point const p, point_of(corner, "corners"));
        corners.push_back(p);
    }
    return corners;
}

Result<stem4d::Detector> shape_of(Json const& json, std::string const& field) {
    using Shape = stem4d::Detector::Shape;
    if (!json.is_object()) return wrong(field, "must be a shape");
    SLUICE_TRY(std::string const name, text_field(json, "shape", max_slot));
    stem4d::Detector d;
    d.name = name;
    if (auto const it = json.find("name"); it != json.end()) {
        SLUICE_TRY(d.name, text_field(json, "name", max_name));
    }
    if (name == "polygon") {
        d.shape = Shape::polygon;
        SLUICE_TRY(d.corners, corners_field(json));
        return d;
    }
    if (name == "rectangle") {
        d.shape = Shape::rectangle;
        SLUICE_TRY(d.from, point_field(json, "from"));
        SLUICE_TRY(d.to, point_field(json, "to"));
        return d;
    }
    SLUICE_TRY(d.center, point_field(json, "center"));
    if (name == "point") {
        d.shape = Shape::point;
        return d;
    }
    SLUICE_TRY(d.outer, length_field(json, "outer"));
    if (name == "disk") {
        d.shape = Shape::disk;
    } else if (name == "square") {
        d.shape = Shape::square;
    } else if (name == "annulus") {
        d.shape = Shape::annulus;
        SLUICE_TRY(d.inner, length_field(json, "inner"));
        if (d.inner > d.outer) return wrong("inner", "must not be larger than outer");
    } else {
        return wrong("shape", fmt::format("'{}' is none of point, disk, annulus, square, "
                                          "rectangle, polygon",
                                          name));
    }
    return d;
}

char const* const modes[] = {"sum",        "mean",       "com_row", "com_col", "com_magnitude",
                             "com_vector", "divergence", "curl",    "icom"};

Result<Mode> mode_of(std::string const& name) {
    for (std::size_t i = 0; i < std::size(modes); ++i)
        if (name == modes[i]) return static_cast<Mode>(i);
    return wrong("mode", fmt::format("'{}' is not known", name));
}

Result<RotationWish> rotation_of(Json const& json) {
    RotationWish wish;
    auto const it = json.find("rotation");
    if (it == json.end() || *it == "none") return wish;
    wish.kind = RotationWish::Kind::automatic;
    if (*it == "auto") return wish;
    wish.kind = RotationWish::Kind::given;
    if (!it->is_object() || !it->contains("degrees"))
        return wrong("rotation", "must be none, auto or degrees with transpose");
    SLUICE_TRY(wish.degrees, number_of((*it)["degrees"], "degrees"));
    if (auto const t = it->find("transpose"); t != it->end()) {
        if (!t->is_boolean()) return wrong("transpose", "must be true or false");
        wish.transpose = t->get<bool>();
    }
    return wish;
}

Result<ImageRequest> image_of(Json const& json) {
    ImageRequest r;
    SLUICE_TRY(std::string const mode, text_field(json, "mode", max_slot));
    SLUICE_TRY(r.mode, mode_of(mode));
    SLUICE_TRY(r.rotation, rotation_of(json));
    if (auto const descan = json.find("descan"); descan != json.end()) {
        if (*descan != "mean" && *descan != "plane")
            return wrong("descan", "must be mean or plane");
        if (*descan == "plane") r.descan = stem4d::Descan::plane;
    }
    auto const it = json.find("detectors");
    bool const moments = r.mode > Mode::mean;
    std::size_t const most = moments ? 1 : max_detectors;
    if (it != json.end() && (!it->is_array() || it->size() > most))
        return wrong("detectors", fmt::format("must be a list of at most {}", most));
    if (it != json.end())
        for (Json const& d : *it) {
            SLUICE_TRY(stem4d::Detector detector, shape_of(d, "detectors"));
            r.detectors.push_back(std::move(detector));
        }
    if (!moments && r.detectors.empty()) return wrong("detectors", "must hold one at least");
    return r;
}

Result<FrameRequest> frame_of(Json const& json) {
    FrameRequest r;
    for (auto const& [name, value] : {std::pair{"row", &r.row}, std::pair{"col", &r.col}}) {
        auto const it = json.find(name);
        if (it == json.end() || !it->is_number_integer() || it->get<std::int64_t>() < 0)
            return wrong(name, "must be a whole number from 0");
        *value = it->get<std::int64_t>();
    }
    return r;
}

Result<PatternRequest> pattern_of(Json const& json, bool of_region) {
    PatternRequest r;
    SLUICE_TRY(std::string const kind, text_field(json, "kind", max_slot));
    SLUICE_TRY(r.kind, stem4d::parse_pattern(kind));
    if (!of_region) return r;
    auto const it = json.find("region");
    if (it == json.end()) return wrong("region", "is missing");
    SLUICE_TRY(r.region, shape_of(*it, "region"));
    return r;
}

Status fill(Request& request, Json const& json) {
    if (request.op == "ping") return {};
    SLUICE_TRY(request.dataset, text_field(json, "dataset", max_name));
    if (request.op == "load") {
        request.what = LoadRequest{};
    } else if (request.op == "cancel") {
        request.what = CancelRequest{};
    } else if (request.op == "image") {
        SLUICE_TRY(request.what, image_of(json));
    } else if (request.op == "frame") {
        SLUICE_TRY(request.what, frame_of(json));
    } else if (request.op == "region" || request.op == "pattern") {
        SLUICE_TRY(request.what, pattern_of(json, request.op == "region"));
    } else {
        return wrong("op", fmt::format("'{}' is not known", request.op));
    }
    return {};
}

}  // namespace

char const* name_of(Mode mode) {
    return modes[static_cast<std::size_t>(mode)];
}

std::variant<Request, BadRequest> parse_request(std::string_view text) {
    Json const json = Json::parse(text.begin(), text.end(), nullptr, false);
    if (json.is_discarded() || !json.is_object())
        return BadRequest{"the message is no JSON object"};
    Request request;
    if (auto const it = json.find("id"); it != json.end() && it->is_number_unsigned())
        request.id = it->get<std::uint64_t>();
    else
        return BadRequest{wrong("id", "must be a whole number").message};
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
