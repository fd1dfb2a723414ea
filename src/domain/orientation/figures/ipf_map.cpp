// Inverse pole figure maps: the colour of each pattern says which direction of its crystal is along
// one of the sample.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/orientation/figures/figures.h"
#include "domain/orientation/figures/sector_picture.h"
#include "domain/orientation/map/neighbours.h"
#include "domain/orientation/rotation/sector.h"
#include "figure/figure.h"
#include "figure/render.h"
#include "figure/theme.h"
#include "sluice/orientation_grains.h"

namespace sluice::orient {
namespace {

using figure::Drawing;
using figure::Rgb;
using stem4d::IpfMapOptions;
using stem4d::OrientationMap;

constexpr index least_side = 384;

Rgb rgb_of(std::array<double, 3> const& c) {
    auto const byte = [](double v) { return static_cast<std::uint8_t>(std::lround(255 * v)); };
    return {byte(c[0]), byte(c[1]), byte(c[2])};
}

// Between the pixels of two patterns, as a line along their common edge.
void draw_boundaries(Drawing& drawing, figure::Box const& image, OrientationMap const& map,
                     std::vector<stem4d::OrientationBoundary> const& all, Rgb colour) {
    double const zoom = static_cast<double>(image.cols) / static_cast<double>(map.scan_shape[1]);
    figure::Stroke stroke{image, {}, std::max(1., zoom / 4), colour};
    for (auto const& [one, two, degrees] : all) {
        auto const [row, col] = row_and_col(map, static_cast<std::size_t>(two));
        bool const beside = two == one + 1;
        auto const spot = [&](double r, double c) {
            return figure::Spot{static_cast<double>(image.left) + zoom * c,
                                static_cast<double>(image.top) + zoom * r};
        };
        stroke.lines.push_back(
            {spot(row, col), spot(row + (beside ? 1 : 0), col + (beside ? 0 : 1))});
    }
    if (!stroke.lines.empty()) drawing.shapes.emplace_back(std::move(stroke));
}

Result<Drawing> panel(OrientationMap const& map, stem4d::Vector3 const& direction,
                      IpfMapOptions const& options,
                      std::vector<stem4d::OrientationBoundary> const& boundaries) {
    SLUICE_TRY(Picture picture, stem4d::ipf_colors(map, direction, options.white));
    index const longest = std::max(picture.rows, picture.cols);
    index const zoom = std::max<index>(1, (least_side + longest - 1) / longest);
    index const rows = picture.rows * zoom, cols = picture.cols * zoom;
    double const cap = figure::cap_for(rows, cols);
    figure::Pen const title = figure::title_pen(cap);
    index const head = std::lround(1.9 * title.cap);
    figure::Box const image{head + 1, 1, rows, cols};
    Drawing out = figure::sheet(
        image.bottom() + 1, std::max(image.right() + 1, std::lround(14 * cap)), figure::background);
    out.shapes.emplace_back(figure::Pixels{image, std::move(picture)});
    figure::frame(out, image, figure::edge);
    figure::draw_text(out, std::lround(1.1 * title.cap), image.left,
                      "along " + name_of_direction(direction), title);
    draw_boundaries(out, image, map, boundaries, options.white ? Rgb{0, 0, 0} : Rgb{255, 255, 255});
    if (map.step_nm > 0)
        figure::draw_scale_bar(out, image, static_cast<double>(zoom),
                               figure::scale_bar_of(map.scan_shape[1], {map.step_nm, "nm"}), cap);
    return out;
}

std::string caption_of(OrientationMap const& map, IpfMapOptions const& options) {
    index const rest = map.patterns() - indexed_patterns(map);
    std::string out = fmt::format(
        "Colours: which direction of the crystal lies along that of the sample. "
        "{} of {} patterns are not indexed: {}. x runs to the right, y down, z "
        "away from the eye, along the beam.",
        rest, map.patterns(), options.white ? "white" : "black");
    if (options.boundary_degrees > 0)
        out += fmt::format(" Lines: {:g} degrees and more, and between phases.",
                           options.boundary_degrees);
    return out;
}

}  // namespace

std::string name_of_direction(stem4d::Vector3 const& direction) {
    for (std::size_t i = 0; i < 3; ++i)
        if (direction[i] > 0 && direction[(i + 1) % 3] == 0 && direction[(i + 2) % 3] == 0)
            return std::string(1, "xyz"[i]);
    return fmt::format("{:g}, {:g}, {:g}", direction[0], direction[1], direction[2]);
}

Drawing ipf_legend(stem4d::CrystalPhase const& phase, index side, double cap) {
    Drawing const triangle = sector_picture(
        phase, side, cap, stem4d::PoleProjection::stereographic, [&](Vector3 const& v) {
            return rgb_of(stem4d::color_of(out_of_frame(phase.symmetry, v), phase.symmetry));
        });
    figure::Pen const pen = figure::title_pen(cap);
    index const head = std::lround(1.9 * pen.cap);
    std::string const name = fmt::format("{} ({})", phase.name, name_of(phase.symmetry.laue));
    Drawing out = figure::sheet(head + triangle.rows, triangle.cols, figure::background);
    figure::draw_text(out, std::lround(1.1 * pen.cap), 0, figure::shortened(name, out.cols, pen),
                      pen);
    figure::paste(out, head, 0, triangle);
    return out;
}

Result<Drawing> ipf_map(OrientationMap const& map, IpfMapOptions const& options) {
    if (options.directions.empty())
        return Error{Code::invalid_argument,
                     "an inverse pole figure map of no direction; name one, as 0, 0, 1"};
    std::vector<stem4d::OrientationBoundary> boundaries;
    if (options.boundary_degrees > 0) {
        SLUICE_TRY(boundaries, stem4d::orientation_boundaries(map, options.boundary_degrees));
    }
    std::vector<Drawing> panels;
    for (stem4d::Vector3 const& direction : options.directions) {
        SLUICE_TRY(panels.emplace_back(), panel(map, direction, options, boundaries));
    }
    double const cap = figure::cap_for(panels[0].rows, panels[0].cols);
    for (stem4d::CrystalPhase const& phase : map.phases)
        panels.push_back(ipf_legend(phase, std::lround(14 * cap), cap));
    // Of one direction the triangles stand beside its map.
    auto const columns =
        std::max<index>(std::ssize(options.directions), std::min<index>(std::ssize(panels), 3));
    return figure::grid(panels, columns, "Inverse pole figure map", caption_of(map, options));
}

}  // namespace sluice::orient

