// The outermost tiles, compared with the bounds of the others.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/czi/far.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace sluice::slide {
namespace {

// Neighbours of a mosaic touch, and parts of a slide lie some tiles apart.
constexpr index far_in_tiles = 16;

// One axis: where a tile begins and ends.
struct Span {
    index from = 0, to = 0;
};

Span along(Rect const& r, bool x) {
    return x ? Span{r.x, r.x + r.width} : Span{r.y, r.y + r.height};
}

// The bounds along an axis of the tiles of level 0 but for those of one sub-block, whose planes
// share its coordinates.
std::optional<Span> others(Model const& m, std::int32_t entry, bool x) {
    std::optional<Span> all;
    for (Tile const& t : m.tiles) {
        if (t.level != 0 || t.entry == entry) continue;
        Span const s = along(t.rect, x);
        if (!all) all = s;
        all->from = std::min(all->from, s.from);
        all->to = std::max(all->to, s.to);
    }
    return all;
}

// The first tile at each end of the axis.
std::set<std::size_t> outermost(Model const& m, bool x) {
    std::optional<std::size_t> first, last;
    for (std::size_t i = 0; i < m.tiles.size(); ++i) {
        if (m.tiles[i].level != 0) continue;
        Span const s = along(m.tiles[i].rect, x);
        if (!first || s.from < along(m.tiles[*first].rect, x).from) first = i;
        if (!last || s.to > along(m.tiles[*last].rect, x).to) last = i;
    }
    std::set<std::size_t> out;
    if (first) out.insert({*first, *last});
    return out;
}

// How far from the others a tile is that more than doubles them, or 0.
index distance(Model const& m, Tile const& t, bool x) {
    auto const rest = others(m, t.entry, x);
    if (!rest) return 0;
    Span const own = along(t.rect, x);
    index const gap = std::max(own.from - rest->to, rest->from - own.to);
    index const whole = std::max(own.to, rest->to) - std::min(own.from, rest->from);
    bool const is_far = gap > far_in_tiles * (own.to - own.from);
    return is_far && (rest->to - rest->from) * 2 < whole ? gap : 0;
}

}  // namespace

void note_far_tiles(Model& m) {
    // Of two that are far from each other, the second in the file is reported.
    std::map<std::int32_t, std::pair<std::size_t, index>> found;
    for (bool const x : {true, false})
        for (std::size_t const i : outermost(m, x))
            if (index const gap = distance(m, m.tiles[i], x); gap > 0) {
                auto& [tile, most] = found[m.tiles[i].entry];
                tile = i;
                most = std::max(most, gap);
            }
    auto const entries =
        std::ranges::max_element(m.tiles, {}, [](Tile const& t) { return t.entry; });
    if (found.size() == 2 && entries->entry == 1) found.erase(found.begin());
    for (auto const& [entry, what] : found) {
        Tile const& t = m.tiles[what.first];
        m.notes.push_back(
            fmt::format("tile {} lies alone at X {}, Y {}, {} pixels from all others, and enlarges "
                        "the slide (one of its coordinates may be damaged)",
                        what.first, t.rect.x, t.rect.y, what.second));
    }
}

}  // namespace sluice::slide
