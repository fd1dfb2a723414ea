// Sorting tiles into levels, scenes and planes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace sluice::slide {
namespace {

// Stored sides below this are too small to tell a factor by.
constexpr index telling_side = 32;
// A file of more factors is made to harm: comparing each tile with each of them would take long.
constexpr std::size_t most_factors = 64;
// More planes in one sub-block than any instrument writes, and many for a file of this size.
index most_planes(czi::File const& file) {
    return std::clamp<index>(static_cast<index>(file.source().size() / 16), 4096, 1 << 20);
}

// Smaller along one side alone is no pyramid: Airyscan's fast scan stores every fourth row.
bool is_reduced(Tile const& t) {
    return t.stored_width < t.rect.width && t.stored_height < t.rect.height;
}

// The sides are whole pixels, which makes their ratio inexact: pyramids go by 2 or by 3.
int usual_factor(double ratio) {
    constexpr double most = 1e9;
    for (double const base : {2.0, 3.0}) {
        double const power = std::pow(base, std::round(std::log(ratio) / std::log(base)));
        if (power >= base && power <= most && std::abs(ratio / power - 1) <= 0.05)
            return static_cast<int>(power);
    }
    return std::max(2, static_cast<int>(std::lround(std::min(ratio, most))));
}

double ratio_of(Tile const& t) {
    bool const wide = t.stored_width >= t.stored_height;
    return wide ? static_cast<double>(t.rect.width) / static_cast<double>(t.stored_width)
                : static_cast<double>(t.rect.height) / static_cast<double>(t.stored_height);
}

bool fits(index logical, index stored, int factor) {
    return stored >= logical / factor - 1 && stored <= logical / factor + 2;
}

// The factor of each tile: tiles with long sides say which there are, small ones take what fits.
std::vector<int> factors_of(std::vector<Tile> const& tiles) {
    std::vector<int> factors(tiles.size(), 1);
    std::set<int> seen;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        Tile const& t = tiles[i];
        if (!is_reduced(t) || std::max(t.stored_width, t.stored_height) < telling_side) continue;
        seen.insert(factors[i] = usual_factor(ratio_of(t)));
    }
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        Tile const& t = tiles[i];
        if (!is_reduced(t) || factors[i] != 1) continue;
        double const ratio = ratio_of(t);
        if (seen.size() > most_factors) {
            factors[i] = usual_factor(ratio);
            continue;
        }
        int best = 0;
        double distance = 0;
        for (int const f : seen) {
            if (!fits(t.rect.width, t.stored_width, f) || !fits(t.rect.height, t.stored_height, f))
                continue;
            double const d = std::abs(std::log(ratio / f));
            if (best == 0 || d < distance) {
                best = f;
                distance = d;
            }
        }
        factors[i] = best ? best : usual_factor(ratio);
    }
    return factors;
}

void expand(czi::File const& file, Model& m) {
    index const max_planes = most_planes(file);
    index left_out = 0;
    for (std::size_t i = 0; i < file.entries().size(); ++i) {
        czi::Entry const& e = file.entries()[i];
        index planes = 1;
        for (std::int32_t const n : e.size) planes = std::min(planes * n, max_planes + 1);
        if (planes > max_planes) {
            ++left_out;
            continue;
        }
        for (index p = 0; p < planes; ++p) {
            Tile t;
            t.rect = e.rect;
            t.stored_width = e.stored_width;
            t.stored_height = e.stored_height;
            t.scene = e.scene;
            t.m = e.m;
            t.entry = static_cast<std::int32_t>(i);
            t.plane = static_cast<std::int32_t>(p);
            index rest = p;
            for (std::size_t d = 0; d < e.size.size(); ++d) {
                t.at[d] = e.start[d] + static_cast<std::int32_t>(rest % e.size[d]);
                rest /= e.size[d];
            }
            m.tiles.push_back(t);
        }
        if (m.tiles.size() > file.entries().size() + static_cast<std::size_t>(max_planes)) {
            left_out += static_cast<index>(file.entries().size() - i - 1);
            break;
        }
    }
    if (left_out > 0)
        m.notes.push_back(
            fmt::format("left out {} sub-blocks of more than {} planes", left_out, max_planes));
}

void set_levels(Model& m) {
    std::vector<int> const factors = factors_of(m.tiles);
    std::set<int> all(factors.begin(), factors.end());
    all.insert(1);
    for (int const f : all) m.levels.push_back({f, 0});
    for (std::size_t i = 0; i < m.tiles.size(); ++i) {
        auto const at = std::distance(all.begin(), all.find(factors[i]));
        m.tiles[i].level = static_cast<std::int32_t>(at);
        ++m.levels[static_cast<std::size_t>(at)].tiles;
    }
}

// Scene by scene, since M counts the tiles of one. Of each, higher M is drawn over lower, no M
// below all, else as the file has them; M counts on level 0 only.
void set_order(Model& m) {
    std::vector<std::int32_t> by(m.tiles.size());
    std::iota(by.begin(), by.end(), 0);
    auto const key = [&](std::int32_t i) {
        Tile const& t = m.tiles[static_cast<std::size_t>(i)];
        return std::pair(t.scene, t.level == 0 ? t.m : czi::none);
    };
    static_assert(czi::none < 0, "tiles without S, or without M, come first");
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
    Position last{};
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

// Where dimensions have indices that no tile has, or planes lack scenes: it is the slide's way, or
// a sign of damage, and in both cases background where pixels are expected.
void note_gaps(Model& m) {
    std::array<std::set<std::int32_t>, czi::dimension_count> seen;
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
            "{} goes from {} to {}, and {} of these {} indices {} tiles ({})",
            czi::dimension_letters[d], m.first[d], index{m.first[d]} + m.counts[d] - 1,
            seen[d].size(), m.counts[d], seen[d].size() == 1 ? "has" : "have", listed(seen[d])));
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

void make_model(czi::File const& file, Model& m) {
    m.notes = file.notes();
    m.tiles.reserve(file.entries().size());
    expand(file, m);
    set_levels(m);
    set_order(m);
    set_bounds(m);
    std::vector<std::int32_t> by_order(m.tiles.size());
    for (std::size_t i = 0; i < m.tiles.size(); ++i)
        by_order[static_cast<std::size_t>(m.tiles[i].order)] = static_cast<std::int32_t>(i);
    for (std::int32_t const i : by_order) {
        Tile const& t = m.tiles[static_cast<std::size_t>(i)];
        czi::PixelType const type = file.entries()[static_cast<std::size_t>(t.entry)].pixel_type;
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

Group const* Model::group(Position const& plane, int level) const {
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
