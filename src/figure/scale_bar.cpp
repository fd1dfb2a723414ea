// Choosing and drawing scale bars.
// SPDX-License-Identifier: Apache-2.0
#include "figure/scale_bar.h"

#include <algorithm>
#include <cmath>

#include "figure/nice.h"
#include "figure/text.h"

namespace sluice::figure {

ScaleBar scale_bar_of(index cols, PixelStep const& step) {
    bool const known = std::isfinite(step.size) && step.size > 0 && !step.unit.empty();
    double const size = known ? step.size : 1;
    double const aim = static_cast<double>(cols) / 5;
    double length = nice_number(aim * size);
    std::string unit = known ? step.unit : "px";
    if (unit == "px") length = std::max(length, 1.0);
    double const pixels = length / size;
    constexpr double almost = 0.999;
    if (unit == "Å" && length > 10 * almost) {
        unit = "nm";
        length /= 10;
    }
    if (unit == "nm" && length > 1000 * almost) {
        unit = "µm";
        length /= 1000;
    } else if (unit == "nm" && length < almost) {
        unit = "Å";
        length *= 10;
    }
    if (unit.starts_with("1/")) unit = unit.substr(2) + "⁻¹";
    return {pixels, number_text(length) + ' ' + unit};
}

void draw_scale_bar(Drawing& drawing, Box image, double zoom, ScaleBar const& bar, double cap) {
    Pen const pen{cap, {255, 255, 255}};
    auto const unit = static_cast<index>(std::lround(cap / 3));
    index const length = std::lround(bar.pixels * zoom);
    index const text = text_width(bar.label, pen);
    index const thickness = std::max<index>(3, unit + 1);
    Box plate;
    plate.cols = std::max(length, text) + 4 * unit;
    plate.rows = static_cast<index>(std::lround(cap)) + thickness + 5 * unit;
    plate.left = image.left + 2 * unit;
    plate.top = image.bottom() - plate.rows - 2 * unit;
    if (plate.rows + 2 * unit > image.rows || plate.cols + 2 * unit > image.cols) return;
    fill(drawing, plate, {12, 14, 18}, 0.55);
    index const middle = plate.left + plate.cols / 2;
    index const bar_top = plate.bottom() - 3 * unit / 2 - thickness;
    fill(drawing, {bar_top, middle - length / 2, thickness, length}, pen.colour);
    draw_text(drawing, bar_top - 3 * unit / 2, middle - text / 2, bar.label, pen);
}

}  // namespace sluice::figure
