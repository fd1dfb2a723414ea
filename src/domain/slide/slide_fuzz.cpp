// Fuzz target: any bytes as a slide, of which a part of every level and some tiles are read.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "sluice/slide.h"

namespace {

using namespace sluice;
using slide::Selection, slide::Slide;

constexpr std::size_t most_bytes = 1 << 20;

slide::ReadOptions options_of(bool fill) {
    slide::ReadOptions options;
    options.threads = 1;
    if (fill) options.fill_bad = 7;
    return options;
}

/// Half of a region must have the pixels that the whole has there.
void compare_half(Slide const& file, Selection region, slide::ReadOptions const& options,
                  slide::Image const& whole) {
    region.rect->width /= 2;
    slide::Rect const all = file.bounds();
    bool const inside =
        region.rect->x + region.rect->width > all.x && region.rect->x < all.x + all.width;
    if (region.rect->empty() || !inside) return;
    auto const half = file.read(region, 0, options);
    expects(half.has_value());
    std::size_t const rows = static_cast<std::size_t>(half->shape.height);
    std::size_t const bytes = half->shape.bytes() / rows, stride = whole.shape.bytes() / rows;
    for (std::size_t y = 0; y < rows; ++y)
        expects(std::memcmp(half->pixels.data() + y * bytes, whole.pixels.data() + y * stride,
                            bytes) == 0);
}

void read_regions(Slide const& file, bool fill) {
    slide::Tile const& first = file.tiles().front();
    Selection region;
    region.plane = first.at;
    slide::Rect const r = first.rect;
    region.rect = slide::Rect{r.x, r.y, std::min<sluice::index>(r.width, 300),
                              std::min<sluice::index>(r.height, 300)};
    auto const options = options_of(fill);
    for (int level = 0; level < std::min(3, static_cast<int>(file.levels().size())); ++level) {
        (void)file.find(region.plane, level, *region.rect);
        auto const shape = file.shape(region, level);
        if (!shape || shape->bytes() > most_bytes) continue;
        auto const image = file.read(region, level, options);
        if (!image) continue;
        expects(image->pixels.size() >= shape->bytes());
        if (level == 0) compare_half(file, region, options, *image);
    }
    (void)file.read_at(region, 0.3, options);
    (void)file.shape_at({}, 0.01);
}

void read_tiles(Slide const& file, bool fill) {
    for (std::int32_t i = 0; i < std::min(4, static_cast<int>(file.tiles().size())); ++i) {
        auto const shape = file.tile_shape(i);
        if (!shape || shape->bytes() > most_bytes) continue;
        (void)file.read_tile(i, options_of(fill));
        (void)file.view_tile(i);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    auto const* const bytes = reinterpret_cast<std::byte const*>(data);
    auto const file = Slide::open(memory_source("fuzz.czi", {bytes, bytes + size}));
    if (!file || file->tiles().empty()) return 0;
    bool const fill = size % 2 == 0;
    read_regions(*file, fill);
    read_tiles(*file, fill);
    return 0;
}
