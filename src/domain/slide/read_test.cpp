// Reading slides: against a compositor that draws every tile in order, pixel by pixel.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "czi_writer/czi_writer.h"
#include "czi_writer/grid.h"
#include "czi_writer/pixels.h"
#include "sluice/slide.h"

namespace sluice::slide {
namespace {

using czi::Compression;
using slide::PixelType;

Slide open(test::CziFile const& file) {
    return Slide::open(memory_source("x.czi", file.bytes())).value();
}

double value_at(test::Point const& p) {
    return static_cast<double>(
        (p.x * 7 + p.y * 13 + p.sample * 29 + p.at[C] * 5 + p.at[Z] * 17 + p.at[slide::T] * 3) %
        251);
}

// The slow twin: all tiles of the plane, scene by scene and by M, each over what is there.
struct Naive {
    Rect rect;
    std::vector<double> values;  // one sample per pixel
    static constexpr double empty = -1;
};

Naive draw(std::vector<test::Tile> tiles, Rect const& rect, std::optional<std::int32_t> scene,
           std::function<double(test::Tile const&, index x, index y)> const& value) {
    Naive n{rect,
            std::vector<double>(static_cast<std::size_t>(rect.width * rect.height), Naive::empty)};
    std::stable_sort(tiles.begin(), tiles.end(), [](test::Tile const& a, test::Tile const& b) {
        return std::pair(a.scene, a.m) < std::pair(b.scene, b.m);
    });
    for (test::Tile const& t : tiles) {
        if (scene && t.scene != *scene) continue;
        Mask mask;
        if (!t.attachment.empty()) mask = czi::parse_mask(t.attachment).value();
        for (index y = t.rect.y; y < t.rect.y + t.rect.height; ++y)
            for (index x = t.rect.x; x < t.rect.x + t.rect.width; ++x) {
                bool const inside = x >= rect.x && x < rect.x + rect.width && y >= rect.y &&
                                    y < rect.y + rect.height;
                if (!inside || (mask.width > 0 && !mask.valid(x - t.rect.x, y - t.rect.y)))
                    continue;
                n.values[static_cast<std::size_t>((y - rect.y) * rect.width + x - rect.x)] =
                    value(t, x, y);
            }
    }
    return n;
}

bool overlap(Rect const& a, Rect const& b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

// Every tile a colour of its own, so that a wrong order shows.
double colour(test::Tile const& t, index x, index y) {
    return static_cast<double>((t.rect.x * 31 + t.rect.y * 17 + index{t.m} * 11 + x + 3 * y) &
                               0xff);
}

std::vector<test::Tile> scatter(std::mt19937& random, bool masks, Compression compression) {
    auto const upto = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    std::vector<test::Tile> tiles;
    int const n = 1 + upto(60);
    for (int i = 0; i < n; ++i) {
        test::Tile t;
        t.rect = {upto(200) - 100, upto(200) - 100, 1 + upto(70), 1 + upto(70)};
        t.m = upto(4) == 0 ? none : upto(30);
        t.scene = upto(2);
        t.compression = compression;
        t.paint = [](test::Tile const& me, std::span<std::byte> out) {
            for (index y = 0; y < me.rect.height; ++y)
                for (index x = 0; x < me.rect.width; ++x)
                    out[static_cast<std::size_t>(y * me.rect.width + x)] =
                        static_cast<std::byte>(colour(me, me.rect.x + x, me.rect.y + y));
        };
        if (masks && upto(3) == 0) {
            int const cut = 1 + upto(40);
            t.attachment =
                test::mask_attachment(t.rect.width, t.rect.height,
                                      [cut](index x, index y) { return (x + y) % 40 < cut; });
            t.metadata = std::string(test::mask_metadata);
        }
        tiles.push_back(std::move(t));
    }
    return tiles;
}

void compare(Slide const& slide, std::vector<test::Tile> const& tiles, Selection region) {
    Naive const want = draw(tiles, *region.rect, region.scene, colour);
    for (int const threads : {1, 2, 4}) {
        ReadOptions options;
        options.threads = threads;
        options.background = 77;
        auto const image = slide.read(region, 0, options);
        ASSERT_TRUE(image) << image.error().text();
        for (std::size_t i = 0; i < want.values.size(); ++i) {
            double const v = want.values[i] == Naive::empty ? 77 : want.values[i];
            ASSERT_EQ(std::to_integer<int>(image->pixels.data()[i]), static_cast<int>(v))
                << "pixel " << i << " threads " << threads;
        }
    }
}

class Scattered : public testing::TestWithParam<std::tuple<bool, Compression>> {};

TEST_P(Scattered, EqualsDrawingInOrder) {
    auto const [masks, compression] = GetParam();
    std::mt19937 random(static_cast<unsigned>(compression) + (masks ? 100 : 0));
    for (int round = 0; round < 30; ++round) {
        test::CziFile file;
        file.tiles = scatter(random, masks, compression);
        Slide const slide = open(file);
        for (int r = 0; r < 4; ++r) {
            Selection region;
            auto const upto = [&](int n) {
                return static_cast<index>(random() % static_cast<unsigned>(n));
            };
            region.rect = Rect{upto(240) - 120, upto(240) - 120, 1 + upto(150), 1 + upto(150)};
            if (r == 3) region.rect = slide.bounds();
            bool const has_scene = slide.scenes().front().id == 0;
            if (r % 2 == 1 && has_scene) region.scene = 0;
            if (Rect const& all = region.scene ? slide.scenes().front().bounds : slide.bounds();
                !overlap(*region.rect, all)) {
                EXPECT_FALSE(slide.read(region, 0));
                continue;
            }
            compare(slide, file.tiles, region);
            if (HasFatalFailure()) return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Read, Scattered,
                         testing::Combine(testing::Bool(),
                                          testing::Values(Compression::none, Compression::zstd0,
                                                          Compression::lzw)));

struct Case {
    PixelType type;
    Compression compression;
};

std::vector<Case> lossless() {
    std::vector<Case> all;
    for (PixelType const t :
         {PixelType::gray8, PixelType::gray16, PixelType::gray32_float, PixelType::bgr24,
          PixelType::bgr48, PixelType::bgr96_float, PixelType::bgra32, PixelType::gray64_complex,
          PixelType::bgr192_complex, PixelType::gray32, PixelType::gray64})
        for (Compression const c :
             {Compression::none, Compression::lzw, Compression::zstd0, Compression::zstd1})
            all.push_back({t, c});
    for (PixelType const t :
         {PixelType::gray8, PixelType::gray16, PixelType::bgr24, PixelType::bgr48})
        all.push_back({t, Compression::jpeg_xr});
    return all;
}

// What the writer was asked to write, as it should come out.
std::vector<std::byte> expected(test::Grid const& grid, PixelType type, PlaneIndex at) {
    test::Tile whole = grid.like;
    whole.rect = grid.area;
    whole.pixel_type = type;
    whole.at = at;
    std::vector<std::byte> out(
        static_cast<std::size_t>(grid.area.width * grid.area.height * test::kind_of(type).bytes()));
    whole.paint(whole, out);
    if (type == PixelType::bgra32)
        for (std::size_t i = 3; i < out.size(); i += 4) out[i] = std::byte{255};
    return out;
}

class Lossless : public testing::TestWithParam<Case> {};

TEST_P(Lossless, EveryPlaneComesOutAsItWentIn) {
    auto const [type, compression] = GetParam();
    for (bool const hi_lo : {false, true}) {
        test::Grid grid;
        grid.overlap = 5;
        grid.tile_width = 37;
        grid.tile_height = 29;
        grid.area = area_of(grid, 3, 3, -40, 1000);
        grid.channels = 2;
        grid.slices = 2;
        grid.like.pixel_type = type;
        grid.like.compression = compression;
        grid.like.hi_lo = hi_lo && compression == Compression::zstd1;
        grid.like.metadata = hi_lo ? "<METADATA />" : "<METADATA/>";
        grid.like.paint = test::paint_by(value_at);
        test::CziFile file;
        file.tiles = mosaic(grid);
        Slide const slide = open(file);
        for (std::int32_t c = 0; c < 2; ++c)
            for (std::int32_t z = 0; z < 2; ++z) {
                Selection region;
                region.plane[C] = c;
                region.plane[Z] = z;
                auto const image = slide.read(region, 0);
                ASSERT_TRUE(image) << image.error().text();
                auto const want = expected(grid, type, region.plane);
                ASSERT_EQ(image->pixels.size(), want.size());
                EXPECT_EQ(std::memcmp(image->pixels.data(), want.data(), want.size()), 0)
                    << "C " << c << " Z " << z << " hi-lo " << hi_lo;
            }
    }
}

INSTANTIATE_TEST_SUITE_P(Read, Lossless, testing::ValuesIn(lossless()), [](auto const& info) {
    std::string name(name_of(info.param.type));
    for (char const c : name_of(info.param.compression))
        if (c != ' ') name += c;
    return name;
});

test::Grid plain_grid(index columns, index rows, index tile = 64, index overlap = 0) {
    test::Grid grid;
    grid.tile_width = grid.tile_height = tile;
    grid.overlap = overlap;
    grid.area = area_of(grid, columns, rows, 10, 20);
    grid.like.paint = test::paint_by(value_at);
    return grid;
}

TEST(Read, HiddenTilesAreNotRead) {
    test::CziFile file;
    for (std::int32_t m = 0; m < 5; ++m) {
        test::Tile t;
        t.rect = {m == 4 ? 0 : 2 * m, 0, m == 4 ? 40 : 20, 20};
        t.m = m;
        t.paint = test::paint_by(value_at);
        file.tiles.push_back(t);
    }
    Slide const slide = open(file);
    Stats stats;
    ReadOptions options;
    options.stats = &stats;
    ASSERT_TRUE(slide.read({}, 0, options));
    EXPECT_EQ(stats.tiles_hit, 5);
    EXPECT_EQ(stats.tiles_hidden, 4);
    EXPECT_EQ(stats.tiles_decoded, 1);
    EXPECT_EQ(stats.bytes_read, 800u);
}

TEST(Read, EachVisibleTileIsDecodedOnce) {
    test::Grid grid = plain_grid(6, 5, 64, 8);
    grid.like.compression = Compression::zstd0;
    test::CziFile file;
    file.tiles = mosaic(grid);
    Slide const slide = open(file);
    Stats stats;
    ReadOptions options;
    options.stats = &stats;
    ASSERT_TRUE(slide.read({}, 0, options));
    EXPECT_EQ(stats.tiles_decoded, 30);
    EXPECT_EQ(stats.pixels_returned, grid.area.width * grid.area.height);
}

TEST(Read, PyramidLevels) {
    test::Grid grid = plain_grid(5, 3, 64, 6);
    test::CziFile file;
    file.tiles = mosaic(grid);
    for (test::Tile const& t : pyramid(grid)) file.tiles.push_back(t);
    Slide const slide = open(file);
    ASSERT_GE(slide.levels().size(), 3u);
    for (std::size_t l = 0; l < slide.levels().size(); ++l)
        EXPECT_EQ(slide.levels()[l].factor, 1 << l);
    EXPECT_EQ(slide.bounds(), grid.area);
    for (int l = 0; l < static_cast<int>(slide.levels().size()); ++l) {
        auto const shape = slide.shape({}, l);
        ASSERT_TRUE(shape);
        index const f = slide.levels()[static_cast<std::size_t>(l)].factor;
        EXPECT_EQ(shape->width, (grid.area.width + f - 1) / f);
        EXPECT_EQ(shape->height, (grid.area.height + f - 1) / f);
        Stats stats;
        ReadOptions options;
        options.stats = &stats;
        ASSERT_TRUE(slide.read({}, l, options));
        EXPECT_EQ(stats.tiles_hit - stats.tiles_hidden,
                  slide.levels()[static_cast<std::size_t>(l)].tiles);
    }
}

// The mean of what each pixel covers, with edges that are whole pixels.
std::vector<int> mean_of(Image const& level, index height, index width) {
    std::vector<int> out;
    for (index y = 0; y < height; ++y)
        for (index x = 0; x < width; ++x) {
            index const top = y * level.shape.height / height;
            index const bottom = (y + 1) * level.shape.height / height;
            index const left = x * level.shape.width / width;
            index const right = (x + 1) * level.shape.width / width;
            double sum = 0;
            for (index v = top; v < bottom; ++v)
                for (index u = left; u < right; ++u)
                    sum += std::to_integer<int>(level.pixels.data()[v * level.shape.width + u]);
            out.push_back(static_cast<int>(
                std::floor(sum / static_cast<double>((bottom - top) * (right - left)) + 0.5)));
        }
    return out;
}

TEST(Read, ZoomIsTheMeanOfTheLevel) {
    test::Grid grid = plain_grid(4, 4, 50, 7);
    grid.like.compression = Compression::zstd0;
    test::CziFile file;
    file.tiles = mosaic(grid);
    Slide const slide = open(file);
    auto const whole = slide.read({}, 0);
    ASSERT_TRUE(whole);
    for (double const zoom : {1.0, 0.9, 0.5, 0.33, 0.1, 0.011, 0.001}) {
        std::vector<std::byte> first;
        for (int const threads : {1, 2, 4}) {
            ReadOptions options;
            options.threads = threads;
            auto const image = slide.read_at({}, zoom, options);
            ASSERT_TRUE(image) << image.error().text();
            auto const shape = slide.shape_at({}, zoom);
            ASSERT_TRUE(shape);
            EXPECT_EQ(shape->width, image->shape.width);
            EXPECT_EQ(image->shape.width,
                      std::max<index>(
                          1, static_cast<index>(static_cast<double>(grid.area.width) * zoom)));
            auto const want = mean_of(*whole, image->shape.height, image->shape.width);
            for (std::size_t i = 0; i < want.size(); ++i)
                ASSERT_EQ(std::to_integer<int>(image->pixels.data()[i]), want[i])
                    << zoom << " pixel " << i;
        }
    }
    EXPECT_FALSE(slide.read_at({}, 0));
    EXPECT_FALSE(slide.read_at({}, 1.5));
    EXPECT_FALSE(slide.read_at({}, std::nan("")));
}

TEST(Read, ZoomUsesALevelOnlyWhereItIsComplete) {
    test::Grid grid = plain_grid(4, 4);
    test::CziFile file;
    file.tiles = mosaic(grid);
    auto const coarse = pyramid(grid);
    Stats with, without;
    ReadOptions options;
    for (test::Tile const& t : coarse) file.tiles.push_back(t);
    options.stats = &with;
    ASSERT_TRUE(open(file).read_at({}, 0.5, options));
    EXPECT_EQ(with.pixels_decoded, grid.area.width * grid.area.height / 4);
    // One tile of the level 1/2 is missing, and the levels above it too.
    file.tiles.resize(17);
    options.stats = &without;
    ASSERT_TRUE(open(file).read_at({}, 0.5, options));
    EXPECT_EQ(without.pixels_decoded, grid.area.width * grid.area.height);
}

// Samples of a sub-block of several planes, the first dimension of the order running fastest.
std::vector<std::byte> several_planes(test::Tile const& t) {
    std::vector<std::byte> out;
    std::vector<std::pair<char, index>> extents;
    for (char const d : t.dimensions) {
        if (d == 'X') extents.emplace_back(d, t.rect.width);
        if (d == 'Y') extents.emplace_back(d, t.rect.height);
        if (std::size_t const at = dimension_letters.find(d); at != std::string_view::npos)
            extents.emplace_back(d, t.planes[at]);
    }
    index all = 1;
    for (auto const& e : extents) all *= e.second;
    for (index i = 0; i < all; ++i) {
        test::Point p{t.rect.x, t.rect.y, 0, t.at};
        index rest = i;
        for (auto const& [d, n] : extents) {
            if (d == 'X') p.x += rest % n;
            if (d == 'Y') p.y += rest % n;
            if (std::size_t const at = dimension_letters.find(d); at != std::string_view::npos)
                p.at[at] += static_cast<std::int32_t>(rest % n);
            rest /= n;
        }
        auto const v = static_cast<std::uint16_t>(value_at(p));
        out.push_back(static_cast<std::byte>(v & 0xff));
        out.push_back(static_cast<std::byte>(v >> 8));
    }
    return out;
}

void expect_planes(test::Tile const& t) {
    test::CziFile file;
    file.tiles = {t};
    Slide const slide = open(file);
    EXPECT_EQ(slide.tiles().size(), 12u);
    EXPECT_EQ(slide.first()[Z], 2);
    EXPECT_EQ(slide.counts()[Z], 4);
    for (std::int32_t plane = 0; plane < 12; ++plane) {
        Selection region;
        region.plane[Z] = 2 + plane % 4;
        region.plane[slide::T] = plane / 4;
        auto const image = slide.read(region, 0);
        ASSERT_TRUE(image) << image.error().text();
        for (index y = 0; y < 7; ++y)
            for (index x = 0; x < 13; ++x) {
                std::uint16_t v = 0;
                std::memcpy(&v, image->pixels.data() + 2 * (y * 13 + x), 2);
                ASSERT_EQ(v, value_at({x, y, 0, region.plane}))
                    << t.dimensions << " x " << x << " y " << y;
            }
    }
}

TEST(Read, SeveralPlanesInOneTile) {
    test::Tile t;
    t.rect = {0, 0, 13, 7};
    t.planes[Z] = 4;
    t.planes[slide::T] = 3;
    t.at[Z] = 2;
    t.pixel_type = PixelType::gray16;
    for (std::string const order : {"XYZTC", "XYTZC", "XZYTC", "ZXYTC", "ZTXYC", "ZYXTC"}) {
        t.dimensions = order;
        t.data = several_planes(t);
        expect_planes(t);
    }
    t.dimensions = "XYTZC";
    t.data.reset();
    t.paint = test::paint_by(value_at);
    for (Compression const c : {Compression::zstd0, Compression::zstd1, Compression::lzw}) {
        t.compression = c;
        expect_planes(t);
    }
}

TEST(Read, StoredSmallerAlongOneSideIsResampled) {
    test::CziFile file;
    test::Tile t;
    t.rect = {0, 0, 8, 8};
    t.stored_height = 2;
    t.paint = [](test::Tile const& me, std::span<std::byte> out) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = static_cast<std::byte>(i / static_cast<std::size_t>(me.width()) * 10);
    };
    file.tiles = {t};
    Slide const slide = open(file);
    EXPECT_EQ(slide.levels().size(), 1u);
    auto const image = slide.read({}, 0);
    ASSERT_TRUE(image);
    for (index i = 0; i < 64; ++i)
        EXPECT_EQ(std::to_integer<int>(image->pixels.data()[i]), i < 32 ? 0 : 10);
}

TEST(Read, RawPixelsLabelledAsJpegXr) {
    test::Grid grid = plain_grid(2, 1);
    test::CziFile file;
    file.tiles = mosaic(grid);
    for (test::Tile& t : file.tiles) {
        std::vector<std::byte> data(64 * 64);
        t.paint(t, data);
        t.compression = Compression::jpeg_xr;
        t.data = data;
    }
    auto const image = open(file).read({}, 0);
    ASSERT_TRUE(image) << image.error().text();
    auto const want = expected(grid, PixelType::gray8, {});
    EXPECT_EQ(std::memcmp(image->pixels.data(), want.data(), want.size()), 0);
}

TEST(Read, TilesOneRowShortAreAnError) {
    for (Compression const compression :
         {Compression::none, Compression::zstd0, Compression::zstd1}) {
        test::Tile full;
        full.rect = {0, 0, 10, 9};
        full.pixel_type = PixelType::gray16;
        full.compression = compression;
        full.paint = test::paint_by([](test::Point const&) { return 513.0; });
        // Written as nine rows, described as ten.
        test::CziFile nine;
        nine.tiles = {full};
        std::vector<std::byte> const bytes = nine.bytes();
        auto const file = czi::File::open(memory_source("x", bytes)).value();
        auto const where = file.locate(file.entries()[0]).value();
        test::CziFile ten;
        full.rect.height = 10;
        full.data = std::vector<std::byte>(
            bytes.begin() + static_cast<std::ptrdiff_t>(where.data),
            bytes.begin() + static_cast<std::ptrdiff_t>(where.data + where.data_size));
        ten.tiles = {full};
        Slide const slide = open(ten);
        auto const failed = slide.read({}, 0);
        ASSERT_FALSE(failed) << name_of(compression);
        EXPECT_NE(failed.error().message.find("180 bytes of pixels (its size needs 200)"),
                  std::string::npos)
            << failed.error().message;
        std::vector<BadTile> bad;
        ReadOptions options;
        options.fill_bad = 9;
        options.bad = &bad;
        auto const filled = slide.read({}, 0, options);
        ASSERT_TRUE(filled);
        EXPECT_EQ(bad.size(), 1u);
        EXPECT_EQ(std::to_integer<int>(filled->pixels.data()[0]), 9);
    }
}

TEST(Read, DamagedTileIsAnErrorOrFilled) {
    test::Grid grid = plain_grid(3, 1);
    grid.like.compression = Compression::zstd0;
    test::CziFile file;
    file.tiles = mosaic(grid);
    file.tiles[1].data = std::vector<std::byte>(100, std::byte{7});
    Slide const slide = open(file);
    for (int const threads : {1, 2, 4}) {
        ReadOptions options;
        options.threads = threads;
        auto const failed = slide.read({}, 0, options);
        ASSERT_FALSE(failed);
        EXPECT_NE(failed.error().text().find("x.czi at byte"), std::string::npos);
        EXPECT_NE(failed.error().message.find("X 74 Y 20 (M 1"), std::string::npos)
            << failed.error().message;
        std::vector<BadTile> bad;
        options.fill_bad = 9;
        options.bad = &bad;
        auto const image = slide.read({}, 0, options);
        ASSERT_TRUE(image);
        ASSERT_EQ(bad.size(), 1u);
        EXPECT_EQ(bad[0].tile, 1);
        auto want = expected(grid, PixelType::gray8, {});
        for (std::size_t i = 0; i < want.size(); ++i)
            if (i % 192 >= 64 && i % 192 < 128) want[i] = std::byte{9};
        EXPECT_EQ(std::memcmp(image->pixels.data(), want.data(), want.size()), 0);
        auto const small = slide.read_at({}, 0.25, options);
        ASSERT_TRUE(small);
        EXPECT_EQ(std::to_integer<int>(small->pixels.data()[20]), 9);
    }
}

TEST(Read, UnknownCompressionAndPixelTypeAreNamed) {
    test::CziFile file;
    test::Tile t;
    t.rect = {0, 0, 4, 4};
    t.data = std::vector<std::byte>(16);
    t.compression = static_cast<Compression>(504);
    file.tiles = {t};
    auto const image = open(file).read({}, 0);
    ASSERT_FALSE(image);
    EXPECT_NE(image.error().message.find("compression 504"), std::string::npos);
    file.tiles[0].compression = Compression::none;
    file.tiles[0].pixel_type = static_cast<PixelType>(99);
    auto const other = open(file).read({}, 0);
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("pixel type 99"), std::string::npos);
}

TEST(Read, ChannelsOfDifferentPixelTypes) {
    test::CziFile file;
    for (std::int32_t c = 0; c < 2; ++c) {
        test::Tile t;
        t.rect = {0, 0, 10, 10};
        t.at[C] = c;
        t.pixel_type = c == 0 ? PixelType::gray8 : PixelType::bgr48;
        t.paint = test::paint_by(value_at);
        file.tiles.push_back(t);
    }
    Slide const slide = open(file);
    Selection region;
    EXPECT_EQ(slide.shape(region, 0)->samples, 1);
    region.plane[C] = 1;
    auto const image = slide.read(region, 0);
    ASSERT_TRUE(image);
    EXPECT_EQ(image->shape.samples, 3);
    EXPECT_EQ(image->shape.sample, DType::u16);
}

TEST(Read, WrongQuestions) {
    test::CziFile file;
    file.tiles = mosaic(plain_grid(2, 2));
    Slide const slide = open(file);
    Selection region;
    region.plane[Z] = 3;
    EXPECT_NE(slide.read(region, 0).error().message.find("there is no Z 3"), std::string::npos);
    region = {};
    region.scene = 4;
    EXPECT_NE(slide.read(region, 0).error().message.find("no scene 4"), std::string::npos);
    region = {};
    EXPECT_FALSE(slide.read(region, 1));
    EXPECT_FALSE(slide.read(region, -1));
    region.rect = Rect{0, 0, index{1} << 39, index{1} << 39};
    EXPECT_FALSE(slide.read(region, 0));
    region.rect = Rect{0, 0, 0, 5};
    EXPECT_FALSE(slide.read(region, 0));
    EXPECT_FALSE(slide.read_tile(4));
    EXPECT_FALSE(slide.read_tile(-1));
}

TEST(Read, CacheKeepsDecodedTiles) {
    test::Grid grid = plain_grid(3, 3, 64, 8);
    grid.like.compression = Compression::zstd0;
    test::CziFile file;
    file.tiles = mosaic(grid);
    Slide const slide = open(file);
    TileCache cache(1 << 20);
    Stats stats;
    ReadOptions options;
    options.cache = &cache;
    options.stats = &stats;
    auto const first = slide.read({}, 0, options);
    auto const second = slide.read({}, 0, options);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(stats.tiles_decoded, 9);
    EXPECT_EQ(std::memcmp(first->pixels.data(), second->pixels.data(), first->pixels.size()), 0);
    TileCache small(3 * 64 * 64);
    options.cache = &small;
    for (int i = 0; i < 3; ++i) {
        auto const again = slide.read({}, 0, options);
        ASSERT_TRUE(again);
        EXPECT_EQ(std::memcmp(first->pixels.data(), again->pixels.data(), first->pixels.size()), 0);
    }
}

TEST(Read, TilesIntoMemoryOfTheCaller) {
    test::Grid grid = plain_grid(3, 2, 40, 4);
    grid.like.pixel_type = PixelType::bgr24;
    grid.like.compression = Compression::zstd0;
    test::CziFile file;
    file.tiles = mosaic(grid);
    Slide const slide = open(file);
    std::vector<std::int32_t> const tiles = {5, 0, 3};
    std::vector<std::vector<std::byte>> memory(3, std::vector<std::byte>(40 * 40 * 3));
    std::vector<std::span<std::byte>> const out(memory.begin(), memory.end());
    ASSERT_TRUE(slide.read_tiles(tiles, {}, out));
    for (std::size_t i = 0; i < 3; ++i) {
        test::Tile const& t = file.tiles[static_cast<std::size_t>(tiles[i])];
        std::vector<std::byte> want(40 * 40 * 3);
        t.paint(t, want);
        EXPECT_EQ(memory[i], want);
    }
}

TEST(Read, ViewsOfMappedTilesStartAnywhere) {
    test::Grid grid = plain_grid(2, 1, 32);
    grid.like.pixel_type = PixelType::gray16;
    grid.like.metadata = "<METADATA/> odd";
    test::CziFile file;
    file.tiles = mosaic(grid);
    std::string const path = testing::TempDir() + "/view.czi";
    file.save(path);
    Slide const slide = Slide::open(path, {}, Access::map).value();
    Slide const plain = Slide::open(path).value();
    for (std::int32_t t = 0; t < 2; ++t) {
        auto const view = slide.view_tile(t);
        ASSERT_TRUE(view) << view.error().text();
        auto const copy = plain.read_tile(t);
        ASSERT_TRUE(copy);
        EXPECT_EQ(std::memcmp(view->data(), copy->pixels.data(), view->size()), 0);
    }
    EXPECT_FALSE(plain.view_tile(0));
    auto const a = slide.read({}, 0), b = plain.read({}, 0);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(std::memcmp(a->pixels.data(), b->pixels.data(), a->pixels.size()), 0);
}

TEST(Read, ProgressCountsTilesAndCancels) {
    test::CziFile file;
    file.tiles = mosaic(plain_grid(4, 4));
    Slide const slide = open(file);
    ReadOptions options;
    options.threads = 1;
    std::uint64_t last = 0;
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_EQ(done, last + 1);
        EXPECT_EQ(total, 16u);
        last = done;
        return true;
    };
    ASSERT_TRUE(slide.read({}, 0, options));
    EXPECT_EQ(last, 16u);
    options.progress = [](std::uint64_t done, std::uint64_t) { return done < 3; };
    auto const image = slide.read({}, 0, options);
    ASSERT_FALSE(image);
    EXPECT_EQ(image.error().code, Code::cancelled);
}

TEST(Read, HundredThousandTiles) {
    test::CziFile file;
    test::Grid grid = plain_grid(316, 316, 16);
    file.tiles = mosaic(grid);
    Slide const slide = open(file);
    EXPECT_EQ(slide.tiles().size(), 316u * 316u);
    Selection region;
    region.rect = Rect{10 + 16 * 150 + 8, 20 + 16 * 200 + 8, 16, 16};
    Stats stats;
    ReadOptions options;
    options.stats = &stats;
    auto const image = slide.read(region, 0, options);
    ASSERT_TRUE(image);
    EXPECT_EQ(stats.tiles_hit, 4);
    for (index y = 0; y < 16; ++y)
        for (index x = 0; x < 16; ++x)
            ASSERT_EQ(std::to_integer<int>(image->pixels.data()[y * 16 + x]),
                      value_at({region.rect->x + x, region.rect->y + y, 0, {}}));
}

// The mean of what tiles cover in each cell of a composition; the background where they cover none.
std::vector<int> mean_of(Naive const& n, index height, index width, int background) {
    std::vector<int> out;
    for (index y = 0; y < height; ++y)
        for (index x = 0; x < width; ++x) {
            double sum = 0, count = 0;
            for (index v = y * n.rect.height / height; v < (y + 1) * n.rect.height / height; ++v)
                for (index u = x * n.rect.width / width; u < (x + 1) * n.rect.width / width; ++u) {
                    double const value = n.values[static_cast<std::size_t>(v * n.rect.width + u)];
                    if (value == Naive::empty) continue;
                    sum += value;
                    ++count;
                }
            out.push_back(count > 0 ? static_cast<int>(std::floor(sum / count + 0.5)) : background);
        }
    return out;
}

TEST(Masks, ZoomIsTheMeanOfWhatIsValid) {
    std::mt19937 random(5);
    for (int round = 0; round < 20; ++round) {
        test::CziFile file;
        file.tiles = scatter(random, true, Compression::zstd0);
        Slide const slide = open(file);
        Naive const whole = draw(file.tiles, slide.bounds(), {}, colour);
        for (double const zoom : {0.9, 0.5, 0.21, 0.05}) {
            ReadOptions options;
            options.threads = 1 + round % 3;
            options.background = 77;
            auto const image = slide.read_at({}, zoom, options);
            ASSERT_TRUE(image) << image.error().text();
            auto const want = mean_of(whole, image->shape.height, image->shape.width, 77);
            for (std::size_t i = 0; i < want.size(); ++i)
                ASSERT_EQ(std::to_integer<int>(image->pixels.data()[i]), want[i])
                    << "round " << round << " zoom " << zoom << " pixel " << i;
        }
    }
}

test::Tile flat(Rect const& rect, std::int32_t m, int value, Compression compression) {
    test::Tile t;
    t.rect = rect;
    t.m = m;
    t.compression = compression;
    t.paint = test::paint_by([value](test::Point const&) { return value; });
    return t;
}

void give_mask(test::Tile& t, index width, index height,
               std::function<bool(index x, index y)> const& valid) {
    t.attachment = test::mask_attachment(width, height, valid);
    t.metadata = std::string(test::mask_metadata);
}

int pixel(Image const& image, index x, index y) {
    return std::to_integer<int>(image.pixels.data()[y * image.shape.width + x]);
}

TEST(Masks, OfTilesThatAreResampled) {
    test::CziFile file;
    file.tiles = {flat({0, 0, 16, 16}, 0, 50, Compression::none),
                  flat({0, 0, 16, 16}, 1, 100, Compression::none)};
    file.tiles[1].stored_height = 4;
    give_mask(file.tiles[1], 16, 4, [](index x, index y) { return x < 8 && y < 2; });
    auto const image = open(file).read({}, 0);
    ASSERT_TRUE(image) << image.error().text();
    for (index y = 0; y < 16; ++y)
        for (index x = 0; x < 16; ++x)
            ASSERT_EQ(pixel(*image, x, y), x < 8 && y < 8 ? 100 : 50) << x << ", " << y;
}

TEST(Masks, OfTilesThatAreDecodedReduced) {
    test::CziFile file;
    file.tiles = {flat({0, 0, 64, 64}, 0, 50, Compression::jpeg_xr),
                  flat({0, 0, 64, 64}, 1, 100, Compression::jpeg_xr)};
    give_mask(file.tiles[1], 64, 64, [](index x, index y) { return x >= 32 && y >= 16; });
    ReadOptions options;
    options.reduction = 4;
    auto const image = open(file).read({}, 0, options);
    ASSERT_TRUE(image) << image.error().text();
    for (index y = 0; y < 16; ++y)
        for (index x = 0; x < 16; ++x)
            ASSERT_NEAR(pixel(*image, x, y), x >= 8 && y >= 4 ? 100 : 50, 1) << x << ", " << y;
}

TEST(Masks, OfTilesThatWereReadByThemselvesBefore) {
    test::CziFile file;
    file.tiles = {flat({0, 0, 8, 8}, 0, 50, Compression::zstd0),
                  flat({0, 0, 8, 8}, 1, 100, Compression::zstd0)};
    give_mask(file.tiles[1], 8, 8, [](index x, index) { return x < 4; });
    Slide const slide = open(file);
    TileCache cache(1 << 20);
    ReadOptions options;
    options.cache = &cache;
    ASSERT_TRUE(slide.read_tile(1, options));
    auto const image = slide.read({}, 0, options);
    ASSERT_TRUE(image);
    EXPECT_EQ(pixel(*image, 0, 0), 100);
    EXPECT_EQ(pixel(*image, 7, 0), 50);
}

TEST(Masks, DamagedTilesAreNamedOnceAndFilledWhereValid) {
    for (double const zoom : {1.0, 0.5}) {
        test::CziFile file;
        file.tiles = {flat({0, 0, 8, 8}, 0, 50, Compression::zstd0),
                      flat({0, 0, 8, 8}, 1, 100, Compression::zstd0),
                      flat({8, 0, 8, 8}, 2, 60, Compression::zstd0),
                      flat({16, 0, 8, 8}, 3, 70, Compression::zstd0)};
        file.tiles[2].data = std::vector<std::byte>(30, std::byte{7});
        give_mask(file.tiles[1], 8, 8, [](index x, index) { return x < 4; });
        std::swap(file.tiles[0], file.tiles[2]);
        Slide const slide = open(file);
        for (int again = 0; again < 2; ++again) {
            ReadOptions options;
            std::vector<BadTile> bad;
            options.threads = 1;
            options.fill_bad = 9;
            options.bad = &bad;
            auto const image = slide.read_at({}, zoom, options);
            ASSERT_TRUE(image) << image.error().text();
            EXPECT_EQ(bad.size(), 1u);
            index const last = image->shape.width - 1;
            EXPECT_EQ(pixel(*image, 0, 0), 100);
            EXPECT_EQ(pixel(*image, last / 4, 0), 50);
            EXPECT_EQ(pixel(*image, last / 2, 0), 9);
            EXPECT_EQ(pixel(*image, last, 0), 70);
        }
        file.tiles[1].data = std::vector<std::byte>(30, std::byte{7});
        ReadOptions options;
        options.fill_bad = 9;
        auto const image = open(file).read_at({}, zoom, options);
        ASSERT_TRUE(image) << image.error().text();
        EXPECT_EQ(pixel(*image, 0, 0), 9);
        EXPECT_EQ(pixel(*image, (image->shape.width - 1) / 4, 0), 50);
    }
}

TEST(Masks, ADamagedMaskIsADamagedTileAtEveryRead) {
    test::CziFile file;
    file.tiles = {flat({0, 0, 8, 8}, 0, 50, Compression::zstd0),
                  flat({0, 0, 8, 8}, 1, 100, Compression::zstd0),
                  flat({8, 0, 8, 8}, 2, 60, Compression::zstd0)};
    give_mask(file.tiles[1], 8, 8, [](index x, index) { return x < 4; });
    file.tiles[1].attachment.resize(40);
    give_mask(file.tiles[2], 8, 8, [](index x, index) { return x < 4; });
    Slide const slide = open(file);
    for (int again = 0; again < 2; ++again) {
        ReadOptions options;
        std::vector<BadTile> bad;
        options.threads = 1;
        options.fill_bad = 9;
        options.bad = &bad;
        auto const image = slide.read({}, 0, options);
        ASSERT_TRUE(image) << image.error().text();
        ASSERT_EQ(bad.size(), 1u);
        EXPECT_EQ(bad[0].tile, 1);
        EXPECT_EQ(pixel(*image, 0, 0), 9);
        EXPECT_EQ(pixel(*image, 8, 0), 60);
    }
    EXPECT_FALSE(slide.read({}, 0));
}

TEST(Read, RawPixelsLabelledAsJpegXrAreReducedToo) {
    test::CziFile file;
    test::Tile t = flat({0, 0, 64, 32}, 0, 0, Compression::jpeg_xr);
    t.data = std::vector<std::byte>(64 * 32);
    for (std::size_t i = 0; i < 64 * 32; ++i)
        (*t.data)[i] = static_cast<std::byte>(i % 64 / 4 + i / 64 / 4 * 16);
    file.tiles = {t};
    ReadOptions options;
    options.reduction = 4;
    auto const image = open(file).read({}, 0, options);
    ASSERT_TRUE(image) << image.error().text();
    ASSERT_EQ(image->shape.width, 16);
    for (index y = 0; y < 8; ++y)
        for (index x = 0; x < 16; ++x) ASSERT_EQ(pixel(*image, x, y), x + 16 * y);
}

TEST(Read, ReducedAndStoredSmallerAlongOneSide) {
    test::CziFile file;
    file.tiles = {flat({0, 0, 64, 64}, 0, 80, Compression::jpeg_xr)};
    file.tiles[0].stored_height = 16;
    ReadOptions options;
    options.reduction = 4;
    auto const image = open(file).read({}, 0, options);
    ASSERT_TRUE(image) << image.error().text();
    for (index y = 0; y < 16; ++y) ASSERT_NEAR(pixel(*image, 3, y), 80, 1) << y;
}

TEST(Read, MissingPlanesOfATileAreAnErrorHoweverTheyAreRead) {
    test::CziFile file;
    test::Tile t = flat({0, 0, 8, 8}, 0, 0, Compression::none);
    t.planes[Z] = 2;
    t.data = std::vector<std::byte>(64, std::byte{33});
    file.tiles = {t};
    Slide const slide = open(file);
    Selection region;
    for (std::int32_t z = 0; z < 2; ++z) {
        region.plane[Z] = z;
        auto const image = slide.read(region, 0);
        ASSERT_FALSE(image);
        EXPECT_NE(image.error().message.find("64 bytes of pixels (its size needs 128)"),
                  std::string::npos)
            << image.error().message;
        EXPECT_FALSE(slide.read_tile(z));
    }
}

}  // namespace
}  // namespace sluice::slide
