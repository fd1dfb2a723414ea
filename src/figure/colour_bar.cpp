// Measuring and drawing colour bars.
// SPDX-License-Identifier: Apache-2.0
#include "figure/colour_bar.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "figure/theme.h"

namespace sluice::figure {

ColourBar::ColourBar(Tone const& tone, index rows, double cap)
    : tone_(tone),
      rows_(rows),
      strip_(std::lround(1.5 * cap)),
      gap_(std::lround(0.6 * cap)),
      pen_(label_pen(cap)),
      ticks_(
          nice_ticks(tone.scale(), tone.limits(),
                     std::clamp(static_cast<int>(static_cast<double>(rows) / (5 * cap)), 2, 8))) {
    for (auto const& tick : ticks_.ticks) labels_ = std::max(labels_, text_width(tick.label, pen_));
}

index ColourBar::cols() const {
    return strip_ + 2 * gap_ + labels_;
}

std::string ColourBar::heading(std::string const& unit) const {
    return ticks_.factor + (ticks_.factor.empty() || unit.empty() ? "" : " ") + unit;
}

void ColourBar::draw(Drawing& drawing, index top, index left, Colormap const& colours) const {
    index const span = std::max<index>(rows_ - 1, 1);
    Picture strip = blank(rows_, 1, {});
    for (index row = 0; row < rows_; ++row)
        set_pixel(strip, row, 0,
                  colours(static_cast<double>(span - row) / static_cast<double>(span)));
    drawing.shapes.emplace_back(Pixels{{top, left, rows_, strip_}, std::move(strip)});
    frame(drawing, {top, left, rows_, strip_}, edge);
    auto const cap = static_cast<index>(std::lround(pen_.cap));
    index last = top + rows_ + 2 * cap;
    for (auto const& tick : ticks_.ticks) {
        index const row = top + std::lround((1 - tone_(tick.value)) * static_cast<double>(span));
        if (last - row < 2 * cap) continue;  // on a power scale ticks crowd at one end
        last = row;
        fill(drawing, {row, left + strip_ + 1, 1, gap_}, plain_text);
        index const baseline = std::clamp(row + (cap + 1) / 2, top + cap, top + rows_);
        draw_text(drawing, baseline, left + strip_ + 2 * gap_, tick.label, pen_);
    }
}

}  // namespace sluice::figure
