// Putting shapes together.
// SPDX-License-Identifier: Apache-2.0
#include "figure/drawing.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sluice::figure {
namespace {

// Moves the ends of a line along one axis into [low, high]; whether anything of it is there. The
// part that is cut off may be so far away that only the edge itself is an exact number.
bool cut(Spot& a, Spot& b, double Spot::*along, double Spot::*across, double low, double high) {
    if (std::max(a.*along, b.*along) < low || std::min(a.*along, b.*along) > high) return false;
    auto const shorten = [&](Spot& end, Spot const& other) {
        double const edge = std::clamp(end.*along, low, high);
        if (edge == end.*along) return;
        double const part = (edge - end.*along) / (other.*along - end.*along);
        end.*across += part * (other.*across - end.*across);
        end.*along = edge;
    };
    shorten(a, b);
    shorten(b, a);
    return true;
}

// Leaves the part near the box: the library that draws takes no large numbers.
bool cut(Box const& box, double room, Spot& a, Spot& b) {
    if (!std::isfinite(a.col - b.col) || !std::isfinite(a.row - b.row)) return false;
    return cut(a, b, &Spot::col, &Spot::row, static_cast<double>(box.left) - room,
               static_cast<double>(box.right()) + room) &&
           cut(a, b, &Spot::row, &Spot::col, static_cast<double>(box.top) - room,
               static_cast<double>(box.bottom()) + room);
}

Box moved(Box box, index down, index right) {
    box.top += down, box.left += right;
    return box;
}

void move(Filled& f, index down, index right) {
    f.box = moved(f.box, down, right);
}

void move(Stroke& s, index down, index right) {
    s.clip = moved(s.clip, down, right);
    for (auto& line : s.lines)
        for (Spot& spot : line)
            spot.col += static_cast<double>(right), spot.row += static_cast<double>(down);
}

void move(Letters& l, index down, index right) {
    l.baseline += down, l.left += right;
}

void move(Pixels& p, index down, index right) {
    p.box = moved(p.box, down, right);
}

}  // namespace

Drawing sheet(index rows, index cols, Rgb colour) {
    Drawing d{rows, cols};
    fill(d, {0, 0, rows, cols}, colour);
    return d;
}

void fill(Drawing& drawing, Box box, Rgb colour, double opacity) {
    if (box.rows > 0 && box.cols > 0) drawing.shapes.emplace_back(Filled{box, colour, opacity});
}

void frame(Drawing& drawing, Box box, Rgb colour) {
    fill(drawing, {box.top - 1, box.left - 1, 1, box.cols + 2}, colour);
    fill(drawing, {box.bottom(), box.left - 1, 1, box.cols + 2}, colour);
    fill(drawing, {box.top, box.left - 1, box.rows, 1}, colour);
    fill(drawing, {box.top, box.right(), box.rows, 1}, colour);
}

void draw_line(Drawing& drawing, Box const& clip, std::vector<Spot> const& points, double thickness,
               Rgb colour) {
    Stroke stroke{clip, {}, thickness, colour};
    bool goes_on = false;
    for (std::size_t i = 1; i < points.size(); ++i) {
        Spot from = points[i - 1], to = points[i];
        if (!cut(clip, thickness + 2, from, to)) {
            goes_on = false;
            continue;
        }
        if (!goes_on) stroke.lines.push_back({from});
        stroke.lines.back().push_back(to);
        // One that leaves the box ends there.
        goes_on = to.col == points[i].col && to.row == points[i].row;
    }
    if (!stroke.lines.empty()) drawing.shapes.emplace_back(std::move(stroke));
}

void paste(Drawing& onto, index top, index left, Drawing const& from) {
    for (Shape const& shape : from.shapes) {
        onto.shapes.push_back(shape);
        std::visit([&](auto& s) { move(s, top, left); }, onto.shapes.back());
    }
}

}  // namespace sluice::figure
