// Sorting tiles into levels, scenes and planes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace sluice::slide {
namespace {

// Scene by scene, since M counts the tiles of one. Of each, higher M is drawn over lower, no M
// below all, else as the file has them; M counts on level 0 only.
void set_order(Model& m) {
    std::vector<std::int32_t> by(m.tiles.size());
    std::iota(by.begin(), by.end(), 0);
    auto const key = [&](std::int32_t i) {
        Tile const& t = m.tiles[static_cast<std::size_t>(i)];
        return std::pair(t.scene, t.level == 0 ? t.m : none);
    };
    static_assert(none < 0, "tiles without S, or without M, come first");
    std::stable_sort(by.begin(), by.end(),
                     [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
    for (std::size_t rank = 0; rank < by.size(); ++rank)
        m.tiles[static_cast<std::size_t>(by[rank])].order = static_cast<std::int32_t>(rank);
}

Rect rect_of(Box const& b) {
    return {b.left, b.top, b.right - b.left, b.bottom - b.top};
}

void set_bounds(Model& m) {
    std::map<std::int32_t, std::pair<Box, index>> scenes;
    std::optional<Box> all;
    PlaneIndex last{};
    m.first.fill(INT_MAX);
    last.fill(INT_MIN);
    for (Tile const& t : m.tiles) {
        for (std::size_t d = 0; d < t.at.size(); ++d) {
            m.first[d] = std::min(m.first[d], t.at[d]);
            last[d] = std::max(last[d], t.at[d]);
        }
        // A scene of which only an overview was kept still has an extent.
        Box const b = box_of(t.rect);
        if (t.level == 0 || m.levels[0].tiles == 0) {
            auto const [s, fresh] = scenes.try_emplace(t.scene, b, 0);
            if (!fresh) s->second.first.add(b);
            ++s->second.second;
            if (all)
                all->add(b);
            else
                all = b;
        }
    }
    for (auto const& [id, s] : scenes) m.scenes.push_back({id, rect_of(s.first), s.second});
    if (all) m.bounds = rect_of(*all);
    for (std::size_t d = 0; d < last.size(); ++d) {
        if (m.tiles.empty()) m.first[d] = last[d] = 0;
        m.counts[d] =
            static_cast<std::int32_t>(std::min<index>(index{last[d]} - m.first[d] + 1, INT_MAX));
    }
}

// A few numbers of many.
template <class Set>
std::string listed(Set const& numbers) {
    constexpr std::size_t most = 8;
    std::string text;
    std::size_t n = 0;
    for (auto const number : numbers) {
        if (n++ == most) return text + ", ...";
        text += fmt::format("{}{}", text.empty() ? "" : ", ", number);
    }
    return text;
}

// Where dimensions have indices that no tile has, or planes lack scenes: the slide may be like
// that, or damaged; in both cases background replaces expected pixels.
void note_gaps(Model& m) {
    std::array<std::set<std::int32_t>, dimension_count> seen;
    std::size_t planes = 0, pairs = 0;
    for (auto const& [key, group] : m.groups) {
        auto const& [at, level] = key;
        if (level != 0) continue;
        for (std::size_t d = 0; d < at.size(); ++d) seen[d].insert(at[d]);
        ++planes;
        // Tiles are in the order of their scenes.
        std::optional<std::int32_t> last;
        for (std::int32_t const t : group.tiles) {
            std::int32_t const scene = m.tiles[static_cast<std::size_t>(t)].scene;
            pairs += !last || *last != scene;
            last = scene;
        }
    }
    double grid = 1;
    for (std::size_t d = 0; d < seen.size(); ++d) {
        grid *= static_cast<double>(std::max<std::size_t>(1, seen[d].size()));
        if (seen[d].empty() || std::ssize(seen[d]) == m.counts[d]) continue;
        m.notes.push_back(fmt::format(
            "{} goes from {} to {}, and {} of these {} indices {} tiles ({})", dimension_letters[d],
            m.first[d], index{m.first[d]} + m.counts[d] - 1, seen[d].size(), m.counts[d],
            seen[d].size() == 1 ? "has" : "have", listed(seen[d])));
    }
    if (planes > 0 && static_cast<double>(planes) < grid)
        m.notes.push_back(
            fmt::format("{} of {:.0f} planes have tiles; the others are background", planes, grid));
    std::size_t const all = planes * std::max<std::size_t>(1, m.scenes.size());
    if (pairs < all)
        m.notes.push_back(
            fmt::format("{} of the {} pairs of a plane and a scene have tiles; the "
                        "others are background",
                        pairs, all));
}

}  // namespace

void complete(Model& m) {
    set_order(m);
    set_bounds(m);
    std::vector<std::int32_t> by_order(m.tiles.size());
    for (std::size_t i = 0; i < m.tiles.size(); ++i)
        by_order[static_cast<std::size_t>(m.tiles[i].order)] = static_cast<std::int32_t>(i);
    for (std::int32_t const i : by_order) {
        Tile const& t = m.tiles[static_cast<std::size_t>(i)];
        PixelType const type = t.pixel_type;
        Group& g = m.groups[{t.at, t.level}];
        if (g.tiles.empty()) {
            g.bounds = box_of(t.rect);
            g.pixel_type = type;
        }
        g.bounds.add(box_of(t.rect));
        g.mixed |= g.pixel_type != type;
        g.tiles.push_back(i);
    }
    note_gaps(m);
}

Group const* Model::group(PlaneIndex const& plane, int level) const {
    auto const g = groups.find({plane, level});
    return g == groups.end() ? nullptr : &g->second;
}

void Group::find(std::vector<Tile> const& all, Box const& box,
                 std::vector<std::int32_t>& out) const {
    std::size_t const before = out.size();
    std::call_once(once_, [&] {
        std::vector<Box> boxes;
        boxes.reserve(tiles.size());
        for (std::int32_t const t : tiles)
            boxes.push_back(box_of(all[static_cast<std::size_t>(t)].rect));
        index_ = RectIndex(std::move(boxes));
    });
    index_.find(box, out);
    auto const begin = out.begin() + static_cast<std::ptrdiff_t>(before);
    // Numbers within the group are in the order of drawing.
    std::sort(begin, out.end());
    for (auto i = begin; i != out.end(); ++i) *i = tiles[static_cast<std::size_t>(*i)];
}

}  // namespace sluice::slide
