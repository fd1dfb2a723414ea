// A map of noise is written as results are.
// SPDX-License-Identifier: Apache-2.0
#include "planning/results.h"

#include <fmt/format.h>

#include <random>

#include "bench/stopwatch.h"
#include "figure/figure.h"
#include "figure/render.h"
#include "planning/folder.h"
#include "planning/measure.h"
#include "sluice/save.h"

namespace sluice::planning {

Result<PlanTime> time_of_maps(std::array<index, 2> scan, int maps, std::string const& folder) {
    SLUICE_TRY(auto const inside, Folder::make(folder));
    std::mt19937 random(1);
    std::normal_distribution<double> noise(0, 1);
    ScanMap map;
    map.name = "map";
    map.shape = {scan[0], scan[1]};
    map.values.resize(static_cast<std::size_t>(scan[0] * scan[1]));
    for (double& v : map.values) v = noise(random);
    std::vector<float> const drawn(map.values.begin(), map.values.end());
    std::vector<double> map_s;
    // The first one finds the font.
    for (int i = 0; i < 4; ++i) {
        std::string const stem = fmt::format("{}/map{}", inside->path(), i);
        double const since = bench::system_clock().wall();
        SLUICE_CHECK(save_map(stem + ".npy", map));
        figure::Drawing const drawing =
            figure::render(View<float const, 2>(drawn.data(), {scan[0], scan[1]}), {});
        SLUICE_CHECK(figure::save_drawing(stem + ".png", drawing, {}));
        if (i > 0) map_s.push_back(bench::system_clock().wall() - since);
    }
    return time_of(map_s, maps, 0, fmt::format("writing {} maps with their pictures", maps));
}

}  // namespace sluice::planning
