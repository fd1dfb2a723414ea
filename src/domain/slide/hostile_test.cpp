// Slides that say what cannot be: no crash, no endless work, an error or what is there.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <climits>
#include <cstring>

#include "czi_writer/czi_writer.h"
#include "czi_writer/pixels.h"
#include "sluice/slide.h"

namespace sluice::slide {
namespace {

using czi::Compression;
using slide::PixelType;

Slide open(test::CziFile const& file) {
    return Slide::open(memory_source("x.czi", file.bytes())).value();
}

test::Tile tile(Rect const& rect) {
    test::Tile t;
    t.rect = rect;
    t.paint = test::paint_by([](test::Point const&) { return 50; });
    return t;
}

TEST(Hostile, ALevelOfAnotherPixelTypeIsNotUsedForAZoom) {
    test::CziFile file;
    file.tiles = {tile({0, 0, 128, 128}), tile({0, 0, 128, 128})};
    file.tiles[1].stored_width = file.tiles[1].stored_height = 64;
    file.tiles[1].pixel_type = PixelType::bgr48;
    Slide const slide = open(file);
    for (double const zoom : {0.5, 0.3}) {
        auto const image = slide.read_at({}, zoom);
        ASSERT_TRUE(image) << image.error().text();
        EXPECT_EQ(image->shape.samples, 1);
        EXPECT_EQ(image->pixels.size(), image->shape.bytes());
        for (std::byte const b : image->pixels.span()) ASSERT_EQ(std::to_integer<int>(b), 50);
    }
}

TEST(Hostile, ATileStretchedAlongOneSideIsLeftOutAndToldOf) {
    for (bool const wide : {false, true}) {
        test::CziFile file;
        index const side = (index{1} << 24) + 48;
        Rect const stretched = wide ? Rect{48, 0, side, 48} : Rect{48, 0, 48, side};
        file.tiles = {tile({0, 0, 48, 48}), tile(stretched), tile({96, 0, 48, 48 * 4})};
        for (std::size_t const i : {1U, 2U})
            file.tiles[i].stored_width = file.tiles[i].stored_height = 48;
        Slide const slide = open(file);
        // Every fourth row, as sparse scans store them, is within reason.
        EXPECT_EQ(std::ssize(slide.tiles()), 2);
        EXPECT_EQ(slide.bounds(), (Rect{0, 0, 144, 192}));
        ASSERT_FALSE(slide.notes().empty());
        EXPECT_NE(slide.notes()[0].find("left out 1 tile that would be stretched"),
                  std::string::npos);
        EXPECT_TRUE(slide.read({}, 0));
    }
}

// Writes a number over each other number of a file.
void replace(std::vector<std::byte>& bytes, std::int32_t from, std::int32_t to) {
    for (std::size_t i = 0; i + 4 <= bytes.size(); ++i)
        if (std::memcmp(bytes.data() + i, &from, 4) == 0) std::memcpy(bytes.data() + i, &to, 4);
}

TEST(Hostile, BytesOfATileThatCannotBeCounted) {
    test::CziFile file;
    test::Tile t;
    t.rect = {0, 0, 1231, 1237};
    t.pixel_type = PixelType::bgr192_complex;
    t.data = std::vector<std::byte>(1 << 16);
    file.tiles = {t};
    std::vector<std::byte> bytes = file.bytes();
    // 24 bytes each are 3 * 2^64 and some millions.
    replace(bytes, 1231, 1074790912);
    replace(bytes, 1237, 2145387520);
    Slide const slide = Slide::open(memory_source("x.czi", bytes)).value();
    ASSERT_EQ(slide.tiles()[0].stored_width, 1074790912);
    ReadOptions options;
    options.fill_bad = 9;
    std::vector<std::byte> memory(12582912);
    std::int32_t const number = 0;
    std::span<std::byte> const out(memory);
    EXPECT_FALSE(slide.read_tiles({&number, 1}, options, {&out, 1}));
    auto const shape = slide.tile_shape(0);
    ASSERT_FALSE(shape);
    EXPECT_NE(shape.error().message.find("it has more pixels than can be counted"),
              std::string::npos);
    EXPECT_FALSE(slide.read_tile(0));
    EXPECT_FALSE(slide.read({}, 0));
}

TEST(Hostile, AFactorBeyondAllNumbers) {
    test::CziFile file;
    file.tiles = {tile({0, 0, INT_MAX, INT_MAX}), tile({0, 0, 8, 8})};
    file.tiles[0].paint = {};
    file.tiles[0].stored_width = file.tiles[0].stored_height = 1;
    Slide const slide = open(file);
    ASSERT_EQ(slide.levels().size(), 2u);
    EXPECT_EQ(slide.levels()[0].factor, 1);
    EXPECT_GT(slide.levels()[1].factor, 1);
    EXPECT_TRUE(slide.read({}, 0));
    EXPECT_TRUE(slide.read({}, 1));
}

TEST(Hostile, AnEnormousTileOfNothingEndsSoon) {
    test::CziFile file;
    test::Tile t;
    t.rect = {0, 0, 1 << 22, 1 << 22};
    t.data = std::vector<std::byte>(100);
    for (Compression const c : {Compression::none, Compression::lzw, Compression::zstd0}) {
        t.compression = c;
        file.tiles = {t};
        Slide const slide = open(file);
        EXPECT_FALSE(slide.read_at({}, 1e-5));
        ReadOptions options;
        options.fill_bad = 9;
        auto const image = slide.read_at({}, 1e-5, options);
        ASSERT_TRUE(image) << image.error().text();
        for (std::byte const b : image->pixels.span()) ASSERT_EQ(std::to_integer<int>(b), 9);
    }
}

TEST(Hostile, RegionsAtTheEndOfAllNumbers) {
    test::CziFile file;
    file.tiles = {tile({0, 0, 8, 8})};
    Slide const slide = open(file);
    Selection region;
    for (index const x : {INT64_MIN, INT64_MAX, index{1} << 41}) {
        region.rect = Rect{x, 0, 8, 8};
        EXPECT_FALSE(slide.read(region, 0));
        region.rect = Rect{0, x, 8, 8};
        EXPECT_FALSE(slide.read_at(region, 0.5));
    }
    // A mean of so many columns would count beyond 64 bits.
    region.rect = Rect{8 - (index{1} << 40), 0, index{1} << 40, 1};
    EXPECT_FALSE(slide.read_at(region, 3e-5));
    EXPECT_TRUE(slide.read_at(region, 1e-6));
}

}  // namespace
}  // namespace sluice::slide
