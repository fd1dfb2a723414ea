// Planning a read.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::slide {
namespace {

index rounded(index value, index by) {
    index const twice = 2 * value + by;
    index const q = twice / (2 * by);
    return twice % (2 * by) < 0 ? q - 1 : q;
}

index up(index value, index by) {
    return value / by + (value % by != 0);
}

Status check_plane(Model const& m, Selection const& region, int level) {
    if (m.tiles.empty()) return Error{Code::not_found, "the file has no tiles"};
    if (level < 0 || level >= std::ssize(m.levels))
        return Error{Code::invalid_argument,
                     fmt::format("there is no level {} (the file has {}, 0 is the finest); see "
                                 "sluice info",
                                 level, m.levels.size())};
    for (std::size_t d = 0; d < m.first.size(); ++d)
        if (region.plane[d] < m.first[d] || index{region.plane[d]} - m.first[d] >= m.counts[d])
            return Error{
                Code::invalid_argument,
                fmt::format("there is no {} {} (the file has {} to {})", dimension_letters[d],
                            region.plane[d], m.first[d], index{m.first[d]} + m.counts[d] - 1)};
    return {};
}

Placed place(Tile const& t, Rect const& region, index scale, int reduction) {
    Placed p;
    p.width = reduced(t.stored_width, reduction);
    p.height = reduced(t.stored_height, reduction);
    // Full resolution is in logical pixels: tiles that are stored otherwise (Airyscan, PALM) are
    // resampled.
    index const width = t.level == 0 ? reduced(t.rect.width, reduction) : p.width;
    index const height = t.level == 0 ? reduced(t.rect.height, reduction) : p.height;
    p.reduction = reduction;
    p.box.left = rounded(t.rect.x - region.x, scale);
    p.box.top = rounded(t.rect.y - region.y, scale);
    p.box.right = p.box.left + width;
    p.box.bottom = p.box.top + height;
    return p;
}

void hide(Placed& tile, std::vector<Placed> const& tiles, std::size_t above) {
    Placed const& other = tiles[above];
    if (!other.mask && !tile.visible.empty()) subtract(tile.visible, other.box);
}

// Tiles hide the tiles below them, unless they have a mask.
void find_visible(std::vector<Placed>& tiles, Box const& window) {
    // Fewer than this are compared with each other faster than an index is built.
    constexpr std::size_t few = 32;
    for (Placed& p : tiles)
        if (Box const inside = common(p.box, window); !empty(inside)) p.visible = {inside};
    if (tiles.size() <= few) {
        for (std::size_t i = 0; i < tiles.size(); ++i)
            for (std::size_t above = tiles.size(); above-- > i + 1;) hide(tiles[i], tiles, above);
        return;
    }
    std::vector<Box> boxes;
    boxes.reserve(tiles.size());
    for (Placed const& p : tiles) boxes.push_back(p.box);
    RectIndex const neighbours(std::move(boxes));
    std::vector<std::int32_t> above;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        above.clear();
        if (!tiles[i].visible.empty()) neighbours.find(tiles[i].visible[0], above);
        // The largest first: they leave the fewest pieces.
        std::sort(above.begin(), above.end(), [&](std::int32_t a, std::int32_t b) {
            index const n = area(tiles[static_cast<std::size_t>(a)].box);
            index const m = area(tiles[static_cast<std::size_t>(b)].box);
            return n != m ? n > m : a > b;
        });
        for (std::int32_t const a : above)
            if (a > static_cast<std::int32_t>(i))
                hide(tiles[i], tiles, static_cast<std::size_t>(a));
    }
}

index visible(std::vector<Placed> const& tiles) {
    index pixels = 0;
    for (Placed const& p : tiles)
        for (Box const& b : p.visible) pixels += area(b);
    return pixels;
}

// Counts any tile, whatever its mask lets through.
index under_tiles(std::vector<Placed> const& tiles, Box const& window) {
    std::vector<Placed> plain(tiles.size());
    for (std::size_t i = 0; i < tiles.size(); ++i) plain[i].box = tiles[i].box;
    find_visible(plain, window);
    return visible(plain);
}

}  // namespace

bool Placed::valid(index x, index y) const {
    // A mask has the pixels that are stored.
    auto const stored = [&](index at, index extent, index decoded) {
        return (extent == decoded ? at : at * decoded / extent) * reduction;
    };
    return !mask || mask->valid(stored(x - box.left, box.right - box.left, width),
                                stored(y - box.top, box.bottom - box.top, height));
}