namespace sluice::stem4d {

Result<Picture> ipf_colors(OrientationMap const& map, Vector3 const& direction, bool white) {
    SLUICE_CHECK(check_orientations(map));
    if (!(orient::length(direction) > 0) || !std::isfinite(orient::length(direction)))
        return Error{Code::invalid_argument,
                     "a direction of the sample has no length; give another, as 0, 0, 1"};
    std::uint8_t const none = white ? 255 : 0;
    Picture out = figure::blank(map.scan_shape[0], map.scan_shape[1], {none, none, none});
    for (std::size_t p = 0; p < map.reason.size(); ++p) {
        if (!orient::is_indexed(map, p)) continue;
        auto const& symmetry = map.phases[static_cast<std::size_t>(map.phase[p])].symmetry;
        figure::set_pixel(out, static_cast<index>(p) / map.scan_shape[1],
                          static_cast<index>(p) % map.scan_shape[1],
                          orient::rgb_of(color_of(map.orientation[p].turn(direction), symmetry)));
    }
    return out;
}

Status save_ipf_map(std::string const& path, OrientationMap const& map,
                    IpfMapOptions const& options) {
    SLUICE_TRY(auto const drawing, orient::ipf_map(map, options));
    return figure::save_drawing(path, drawing, map.provenance);
}

}  // namespace sluice::stem4d
