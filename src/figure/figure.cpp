// One image and what is written around it.
// SPDX-License-Identifier: Apache-2.0
#include "figure/figure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "figure/colour_bar.h"
#include "figure/text.h"
#include "figure/theme.h"

namespace sluice::figure {
namespace {

/// Means of blocks of `factor` by `factor` values, over those that are numbers.
Array<float> shrunk(View<float const, 2> values, index factor) {
    index const rows = (values.extent(0) + factor - 1) / factor;
    index const cols = (values.extent(1) + factor - 1) / factor;
    Array<float> out = Array<float>::zeros({rows, cols});
    for (index row = 0; row < rows; ++row)
        for (index col = 0; col < cols; ++col) {
            double sum = 0;
            index n = 0;
            for (index r = row * factor; r < std::min((row + 1) * factor, values.extent(0)); ++r)
                for (index c = col * factor; c < std::min((col + 1) * factor, values.extent(1));
                     ++c)
                    if (std::isfinite(values(r, c))) sum += values(r, c), ++n;
            view<2>(out)(row, col) = n > 0 ? static_cast<float>(sum / static_cast<double>(n))
                                           : std::numeric_limits<float>::quiet_NaN();
        }
    return out;
}

/// How an array becomes pixels: first averaged over blocks, then drawn this large.
struct Zoom {
    index shrink, rows, cols;
};

Zoom zoom_for(View<float const, 2> values, Style const& style) {
    index const rows = values.extent(0), cols = values.extent(1), side = std::max(rows, cols);
    index const most = std::max<index>(style.exact_side ? style.least_side : style.most_side, 1);
    index const shrink = (side + most - 1) / most;
    index const small_rows = (rows + shrink - 1) / shrink,
                small_cols = (cols + shrink - 1) / shrink;
    index const small_side = std::max(small_rows, small_cols);
    if (style.exact_side)
        return {shrink, std::max<index>(1, small_rows * most / small_side),
                std::max<index>(1, small_cols * most / small_side)};
    index const enlarge = shrink > 1 ? 1 : std::max<index>(1, (style.least_side + side - 1) / side);
    return {shrink, small_rows * enlarge, small_cols * enlarge};
}

template <class ColourOf>
Picture coloured(View<float const, 2> a, View<float const, 2> b, Zoom zoom, ColourOf colour_of) {
    Array<float> const small_a = shrunk(a, zoom.shrink), small_b = shrunk(b, zoom.shrink);
    Picture out = blank(small_a.shape[0], small_a.shape[1], {});
    for (index row = 0; row < out.rows; ++row)
        for (index col = 0; col < out.cols; ++col)
            set_pixel(out, row, col,
                      colour_of(view<2>(small_a)(row, col), view<2>(small_b)(row, col)));
    return out;
}

/// The image on its page, with the title and the scale bar; `legend` columns stay free at its
/// right and `heading` stands above them.
struct Page {
    Drawing drawing;
    Box image;
    index legend_left = 0;
};

Page page_of(Picture image, Zoom zoom, index data_cols, Style const& style, index legend,
             std::string const& heading) {
    double const cap = cap_for(zoom.rows, zoom.cols);
    Pen const title = title_pen(cap), label = label_pen(cap);
    bool const headed = !style.title.empty() || !heading.empty();
    index const head = headed ? std::lround(1.9 * title.cap) : 1;
    index const gap = legend > 0 ? std::lround(1.2 * cap) : 1;
    index const heading_cols = text_width(heading, label);
    index const right = std::max(legend, heading_cols);
    Page page;
    page.image = {style.margin + head, style.margin + 1, zoom.rows, zoom.cols};
    page.legend_left = page.image.right() + gap;
    page.drawing = sheet(page.image.bottom() + 1 + style.margin,
                         page.legend_left + right + style.margin, background);
    page.drawing.shapes.emplace_back(Pixels{page.image, std::move(image)});
    frame(page.drawing, page.image, edge);
    index const baseline = style.margin + std::lround(1.1 * title.cap);
    draw_text(page.drawing, baseline, page.image.left, shortened(style.title, zoom.cols, title),
              title);
    draw_text(page.drawing, baseline, page.legend_left, heading, label);
    if (style.step)
        draw_scale_bar(page.drawing, page.image,
                       static_cast<double>(zoom.cols) / static_cast<double>(data_cols),
                       scale_bar_of(data_cols, *style.step), cap);
    return page;
}

void draw_wheel(Drawing& drawing, index top, index left, index diameter) {
    double const radius = static_cast<double>(diameter) / 2;
    Picture wheel = blank(diameter, diameter, {});
    for (index row = 0; row < diameter; ++row)
        for (index col = 0; col < diameter; ++col) {
            double const up = 1 - (static_cast<double>(row) + 0.5) / radius;
            double const right = (static_cast<double>(col) + 0.5) / radius - 1;
            double const inward = std::max(1.0, std::hypot(up, right));
            set_pixel(wheel, row, col, vector_colour(up / inward, right / inward));
        }
    drawing.shapes.emplace_back(Pixels{{top, left, diameter, diameter}, std::move(wheel), true});
}

}  // namespace

Limits limits_for(View<float const, 2> values, Style const& style) {
    std::span const all(values.data(), static_cast<std::size_t>(values.size()));
    Limits const limits = style.limits
                              ? *style.limits
                              : percentiles(all, style.low_percentile, style.high_percentile,
                                            style.scale == Scale::log);
    if (style.limits || style.map != Map::balance) return limits;
    double const most = std::max(std::abs(limits.low), std::abs(limits.high));
    return most > 0 ? Limits{-most, most} : Limits{-1, 1};
}

Drawing render(View<float const, 2> values, Style const& style) {
    expects(values.size() > 0);
    Zoom const zoom = zoom_for(values, style);
    Tone const tone(style.scale, limits_for(values, style), style.power);
    Colormap const colours(style.map);
    Picture image =
        coloured(values, values, zoom, [&](float v, float) { return colours(tone(v)); });
    ColourBar const bar(tone, zoom.rows, cap_for(zoom.rows, zoom.cols));
    Page page =
        page_of(std::move(image), zoom, values.extent(1), style, style.colour_bar ? bar.cols() : 0,
                style.colour_bar ? bar.heading(style.unit) : "");
    if (style.colour_bar) bar.draw(page.drawing, page.image.top, page.legend_left, colours);
    return std::move(page.drawing);
}

Drawing colour_wheel(View<float const, 2> row_component, View<float const, 2> col_component,
                     Style const& style) {
    expects(row_component.size() > 0 && row_component.extent(0) == col_component.extent(0) &&
            row_component.extent(1) == col_component.extent(1));
    std::vector<float> lengths(static_cast<std::size_t>(row_component.size()));
    for (std::size_t i = 0; i < lengths.size(); ++i)
        lengths[i] = std::hypot(row_component.data()[i], col_component.data()[i]);
    double const most =
        style.limits ? style.limits->high : percentiles(lengths, 0, style.high_percentile).high;
    Tone const tone(style.scale == Scale::log ? Scale::power : style.scale, {0, most}, style.power);
    Zoom const zoom = zoom_for(row_component, style);
    Picture image = coloured(row_component, col_component, zoom, [&](float down, float right) {
        double const length = std::hypot(down, right);
        double const stretch = length > 0 ? tone(length) / length : 1;
        return vector_colour(-down * stretch, right * stretch);
    });
    double const cap = cap_for(zoom.rows, zoom.cols);
    Pen const label = label_pen(cap);
    std::string const text =
        "≤ " + number_text(tone.limits().high) + (style.unit.empty() ? "" : " " + style.unit);
    index const diameter = std::min<index>(std::lround(7 * cap), zoom.rows);
    index const legend = style.colour_bar ? std::max(diameter, text_width(text, label)) : 0;
    Page page = page_of(std::move(image), zoom, row_component.extent(1), style, legend, "");
    if (style.colour_bar) {
        draw_wheel(page.drawing, page.image.top, page.legend_left, diameter);
        draw_text(page.drawing, page.image.top + diameter + std::lround(1.9 * cap),
                  page.legend_left, text, label);
    }
    return std::move(page.drawing);
}

}  // namespace sluice::figure
