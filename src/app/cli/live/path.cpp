// Which scan the images of a series make, and what it is analysed for.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "app/cli/live/command.h"
#include "app/cli/stem4d/image_output.h"
#include "base/plural.h"
#include "format/fields.h"
#include "format/npy/plane.h"

namespace sluice::cli {
namespace {

using net::Series;

// [image][row, column] of points of the scan; a point has one image at most.
Result<std::vector<index>> points_of(std::string const& file, std::array<index, 2> scan) {
    SLUICE_TRY(Array<float> const places, npy::load_plane(file));
    if (places.shape.size() != 2 || places.shape[1] != 2)
        return Error{Code::invalid_argument,
                     "positions are [image][row, column]; give an array of two columns", file};
    std::vector<index> points;
    std::vector<std::uint8_t> taken(static_cast<std::size_t>(scan[0] * scan[1]));
    for (index i = 0; i < places.shape[0]; ++i) {
        float const r = places.values[static_cast<std::size_t>(2 * i)],
                    c = places.values[static_cast<std::size_t>(2 * i + 1)];
        if (r < 0 && c < 0) {
            points.push_back(-1);
            continue;
        }
        bool const within = r >= 0 && c >= 0 && r < static_cast<float>(scan[0]) &&
                            c < static_cast<float>(scan[1]) && r == std::floor(r) &&
                            c == std::floor(c);
        index const at = within ? static_cast<index>(r) * scan[1] + static_cast<index>(c) : -1;
        if (!within || std::exchange(taken[static_cast<std::size_t>(at)], std::uint8_t{1}))
            return Error{
                Code::invalid_argument,
                fmt::format("image {} lies at row {:g}, column {:g} ({}) give each point "
                            "of the {}x{} scan one image, and -1, -1 to images that "
                            "belong to none",
                            i, r, c, within ? "another image lies there" : "no point of the scan",
                            scan[0], scan[1]),
                file};
        points.push_back(at);
    }
    return points;
}

Result<std::array<index, 2>> shape_of(LiveCommand const& c, Series const& series,
                                      std::string& from) {
    if (!c.scan.empty()) {
        std::optional<std::array<index, 2>> shape;
        SLUICE_CHECK(read_shape({"--scan", {}}, c.scan, shape));
        from = "--scan";
        return *shape;
    }
    index const per_row = c.flyback;
    auto const announced = [&](std::array<index, 2> scan) {
        return series.images == 0 || scan[0] * (scan[1] + per_row) == series.images;
    };
    if (series.scan && announced(*series.scan)) {
        from = series.scan_from;
        return *series.scan;
    }
    if (series.images == 0)
        return Error{Code::invalid_argument,
                     "the stream does not say how many images come, nor which scan they make; give "
                     "--scan ROWSxCOLS",
                     c.address};
    auto const side =
        static_cast<index>(std::llround(std::sqrt(static_cast<double>(series.images))));
    if (side * side == series.images && per_row == 0) {
        from = "the square root of the number of images";
        return std::array<index, 2>{side, side};
    }
    return Error{Code::invalid_argument,
                 fmt::format("the series has {} images, and nobody says which scan they make; give "
                             "--scan ROWSxCOLS",
                             series.images),
                 c.address};
}

}  // namespace

Result<LivePath> live_path(LiveCommand const& c, Series const& series) {
    LivePath out;
    SLUICE_TRY(out.path.scan, shape_of(c, series, out.scan_from));
    auto const [rows, cols] = out.path.scan;
    out.path.order = c.order;
    out.path.flyback = c.flyback;
    if (!c.positions.empty()) {
        SLUICE_TRY(out.path.points, points_of(c.positions, out.path.scan));
    }
    index const images =
        c.positions.empty() ? rows * (cols + c.flyback) : std::ssize(out.path.points);
    // The last row needs no way back.
    bool const fits =
        series.images == 0 || series.images == images || series.images == images - c.flyback;
    if (!fits)
        out.notes.push_back(fmt::format("the series announces {}, and the {}x{} scan has {}{}",
                                        plural(series.images, "image"), rows, cols, images,
                                        series.images < images ? ": what is missing is not measured"
                                                               : ": the others are left out"));
    return out;
}

Result<stem4d::AnalysisPlan> live_plan(LiveCommand const& c) {
    stem4d::AnalysisPlan plan;
    stem4d::ImagesPart images{.mean = c.images.mean};
    std::vector<std::string> names;
    for (std::string const& text : c.images.detectors) {
        SLUICE_TRY(stem4d::Detector d, stem4d::parse_detector(text));
        names.push_back(d.name);
        images.detectors.push_back(std::move(d));
    }
    SLUICE_CHECK(check_file_names(names));
    plan.images.push_back(std::move(images));
    plan.patterns.push_back({.kinds = {stem4d::Pattern::sum}});
    stem4d::MomentsPart moments;
    if (!c.moments.within.empty()) {
        SLUICE_TRY(moments.within, stem4d::parse_detector(c.moments.within));
    }
    plan.moments.push_back(std::move(moments));
    return plan;
}

}  // namespace sluice::cli
