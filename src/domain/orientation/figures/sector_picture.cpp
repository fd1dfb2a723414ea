// Sectors of Laue classes as pictures.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/figures/sector_picture.h"

#include <algorithm>

#include "domain/orientation/figures/indices.h"
#include "domain/orientation/rotation/sector.h"
#include "figure/theme.h"

namespace sluice::orient {
namespace {

using figure::Drawing;
using figure::Spot;
using stem4d::CrystalPhase;
using stem4d::PoleProjection;

// The edge of the sector in its frame, around it once.
std::vector<Vector3> outline_of(Sector const& sector) {
    auto const corners = triangle_corners(sector);
    Vector3 const& pole = corners[0];
    constexpr int steps = 48;
    std::vector<Vector3> out;
    auto const arc = [&](Vector3 const& from, Vector3 const& to) {
        double const angle = angle_between(from, to);
        for (int i = 0; i <= steps; ++i) {
            double const t = static_cast<double>(i) / steps;
            out.push_back(unit(
                sum(scaled(from, std::sin((1 - t) * angle)), scaled(to, std::sin(t * angle)))));
        }
    };
    bool const whole = sector.count * sector.width > 359;  // it has no edge at the pole
    auto const corner = [&](int k) {
        int const triangle = std::min(k, sector.first + sector.count - 1);
        return to_triangle(sector, triangle, corners[k % 2 != 0 ? 2 : 1]);
    };
    int const last = sector.first + sector.count;
    if (!whole) arc(pole, corner(sector.first));
    for (int k = sector.first; k < last; ++k) arc(corner(k), corner(k + 1));
    if (!whole) arc(corner(last), pole);
    return out;
}

// Where the frame of the class lies on the picture.
struct Plane {
    PoleProjection projection;
    double scale = 1, left = 0, top = 0;  ///< of pixels; where the disk's middle is

    Spot spot(Vector3 const& v) const {
        DiskPlace const p = on_disk(projection, {v[0], -v[1], v[2]});
        return {left + scale * p.right, top + scale * p.down};
    }
    std::optional<Vector3> direction(double col, double row) const {
        auto const v = from_disk(projection, {(col - left) / scale, (row - top) / scale});
        if (!v) return {};
        return Vector3{(*v)[0], -(*v)[1], (*v)[2]};
    }
};

struct Extent {
    double low_col = 1e9, high_col = -1e9, low_row = 1e9, high_row = -1e9;
    void add(Spot const& s) {
        low_col = std::min(low_col, s.col), high_col = std::max(high_col, s.col);
        low_row = std::min(low_row, s.row), high_row = std::max(high_row, s.row);
    }
};

struct Corner {
    Vector3 v;  ///< in the frame of the class
    IndexText text;
    index width = 0;
};
std::vector<Corner> named_corners(CrystalPhase const& phase, figure::Pen const& pen) {
    std::vector<Corner> out;
    for (Vector3 const& corner : sector_corners(phase.symmetry)) {
        Vector3 const v = into_frame(phase.symmetry, corner);
        // The ends of a whole circle are one.
        if (std::ranges::any_of(out, [&](Corner const& c) { return angle_between(c.v, v) < 1e-6; }))
            continue;
        IndexText text = indices_of(corner, phase.cell);
        index const width = width_of(text, pen);
        out.push_back({v, std::move(text), width});
    }
    return out;
}

void draw_corners(Drawing& drawing, std::vector<Corner> const& corners, Plane const& plane,
                  Extent const& box, figure::Pen const& pen) {
    Spot const middle{(box.low_col + box.high_col) / 2, (box.low_row + box.high_row) / 2};
    for (auto const& [v, text, width] : corners) {
        Spot const at = plane.spot(v);
        double const off_col = at.col - middle.col, off_row = at.row - middle.row;
        double const off = std::hypot(off_col, off_row);
        bool const inside = off < pen.cap;  // the pole of a whole circle
        // Outwards, so far that letters touch no colours.
        double const right = inside ? 0 : off_col / off, down = inside ? 1 : off_row / off;
        double const col = at.col + right * (static_cast<double>(width) / 2 + 0.8 * pen.cap);
        double const row = at.row + down * 1.6 * pen.cap;
        if (inside)
            figure::draw_line(drawing, {0, 0, drawing.rows, drawing.cols},
                              {{at.col - 1, at.row}, {at.col + 1, at.row}}, 5, {255, 255, 255});
        draw_indices(drawing, std::lround(row + pen.cap / 2),
                     std::lround(col - static_cast<double>(width) / 2), text,
                     inside ? figure::Pen{pen.cap, {255, 255, 255}} : pen);
    }
}

}  // namespace

Drawing sector_picture(CrystalPhase const& phase, index side, double cap, PoleProjection projection,
                       std::function<figure::Rgb(Vector3 const&)> const& colour) {
    Sector const sector = sector_of(phase.symmetry.laue);
    std::vector<Vector3> const outline = outline_of(sector);
    Plane plane{projection};
    Extent box;
    for (Vector3 const& v : outline) box.add(plane.spot(v));
    plane.scale = static_cast<double>(side) /
                  std::max(box.high_col - box.low_col, box.high_row - box.low_row);
    figure::Pen const pen = figure::label_pen(cap);
    auto const corners = named_corners(phase, pen);
    index widest = 0;
    for (Corner const& corner : corners) widest = std::max(widest, corner.width);
    // Room for the names.
    double const beside = static_cast<double>(widest) + 1.3 * cap, above = 3 * cap;
    plane.left = beside - box.low_col * plane.scale;
    plane.top = above - box.low_row * plane.scale;
    box = {};
    for (Vector3 const& v : outline) box.add(plane.spot(v));
    Drawing out = figure::sheet(std::lround(box.high_row + above),
                                std::lround(box.high_col + beside), figure::background);
    figure::Box const area{std::lround(box.low_row), std::lround(box.low_col),
                           std::lround(box.high_row - box.low_row),
                           std::lround(box.high_col - box.low_col)};
    Picture picture = figure::blank(area.rows, area.cols, figure::background);
    for (index row = 0; row < area.rows; ++row)
        for (index col = 0; col < area.cols; ++col) {
            auto const v = plane.direction(static_cast<double>(area.left + col) + 0.5,
                                           static_cast<double>(area.top + row) + 0.5);
            if (v && is_inside(sector, *v)) figure::set_pixel(picture, row, col, colour(*v));
        }
    out.shapes.emplace_back(figure::Pixels{area, std::move(picture)});
    std::vector<Spot> line;
    for (Vector3 const& v : outline) line.push_back(plane.spot(v));
    line.push_back(line.front());
    figure::draw_line(out, {0, 0, out.rows, out.cols}, line, 2, figure::plain_text);
    draw_corners(out, corners, plane, box, pen);
    return out;
}

}  // namespace sluice::orient
