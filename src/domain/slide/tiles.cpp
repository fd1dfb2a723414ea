// Single tiles as they are stored, many at a time.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domain/slide/impl.h"

namespace sluice::slide {
namespace {

Result<Tile const*> tile_of(Model const& m, TileSource const& source, std::int32_t tile) {
    if (tile < 0 || tile >= std::ssize(m.tiles))
        return Error{Code::invalid_argument,
                     fmt::format("there is no tile {} (the file has {})", tile, m.tiles.size())};
    Tile const& t = m.tiles[static_cast<std::size_t>(tile)];
    if (!known(t.pixel_type))
        return tile_error(source, m, tile,
                          {Code::unsupported, fmt::format("pixel type {} is not known",
                                                          static_cast<int>(t.pixel_type))});
    return &t;
}

// Every tile is its own region, and lies whole in its own memory.
Result<Plan> plan_of(Slide const& slide, std::span<std::int32_t const> tiles,
                     ReadOptions const& options) {
    Plan plan;
    for (std::int32_t const tile : tiles) {
        SLUICE_TRY(Shape const shape, slide.tile_shape(tile));
        Placed p;
        p.tile = tile;
        p.box = {0, 0, shape.width, shape.height};
        p.width = shape.width;
        p.height = shape.height;
        p.visible = {p.box};
        SLUICE_CHECK(check_fills(shape.sample, options));
        plan.tiles.push_back(std::move(p));
    }
    return plan;
}

class CopiedTiles : public Target {
  public:
    CopiedTiles(std::span<std::span<std::byte> const> out, std::vector<PixelFormat> formats)
        : out_(out), formats_(std::move(formats)) {
        for (std::span<std::byte> const tile : out) bytes_ += tile.size();
    }
    void put(std::size_t job, Placed const& p, Pixels const& pixels, Box const&) override {
        copy_rect(pixels, {0, 0, p.width, p.height}, out_[job].data(),
                  p.width * pixels.format.bytes, bytes_ >= past_caches_from);
    }
    void fill(std::size_t job, Placed const& p, double value, Box const&) override {
        fill_row(formats_[job], value, p.width * p.height, out_[job].data());
    }

  private:
    std::span<std::span<std::byte> const> out_;
    std::vector<PixelFormat> formats_;
    std::size_t bytes_ = 0;
};

class DroppedTiles : public Target {
  public:
    void put(std::size_t, Placed const&, Pixels const&, Box const&) override {}
    void fill(std::size_t, Placed const&, double, Box const&) override {}
};

}  // namespace

Result<Shape> Slide::tile_shape(std::int32_t tile) const {
    SLUICE_TRY(Tile const* const t, tile_of(impl_->model, *impl_->source, tile));
    PixelFormat const f = format_of(t->pixel_type);
    Shape const shape{t->stored_height, t->stored_width, f.samples, f.sample};
    index bytes = 0;
    if (__builtin_mul_overflow(shape.height, shape.width, &bytes) ||
        __builtin_mul_overflow(bytes, index{f.bytes}, &bytes))
        return tile_error(*impl_->source, impl_->model, tile,
                          {Code::corrupt, "it has more pixels than can be counted"});
    return shape;
}

Status Slide::read_tiles(std::span<std::int32_t const> tiles, ReadOptions const& options,
                         std::span<std::span<std::byte> const> out) const {
    expects(tiles.size() == out.size());
    SLUICE_TRY(Plan const plan, plan_of(*this, tiles, options));
    std::vector<PixelFormat> formats;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        SLUICE_TRY(Shape const shape, tile_shape(tiles[i]));
        if (out[i].size() != shape.bytes())
            return Error{Code::invalid_argument,
                         fmt::format("the memory for tile {} has {} bytes (it needs {})", tiles[i],
                                     out[i].size(), shape.bytes())};
        formats.push_back(
            format_of(impl_->model.tiles[static_cast<std::size_t>(tiles[i])].pixel_type));
    }
    CopiedTiles target(out, std::move(formats));
    return impl_->read(plan, options, target);
}

Status Slide::try_tiles(std::span<std::int32_t const> tiles, ReadOptions const& options) const {
    SLUICE_TRY(Plan const plan, plan_of(*this, tiles, options));
    DroppedTiles target;
    return impl_->read(plan, options, target);
}

Status Slide::Impl::read(Plan const& plan, ReadOptions const& options, Target& target) {
    Stats stats;
    stats.tiles_hit = std::ssize(plan.tiles);
    // A single tile is returned as it is stored, whatever its mask says.
    Status done = run({*source, model, scratch, number}, plan, options, target, stats, nullptr);
    if (options.stats) *options.stats += stats;
    return done;
}

Status Slide::Impl::check_large(std::span<std::int32_t const> tiles) const {
    constexpr double large = 64e6;
    for (std::int32_t const i : tiles) {
        Tile const& t = model.tiles[static_cast<std::size_t>(i)];
        double const pixels =
            static_cast<double>(t.stored_width) * static_cast<double>(t.stored_height);
        if (!known(t.pixel_type) || pixels * format_of(t.pixel_type).bytes < large) continue;
        auto const where = source->locate(t, {});
        Status const s = where ? source->check_size(t, *where) : Status(where.error());
        if (!s) return tile_error(*source, model, i, s.error());
    }
    return {};
}

Result<Image> Slide::read_tile(std::int32_t tile, ReadOptions const& options) const {
    Image image;
    SLUICE_TRY(image.shape, tile_shape(tile));
    // The check comes before memory is taken for a size that the file only claims.
    Tile const& t = impl_->model.tiles[static_cast<std::size_t>(tile)];
    SLUICE_TRY(TilePlace const where, impl_->source->locate(t, {}));
    if (Status s = impl_->source->check_size(t, where); !s)
        return tile_error(*impl_->source, impl_->model, tile, std::move(s).error());
    SLUICE_TRY(image.pixels, Buffer::allocate(image.shape.bytes()));
    std::span<std::byte> const out[] = {image.pixels.span()};
    SLUICE_CHECK(read_tiles({&tile, 1}, options, out));
    return image;
}

Result<Bytes> Slide::view_tile(std::int32_t tile) const {
    SLUICE_TRY(Tile const* const t, tile_of(impl_->model, *impl_->source, tile));
    SLUICE_TRY(Shape const shape, tile_shape(tile));
    Source const* const plain = impl_->source->plain(*t);
    if (!plain || plain->mapped().empty())
        return Error{Code::unsupported,
                     "this tile has no view (a view needs a mapped file, no compression and one "
                     "plane); read_tile() copies it"};
    SLUICE_TRY(TilePlace const s, impl_->source->locate(*t, {}));
    if (s.data_size != shape.bytes())
        return tile_error(
            *impl_->source, impl_->model, tile,
            {Code::corrupt, fmt::format("its data hold {} bytes of pixels (its size needs {})",
                                        s.data_size, shape.bytes())});
    SLUICE_CHECK(plain->intact());
    return plain->mapped().subspan(s.data, shape.bytes());
}

}  // namespace sluice::slide
