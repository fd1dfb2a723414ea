// Several drawings as one figure.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "figure/figure.h"
#include "figure/text.h"
#include "figure/theme.h"

namespace sluice::figure {
namespace {

/// The sums of the sizes before each place, with a gap between; the last is the whole size.
std::vector<index> starts_of(std::vector<index> const& sizes, index gap) {
    std::vector<index> starts{0};
    for (index size : sizes) starts.push_back(starts.back() + size + gap);
    starts.back() -= gap;
    return starts;
}

}  // namespace

Drawing grid(std::vector<Drawing> const& panels, index columns, std::string const& heading,
             std::string const& caption) {
    expects(!panels.empty() && columns > 0);
    auto const n = static_cast<index>(panels.size());
    columns = std::min(columns, n);
    std::vector<index> heights(static_cast<std::size_t>((n + columns - 1) / columns));
    std::vector<index> widths(static_cast<std::size_t>(columns));
    auto const row_of = [&](index i) { return static_cast<std::size_t>(i / columns); };
    auto const col_of = [&](index i) { return static_cast<std::size_t>(i % columns); };
    for (index i = 0; i < n; ++i) {
        Drawing const& p = panels[static_cast<std::size_t>(i)];
        heights[row_of(i)] = std::max(heights[row_of(i)], p.rows);
        widths[col_of(i)] = std::max(widths[col_of(i)], p.cols);
    }
    constexpr index margin = 28, gap = 26;
    std::vector<index> const tops = starts_of(heights, gap), lefts = starts_of(widths, gap);
    index const width = lefts.back();
    double const cap = cap_for(heights[0], widths[0]);
    Pen const head{std::round(1.5 * cap), bright_text}, small = label_pen(cap);
    index const head_rows = heading.empty() ? 0 : std::lround(2.5 * head.cap);
    std::vector<std::string> const lines = wrapped(caption, width, small);
    auto const caption_rows = static_cast<index>(lines.size()) * line_height(small);
    Drawing out =
        sheet(2 * margin + head_rows + tops.back() + (lines.empty() ? 0 : gap / 2) + caption_rows,
              2 * margin + width, background);
    draw_text(out, margin + std::lround(1.1 * head.cap), margin, shortened(heading, width, head),
              head);
    index const top = margin + head_rows;
    for (index i = 0; i < n; ++i)
        paste(out, top + tops[row_of(i)], margin + lefts[col_of(i)],
              panels[static_cast<std::size_t>(i)]);
    index baseline = top + tops.back() + gap / 2 + std::lround(1.5 * cap);
    for (std::string const& line : lines) {
        draw_text(out, baseline, margin, line, small);
        baseline += line_height(small);
    }
    return out;
}

}  // namespace sluice::figure
