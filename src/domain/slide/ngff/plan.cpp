// The levels of each image and the cut into strips that the memory allows.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/slide/ngff/cover.h"
#include "domain/slide/ngff/scenes.h"
#include "domain/slide/pixels.h"
#include "sluice/device.h"

namespace sluice::slide::ome {
namespace {

// Files of a level that are made whether or not they hold tiles, where the canvas is sparse.
constexpr index little = 16;

std::vector<LevelPlan> levels_of(Rect const& rect, ConvertOptions const& options) {
    std::vector<LevelPlan> out;
    LevelPlan l{.width = rect.width, .height = rect.height};
    while (true) {
        // A small level is one chunk of its own size, and not a padded one.
        l.chunk_x = std::min(options.chunk, l.width);
        l.chunk_y = std::min(options.chunk, l.height);
        index const shard = std::max(options.shard, options.chunk);
        l.shard_x = ceil_div(std::min(shard, l.width), l.chunk_x) * l.chunk_x;
        l.shard_y = ceil_div(std::min(shard, l.height), l.chunk_y) * l.chunk_y;
        out.push_back(l);
        if (std::max(l.width, l.height) <= options.min_size) return out;
        l.width = ceil_div(l.width, 2);
        l.height = ceil_div(l.height, 2);
    }
}

// Bytes of the bands of a pass with strips of so many columns.
std::uint64_t bytes_of(ImagePlan const& image, Pass const& pass, Plan const& plan) {
    std::uint64_t sum = 0;
    for (int l = pass.source; l <= pass.last; ++l) {
        LevelPlan const& level = image.levels[static_cast<std::size_t>(l)];
        index const width =
            std::min(level.width, ceil_div(pass.strip, index{1} << (l - pass.source)));
        sum += static_cast<std::uint64_t>(width * std::min(plan.block, level.height) *
                                          plan.pixel_bytes());
    }
    return sum;
}

Error too_little(Plan const& plan, std::uint64_t bytes, std::uint64_t limit) {
    return {Code::out_of_memory,
            fmt::format("files of {0} x {0} pixels need bands of {1:.1f} MB (the limit is {2:.1f} "
                        "MB) raise --memory-limit, or make chunks or shards smaller",
                        plan.block, static_cast<double>(bytes) / 1e6,
                        static_cast<double>(limit) / 1e6)};
}

// Makes the strip as wide as the memory allows, in steps of its narrowest; false where not even
// that one fits.
bool fit_strip(ImagePlan const& image, Plan const& plan, std::uint64_t limit, Pass& pass) {
    index const wish = pass.strip, unit = plan.block << (pass.last - pass.source);
    if (bytes_of(image, pass, plan) <= limit) return true;
    pass.strip = unit;
    if (bytes_of(image, pass, plan) > limit) return false;
    while (pass.strip < wish) {
        Pass wider = pass;
        wider.strip += unit;
        if (bytes_of(image, wider, plan) > limit) break;
        pass = wider;
    }
    return true;
}

// Where most of the canvas is empty, a pass halves once: so its strips are short, and only those
// with tiles are made. Not where the whole level is so small that it does not matter.
bool halves_once(ImagePlan const& image, Plan const& plan, int level) {
    LevelPlan const& l = image.levels[static_cast<std::size_t>(level)];
    index const across = ceil_div(l.width, plan.block), down = ceil_div(l.height, plan.block);
    return across > little || down > little || across * down > little;
}

Status choose_passes(ImagePlan& image, Plan const& plan, std::uint64_t limit) {
    int const last = static_cast<int>(image.levels.size()) - 1;
    image.sparse = is_sparse(image, plan.block);
    for (int source = 0;;) {
        index const width = image.levels[static_cast<std::size_t>(source)].width;
        int const least = std::min(last, source + 1);
        // The most levels whose narrowest strip fits; one level alone would not come further.
        bool const once = image.sparse && halves_once(image, plan, source);
        // Tiles that are neighbours share a strip, so that all threads have something to do.
        index const wish = once ? std::min(width, little * plan.block) : width;
        Pass pass{source, once ? least : last, wish};
        while (!fit_strip(image, plan, limit, pass)) {
            if (pass.last == least) return too_little(plan, bytes_of(image, pass, plan), limit);
            pass = {source, pass.last - 1, wish};
        }
        image.passes.push_back(pass);
        if (pass.last == last) return {};
        source = pass.last;
    }
}

// Small planes are made side by side, because one alone does not keep the threads busy. How many
// does not depend on the threads: a conversion may go on with others than it began with.
index lanes_of(ImagePlan const& image, Plan const& plan, std::uint64_t limit) {
    constexpr index enough = 64;
    LevelPlan const& l = image.levels[0];
    index const rows = ceil_div(std::min(l.height, plan.block), l.chunk_y);
    index const chunks = rows * ceil_div(l.width, l.chunk_x) * plan.samples;
    if (image.passes.size() > 1 || image.passes[0].strip < l.width) return 1;
    auto const bytes = std::max<std::uint64_t>(1, bytes_of(image, image.passes[0], plan));
    auto const fit = static_cast<index>(std::max<std::uint64_t>(1, limit / 8 / bytes));
    return std::min({std::ssize(image.planes), fit, ceil_div(enough, chunks)});
}

// The metadata of an array have no other numbers.
bool can_fill(DType type, double value) {
    return std::isfinite(value) && can_be(type, value);
}

Status check(ConvertOptions const& o, Plan const& plan) {
    auto const bad = [](std::string text) {
        return Error{Code::invalid_argument, std::move(text)};
    };
    if (o.ngff != "0.4" && o.ngff != "0.5")
        return bad(fmt::format("OME-Zarr {} is not supported; give 0.4 or 0.5", o.ngff));
    if (o.chunk < 16 || o.chunk > 16384 || o.chunk % 2 != 0)
        return bad(
            fmt::format("chunks of {} pixels; give an even number from 16 to 16384", o.chunk));
    if (o.shard != 0 && o.ngff == "0.4")
        return bad("OME-Zarr 0.4 has no shards; leave out --shard, or give --ngff 0.5");
    if (o.shard != 0 && (o.shard < o.chunk || o.shard % o.chunk != 0 || o.shard > 65536))
        return bad(
            fmt::format("shards of {} pixels; give a multiple of the chunk ({}), at most "
                        "65536",
                        o.shard, o.chunk));
    if (o.min_size < 1)
        return bad("the smallest level must have at least one pixel; give --min-size 256");
    int const most = o.codec == ChunkCodec::zstd ? 22 : 9;
    if (o.codec_level < -1 || o.codec_level > most)
        return bad(fmt::format("level {} of the codec; give 0 to {}", o.codec_level, most));
    if (!can_fill(plan.dtype, o.fill)) return cannot_be(plan.dtype, o.fill, "--background");
    if (o.fill_bad && !can_fill(plan.dtype, *o.fill_bad))
        return cannot_be(plan.dtype, *o.fill_bad, "--fill-bad");
    return {};
}

// Blosc and bare pixels have no checksum: in version 3 a codec of its own is one.
zarr::Codec codec_of(ConvertOptions const& o) {
    bool const crc32c = o.ngff != "0.4";
    switch (o.codec) {
        case ChunkCodec::none:
            break;
        case ChunkCodec::blosc_lz4:
            return {zarr::Compressor::blosc_lz4, o.codec_level < 0 ? 5 : o.codec_level, crc32c};
        case ChunkCodec::zstd:
            return {zarr::Compressor::zstd, o.codec_level < 0 ? 3 : o.codec_level};
    }
    return {zarr::Compressor::none, 0, crc32c};
}

// Bytes of the chunks that workers are at: made, read again, and encoded (Cascade::Room).
std::uint64_t rooms_of(Plan const& plan) {
    index largest = 0, rooms = plan.threads;
    for (ImagePlan const& image : plan.images) {
        // Lanes side by side have one each.
        rooms = std::max(rooms, image.lanes);
        for (LevelPlan const& l : image.levels) largest = std::max(largest, l.chunk_x * l.chunk_y);
    }
    return 3 * static_cast<std::uint64_t>(largest * size_of(plan.dtype) * rooms);
}

// A band cuts through compressed tiles, which would be decoded for the next one again.
std::uint64_t cache_of(Slide const& slide, Plan const& plan, std::uint64_t limit) {
    index tallest = 0;
    for (std::size_t i = 0; i < slide.tiles().size(); ++i) {
        Tile const& t = slide.tiles()[i];
        if (t.level == 0 && slide.compression(static_cast<std::int32_t>(i)) != "none")
            tallest = std::max(tallest, t.stored_height);
    }
    index widest = 0;
    for (ImagePlan const& image : plan.images) {
        Pass const& pass = image.passes[0];
        // A plane of one band is read once.
        if (image.levels[0].height > plan.block || pass.strip < image.levels[0].width)
            widest = std::max(widest, std::min(pass.strip, image.levels[0].width) + 2 * tallest);
    }
    // The height comes from the file, and the product may overflow.
    double const bytes = 1.25 * static_cast<double>(widest) * static_cast<double>(tallest) *
                         static_cast<double>(plan.pixel_bytes());
    // Less than a row of tiles would be forgotten before it is used again.
    return bytes <= static_cast<double>(limit) ? static_cast<std::uint64_t>(bytes) : 0;
}

}  // namespace

Result<Plan> make_plan(Slide const& slide, ConvertOptions const& options) {
    Plan plan;
    plan.provenance =
        options.provenance.fields.empty() ? provenance_of("", {slide.path()}) : options.provenance;
    // Pixels can be converted without their descriptions.
    std::vector<std::string> ignored;
    SLUICE_TRY([[maybe_unused]] std::string const xml, slide.xml());
    plan.metadata = slide.metadata(ignored);
    SLUICE_CHECK(choose_type(slide, options, plan));
    SLUICE_CHECK(check(options, plan));
    SLUICE_CHECK(choose_images(slide, options, plan));
    plan.zarr = options.ngff == "0.4" ? 2 : 3;
    plan.codec = codec_of(options);
    plan.block = std::max(options.shard, options.chunk);
    plan.threads = Device::cpu(options.threads).threads();
    plan.device = options.device;
    place_tiles(slide, plan);
    for (ImagePlan& image : plan.images) {
        image.levels = levels_of(image.rect, options);
        SLUICE_CHECK(choose_passes(image, plan, options.memory_limit));
        image.lanes = lanes_of(image, plan, options.memory_limit);
        for (Pass const& pass : image.passes)
            plan.band_memory =
                std::max(plan.band_memory,
                         bytes_of(image, pass, plan) * static_cast<std::uint64_t>(image.lanes));
    }
    std::uint64_t const left = options.memory_limit - plan.band_memory;
    plan.cache_memory = cache_of(slide, plan, left - std::min(left, rooms_of(plan)));
    return plan;
}

zarr::Spec spec_of(Plan const& plan, ImagePlan const& image, int level, double fill) {
    LevelPlan const& l = image.levels[static_cast<std::size_t>(level)];
    zarr::Spec s;
    s.version = plan.zarr;
    s.dtype = plan.dtype;
    s.shape = {image.t, static_cast<index>(image.components.size()), image.z, l.height, l.width};
    s.chunk = {1, 1, 1, l.chunk_y, l.chunk_x};
    if (l.shard_x > l.chunk_x || l.shard_y > l.chunk_y) s.shard = {1, 1, 1, l.shard_y, l.shard_x};
    s.codec = plan.codec;
    s.fill = fill;
    if (plan.zarr == 3) s.dimension_names = {"t", "c", "z", "y", "x"};
    return s;
}

}  // namespace sluice::slide::ome
