// Chunks of OME-Zarr as tiles, decoded into the pixel types of slides.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/half.h"
#include "base/plural.h"
#include "domain/slide/ngff/pyramid.h"
#include "domain/slide/ngff/tile_count.h"

namespace sluice::slide {
namespace {

// A chunk without a file: all its pixels have the fill value.
constexpr std::uint64_t absent = ~std::uint64_t{0};

template <class T>
void swap_elements(std::span<std::byte> bytes) {
    for (std::size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T)) {
        T v;
        std::memcpy(&v, bytes.data() + i, sizeof v);
        if constexpr (sizeof(T) == 2) v = __builtin_bswap16(v);
        if constexpr (sizeof(T) == 4) v = __builtin_bswap32(v);
        if constexpr (sizeof(T) == 8) v = __builtin_bswap64(v);
        std::memcpy(bytes.data() + i, &v, sizeof v);
    }
}

void to_native(zarr::Layout const& layout, std::span<std::byte> bytes) {
    if (layout.big_endian != (std::endian::native == std::endian::big)) {
        index const size = size_of(layout.dtype);
        if (size == 2) swap_elements<std::uint16_t>(bytes);
        if (size == 4) swap_elements<std::uint32_t>(bytes);
        if (size == 8) swap_elements<std::uint64_t>(bytes);
    }
}

// Pixels of a type that slides do not have, as the next wider one.
template <class From, class To>
void widen(Pixels const& from, std::byte* to) {
    for (index y = 0; y < from.height; ++y) {
        std::byte const* at = from.bytes.data() + from.first + y * from.row_stride;
        for (index x = 0; x < from.width; ++x, at += from.pixel_stride, to += sizeof(To)) {
            From v;
            std::memcpy(&v, at, sizeof v);
            To const wide = static_cast<To>(v);
            std::memcpy(to, &wide, sizeof wide);
        }
    }
}

// How far behind the place of the wide pixels narrow ones of `element` bytes are decoded, so that
// each is read before a wide one is written over it: where they lie in order, they may overlap.
std::size_t room_before(Pixels const& narrow, index element) {
    index const count = narrow.width * narrow.height;
    bool const in_order =
        narrow.pixel_stride >= element && narrow.row_stride >= narrow.width * narrow.pixel_stride;
    return static_cast<std::size_t>(count * (narrow.format.bytes - (in_order ? element : 0)));
}

// A signed byte as a number: C++ would take it as a character.
struct Signed8 {
    std::uint8_t bits = 0;
    explicit operator std::int32_t() const { return (bits ^ 128) - 128; }
};

using Widen = void (*)(Pixels const&, std::byte*);

// Null where the elements are the slide's own.
Widen widening(DType e) {
    if (e == DType::i8) return widen<Signed8, std::int32_t>;
    if (e == DType::i16) return widen<std::int16_t, std::int32_t>;
    if (e == DType::u32) return widen<std::uint32_t, double>;
    if (e == DType::f16) return widen<Half, float>;
    return nullptr;
}

class ZarrTiles final : public TileSource {
  public:
    ZarrTiles(std::string path, ngff::Image image, ZarrPyramid pyramid)
        : path_(std::move(path)), image_(std::move(image)), p_(std::move(pyramid)) {
        zarr::Layout const& layout = p_.levels.front().array.layout();
        Widen const wider = widening(layout.dtype);
        fill_.resize(static_cast<std::size_t>(format_of(p_.pixel_type).bytes));
        Pixels one;
        one.bytes = layout.fill;
        one.width = one.height = 1;
        if (wider)
            wider(one, fill_.data());
        else
            fill_ = layout.fill;
    }

    std::string_view format() const override { return "ome-zarr"; }
    std::string const& name() const override { return path_; }
    // The sizes of files in a folder are not added up: no mask needs the sum.
    std::uint64_t bytes() const override { return 0; }

    void list(Model& m) const override {
        m.notes = p_.notes;
        if (image_.tiles_filled > 0)
            m.notes.push_back(plural(
                image_.tiles_filled, "tile of the original slide could not be read and is filled",
                "tiles of the original slide could not be read and are filled"));
        for (std::size_t l = 0; l < p_.levels.size(); ++l) {
            m.levels.push_back({p_.levels[l].factor, 0});
            if (p_.levels[l].files)
                add_files(m, l);
            else
                add_planes(m, l);
        }
    }
    Metadata metadata(std::vector<std::string>& notes) const override {
        return metadata_of(image_, p_.pixel_type, notes);
    }

