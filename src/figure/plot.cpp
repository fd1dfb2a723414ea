// Axes, marks and lines.
// SPDX-License-Identifier: Apache-2.0
#include "figure/plot.h"

#include <algorithm>
#include <cmath>

#include "figure/axes.h"
#include "figure/text.h"
#include "figure/theme.h"

namespace sluice::figure {
namespace {

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

void draw_series(Drawing& drawing, Axes const& axes, Series const& s) {
    std::vector<Spot> points;
    for (std::size_t i = 0; i < s.x.size(); ++i) points.push_back(axes.at(s.x[i], s.y[i]));
    draw_line(drawing, axes.area(), points, s.thickness, s.colour);
}

// Where the names hide least of the lines; the corners first.
Box place_for(Axes const& axes, std::vector<Series> const& series, index rows, index cols) {
    Box const area = axes.area();
    Box best;
    index least = -1;
    for (index const top : {area.top, area.bottom() - rows, area.top + (area.rows - rows) / 2})
        for (index const part : {0, 4, 1, 2, 3}) {
            Box const box{top, area.left + part * std::max<index>(0, area.cols - cols) / 4, rows,
                          cols};
            index hidden = 0;
            for (Series const& s : series)
                for (std::size_t i = 0; i < s.x.size(); ++i) {
                    Spot const p = axes.at(s.x[i], s.y[i]);
                    hidden += p.row >= static_cast<double>(box.top) &&
                              p.row < static_cast<double>(box.bottom()) &&
                              p.col >= static_cast<double>(box.left) &&
                              p.col < static_cast<double>(box.right());
                }
            if (least >= 0 && hidden >= least) continue;
            least = hidden;
            best = box;
        }
    return best;
}

void draw_names(Drawing& drawing, Axes const& axes, std::vector<Series> const& series) {
    Pen const pen = label_pen(plot_cap);
    index const line = line_height(pen);
    index names = 0, widest = 0;
    for (Series const& s : series)
        if (!s.name.empty()) ++names, widest = std::max(widest, text_width(s.name, pen));
    if (series.size() < 2 || names == 0) return;
    Box const box = place_for(axes, series, (4 * names + 2) * line / 3, widest + 9 * line / 2);
    fill(drawing, {box.top + line / 2, box.left + line, box.rows - line / 2, box.cols - line},
         background, 0.5);
    index row = box.top + 3 * line / 2;
    for (Series const& s : series) {
        if (s.name.empty()) continue;
        fill(drawing, {row - static_cast<index>(plot_cap / 2) - 1, box.left + line, 3, 2 * line},
             s.colour);
        draw_text(drawing, row, box.left + 7 * line / 2, s.name, pen);
        row += 4 * line / 3;
    }
}

}  // namespace

Drawing draw_plot(Plot const& plot, index rows, index cols) {
    Drawing drawing = sheet(rows, cols, background);
    Axes const axes(plot.x.value_or(limits_of(plot, true)), plot.y.value_or(limits_of(plot, false)),
                    rows, cols, !plot.title.empty());
    axes.draw_marks(drawing, true);
    for (Series const& s : plot.series) draw_series(drawing, axes, s);
    frame(drawing, axes.area(), edge);
    axes.draw_texts(drawing, plot.title, plot.x_label, plot.y_label);
    draw_names(drawing, axes, plot.series);
    return drawing;
}

}  // namespace sluice::figure
