// A pattern in log scale, circles and crosses.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/disk_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "figure/figure.h"

namespace sluice::cli {
namespace {

using figure::Rgb;
using figure::Spot;
using stem4d::Point;

constexpr Rgb clear_colour{86, 214, 232}, weak_colour{255, 170, 60}, lattice_colour{150, 220, 120};
constexpr double clear_times = 4;  // the least score
constexpr index side = 768;        // of the pattern on the picture

/// From pixels of the detector to those of the picture.
class Placed {
  public:
    Placed(figure::Drawing& drawing, Array<double> const& pattern, stem4d::PixelGrid const& grid)
        : drawing_(drawing),
          grid_(grid),
          scale_(static_cast<double>(std::max(drawing.rows, drawing.cols)) /
                 static_cast<double>(std::max(pattern.shape[0], pattern.shape[1]))),
          clip_{0, 0, drawing.rows, drawing.cols} {}

    Spot at(Point p) const {
        Point const a = grid_.to_array(p);
        return {(a.col + 0.5) * scale_, (a.row + 0.5) * scale_};
    }
    bool within(Spot s) const {
        return s.row >= 0 && s.col >= 0 && s.row < static_cast<double>(clip_.rows) &&
               s.col < static_cast<double>(clip_.cols);
    }
    void circle(Point center, double radius, Rgb colour) {
        Spot const middle = at(center);
        double const r = radius / grid_.bin * scale_;
        std::vector<Spot> line;
        constexpr int steps = 96;
        for (int i = 0; i <= steps; ++i) {
            double const angle = 2 * std::numbers::pi * i / steps;
            line.push_back({middle.col + r * std::cos(angle), middle.row + r * std::sin(angle)});
        }
        figure::draw_line(drawing_, clip_, line, 1.6, colour);
    }
    void cross(Point center, Rgb colour) {
        Spot const m = at(center);
        if (!within(m)) return;
        constexpr double arm = 5;
        figure::draw_line(drawing_, clip_, {{m.col - arm, m.row}, {m.col + arm, m.row}}, 1.4,
                          colour);
        figure::draw_line(drawing_, clip_, {{m.col, m.row - arm}, {m.col, m.row + arm}}, 1.4,
                          colour);
    }

  private:
    figure::Drawing& drawing_;
    stem4d::PixelGrid grid_;
    double scale_;
    figure::Box clip_;
};

void draw_lattice(stem4d::KnownLattice const& known, std::array<index, 2> point, Placed& placed) {
    stem4d::LatticeBasis const& l = known.basis;
    auto const row = static_cast<double>(point[0]), col = static_cast<double>(point[1]);
    Point const origin{l.origin.row + row * known.by_row.row + col * known.by_col.row,
                       l.origin.col + row * known.by_row.col + col * known.by_col.col};
    auto points = known.points;
    constexpr int most = 40;
    if (points.empty())
        for (int h = -most; h <= most; ++h)
            for (int k = -most; k <= most; ++k) points.push_back({h, k});
    for (auto const& [h, k] : points)
        placed.cross(
            {origin.row + h * l.a.row + k * l.b.row, origin.col + h * l.a.col + k * l.b.col},
            lattice_colour);
}

std::string caption_of(stem4d::DiskSetup const& setup, stem4d::BraggVectors const& v, double clear,
                       std::string const& found) {
    std::string text = found;
    if (v.size() > 0) {
        auto const [low, high] = std::ranges::minmax(v.intensity);
        text += fmt::format(
            ", {:.3g} to {:.3g} counts per pixel high. Circles have the template's "
            "radius, {:.2f} px",
            low, high, setup.probe.radius);
        auto const weak = std::ranges::count_if(v.score, [&](float s) { return !(s >= clear); });
        if (weak > 0) text += fmt::format("; {} in orange have a score below {:g}", weak, clear);
    }
    text += ".";
    if (setup.lattice)
        return text + " Crosses are points of the known lattice, where weak disks are fitted, too.";
    return text + fmt::format(" The least score is {:g}, the least signal to noise {:g}.",
                              setup.options.least_score, setup.options.least_snr);
}

}  // namespace

figure::Drawing draw_disks(Array<double> const& pattern, stem4d::PixelGrid const& grid,
                           stem4d::DiskSetup const& setup, std::array<index, 2> point,
                           stem4d::BraggVectors const& found, DiskWords const& words) {
    Array<float> image{pattern.shape, {}};
    for (double const v : pattern.values) image.values.push_back(static_cast<float>(v));
    figure::Style style{.map = figure::Map::gray, .scale = figure::Scale::log};
    style.high_percentile = 99.95;
    style.colour_bar = false;
    style.least_side = side, style.exact_side = true, style.margin = 0;
    figure::Drawing panel = figure::render(view<2>(std::as_const(image)), style);
    Placed placed(panel, pattern, grid);
    if (setup.lattice) draw_lattice(*setup.lattice, point, placed);
    double const clear = clear_times * setup.options.least_score;
    for (std::size_t i = 0; i < found.row.size(); ++i)
        placed.circle({static_cast<double>(found.row[i]), static_cast<double>(found.col[i])},
                      setup.probe.radius, found.score[i] >= clear ? clear_colour : weak_colour);
    return figure::grid({panel}, 1, words.heading, caption_of(setup, found, clear, words.found));
}

}  // namespace sluice::cli
