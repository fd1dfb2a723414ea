// Axes, marks and lines.
// SPDX-License-Identifier: Apache-2.0
#include "image/plot.h"

#include <algorithm>
#include <cmath>

#include "image/nice.h"
#include "image/theme.h"

namespace sluice::image {
namespace {

constexpr Rgb grid_line{44, 48, 56};

Limits limits_of(Plot const& plot, bool of_x) {
    Limits l{HUGE_VAL, -HUGE_VAL};
    for (Series const& s : plot.series)
        for (std::size_t i = 0; i < s.x.size(); ++i) {
            double const v = of_x ? s.x[i] : s.y[i];
            if (!std::isfinite(s.x[i]) || !std::isfinite(s.y[i])) continue;
            l.low = std::min(l.low, v);
            l.high = std::max(l.high, v);
        }
    if (!(l.low <= l.high)) return {0, 1};
    if (l.low == l.high) return {l.low - 1, l.high + 1};
    // Along x the curves go from edge to edge.
    double const room = of_x ? 0 : 0.05 * (l.high - l.low);
    return {l.low == 0 ? 0 : l.low - room, l.high + room};
}

// A point on a picture.
struct Spot {
    double col, row;
};

void draw_line(Picture& picture, Box const& clip, Spot a, Spot b, double thickness, Rgb colour) {
    double const radius = thickness / 2, dx = b.col - a.col, dy = b.row - a.row;
    double const length = dx * dx + dy * dy;
    auto const low = [&](double u, double v, index from) {
        return std::max(from, static_cast<index>(std::floor(std::min(u, v) - radius - 1)));
    };
    auto const high = [&](double u, double v, index past) {
        return std::min(past, static_cast<index>(std::ceil(std::max(u, v) + radius + 2)));
    };
    for (index r = low(a.row, b.row, clip.top); r < high(a.row, b.row, clip.bottom()); ++r)
        for (index c = low(a.col, b.col, clip.left); c < high(a.col, b.col, clip.right()); ++c) {
            double const x = static_cast<double>(c) + 0.5, y = static_cast<double>(r) + 0.5;
            double const along = length > 0 ? ((x - a.col) * dx + (y - a.row) * dy) / length : 0;
            double const t = std::clamp(along, 0.0, 1.0);
            double const away = std::hypot(x - a.col - t * dx, y - a.row - t * dy);
            double const cover = std::clamp(radius + 0.5 - away, 0.0, 1.0);
            if (cover > 0) set_pixel(picture, r, c, colour, cover);
        }
}

class Drawing {
  public:
    Drawing(Plot const& plot, index rows, index cols)
        : plot_(plot),
          cap_(12),
          picture_(blank(rows, cols, background)),
          x_(plot.x.value_or(limits_of(plot, true))),
          y_(plot.y.value_or(limits_of(plot, false))) {
        index const line = line_height(pen());
        index const top = plot.title.empty() ? line : 5 * line / 2;
        index const left = 7 * line / 2 + line, bottom = 3 * line;
        area_ = {top, left, std::max<index>(1, rows - top - bottom),
                 std::max<index>(1, cols - left - line)};
    }

    Picture draw() {
        marks();
        for (Series const& s : plot_.series) curve(s);
        frame(picture_, area_, edge);
        texts();
        return std::move(picture_);
    }

  private:
    Plot const& plot_;
    double cap_;
    Picture picture_;
    Limits x_, y_;
    Box area_;

    Pen pen() const { return label_pen(cap_); }
    Spot at(double x, double y) const {
        return {static_cast<double>(area_.left) +
                    (x - x_.low) / (x_.high - x_.low) * static_cast<double>(area_.cols),
                static_cast<double>(area_.bottom()) -
                    (y - y_.low) / (y_.high - y_.low) * static_cast<double>(area_.rows)};
    }

    void marks() {
        index const line = line_height(pen());
        for (Ticks::Tick const& t :
             nice_ticks(Scale::linear, x_, static_cast<int>(area_.cols / 90)).ticks) {
            auto const col = static_cast<index>(at(t.value, y_.low).col);
            fill(picture_, {area_.top, std::min(col, area_.right() - 1), area_.rows, 1}, grid_line);
            draw_text(picture_, area_.bottom() + line, col - text_width(t.label, pen()) / 2,
                      t.label, pen());
        }
        for (Ticks::Tick const& t :
             nice_ticks(Scale::linear, y_, static_cast<int>(std::max<index>(2, area_.rows / 50)))
                 .ticks) {
            auto const row = static_cast<index>(at(x_.low, t.value).row);
            fill(picture_, {std::min(row, area_.bottom() - 1), area_.left, 1, area_.cols},
                 grid_line);
            draw_text(picture_, row + static_cast<index>(cap_ / 2),
                      area_.left - text_width(t.label, pen()) - line / 2, t.label, pen());
        }
    }

    void curve(Series const& s) {
        for (std::size_t i = 1; i < s.x.size(); ++i) {
            Spot const a = at(s.x[i - 1], s.y[i - 1]), b = at(s.x[i], s.y[i]);
            if (std::isfinite(a.col + a.row + b.col + b.row))
                draw_line(picture_, area_, a, b, s.thickness, s.colour);
        }
    }

    void texts() {
        index const line = line_height(pen());
        if (!plot_.title.empty())
            draw_text(picture_, 3 * line / 2, area_.left, plot_.title, title_pen(cap_));
        draw_text(picture_, area_.bottom() + 9 * line / 4,
                  area_.left + (area_.cols - text_width(plot_.x_label, pen())) / 2, plot_.x_label,
                  pen());
        // Horizontal, because it is read so.
        draw_text(picture_, area_.top - line / 3, area_.left + line / 4, plot_.y_label, pen());
        index row = area_.top + 3 * line / 2;
        for (Series const& s : plot_.series) {
            if (plot_.series.size() < 2 || s.name.empty()) continue;
            fill(picture_, {row - static_cast<index>(cap_ / 2) - 1, area_.left + line, 3, 2 * line},
                 s.colour);
            draw_text(picture_, row, area_.left + 7 * line / 2, s.name, pen());
            row += 4 * line / 3;
        }
    }
};

}  // namespace

Picture draw_plot(Plot const& plot, index rows, index cols) {
    return Drawing(plot, rows, cols).draw();
}

}  // namespace sluice::image
