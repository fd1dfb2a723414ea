// A quantity over a plane with axes: colours, contour lines and a colour bar.
// SPDX-License-Identifier: Apache-2.0
#include "figure/field.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "figure/axes.h"
#include "figure/colour_bar.h"
#include "figure/text.h"
#include "figure/theme.h"

namespace sluice::figure {
namespace {

double value_at(Field const& f, index row, index col) {
    return f.values[static_cast<std::size_t>(row * f.cols + col)];
}

// At a place in cells from the middle of the first one. Next to NaN it is the nearest
// cell's.
double between(Field const& f, double y, double x) {
    double const r = std::clamp(y, 0.0, static_cast<double>(f.rows - 1));
    double const c = std::clamp(x, 0.0, static_cast<double>(f.cols - 1));
    auto const r0 = static_cast<index>(r), c0 = static_cast<index>(c);
    index const r1 = std::min(r0 + 1, f.rows - 1), c1 = std::min(c0 + 1, f.cols - 1);
    double const t = r - static_cast<double>(r0), u = c - static_cast<double>(c0);
    double const mixed = (1 - t) * ((1 - u) * value_at(f, r0, c0) + u * value_at(f, r0, c1)) +
                         t * ((1 - u) * value_at(f, r1, c0) + u * value_at(f, r1, c1));
    return std::isfinite(mixed) ? mixed : value_at(f, t < 0.5 ? r0 : r1, u < 0.5 ? c0 : c1);
}

Limits limits_of(Field const& f) {
    if (f.limits) return *f.limits;
    Limits l{HUGE_VAL, -HUGE_VAL};
    for (double const v : f.values)
        if (std::isfinite(v)) l = {std::min(l.low, v), std::max(l.high, v)};
    return l.low <= l.high ? l : Limits{0, 1};
}

// Where a line at `level` crosses from one corner to the next, 0 to 1.
double crossing(double from, double to, double level) {
    return (level - from) / (to - from);
}

void draw_names(Drawing& drawing, Axes const& axes, std::vector<Contour> const& contours) {
    Pen const pen = label_pen(plot_cap);
    index const line = line_height(pen);
    index right = axes.area().right();
    // From the right, beside the title of the axis.
    for (auto c = contours.rbegin(); c != contours.rend(); ++c) {
        if (c->name.empty()) continue;
        right -= text_width(c->name, pen);
        draw_text(drawing, axes.area().top - line / 3, right, c->name, pen);
        right -= 3 * line / 2;
        fill(drawing,
             {axes.area().top - line / 3 - static_cast<index>(plot_cap / 2) - 1, right, 3, line},
             c->colour);
        right -= line;
    }
}

// The size of a cell in the units of the axes.
double width_of(Field const& f) {
    return (f.x.high - f.x.low) / static_cast<double>(f.cols);
}
double height_of(Field const& f) {
    return (f.y.high - f.y.low) / static_cast<double>(f.rows);
}

// A pixel for each of the area's.
Picture colours_in(Field const& f, Axes const& axes, Tone const& tone) {
    Colormap const colours(f.map);
    Box const area = axes.area();
    Picture p = blank(area.rows, area.cols, {});
    for (index row = 0; row < area.rows; ++row)
        for (index col = 0; col < area.cols; ++col) {
            double const y = (axes.y_at(area.top + row) - f.y.low) / height_of(f) - 0.5;
            double const x = (axes.x_at(area.left + col) - f.x.low) / width_of(f) - 0.5;
            set_pixel(p, row, col, colours(tone(between(f, y, x))));
        }
    return p;
}

void draw_contour(Drawing& drawing, Field const& f, Axes const& axes, Contour const& c) {
    auto const spot = [&](double x, double y) {
        return axes.at(f.x.low + (x + 0.5) * width_of(f), f.y.low + (y + 0.5) * height_of(f));
    };
    Stroke stroke{axes.area(), {}, 1.5, c.colour};
    for (Piece const& p : contour_of(f, c.level))
        stroke.lines.push_back({spot(p.x0, p.y0), spot(p.x1, p.y1)});
    if (!stroke.lines.empty()) drawing.shapes.emplace_back(std::move(stroke));
}

}  // namespace

std::vector<Piece> contour_of(Field const& f, double level) {
    std::vector<Piece> out;
    for (index r = 0; r + 1 < f.rows; ++r)
        for (index c = 0; c + 1 < f.cols; ++c) {
            // Around the square: where the line enters and leaves it.
            double const v[5] = {value_at(f, r, c), value_at(f, r, c + 1),
                                 value_at(f, r + 1, c + 1), value_at(f, r + 1, c),
                                 value_at(f, r, c)};
            if (!std::isfinite(v[0] + v[1] + v[2] + v[3])) continue;
            auto const x = static_cast<double>(c), y = static_cast<double>(r);
            Spot found[4];
            int count = 0;
            for (int k = 0; k < 4; ++k) {
                if ((v[k] >= level) == (v[k + 1] >= level)) continue;
                double const t = crossing(v[k], v[k + 1], level);
                double const along = k < 2 ? t : 1 - t;
                found[count++] = k % 2 == 0 ? Spot{x + along, y + (k == 0 ? 0 : 1)}
                                            : Spot{x + (k == 1 ? 1 : 0), y + along};
            }
            for (int k = 0; k + 1 < count; k += 2)
                out.push_back({found[k].col, found[k].row, found[k + 1].col, found[k + 1].row});
        }
    return out;
}

Drawing draw_field(Field const& f, index rows, index cols) {
    expects(f.rows > 0 && f.cols > 0 &&
            f.values.size() == static_cast<std::size_t>(f.rows * f.cols));
    Tone const tone(Scale::linear, limits_of(f));
    Colormap const colours(f.map);
    index const line = line_height(label_pen(plot_cap));
    // Its height is known when its width is, and hardly changes it.
    ColourBar const sized(tone, rows - 4 * line, plot_cap);
    Drawing drawing = sheet(rows, cols, background);
    Axes const axes(f.x, f.y, rows, cols, !f.title.empty(), sized.cols() + line);
    Box const area = axes.area();
    drawing.shapes.emplace_back(Pixels{area, colours_in(f, axes, tone)});
    for (Contour const& c : f.contours) draw_contour(drawing, f, axes, c);
    axes.draw_marks(drawing, false);
    frame(drawing, area, edge);
    axes.draw_texts(drawing, f.title, f.x_label, f.y_label);
    draw_names(drawing, axes, f.contours);
    ColourBar const bar(tone, area.rows, plot_cap);
    bar.draw(drawing, area.top, area.right() + line, colours);
    std::string const heading = bar.heading(f.unit);
    index const width = text_width(heading, label_pen(plot_cap));
    draw_text(drawing, area.bottom() + 9 * line / 4, std::max<index>(0, cols - width - line / 2),
              heading, label_pen(plot_cap));
    return drawing;
}

}  // namespace sluice::figure
