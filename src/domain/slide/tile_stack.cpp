// Raw tiles of a slide in one array, which of its pixels are not the file's, and attachments.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/plural.h"
#include "sluice/slide_stack.h"

namespace sluice::slide {
namespace {

// "3, 8, 15", at most 50 of them, since a description is short.
std::string names_of(std::vector<BadTile> const& bad) {
    constexpr std::size_t most_named = 50;
    std::string out;
    for (std::size_t i = 0; i < std::min(most_named, bad.size()); ++i)
        out += fmt::format("{}{}", i == 0 ? "" : ", ", bad[i].tile);
    return bad.size() > most_named ? out + ", ..." : out;
}

std::string text_of(Shape const& s) {
    return fmt::format("{} x {} x {} of {}", s.height, s.width, s.samples, name_of(s.sample));
}

}  // namespace

Result<std::vector<std::int32_t>> tiles_in(Slide const& slide, Selection const& region, int level) {
    // A part of the slide is compared with its tiles as it is read.
    if (!region.rect) SLUICE_CHECK(slide.compare_all());
    std::vector<std::int32_t> tiles;
    for (std::int32_t const t :
         slide.find(region.plane, level, region.rect.value_or(slide.bounds())))
        if (!region.scene || slide.tiles()[static_cast<std::size_t>(t)].scene == *region.scene)
            tiles.push_back(t);
    return tiles;
}

Result<Stack> read_tile_stack(Slide const& slide, std::vector<std::int32_t> const& tiles,
                              ReadOptions const& options) {
    if (tiles.empty()) return Error{Code::not_found, "there are no tiles here"};
    Stack s;
    SLUICE_TRY(s.shape, slide.tile_shape(tiles[0]));
    s.axes += 'N';
    s.extents = {std::ssize(tiles)};
    std::size_t const bytes = s.shape.bytes();
    for (std::int32_t const t : tiles) {
        SLUICE_TRY(Shape const shape, slide.tile_shape(t));
        if (shape.height != s.shape.height || shape.width != s.shape.width ||
            shape.samples != s.shape.samples || shape.sample != s.shape.sample)
            return Error{Code::invalid_argument,
                         fmt::format("tiles {} and {} differ ({} and {}); read them one by one "
                                     "with --tile",
                                     tiles[0], t, text_of(s.shape), text_of(shape))};
    }
    std::size_t sum = 0;
    if (__builtin_mul_overflow(bytes, tiles.size(), &sum)) sum = SIZE_MAX;
    SLUICE_TRY(s.pixels, Buffer::allocate(sum));
    std::vector<std::span<std::byte>> out;
    for (std::size_t i = 0; i < tiles.size(); ++i)
        out.push_back(s.pixels.span().subspan(i * bytes, bytes));
    SLUICE_CHECK(slide.read_tiles(tiles, options, out));
    return s;
}

std::vector<std::string> remarks(Stack const& s, Stats const& stats,
                                 std::vector<BadTile> const& bad, ReadOptions const& options) {
    std::vector<std::string> out;
    if (stats.pixels_background > 0)
        out.push_back(fmt::format(
            "{} of {} pixels lie under no tile and have the background value {:g}{}",
            stats.pixels_background, stats.pixels_region, options.background,
            s.planes_without > 0
                ? fmt::format(" ({} of {} planes have no tile here)", s.planes_without, s.planes)
                : ""));
    if (stats.tiles_rounded > 0)
        out.push_back(
            fmt::format("{} tiles of the pyramid lack their last row or column; the row or column "
                        "before it is repeated",
                        stats.tiles_rounded));
    if (!bad.empty())
        out.push_back(fmt::format("{} filled with {:g}: {}",
                                  plural(bad.size(), "damaged tile is", "damaged tiles are"),
                                  options.fill_bad.value_or(0), names_of(bad)));
    return out;
}

Result<Attachment> attachment_named(Slide const& slide, std::string const& name) {
    if (slide.format() != "czi")
        return Error{
            Code::invalid_argument,
            "--attachment is for CZI files (other formats have no attachments); leave it out",
            slide.path()};
    SLUICE_TRY(auto const all, slide.attachments());
    auto const same =
        std::ranges::count_if(all, [&](Attachment const& a) { return a.name == name; });
    if (same > 1)
        return Error{Code::invalid_argument,
                     fmt::format("{} attachments are called '{}'; add a number from 0, as in "
                                 "--attachment {}:1",
                                 same, name, name),
                     slide.path()};
    std::string names;
    std::map<std::string, index> seen;
    for (Attachment const& a : all) {
        std::string const numbered = fmt::format("{}:{}", a.name, seen[a.name]++);
        names += (names.empty() ? "" : ", ") + (seen[a.name] > 1 ? numbered : a.name);
        if (a.name == name || numbered == name) return a;
    }
    return Error{Code::not_found,
                 fmt::format("there is no attachment '{}' (there {})", name,
                             names.empty() ? "are none" : "are " + names),
                 slide.path()};
}

}  // namespace sluice::slide
