// Which scan the images of a series make.
// SPDX-License-Identifier: Apache-2.0
#include "domain/live/live_path.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/plural.h"

namespace sluice::live {

using net::Series;
using stem4d::LiveOptions;

namespace {

// A series may announce any number; each point costs some bytes before it comes.
constexpr index most_points = index{1} << 28;

Status check_size(Dataset const& dataset, std::array<index, 2> scan) {
    if (scan[0] >= 1 && scan[1] >= 1 && scan[0] <= most_points / scan[1]) return {};
    return Error{Code::invalid_argument,
                 fmt::format("a scan of {}x{} points (1 to {} can be received) give another shape",
                             scan[0], scan[1], most_points),
                 dataset.path};
}

// [image][row, column] of points of the scan; a point has one image at most.
Result<std::vector<index>> points_of(Array<float> const& places, std::string const& file,
                                     std::array<index, 2> scan) {
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

Result<std::array<index, 2>> shape_of(LiveOptions const& o, Series const& series,
                                      std::string& from) {
    if (o.scan) {
        from = "user";
        return *o.scan;
    }
    index const per_row = o.flyback;
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
                     "scan (--scan ROWSxCOLS)",
                     series.dataset.path};
    auto const side =
        static_cast<index>(std::llround(std::sqrt(static_cast<double>(series.images))));
    if (side * side == series.images && per_row == 0) {
        from = "the square root of the number of images";
        return std::array<index, 2>{side, side};
    }
    return Error{Code::invalid_argument,
                 fmt::format("the series has {} images, and nobody says which scan they make; give "
                             "scan (--scan ROWSxCOLS)",
                             series.images),
                 series.dataset.path};
}

}  // namespace

Result<LivePath> live_path(LiveOptions const& o, Series const& series) {
    LivePath out;
    SLUICE_TRY(out.path.scan, shape_of(o, series, out.scan_from));
    SLUICE_CHECK(check_size(series.dataset, out.path.scan));
    auto const [rows, cols] = out.path.scan;
    out.path.order = o.order;
    out.path.flyback = o.flyback;
    if (o.positions.size() > 0) {
        SLUICE_TRY(out.path.points, points_of(o.positions, o.positions_file, out.path.scan));
    }
    index const images =
        o.positions.size() == 0 ? rows * (cols + o.flyback) : std::ssize(out.path.points);
    // The last row needs no way back.
    bool const fits =
        series.images == 0 || series.images == images || series.images == images - o.flyback;
    if (!fits)
        out.notes.push_back(fmt::format("the series announces {}, and the {}x{} scan has {}{}",
                                        plural(series.images, "image"), rows, cols, images,
                                        series.images < images ? ": what is missing is not measured"
                                                               : ": the others are left out"));
    return out;
}

}  // namespace sluice::live
