// Checks every field of a request about scans; nothing of it is trusted.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/request.h"

#include <fmt/format.h>

#include <cmath>

#include "domain/stem4d/words.h"

namespace sluice::app {
namespace {

constexpr std::size_t min_corners = 3, max_corners = 1000;
constexpr std::int64_t max_points = std::int64_t{1} << 48;

Result<double> length_field(Fields const& fields, std::string const& name) {
    auto const it = fields.find(name);
    if (it == fields.end()) return wrong_field(name, "is missing");
    SLUICE_TRY(double const v, number_of(*it, name));
    if (v < 0) return wrong_field(name, "must not be negative");
    return v;
}

Result<stem4d::Point> point_of(Fields const& value, std::string const& name) {
    if (!value.is_array() || value.size() != 2) return wrong_field(name, "must be [row, column]");
    SLUICE_TRY(double const row, number_of(value[0], name));
    SLUICE_TRY(double const col, number_of(value[1], name));
    return stem4d::Point{row, col};
}

Result<stem4d::Point> point_field(Fields const& fields, std::string const& name) {
    auto const it = fields.find(name);
    if (it == fields.end()) return wrong_field(name, "is missing");
    return point_of(*it, name);
}

Result<std::vector<stem4d::Point>> corners_field(Fields const& fields) {
    auto const it = fields.find("corners");
    if (it == fields.end() || !it->is_array() || it->size() < min_corners ||
        it->size() > max_corners)
        return wrong_field("corners",
                           fmt::format("must be {} to {} points", min_corners, max_corners));
    std::vector<stem4d::Point> corners;
    for (Fields const& corner : *it) {
        SLUICE_TRY(stem4d::Point const p, point_of(corner, "corners"));
        corners.push_back(p);
    }
    return corners;
}

Result<stem4d::Detector> shape_of(Fields const& fields, std::string const& field) {
    using Shape = stem4d::Detector::Shape;
    if (!fields.is_object()) return wrong_field(field, "must be a shape");
    SLUICE_TRY(std::string const name, text_field(fields, "shape", max_word));
    stem4d::Detector d;
    d.name = name;
    if (auto const it = fields.find("name"); it != fields.end()) {
        SLUICE_TRY(d.name, text_field(fields, "name", max_name));
    }
    if (name == "polygon") {
        d.shape = Shape::polygon;
        SLUICE_TRY(d.corners, corners_field(fields));
        return d;
    }
    if (name == "rectangle") {
        d.shape = Shape::rectangle;
        SLUICE_TRY(d.from, point_field(fields, "from"));
        SLUICE_TRY(d.to, point_field(fields, "to"));
        return d;
    }
    SLUICE_TRY(d.center, point_field(fields, "center"));
    if (name == "point") {
        d.shape = Shape::point;
        return d;
    }
    SLUICE_TRY(d.outer, length_field(fields, "outer"));
    if (name == "disk") {
        d.shape = Shape::disk;
    } else if (name == "square") {
        d.shape = Shape::square;
    } else if (name == "annulus") {
        d.shape = Shape::annulus;
        SLUICE_TRY(d.inner, length_field(fields, "inner"));
        if (d.inner > d.outer) return wrong_field("inner", "must not be larger than outer");
    } else {
        return wrong_field("shape", fmt::format("'{}' is not one of point, disk, annulus, square, "
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
    return wrong_field("mode", fmt::format("'{}' is not known", name));
}

Result<RotationWish> rotation_of(Fields const& fields) {
    RotationWish wish;
    auto const it = fields.find("rotation");
    if (it == fields.end() || *it == "none") return wish;
    wish.kind = RotationWish::Kind::automatic;
    if (*it == "auto") return wish;
    wish.kind = RotationWish::Kind::given;
    if (!it->is_object() || !it->contains("degrees"))
        return wrong_field("rotation", "must be none, auto or degrees with transpose");
    SLUICE_TRY(wish.degrees, number_of((*it)["degrees"], "degrees"));
    if (auto const t = it->find("transpose"); t != it->end()) {
        if (!t->is_boolean()) return wrong_field("transpose", "must be true or false");
        wish.transpose = t->get<bool>();
    }
    return wish;
}

Result<ImageRequest> image_of(Fields const& fields) {
    ImageRequest r;
    SLUICE_TRY(std::string const mode, text_field(fields, "mode", max_word));
    SLUICE_TRY(r.mode, mode_of(mode));
    SLUICE_TRY(r.rotation, rotation_of(fields));
    if (auto const descan = fields.find("descan"); descan != fields.end()) {
        auto const word = config::read_word<stem4d::Descan>(
            "descan", descan->is_string() ? descan->get_ref<std::string const&>() : "");
        if (!word) return wrong_field("descan", "must be mean or plane");
        r.descan = *word;
    }
    auto const it = fields.find("detectors");
    bool const moments = r.mode > Mode::mean;
    std::size_t const most = moments ? 1 : max_detectors;
    if (it != fields.end() && (!it->is_array() || it->size() > most))
        return wrong_field("detectors", fmt::format("must be a list of at most {}", most));
    if (it != fields.end())
        for (Fields const& d : *it) {
            SLUICE_TRY(stem4d::Detector detector, shape_of(d, "detectors"));
            r.detectors.push_back(std::move(detector));
        }
    if (!moments && r.detectors.empty()) return wrong_field("detectors", "must hold one at least");
    return r;
}

Result<FrameRequest> frame_of(Fields const& fields) {
    FrameRequest r;
    for (auto const& [name, value] : {std::pair{"row", &r.row}, std::pair{"col", &r.col}}) {
        auto const it = fields.find(name);
        if (it == fields.end() || !it->is_number_integer() || it->get<std::int64_t>() < 0)
            return wrong_field(name, "must be a whole number from 0");
        *value = it->get<std::int64_t>();
    }
    return r;
}

Result<DisksRequest> disks_of(Fields const& fields) {
    DisksRequest r;
    SLUICE_TRY(FrameRequest const at, frame_of(fields));
    r.row = at.row, r.col = at.col;
    SLUICE_TRY(r.disks, disk_wish_of(fields));
    if (!fields.contains("plan")) return r;
    SLUICE_TRY(r.plan, disk_wish_of(fields, "plan"));
    if (r.plan->radius != r.disks.radius || r.plan->edge_width != r.disks.edge_width)
        return wrong_field("plan", "must have the template of 'disks'");
    return r;
}

Result<StrainRequest> strain_of(Fields const& fields) {
    SLUICE_TRY(StrainRequest r, strain_request_of(fields));
    if (auto const it = fields.find("region"); it != fields.end()) {
        SLUICE_TRY(r.region, shape_of(*it, "region"));
    }
    return r;
}

Result<MatchRequest> match_of(Fields const& fields) {
    MatchRequest r;
    SLUICE_TRY(FrameRequest const at, frame_of(fields));
    r.row = at.row, r.col = at.col;
    SLUICE_TRY(r.of, orientation_request_of(fields));
    return r;
}

Result<PatternRequest> pattern_of(Fields const& fields, bool of_region) {
    PatternRequest r;
    SLUICE_TRY(std::string const kind, text_field(fields, "kind", max_word));
    SLUICE_TRY(r.kind, stem4d::parse_pattern(kind));
    if (!of_region) return r;
    auto const it = fields.find("region");
    if (it == fields.end()) return wrong_field("region", "is missing");
    SLUICE_TRY(r.region, shape_of(*it, "region"));
    return r;
}

}  // namespace

char const* name_of(Mode mode) {
    return modes[static_cast<std::size_t>(mode)];
}

Result<ScanRequest> parse_scan_request(std::string const& op, Fields const& fields) {
    ScanRequest request{op, {}, {}, {}};
    SLUICE_TRY(request.dataset, text_field(fields, "dataset", max_name));
    if (op == "load") {
        request.what = LoadRequest{};
    } else if (op == "cancel") {
        request.what = CancelRequest{};
    } else if (op == "shown") {
        request.what = ShownRequest{};
    } else if (op == "stop") {
        request.what = StopSlotRequest{};
    } else if (op == "find_disk") {
        request.what = FindDiskRequest{};
    } else if (op == "image") {
        SLUICE_TRY(request.what, image_of(fields));
    } else if (op == "frame") {
        SLUICE_TRY(request.what, frame_of(fields));
    } else if (op == "region" || op == "pattern") {
        SLUICE_TRY(request.what, pattern_of(fields, op == "region"));
    } else if (op == "disks") {
        SLUICE_TRY(request.what, disks_of(fields));
    } else if (op == "strain") {
        SLUICE_TRY(request.what, strain_of(fields));
    } else if (op == "orientation") {
        SLUICE_TRY(request.what, orientation_request_of(fields));
    } else if (op == "match") {
        SLUICE_TRY(request.what, match_of(fields));
    } else {
        return wrong_field("op", fmt::format("'{}' is not known", op));
    }
    if (fields.contains("after")) {
        SLUICE_TRY(auto const after, whole_field(fields, "after", max_points));
        request.after = static_cast<std::uint64_t>(after);
    }
    return request;
}

}  // namespace sluice::app
