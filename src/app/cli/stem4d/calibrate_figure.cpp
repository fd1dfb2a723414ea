// Origins as they were measured, as they are fitted and what is left; below, rings.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/calibrate_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/stem4d/calibration_words.h"
#include "figure/plot.h"
#include "figure/render.h"

namespace sluice::cli {
namespace {

constexpr double bin = 0.25;  // px
constexpr index side = 256, plot_rows = 320;

figure::Drawing panel(std::vector<float> values, std::array<index, 2> shape, std::string title) {
    figure::Style style;
    style.map = figure::Map::balance;
    style.title = std::move(title), style.unit = "px";
    style.exact_side = true, style.least_side = side, style.margin = 0;
    Array<float> const image{{shape[0], shape[1]}, std::move(values)};
    return figure::render(view<2>(image), style);
}

std::vector<figure::Drawing> origin_panels(stem4d::Calibrated const& made) {
    stem4d::OriginFit const& fit = *made.calibration.origins;
    stem4d::Point const center = fit.center();
    std::vector<float> maps[2][3];
    for (index p = 0; p < std::ssize(made.origins.reason); ++p) {
        auto const at = fit.at(p / fit.scan_shape[1], p % fit.scan_shape[1]);
        double const fitted[2] = {at.row - center.row, at.col - center.col},
                     middle[2] = {center.row, center.col};
        for (std::size_t k = 0; k < 2; ++k) {
            double const measured =
                made.origins.values.values[static_cast<std::size_t>(2 * p) + k] - middle[k];
            for (auto const& [i, value] :
                 {std::pair{0, measured}, {1, fitted[k]}, {2, measured - fitted[k]}})
                maps[k][i].push_back(static_cast<float>(value));
        }
    }
    std::vector<figure::Drawing> panels;
    char const* const names[2] = {"row", "column"};
    for (std::size_t k = 0; k < 2; ++k)
        for (auto const& [i, what] : {std::pair{0, "measured"}, {1, "fitted"}, {2, "left"}})
            panels.push_back(panel(std::move(maps[k][i]), fit.scan_shape,
                                   fmt::format("origin {}, {}", names[k], what)));
    return panels;
}

figure::Drawing ring_plot(std::vector<double> const& bins, stem4d::Calibrated const& made,
                          index cols) {
    double const size = made.calibration.pixel_size, unit = size > 0 ? size : 1;
    figure::Plot plot;
    plot.title = "disks by their distance from the origin";
    plot.x_label = size > 0 ? "1/\u00c5" : "px", plot.y_label = "disks";
    figure::Series disks{.name = "measured"};
    // The direct disks would hide all else.
    auto const first = static_cast<std::size_t>(3 / bin);
    double most = 1;
    for (std::size_t i = first; i < bins.size(); ++i) {
        disks.x.push_back((static_cast<double>(i) + 0.5) * bin * unit);
        disks.y.push_back(bins[i]);
        most = std::max(most, bins[i]);
    }
    plot.series.push_back(std::move(disks));
    figure::Series rings{.name = size > 0 ? "crystal" : "rings", .colour = {255, 176, 96}};
    auto const add = [&](double at) {
        for (double y : {0.0, most, double{NAN}}) rings.x.push_back(at), rings.y.push_back(y);
    };
    if (made.size)
        for (auto const& ring : made.size->rings) add(ring.frequency);
    if (made.ellipse)
        for (double radius : made.ellipse->radii)
            if (std::isfinite(radius)) add(radius);
    rings.thickness = 1;
    if (!rings.x.empty()) plot.series.push_back(std::move(rings));
    return figure::draw_plot(plot, plot_rows, cols);
}

}  // namespace

Result<figure::Drawing> draw_calibration(stem4d::BraggVectors const& vectors,
                                         stem4d::Calibrated const& made,
                                         std::string const& heading) {
    SLUICE_TRY(auto const bins, stem4d::radial_histogram(vectors, made.calibration, bin));
    figure::Drawing const maps = figure::grid(origin_panels(made), 3);
    return figure::grid({maps, ring_plot(bins, made, std::max<index>(maps.cols, 640))}, 1, heading,
                        text_of_calibration(made.calibration));
}

}  // namespace sluice::cli
