// Draws strain maps with their errors.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/strain_figure.h"

#include <algorithm>
#include <cmath>

namespace sluice::cli {
namespace {

figure::Style style_for(std::string title, std::string unit, OutputOptions const& options) {
    figure::Style style = style_of(0, false, options);
    style.title = std::move(title), style.unit = std::move(unit);
    style.exact_side = true, style.margin = 0;
    return style;
}

figure::Drawing panel(std::vector<double> const& values, std::vector<index> const& shape,
                      figure::Style const& style) {
    Array<float> image{shape, {}};
    image.values.assign(values.begin(), values.end());
    return figure::render(view<2>(std::as_const(image)), style);
}

}  // namespace

figure::Drawing draw_strain(stem4d::StrainMaps const& maps, std::vector<ScanMap const*> const& more,
                            OutputOptions const& options, std::string const& heading) {
    std::vector<figure::Drawing> panels;
    for (ScanMap const* map : maps.maps()) {
        figure::Style style = style_for(map->name, map->unit, options);
        if (!options.map) style.map = figure::Map::balance;
        panels.push_back(panel(map->values, map->shape, style));
    }
    for (ScanMap const* map : maps.maps())
        panels.push_back(
            panel(map->error, map->shape, style_for("error of " + map->name, map->unit, options)));
    for (ScanMap const* map : more)
        panels.push_back(panel(map->values, map->shape, style_for(map->name, map->unit, options)));
    return figure::grid(panels, 4, heading, maps.notes.front());
}

}  // namespace sluice::cli
