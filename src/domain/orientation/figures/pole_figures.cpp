// Pole figures and inverse pole figures: densities as colours.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "domain/orientation/figures/figures.h"
#include "domain/orientation/figures/indices.h"
#include "domain/orientation/figures/sector_picture.h"
#include "domain/orientation/figures/sphere_density.h"
#include "domain/orientation/rotation/sector.h"
#include "figure/colour_bar.h"
#include "figure/figure.h"
#include "figure/render.h"
#include "figure/theme.h"

namespace sluice::orient {
namespace {

using figure::Drawing;
using stem4d::CrystalPhase;
using stem4d::OrientationMap;
using stem4d::PoleDensity;
using stem4d::PoleFigureOptions;

constexpr index disk_side = 360;
constexpr double cap = 12;

figure::Tone tone_of(PoleDensity const& density) {
    return {figure::Scale::linear, {0, std::max(density.largest, 1.)}};
}

// The disk with x and y of the sample around it.
Drawing disk(PoleDensity const& density, stem4d::PoleProjection projection) {
    figure::Colormap const colours(figure::Map::meadow);
    figure::Tone const tone = tone_of(density);
    index const room = std::lround(2 * cap);
    Drawing out = figure::sheet(disk_side + room, disk_side + room, figure::background);
    Picture picture = figure::blank(disk_side, disk_side, figure::background);
    auto const place = [](index i) {
        return (2 * static_cast<double>(i) + 1) / static_cast<double>(disk_side) - 1;
    };
    for (index row = 0; row < disk_side; ++row)
        for (index col = 0; col < disk_side; ++col)
            if (auto const v = from_disk(projection, {place(col), place(row)}))
                figure::set_pixel(picture, row, col, colours(tone(density_at(density, *v))));
    out.shapes.emplace_back(figure::Pixels{{0, 0, disk_side, disk_side}, std::move(picture), true});
    figure::Pen const pen = figure::label_pen(cap);
    figure::draw_text(out, (disk_side + std::lround(cap)) / 2, disk_side + std::lround(cap / 2),
                      "x", pen);
    figure::draw_text(out, disk_side + std::lround(1.5 * cap), disk_side / 2 - std::lround(cap / 3),
                      "y", pen);
    return out;
}

// A title above, a bar of colours beside.
Drawing panel(Drawing const& inside, PoleDensity const& density, IndexText const& title) {
    figure::ColourBar const bar(tone_of(density), disk_side / 2, cap);
    figure::Pen const pen = figure::title_pen(cap), label = figure::label_pen(cap);
    index const head = std::lround(2.4 * pen.cap), gap = std::lround(cap);
    std::string const heading = bar.heading("× random");
    Drawing out =
        figure::sheet(head + std::max(inside.rows, disk_side / 2 + 3 * gap),
                      inside.cols + gap + std::max(bar.cols(), figure::text_width(heading, label)),
                      figure::background);
    draw_indices(out, std::lround(1.4 * pen.cap), 0, title, pen);
    figure::paste(out, head, 0, inside);
    figure::draw_text(out, head + gap, inside.cols + gap, heading, label);
    bar.draw(out, head + 2 * gap, inside.cols + gap, figure::Colormap(figure::Map::meadow));
    return out;
}

std::string caption_of(PoleDensity const& density, PoleFigureOptions const& o,
                       std::string_view what) {
    return fmt::format(
        "{} patterns; {}; {}; smeared by {:g} degrees (half of the width at half of "
        "the height).",
        density.patterns, what,
        o.projection == stem4d::PoleProjection::equal_area ? "equal-area projection"
                                                           : "stereographic projection",
        o.halfwidth_degrees);
}

Error nothing_to_draw(std::string_view what) {
    return {Code::invalid_argument, fmt::format("a figure of no {}; name at least one", what)};
}

}  // namespace

Result<Drawing> pole_figures(OrientationMap const& map, std::span<stem4d::Indices const> planes,
                             PoleFigureOptions const& options) {
    if (planes.empty()) return nothing_to_draw("planes");
    std::vector<Drawing> panels;
    PoleDensity density;
    for (stem4d::Indices const& hkl : planes) {
        SLUICE_TRY(density, stem4d::pole_density(map, hkl, options));
        auto const& cell = map.phases[static_cast<std::size_t>(options.phase)].cell;
        panels.push_back(panel(disk(density, options.projection), density, planes_of(hkl, cell)));
    }
    CrystalPhase const& phase = map.phases[static_cast<std::size_t>(options.phase)];
    return figure::grid(panels, 3, "Pole figures of " + phase.name,
                        caption_of(density, options,
                                   "x to the right, y down, seen from where the electrons come "
                                   "from; opposite poles are one"));
}

Result<Drawing> inverse_pole_figures(OrientationMap const& map,
                                     std::span<stem4d::Vector3 const> directions,
                                     PoleFigureOptions const& options) {
    if (directions.empty()) return nothing_to_draw("directions");
    std::vector<Drawing> panels;
    PoleDensity density;
    for (stem4d::Vector3 const& direction : directions) {
        SLUICE_TRY(density, stem4d::inverse_pole_density(map, direction, options));
        figure::Colormap const colours(figure::Map::meadow);
        figure::Tone const tone = tone_of(density);
        CrystalPhase const& phase = map.phases[static_cast<std::size_t>(options.phase)];
        Drawing const sector = sector_picture(
            phase, disk_side * 3 / 4, cap, options.projection, [&](Vector3 const& v) {
                return colours(tone(density_at(density, {v[0], -v[1], v[2]})));
            });
        panels.push_back(
            panel(sector, density, {.before = "along " + name_of_direction(direction)}));
    }
    CrystalPhase const& phase = map.phases[static_cast<std::size_t>(options.phase)];
    return figure::grid(
        panels, 3, "Inverse pole figures of " + phase.name,
        caption_of(
            density, options,
            "which direction of the crystal lies along that of the sample (x to the right, y "
            "down, z along the beam)"));
}

}  // namespace sluice::orient

namespace sluice::stem4d {

Status save_pole_figures(std::string const& path, OrientationMap const& map,
                         std::span<Indices const> planes, PoleFigureOptions const& options) {
    SLUICE_TRY(auto const drawing, orient::pole_figures(map, planes, options));
    return figure::save_drawing(path, drawing, map.provenance);
}

Status save_inverse_pole_figures(std::string const& path, OrientationMap const& map,
                                 std::span<Vector3 const> directions,
                                 PoleFigureOptions const& options) {
    SLUICE_TRY(auto const drawing, orient::inverse_pole_figures(map, directions, options));
    return figure::save_drawing(path, drawing, map.provenance);
}

}  // namespace sluice::stem4d