    SlideFacts facts(Model const& m) const override {
        SlideFacts f;
        f.entries = std::ssize(m.tiles);
        if (f.entries == 0) return f;
        f.pixel_types[std::string(name_of(p_.pixel_type))] = f.entries;
        f.compressions[image_.levels.front().array.codec] = f.entries;
        return f;
    }

    std::string compression(Tile const&) const override {
        return image_.levels.front().array.codec;
    }
    std::optional<std::uint64_t> offset(Tile const&) const override { return {}; }
    bool worth_keeping(Tile const&) const override { return true; }

    Result<TilePlace> locate(Tile const& t, std::span<std::byte>) const override {
        SLUICE_TRY(auto const place, array_of(t).locate(chunk_of(t)));
        TilePlace out;
        out.data = place ? place->offset : absent;
        out.data_size = place ? place->size : 0;
        if (place && place->size == 0)
            return located(t, {Code::truncated, "it has chunks without bytes; write it again"});
        return out;
    }
    Status check_size(Tile const& t, TilePlace const& place) const override {
        if (place.data == absent) return {};
        if (auto s = array_of(t).check_size(place.data_size); !s) return located(t, s.error());
        return {};
    }
    Result<Bytes> fetch(Tile const& t, TilePlace const& place, Buffer& memory) const override {
        if (place.data == absent) return Bytes();
        SLUICE_CHECK(check_size(t, place));
        std::span<std::byte> const to(memory.reserve(place.data_size), place.data_size);
        SLUICE_CHECK(array_of(t).read(chunk_of(t), {place.data, place.data_size}, to));
        return Bytes(to);
    }
    Result<Pixels> decode(Tile const& t, Bytes bytes, int, Buffer& out) const override {
        zarr::Reader const& array = array_of(t);
        zarr::Layout const& layout = array.layout();
        Pixels p = pixels_of(t);
        if (bytes.empty()) {
            p.bytes = fill_;
            p.first = p.pixel_stride = p.row_stride = 0;
            return p;
        }
        Widen const wider = widening(layout.dtype);
        auto const size = static_cast<std::size_t>(layout.chunk_bytes());
        auto const wide = static_cast<std::size_t>(p.width * p.height * p.format.bytes);
        std::size_t const behind = wider ? room_before(p, size_of(layout.dtype)) : 0;
        std::byte* const memory = out.reserve(wider ? std::max(wide, behind + size) : size);
        std::span<std::byte> const to(memory + behind, size);
        if (auto s = array.decode(bytes, to); !s) return located(t, s.error());
        to_native(layout, to);
        p.bytes = to;
        if (!wider) return p;
        wider(p, memory);
        p.bytes = {memory, wide};
        p.first = 0;
        p.pixel_stride = p.format.bytes;
        p.row_stride = p.width * p.format.bytes;
        return p;
    }

  private:
    std::string path_;
    ngff::Image image_;
    ZarrPyramid p_;
    std::vector<std::byte> fill_;  ///< one pixel

    zarr::Reader const& array_of(Tile const& t) const {
        return p_.levels[static_cast<std::size_t>(t.level)].array;
    }
    // Along each axis, the element of the array that is the tile's first.
    std::vector<index> first_of(Tile const& t) const {
        ZarrLevel const& level = p_.levels[static_cast<std::size_t>(t.level)];
        std::vector<index> at(p_.dimensions.size(), 0);
        for (std::size_t d = 0; d < at.size(); ++d)
            if (p_.dimensions[d]) at[d] = t.at[*p_.dimensions[d]];
        at[p_.x] = t.rect.x / level.factor;
        at[p_.y] = t.rect.y / level.factor;
        return at;
    }
    std::vector<index> chunk_of(Tile const& t) const {
        std::vector<index> at = first_of(t);
        for (std::size_t d = 0; d < at.size(); ++d) at[d] /= array_of(t).layout().chunk[d];
        return at;
    }
    // Where the tile's pixels are in its decoded chunk.
    Pixels pixels_of(Tile const& t) const {
        ZarrLevel const& level = p_.levels[static_cast<std::size_t>(t.level)];
        zarr::Layout const& layout = level.array.layout();
        index const size = size_of(layout.dtype);
        std::vector<index> const at = first_of(t);
        Pixels p;
        p.format = format_of(p_.pixel_type);
        p.width = std::min(layout.chunk[p_.x], level.width - at[p_.x]);
        p.height = std::min(layout.chunk[p_.y], level.height - at[p_.y]);
        p.pixel_stride = layout.stride[p_.x] * size;
        p.row_stride = layout.stride[p_.y] * size;
        for (std::size_t d = 0; d < at.size(); ++d)
            p.first += at[d] % layout.chunk[d] * layout.stride[d] * size;
        return p;
    }
    Error located(Tile const& t, Error error) const {
        if (error.file.empty()) error.file = array_of(t).file_of(chunk_of(t));
        return error;
    }

