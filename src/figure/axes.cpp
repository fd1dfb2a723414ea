// The axes of a plot: where a value lies on the picture, marks, labels and lines.
// SPDX-License-Identifier: Apache-2.0
#include "figure/axes.h"

#include <algorithm>
#include <cmath>

#include "figure/nice.h"
#include "figure/theme.h"

namespace sluice::figure {
namespace {

constexpr Rgb grid_line{44, 48, 56};

Pen pen() {
    return label_pen(plot_cap);
}

}  // namespace

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

Axes::Axes(Limits x, Limits y, index rows, index cols, bool has_title, index right) : x_(x), y_(y) {
    index const line = line_height(pen());
    index const top = has_title ? 3 * line : line;
    index const left = 7 * line / 2 + line, bottom = 3 * line;
    area_ = {top, left, std::max<index>(1, rows - top - bottom),
             std::max<index>(1, cols - left - line - right)};
}

Spot Axes::at(double x, double y) const {
    return {static_cast<double>(area_.left) +
                (x - x_.low) / (x_.high - x_.low) * static_cast<double>(area_.cols),
            static_cast<double>(area_.bottom()) -
                (y - y_.low) / (y_.high - y_.low) * static_cast<double>(area_.rows)};
}

double Axes::x_at(index col) const {
    double const t =
        (static_cast<double>(col - area_.left) + 0.5) / static_cast<double>(area_.cols);
    return x_.low + t * (x_.high - x_.low);
}

double Axes::y_at(index row) const {
    double const t =
        (static_cast<double>(area_.bottom() - row) - 0.5) / static_cast<double>(area_.rows);
    return y_.low + t * (y_.high - y_.low);
}

void Axes::draw_marks(Picture& picture, bool lines) const {
    index const line = line_height(pen());
    for (Ticks::Tick const& t :
         nice_ticks(Scale::linear, x_, static_cast<int>(area_.cols / 90)).ticks) {
        auto const col = static_cast<index>(at(t.value, y_.low).col);
        index const top = lines ? area_.top : area_.bottom();
        fill(picture, {top, std::min(col, area_.right() - 1), lines ? area_.rows : line / 3, 1},
             lines ? grid_line : edge);
        draw_text(picture, area_.bottom() + line, col - text_width(t.label, pen()) / 2, t.label,
                  pen());
    }
    for (Ticks::Tick const& t :
         nice_ticks(Scale::linear, y_, static_cast<int>(std::max<index>(2, area_.rows / 50)))
             .ticks) {
        auto const row = static_cast<index>(at(x_.low, t.value).row);
        index const left = lines ? area_.left : area_.left - line / 3;
        fill(picture, {std::min(row, area_.bottom() - 1), left, 1, lines ? area_.cols : line / 3},
             lines ? grid_line : edge);
        draw_text(picture, row + static_cast<index>(plot_cap / 2),
                  area_.left - text_width(t.label, pen()) - line / 2, t.label, pen());
    }
}

void Axes::draw_texts(Picture& picture, std::string const& title, std::string const& x_label,
                      std::string const& y_label) const {
    index const line = line_height(pen());
    if (!title.empty()) draw_text(picture, 3 * line / 2, area_.left, title, title_pen(plot_cap));
    draw_text(picture, area_.bottom() + 9 * line / 4,
              area_.left + (area_.cols - text_width(x_label, pen())) / 2, x_label, pen());
    draw_text(picture, area_.top - line / 3, area_.left + line / 4, y_label, pen());
}

}  // namespace sluice::figure
