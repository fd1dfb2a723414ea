// Single tiles as they are stored, many at a time.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domain/slide/decode.h"
#include "domain/slide/impl.h"

namespace sluice::slide {
namespace {

Result<std::pair<Tile const*, czi::Entry const*>> tile_of(Model const& m, czi::File const& file,
                                                          std::int32_t tile) {
    if (tile < 0 || tile >= std::ssize(m.tiles))
        return Error{Code::invalid_argument,
                     fmt::format("there is no tile {} (the file has {})", tile, m.tiles.size())};
    Tile const& t = m.tiles[static_cast<std::size_t>(tile)];
    czi::Entry const& e = file.entries()[static_cast<std::size_t>(t.entry)];
    if (!czi::known(e.pixel_type))
        return tile_error(file, m, tile,
                          {Code::unsupported, fmt::format("pixel type {} is not known",
                                                          static_cast<int>(e.pixel_type))});
    return std::pair(&t, &e);
}

}  // namespace

Result<Shape> Slide::tile_shape(std::int32_t tile) const {
    SLUICE_TRY(auto const found, tile_of(impl_->model, impl_->file, tile));
    czi::PixelFormat const f = czi::format_of(found.second->pixel_type);
    Shape const shape{found.first->stored_height, found.first->stored_width, f.samples, f.sample};
    index bytes = 0;
    if (__builtin_mul_overflow(shape.height, shape.width, &bytes) ||
        __builtin_mul_overflow(bytes, index{f.bytes}, &bytes))
        return tile_error(impl_->file, impl_->model, tile,
                          {Code::corrupt, "more pixels than can be counted"});
    return shape;
}

Status Slide::read_tiles(std::span<std::int32_t const> tiles, ReadOptions const& options,
                         std::span<std::span<std::byte> const> out) const {
    expects(tiles.size() == out.size());
    // Every tile is its own region, and lies whole in its own memory.
    Plan plan;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        SLUICE_TRY(Shape const shape, tile_shape(tiles[i]));
        if (out[i].size() != shape.bytes())
            return Error{Code::invalid_argument,
                         fmt::format("the memory for tile {} has {} bytes (it needs {})", tiles[i],
                                     out[i].size(), shape.bytes())};
        Placed p;
        p.tile = tiles[i];
        p.box = {0, 0, shape.width, shape.height};
        p.width = shape.width;
        p.height = shape.height;
        p.visible = {p.box};
        SLUICE_CHECK(check_fills(shape.sample, options));
        plan.tiles.push_back(std::move(p));
    }
    class Tiles : public Target {
      public:
        Tiles(std::span<std::span<std::byte> const> out, std::vector<czi::PixelFormat> formats)
            : out_(out), formats_(std::move(formats)) {}
        void put(std::size_t job, Placed const& p, Pixels const& pixels, Box const&) override {
            copy_rect(pixels, {0, 0, p.width, p.height}, out_[job].data(),
                      p.width * pixels.format.bytes);
        }
        void fill(std::size_t job, Placed const& p, double value, Box const&) override {
            fill_row(formats_[job], value, p.width * p.height, out_[job].data());
        }

      private:
        std::span<std::span<std::byte> const> out_;
        std::vector<czi::PixelFormat> formats_;
    };
    std::vector<czi::PixelFormat> formats;
    for (std::int32_t const t : tiles) {
        auto const entry =
            static_cast<std::size_t>(impl_->model.tiles[static_cast<std::size_t>(t)].entry);
        formats.push_back(czi::format_of(impl_->file.entries()[entry].pixel_type));
    }
    Tiles target(out, std::move(formats));
    Stats stats;
    stats.tiles_hit = static_cast<index>(tiles.size());
    // A single tile is what is stored, whatever its mask says.
    Status done = run({impl_->file, impl_->model, impl_->scratch, impl_->number}, plan, options,
                      target, stats, nullptr);
    if (options.stats) *options.stats += stats;
    return done;
}

Result<Image> Slide::read_tile(std::int32_t tile, ReadOptions const& options) const {
    Image image;
    SLUICE_TRY(image.shape, tile_shape(tile));
    // Before any memory is taken for what the file only claims.
    auto const& entry = impl_->file.entries()[static_cast<std::size_t>(
        impl_->model.tiles[static_cast<std::size_t>(tile)].entry)];
    SLUICE_TRY(czi::SubBlock const where, impl_->file.locate(entry));
    if (Status s = check_size(entry, where.data_size); !s)
        return tile_error(impl_->file, impl_->model, tile, std::move(s).error());
    SLUICE_TRY(image.pixels, Buffer::allocate(image.shape.bytes()));
    std::span<std::byte> const out[] = {image.pixels.span()};
    SLUICE_CHECK(read_tiles({&tile, 1}, options, out));
    return image;
}

Result<Bytes> Slide::view_tile(std::int32_t tile) const {
    SLUICE_TRY(auto const found, tile_of(impl_->model, impl_->file, tile));
    auto const& [t, e] = found;
    Bytes const mapped = impl_->file.source().mapped();
    SLUICE_TRY(Shape const shape, tile_shape(tile));
    bool const single = e->size == Position{1, 1, 1, 1, 1, 1, 1, 1};
    if (mapped.empty() || e->compression != czi::Compression::none || !single)
        return Error{Code::unsupported,
                     "there is no view of this tile (that needs a mapped file, no compression and "
                     "one plane); read_tile() copies it"};
    SLUICE_TRY(czi::SubBlock const s, impl_->file.locate(*e));
    if (s.data_size != shape.bytes())
        return tile_error(
            impl_->file, impl_->model, tile,
            {Code::corrupt, fmt::format("its data hold {} bytes of pixels (its size needs {})",
                                        s.data_size, shape.bytes())});
    SLUICE_CHECK(impl_->file.source().intact());
    return mapped.subspan(s.data, shape.bytes());
}

}  // namespace sluice::slide
