// Tiles sorted into planes, and rounded up to squares of files.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/cover.h"

#include <algorithm>
#include <map>

namespace sluice::slide::ome {
namespace {

// A square of files: row before column.
using Cell = std::pair<index, index>;

// The squares with sides of `side` pixels of a level that tiles touch, each once.
std::vector<Cell> cells_of(std::span<PlanePlan const> planes, int level, index side) {
    std::vector<Cell> cells;
    for (PlanePlan const& plane : planes)
        for (Rect const& r : plane.tiles)
            for (index y = (r.y >> level) / side; y <= ((r.y + r.height - 1) >> level) / side; ++y)
                for (index x = (r.x >> level) / side; x <= ((r.x + r.width - 1) >> level) / side;
                     ++x)
                    // Neighbours of a mosaic touch the same ones.
                    if (cells.empty() || cells.back() != Cell{y, x}) cells.emplace_back(y, x);
    std::ranges::sort(cells);
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
}

bool same_elsewhere(PlaneIndex const& a, PlaneIndex const& b) {
    for (std::size_t d = 0; d < a.size(); ++d)
        if (d != C && d != Z && d != slide::T && a[d] != b[d]) return false;
    return true;
}

// Squares of a row that follow each other, so many at most.
struct Stretch {
    index row = 0, first = 0, last = 0;
};

std::vector<Stretch> stretches_of(std::vector<Cell> const& cells, index most) {
    std::vector<Stretch> out;
    for (auto const& [row, column] : cells) {
        bool const next = !out.empty() && out.back().row == row && out.back().last + 1 == column &&
                          column - out.back().first < most;
        if (next)
            out.back().last = column;
        else
            out.push_back({row, column, column});
    }
    return out;
}

}  // namespace

void place_tiles(Slide const& slide, Plan& plan) {
    std::map<std::int32_t, std::size_t> of_scene;
    for (std::size_t i = 0; i < plan.images.size(); ++i)
        of_scene[plan.images[i].scene.value_or(none)] = i;
    bool const merged = plan.layout == ImageLayout::merged;
    std::vector<std::map<std::array<index, 3>, std::vector<Rect>>> planes(plan.images.size());
    for (Tile const& tile : slide.tiles()) {
        auto const found = of_scene.find(merged ? none : tile.scene);
        if (tile.level != 0 || found == of_scene.end()) continue;
        ImagePlan const& image = plan.images[found->second];
        auto const c = std::ranges::lower_bound(image.channels, tile.at[C]);
        if (c == image.channels.end() || *c != tile.at[C]) continue;
        if (!same_elsewhere(tile.at, image.first)) continue;
        Rect r = tile.rect;
        r.x -= image.rect.x;
        r.y -= image.rect.y;
        planes[found->second][{index{tile.at[slide::T]} - image.first[slide::T],
                               c - image.channels.begin(), index{tile.at[Z]} - image.first[Z]}]
            .push_back(r);
    }
    for (std::size_t i = 0; i < planes.size(); ++i)
        for (auto& [at, tiles] : planes[i])
            plan.images[i].planes.push_back({at[0], at[1], at[2], std::move(tiles)});
}

bool is_sparse(ImagePlan const& image, index block) {
    double touched = 0;
    for (PlanePlan const& plane : image.planes)
        touched += static_cast<double>(cells_of({&plane, 1}, 0, block).size());
    LevelPlan const& finest = image.levels.front();
    return touched * 4 < static_cast<double>(image.planes.size()) *
                             static_cast<double>(ceil_div(finest.width, block)) *
                             static_cast<double>(ceil_div(finest.height, block));
}

std::vector<BandRun> runs_of(ImagePlan const& image, Pass const& pass, index block,
                             std::span<PlanePlan const> planes) {
    LevelPlan const& source = image.levels[static_cast<std::size_t>(pass.source)];
    int const halvings = pass.last - pass.source;
    index const side = block << halvings, all = ceil_div(source.height, block);
    auto const cells = cells_of(planes, pass.source, side);
    std::vector<BandRun> runs;
    // Where the run is that ends above a stretch of these columns, and the row below its end.
    std::map<std::pair<index, index>, std::pair<std::size_t, index>> open;
    for (Stretch const& s : stretches_of(cells, ceil_div(pass.strip, side))) {
        index const end = std::min((s.row + 1) << halvings, all);
        auto const [above, fresh] = open.try_emplace({s.first, s.last}, runs.size(), s.row);
        if (!fresh && above->second.second == s.row) {
            runs[above->second.first].bands = end - runs[above->second.first].first;
        } else {
            above->second.first = runs.size();
            index const x = s.first * side, first = s.row << halvings;
            runs.push_back(
                {x, std::min((s.last + 1) * side, source.width) - x, first, end - first});
        }
        above->second.second = s.row + 1;
    }
    return runs;
}

std::uint64_t bytes_of(Plan const& plan, ImagePlan const& image, BandRun const& run, index band) {
    index const rows = std::min(plan.block, image.levels[0].height - band * plan.block);
    return static_cast<std::uint64_t>(rows * run.width * plan.pixel_bytes());
}

std::uint64_t bytes_of(Plan const& plan, ImagePlan const& image) {
    std::uint64_t sum = 0;
    auto const planes = std::span(image.planes);
    auto const lanes = static_cast<std::size_t>(image.lanes);
    for (std::size_t first = 0; first < planes.size(); first += lanes) {
        auto const some = planes.subspan(first, std::min(lanes, planes.size() - first));
        for (BandRun const& run : runs_of(image, image.passes.front(), plan.block, some))
            for (index b = run.first; b < run.first + run.bands; ++b)
                sum += bytes_of(plan, image, run, b) * some.size();
    }
    return sum;
}

}  // namespace sluice::slide::ome