    void add_planes(Model& m, std::size_t l) const {
        ZarrLevel const& level = p_.levels[l];
        std::vector<index> const& chunk = level.array.layout().chunk;
        index const planes = index{p_.counts[C]} * p_.counts[Z] * p_.counts[slide::T];
        for (index plane = 0; plane < planes; ++plane) {
            PlaneIndex at{};
            at[C] = static_cast<std::int32_t>(plane % p_.counts[C]);
            at[Z] = static_cast<std::int32_t>(plane / p_.counts[C] % p_.counts[Z]);
            at[slide::T] = static_cast<std::int32_t>(plane / p_.counts[C] / p_.counts[Z]);
            for (index row = 0; row < parts(level.height, chunk[p_.y]); ++row)
                for (index column = 0; column < parts(level.width, chunk[p_.x]); ++column)
                    add_tile(m, l, at, row, column);
        }
    }

    // For a canvas that is nearly empty: chunks without files are background.
    void add_files(Model& m, std::size_t l) const {
        zarr::Layout const& layout = p_.levels[l].array.layout();
        std::vector<index> const& side = layout.shard.empty() ? layout.chunk : layout.shard;
        for (std::vector<index> const& file : *p_.levels[l].files) {
            std::vector<index> first(file.size()), end(file.size());
            for (std::size_t d = 0; d < file.size(); ++d) {
                first[d] = file[d] * side[d];
                end[d] = std::min(first[d] + side[d], layout.shape[d]);
                bool const counted = d == p_.x || d == p_.y;
                if (counted) first[d] /= layout.chunk[d], end[d] = parts(end[d], layout.chunk[d]);
            }
            for (std::vector<index> at = first; at.front() < end.front();) {
                PlaneIndex plane{};
                for (std::size_t d = 0; d < at.size(); ++d)
                    if (p_.dimensions[d])
                        plane[*p_.dimensions[d]] = static_cast<std::int32_t>(at[d]);
                add_tile(m, l, plane, at[p_.y], at[p_.x]);
                // As a counter with one digit for each axis.
                std::size_t d = at.size() - 1;
                while (++at[d] == end[d] && d > 0) {
                    at[d] = first[d];
                    --d;
                }
            }
        }
    }

    void add_tile(Model& m, std::size_t l, PlaneIndex const& at, index row, index column) const {
        ZarrLevel const& level = p_.levels[l];
        ZarrLevel const& finest = p_.levels.front();
        std::vector<index> const& chunk = level.array.layout().chunk;
        index const factor = level.factor, columns = parts(level.width, chunk[p_.x]),
                    rows = parts(level.height, chunk[p_.y]);
        // The last ones go to the edge of the image, also where the level is a pixel short.
        auto const extent = [&](index i, index n, index size, index side) {
            return i + 1 == n ? size - i * side * factor : side * factor;
        };
        Tile t;
        t.pixel_type = p_.pixel_type;
        t.level = static_cast<std::int32_t>(l);
        t.at = at;
        t.rect = {column * chunk[p_.x] * factor, row * chunk[p_.y] * factor,
                  extent(column, columns, finest.width, chunk[p_.x]),
                  extent(row, rows, finest.height, chunk[p_.y])};
        t.stored_width = parts(t.rect.width, factor);
        t.stored_height = parts(t.rect.height, factor);
        m.tiles.push_back(t);
        ++m.levels[l].tiles;
    }
};

Error several(ngff::Folder const& folder) {
    std::string list;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, folder.images.size()); ++i)
        list += fmt::format("{}{}/{}", i == 0 ? "" : ", ", folder.path, folder.images[i].path);
    return {Code::invalid_argument,
            fmt::format("has {} images; give the folder of one image: {}{}", folder.images.size(),
                        list, folder.images.size() > 3 ? ", ..." : ""),
            folder.path};
}

}  // namespace

Result<std::unique_ptr<TileSource const>> open_zarr_tiles(std::string const& path) {
    SLUICE_TRY(ngff::Folder folder, ngff::open(path));
    if (folder.images.size() != 1) return several(folder);
    SLUICE_TRY(ZarrPyramid pyramid, open_pyramid(folder));
    SLUICE_CHECK(check_count(folder.images.front(), pyramid, folder.path));
    return std::unique_ptr<TileSource const>(std::make_unique<ZarrTiles>(
        folder.path, std::move(folder.images.front()), std::move(pyramid)));
}

}  // namespace sluice::slide
