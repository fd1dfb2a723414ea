// Writes requests back as JSON, in the words of docs/protocol.md.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/echo.h"

#include "domain/stem4d/words.h"

namespace sluice::app {
namespace {

Json pair(stem4d::Point const& p) {
    return {p.row, p.col};
}

Json shape_json(stem4d::Detector const& d) {
    using Shape = stem4d::Detector::Shape;
    Json j{{"shape", config::word_of(d.shape)}};
    if (d.shape == Shape::polygon) {
        j["corners"] = Json::array();
        for (stem4d::Point const& p : d.corners) j["corners"].push_back(pair(p));
        return j;
    }
    if (d.shape == Shape::rectangle) {
        j["from"] = pair(d.from);
        j["to"] = pair(d.to);
        return j;
    }
    if (d.center) j["center"] = pair(*d.center);
    if (d.shape != Shape::point) j["outer"] = d.outer;
    if (d.shape == Shape::annulus) j["inner"] = d.inner;
    return j;
}

Json rotation_json(RotationWish const& wish) {
    if (wish.kind == RotationWish::Kind::none) return "none";
    if (wish.kind == RotationWish::Kind::automatic) return "auto";
    return {{"degrees", wish.degrees}, {"transpose", wish.transpose}};
}

}  // namespace

Json echo(ScanRequest const& request) {
    Json j{{"op", request.op}};
    if (!request.dataset.empty()) j["dataset"] = request.dataset;
    if (auto const* image = std::get_if<ImageRequest>(&request.what)) {
        j["mode"] = name_of(image->mode);
        j["detectors"] = Json::array();
        for (auto const& d : image->detectors) j["detectors"].push_back(shape_json(d));
        j["rotation"] = rotation_json(image->rotation);
        j["descan"] = config::word_of(image->descan);
    }
    if (auto const* frame = std::get_if<FrameRequest>(&request.what)) {
        j["row"] = frame->row;
        j["col"] = frame->col;
    }
    if (auto const* pattern = std::get_if<PatternRequest>(&request.what)) {
        char const* const kinds[] = {"sum", "mean", "max", "variance"};
        j["kind"] = kinds[static_cast<std::size_t>(pattern->kind)];
        if (pattern->region) j["region"] = shape_json(*pattern->region);
    }
    if (auto const* disks = std::get_if<DisksRequest>(&request.what)) {
        j["disks"] = echo(disks->disks);
        if (disks->plan) j["plan"] = echo(*disks->plan);
        j["row"] = disks->row;
        j["col"] = disks->col;
    }
    if (auto const* strain = std::get_if<StrainRequest>(&request.what)) {
        j.update(echo(*strain));
        if (strain->region) j["region"] = shape_json(*strain->region);
    }
    if (auto const* map = std::get_if<OrientationRequest>(&request.what)) j.update(echo(*map));
    if (auto const* match = std::get_if<MatchRequest>(&request.what)) {
        j.update(echo(match->of));
        j["row"] = match->row;
        j["col"] = match->col;
    }
    return j;
}

Json place_of(Item const& item) {
    return {{"read", item.read},
            {"scan", item.scan},
            {"detector", item.detector},
            // That of a subset is wider.
            {"scan_step_nm", item.files ? item.files->scan_step_nm() : 0.0},
            {"detector_step_mrad", item.files ? item.files->detector_step_mrad() : 0.0}};
}

}  // namespace sluice::app
