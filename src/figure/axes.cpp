// The axes of a plot: where a value lies on the picture, marks, labels and lines.
// SPDX-License-Identifier: Apache-2.0
#include "figure/axes.h"

#include <algorithm>

#include "figure/nice.h"
#include "figure/text.h"
#include "figure/theme.h"

namespace sluice::figure {
namespace {

constexpr Rgb grid_line{44, 48, 56};

Pen pen() {
    return label_pen(plot_cap);
}

// "dose, Gy ×10⁻⁷"
std::string with_factor(std::string const& label, Ticks const& ticks) {
    return label + (label.empty() || ticks.factor.empty() ? "" : " ") + ticks.factor;
}

}  // namespace

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

Ticks Axes::x_ticks() const {
    return nice_ticks(Scale::linear, x_, static_cast<int>(area_.cols / 90));
}

Ticks Axes::y_ticks() const {
    return nice_ticks(Scale::linear, y_, static_cast<int>(std::max<index>(2, area_.rows / 50)));
}

void Axes::draw_marks(Drawing& drawing, bool lines) const {
    index const line = line_height(pen());
    for (Ticks::Tick const& t : x_ticks().ticks) {
        auto const col = static_cast<index>(at(t.value, y_.low).col);
        index const top = lines ? area_.top : area_.bottom();
        fill(drawing, {top, std::min(col, area_.right() - 1), lines ? area_.rows : line / 3, 1},
             lines ? grid_line : edge);
        draw_text(drawing, area_.bottom() + line, col - text_width(t.label, pen()) / 2, t.label,
                  pen());
    }
    for (Ticks::Tick const& t : y_ticks().ticks) {
        auto const row = static_cast<index>(at(x_.low, t.value).row);
        index const left = lines ? area_.left : area_.left - line / 3;
        fill(drawing, {std::min(row, area_.bottom() - 1), left, 1, lines ? area_.cols : line / 3},
             lines ? grid_line : edge);
        draw_text(drawing, row + static_cast<index>(plot_cap / 2),
                  area_.left - text_width(t.label, pen()) - line / 2, t.label, pen());
    }
}

void Axes::draw_texts(Drawing& drawing, std::string const& title, std::string const& x_label,
                      std::string const& y_label) const {
    index const line = line_height(pen());
    std::string const x_text = with_factor(x_label, x_ticks());
    if (!title.empty()) draw_text(drawing, 3 * line / 2, area_.left, title, title_pen(plot_cap));
    draw_text(drawing, area_.bottom() + 9 * line / 4,
              area_.left + (area_.cols - text_width(x_text, pen())) / 2, x_text, pen());
    draw_text(drawing, area_.top - line / 3, area_.left + line / 4, with_factor(y_label, y_ticks()),
              pen());
}

}  // namespace sluice::figure