Result<Rect> rect_of(Model const& m, Selection const& region) {
    auto const scene = std::find_if(m.scenes.begin(), m.scenes.end(), [&](Scene const& s) {
        return region.scene && s.id == *region.scene;
    });
    if (region.scene && scene == m.scenes.end()) {
        std::string all;
        for (Scene const& s : m.scenes)
            if (s.id != none) all += fmt::format("{}{}", all.empty() ? "" : ", ", s.id);
        return Error{Code::invalid_argument,
                     fmt::format("there is no scene {} ({})", *region.scene,
                                 all.empty() ? "the file has no scenes" : "there are " + all)};
    }
    Rect const& all = region.scene ? scene->bounds : m.bounds;
    if (!region.rect) return all;
    Rect const& r = *region.rect;
    constexpr index most = index{1} << 40;
    if (r.empty() || r.width > most || r.height > most || r.x < -most || r.x > most ||
        r.y < -most || r.y > most)
        return Error{Code::invalid_argument,
                     fmt::format("a region of {} x {} pixels at {}, {} cannot be read; give "
                                 "X,Y,WIDTH,HEIGHT with sides above 0",
                                 r.width, r.height, r.x, r.y)};
    if (!box_of(r).meets(box_of(all)))
        return Error{Code::not_found,
                     fmt::format("the region of {} x {} pixels at {}, {} lies outside of the {} "
                                 "(whose {} x {} pixels begin at {}, {}); give one that meets it",
                                 r.width, r.height, r.x, r.y, region.scene ? "scene" : "slide",
                                 all.width, all.height, all.x, all.y)};
    return r;
}

// The pixel type of a plane; of another level, or another plane of the channel, where this has
// none.
Result<PixelType> type_of(Model const& m, PlaneIndex const& plane, int level) {
    if (m.tiles.empty()) return Error{Code::not_found, "the file has no tiles"};
    Group const* g = m.group(plane, level);
    for (int l = 0; !g && l < std::ssize(m.levels); ++l) g = m.group(plane, l);
    for (auto i = m.groups.begin(); !g && i != m.groups.end(); ++i)
        if (i->first.first[C] == plane[C]) g = &i->second;
    if (!g) g = &m.groups.begin()->second;
    if (g->mixed)
        return Error{Code::unsupported,
                     "the tiles of this plane have different pixel types; read them one by one "
                     "(slide read --tile)"};
    if (!known(g->pixel_type))
        return Error{Code::unsupported, fmt::format("pixel type {} is not known (one of the "
                                                    "format's numbers 0 to 13 was expected)",
                                                    static_cast<int>(g->pixel_type))};
    return g->pixel_type;
}

Result<Shape> shape_of(Model const& m, Selection const& region, int level, int reduction) {
    SLUICE_CHECK(check_plane(m, region, level));
    if (reduction != 1 && reduction != 4 && reduction != 16)
        return Error{Code::invalid_argument,
                     fmt::format("a reduction of {} is not possible (1, 4 and 16 are)", reduction)};
    SLUICE_TRY(Rect const r, rect_of(m, region));
    SLUICE_TRY(PixelType const type, type_of(m, region.plane, level));
    index const scale = m.levels[static_cast<std::size_t>(level)].factor * index{reduction};
    PixelFormat const f = format_of(type);
    Shape const s{up(r.height, scale), up(r.width, scale), f.samples, f.sample};
    index bytes = 0;
    if (__builtin_mul_overflow(s.height, s.width, &bytes) ||
        __builtin_mul_overflow(bytes, index{f.bytes}, &bytes))
        return Error{Code::out_of_memory,
                     fmt::format("{} x {} pixels are more than fit in memory; read a smaller "
                                 "region or a coarser level",
                                 s.height, s.width)};
    return s;
}

std::string text_of(Tile const& t) {
    std::string text = fmt::format("X {} Y {} (", t.rect.x, t.rect.y);
    if (t.m != none) text += fmt::format("M {}, ", t.m);
    if (t.scene != none) text += fmt::format("S {}, ", t.scene);
    for (std::size_t d = 0; d < t.at.size(); ++d)
        if (d < 3 || t.at[d] != 0) text += fmt::format("{} {} ", dimension_letters[d], t.at[d]);
    text.back() = ')';
    return text;
}

Error tile_error(TileSource const& source, Model const& model, std::int32_t tile, Error error) {
    Tile const& t = model.tiles[static_cast<std::size_t>(tile)];
    error.message =
        fmt::format("the tile at {} cannot be read ({}); --fill-bad goes on without that tile",
                    text_of(t), error.message);
    if (error.file.empty()) error.file = source.name();
    if (!error.at) error.at = source.offset(t);
    return error;
}

double coverage(Model const& m, Selection const& region, int level) {
    Group const* const g = m.group(region.plane, level);
    if (!g) return 0;
    Result<Rect> const r = rect_of(m, region);
    if (!r) return 0;
    std::vector<std::int32_t> hits;
    g->find(m.tiles, box_of(*r), hits);
    index const scale = m.levels[static_cast<std::size_t>(level)].factor;
    std::vector<Placed> placed;
    for (std::int32_t const i : hits) {
        Tile const& t = m.tiles[static_cast<std::size_t>(i)];
        if (region.scene && t.scene != *region.scene) continue;
        placed.push_back(place(t, *r, scale, 1));
    }
    find_visible(placed, {0, 0, up(r->width, scale), up(r->height, scale)});
    return static_cast<double>(visible(placed)) * static_cast<double>(scale) *
           static_cast<double>(scale);
}

Status check_sparse(Model const& m, Selection const& region, int level, Shape const& image) {
    constexpr index large = index{1} << 27, share = 64;
    if (region.rect || image.height * image.width <= large) return {};
    auto const scale = static_cast<double>(m.levels[static_cast<std::size_t>(level)].factor);
    SLUICE_TRY(Shape const whole, shape_of(m, region, level, 1));
    double const pixels = static_cast<double>(whole.height) * static_cast<double>(whole.width);
    double const seen = coverage(m, region, level) / (scale * scale);
    if (seen * share >= pixels) return {};
    return Error{
        Code::invalid_argument,
        fmt::format("the slide has {} x {} pixels of which only {:.0f} lie under a tile (a "
                    "tile lies far from the others); choose a scene or a region with --scene or "
                    "--region, or give slide read a --zoom",
                    whole.width, whole.height, seen)};
}

Result<Plan> make_plan(TileSource const& source, Model const& m, Selection const& region, int level,
                       ReadOptions const& options, bool with_masks, Stats& stats) {
    Plan plan;
    SLUICE_TRY(plan.shape, shape_of(m, region, level, options.reduction));
    SLUICE_TRY(Rect const r, rect_of(m, region));
    plan.format = {plan.shape.sample, plan.shape.samples,
                   static_cast<int>(plan.shape.samples * size_of(plan.shape.sample))};
    plan.reduction = options.reduction;
    plan.scale = m.levels[static_cast<std::size_t>(level)].factor * index{options.reduction};
    Box const window{0, 0, plan.shape.width, plan.shape.height};
    std::vector<std::int32_t> hits;
    if (Group const* const g = m.group(region.plane, level)) {
        // A pixel further: positions on a coarse level are rounded.
        Box wide = box_of(r);
        index const more = plan.scale > 1 ? plan.scale : 0;
        wide = {wide.left - more, wide.top - more, wide.right + more, wide.bottom + more};
        g->find(m.tiles, wide, hits);
    }
    std::size_t mask_bytes = 0;
    for (std::int32_t const i : hits) {
        Tile const& t = m.tiles[static_cast<std::size_t>(i)];
        if (region.scene && t.scene != *region.scene) continue;
        Placed p = place(t, r, plan.scale, plan.reduction);
        if (empty(common(p.box, window))) continue;
        p.tile = i;
        if (plan.reduction > 1 && !source.reducible(t))
            return Error{Code::invalid_argument,
                         fmt::format("a reduction needs JPEG XR tiles (the tile at {} is {})",
                                     text_of(t), source.compression(t))};
        ++stats.tiles_hit;
        // An error of a head is reported when the tile's pixels are read.
        Result<TilePlace> const where = with_masks ? source.locate(t, {}) : Error{};
        if (where) {
            p.where = *where;
            auto mask = source.mask(t, *where);
            if (!mask && !options.fill_bad) return tile_error(source, m, i, mask.error());
            if (mask)
                p.mask = *std::move(mask);
            else
                p.mask_error = mask.error();
        }
        if (p.mask) {
            // Each lies in its own part of the file, unless the file is hostile.
            mask_bytes += p.mask->bits.size();
            if (mask_bytes > source.bytes())
                return tile_error(source, m, i,
                                  {Code::corrupt, "its mask belongs to other tiles, too"});
        }
        plan.masks |= p.mask != nullptr;
        plan.tiles.push_back(std::move(p));
    }
    find_visible(plan.tiles, window);
    std::size_t const all = plan.tiles.size();
    std::erase_if(plan.tiles, [](Placed const& p) { return p.visible.empty(); });
    stats.tiles_hidden += static_cast<index>(all - plan.tiles.size());
    index const seen = plan.masks ? under_tiles(plan.tiles, window) : visible(plan.tiles);
    index const pixels = plan.shape.width * plan.shape.height;
    plan.covered = !plan.masks && seen == pixels;
    stats.pixels_region += pixels;
    stats.pixels_background += pixels - seen;
    auto const offset = [&](Placed const& p) {
        return source.offset(m.tiles[static_cast<std::size_t>(p.tile)]);
    };
    if (!plan.masks)
        std::stable_sort(plan.tiles.begin(), plan.tiles.end(),
                         [&](Placed const& a, Placed const& b) { return offset(a) < offset(b); });
    return plan;
}

}  // namespace sluice::slide
