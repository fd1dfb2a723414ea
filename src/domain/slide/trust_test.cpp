// What a slide's pixels can be trusted for: order of scenes, gaps, far tiles, sizes, shrinking
// files. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <thread>

#include "codec/zstd/zstd.h"
#include "czi_writer/czi_writer.h"
#include "czi_writer/damage.h"
#include "czi_writer/encode.h"
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

test::Tile flat(Rect const& rect, int value) {
    test::Tile t;
    t.rect = rect;
    t.paint = test::paint_by([value](test::Point const&) { return value; });
    return t;
}

int pixel(Image const& image, index x, index y) {
    return std::to_integer<int>(image.pixels.data()[y * image.shape.width + x]);
}

std::string notes_of(Slide const& slide) {
    std::string all;
    for (std::string const& n : slide.notes()) all += n + "\n";
    return all;
}

// M counts the tiles of one scene: a high M of the first scene is not above the second.
TEST(Trust, ScenesAreDrawnOneAfterTheOther) {
    test::CziFile file;
    file.tiles = {flat({0, 0, 16, 16}, 10), flat({8, 0, 16, 16}, 20), flat({16, 0, 16, 16}, 30)};
    std::int32_t const scene[] = {1, 1, 0}, m[] = {0, 1, 9};
    for (std::size_t i = 0; i < 3; ++i) {
        file.tiles[i].scene = scene[i];
        file.tiles[i].m = m[i];
    }
    Slide const slide = open(file);
    auto const all = slide.read({}, 0).value();
    EXPECT_EQ(pixel(all, 4, 0), 10);
    EXPECT_EQ(pixel(all, 12, 0), 20);
    EXPECT_EQ(pixel(all, 20, 0), 20);
    EXPECT_EQ(pixel(all, 28, 0), 30);
    Selection first;
    first.scene = 0;
    EXPECT_EQ(pixel(slide.read(first, 0).value(), 0, 0), 30);
}

TEST(Trust, ARegionOutsideIsRefusedAndAGapIsCounted) {
    test::CziFile file;
    file.tiles = {flat({0, 0, 10, 10}, 1), flat({20, 0, 10, 10}, 2)};
    Slide const slide = open(file);
    Selection region;
    for (Rect const& outside : {Rect{30, 0, 5, 5}, Rect{-5, 0, 5, 5}, Rect{0, 10, 5, 5}}) {
        region.rect = outside;
        for (auto const& image : {slide.read(region, 0), slide.read_at(region, 0.5)}) {
            ASSERT_FALSE(image);
            EXPECT_NE(image.error().message.find("lies outside of the slide"), std::string::npos);
        }
    }
    Stats stats;
    ReadOptions options;
    options.stats = &stats;
    region.rect = Rect{5, 5, 20, 10};
    ASSERT_TRUE(slide.read(region, 0, options));
    EXPECT_EQ(stats.pixels_region, 200);
    EXPECT_EQ(stats.pixels_background, 200 - 2 * 25);
}

TEST(Trust, SparsePlanesAreTold) {
    test::CziFile file;
    file.tiles = {flat({0, 0, 8, 8}, 1), flat({0, 0, 8, 8}, 2), flat({0, 0, 8, 8}, 3)};
    file.tiles[1].at[Z] = 5;
    file.tiles[2].at[slide::T] = 1;
    std::string const notes = notes_of(open(file));
    EXPECT_NE(notes.find("Z goes from 0 to 5, and 2 of these 6 indices have tiles (0, 5)"),
              std::string::npos)
        << notes;
    EXPECT_NE(notes.find("3 of 4 planes have tiles"), std::string::npos) << notes;
    file.tiles[0].scene = file.tiles[1].scene = 0;
    file.tiles[2].scene = 1;
    EXPECT_NE(notes_of(open(file)).find("3 of the 6 pairs of a plane and a scene"),
              std::string::npos);
    test::Grid grid;
    grid.slices = 3;
    grid.times = 2;
    grid.area = area_of(grid, 2, 2);
    file.tiles = mosaic(grid);
    EXPECT_EQ(notes_of(open(file)), "");
}

// One bit of a coordinate moves one tile. Two tiles at the same place, or neighbours, were not
// moved.
TEST(Trust, ATileThatLiesAloneIsNamed) {
    test::Grid grid;
    grid.tile_width = grid.tile_height = 32;
    grid.area = area_of(grid, 4, 3);
    test::CziFile file;
    file.tiles = mosaic(grid);
    EXPECT_EQ(notes_of(open(file)), "");
    std::size_t const first = file.tiles.size();
    file.tiles.push_back(flat({1 << 20, 5, 32, 32}, 1));
    std::string const notes = notes_of(open(file));
    EXPECT_NE(notes.find(fmt::format("tile {} lies alone at X 1048576, Y 5", first)),
              std::string::npos)
        << notes;
    file.tiles.push_back(flat({(1 << 20) + 30, 5, 32, 32}, 1));
    EXPECT_EQ(notes_of(open(file)).find("alone"), std::string::npos);
    file.tiles = {flat({0, 0, 8, 8}, 1), flat({5000, 0, 8, 8}, 1)};
    EXPECT_NE(notes_of(open(file)).find("tile 1 lies alone"), std::string::npos);
    EXPECT_EQ(notes_of(open(file)).find("tile 0 lies alone"), std::string::npos);
}

// 2 GB that the data deny are not touched, neither for an image nor to look at the tile.
TEST(Trust, MemoryFollowsTheDataOfATileAndNotItsSize) {
    test::CziFile file;
    file.tiles = {flat({0, 0, 46000, 46000}, 1)};
    file.tiles[0].compression = Compression::zstd0;
    std::vector<std::byte> noise(60000), frame;
    for (std::size_t i = 0; i < noise.size(); ++i)
        noise[i] = static_cast<std::byte>(i * i * 2654435761U >> 13);
    codec::zstd_compress(noise, frame);
    ASSERT_GT(frame.size(), 40000U);
    file.tiles[0].data = frame;
    Slide const slide = open(file);
    rusage before{}, after{};
    ::getrusage(RUSAGE_SELF, &before);
    auto const whole = slide.read({}, 0);
    ASSERT_FALSE(whole);
    EXPECT_NE(whole.error().message.find("hold 60000 bytes of pixels"), std::string::npos)
        << whole.error().message;
    std::int32_t const tiles[] = {0};
    std::vector<BadTile> bad;
    ReadOptions options;
    options.fill_bad = 0;
    options.bad = &bad;
    ASSERT_TRUE(slide.try_tiles(tiles, options));
    EXPECT_EQ(bad.size(), 1U);
    EXPECT_FALSE(slide.read_tile(0));
    ::getrusage(RUSAGE_SELF, &after);
    EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 500'000);
}

// A canvas of 10^8 pixels under two tiles is not made unasked, and costs nothing at a zoom.
TEST(Trust, FarTilesDoNotMakeWork) {
    test::CziFile file;
    file.tiles = {flat({0, 0, 64, 64}, 1), flat({12000, 12000, 64, 64}, 2)};
    file.tiles[0].scene = 0;
    file.tiles[1].scene = 1;
    Slide const slide = open(file);
    auto const whole = slide.read({}, 0);
    ASSERT_FALSE(whole);
    EXPECT_NE(whole.error().message.find("of which only 8192 lie under a tile"), std::string::npos)
        << whole.error().message;
    Selection second;
    second.scene = 1;
    EXPECT_EQ(pixel(slide.read(second, 0).value(), 5, 5), 2);
    auto const small = slide.read_at({}, 0.001);
    ASSERT_TRUE(small) << small.error().text();
    EXPECT_EQ(pixel(*small, 11, 11), 2);
}

TEST(Trust, ADecodedTileOfAnotherSizeIsAnError) {
    for (Compression const compression : {Compression::jpeg_xr, Compression::jpeg})
        for (index const side : {31, 33, 16, 64}) {
            test::Tile other = flat({0, 0, side, side}, 50);
            other.compression = compression;
            test::CziFile file;
            file.tiles = {flat({0, 0, 32, 32}, 50)};
            file.tiles[0].compression = compression;
            file.tiles[0].data = test::encode_tile(other);
            auto const image = open(file).read({}, 0);
            ASSERT_FALSE(image);
            EXPECT_NE(image.error().message.find("(the directory says 32 x 32)"), std::string::npos)
                << image.error().message;
        }
}

// ZEN rounds the last tile of a level down where its directory says up.
TEST(Trust, TheLastRowOfAPyramidMayBeMissing) {
    test::Tile stored = flat({0, 0, 33, 32}, 0);
    stored.paint = test::paint_by([](test::Point const& p) { return p.x + 2 * p.y; });
    for (Compression const compression :
         {Compression::jpeg_xr, Compression::zstd0, Compression::none}) {
        stored.compression = compression;
        test::CziFile file;
        file.tiles = {flat({0, 0, 66, 66}, 7), flat({0, 0, 66, 66}, 0)};
        file.tiles[1].stored_width = file.tiles[1].stored_height = 33;
        file.tiles[1].compression = compression;
        file.tiles[1].data = test::encode_tile(stored);
        Stats stats;
        ReadOptions options;
        options.stats = &stats;
        auto const image = open(file).read({}, 1, options);
        ASSERT_TRUE(image) << image.error().text();
        EXPECT_EQ(stats.tiles_rounded, 1);
        for (index x = 0; x < 33; ++x) {
            ASSERT_EQ(pixel(*image, x, 31), x + 62);
            ASSERT_EQ(pixel(*image, x, 32), x + 62);
        }
    }
}

TEST(Trust, AMaskOfAnotherSizeIsAnError) {
    test::CziFile file;
    file.tiles = {flat({0, 0, 16, 16}, 50)};
    file.tiles[0].metadata = std::string(test::mask_metadata);
    for (index const side : {15, 17}) {
        file.tiles[0].attachment =
            test::mask_attachment(side, 16, [](index, index) { return true; });
        auto const image = open(file).read({}, 0);
        ASSERT_FALSE(image);
        EXPECT_NE(image.error().message.find("its mask has"), std::string::npos);
    }
}

// Among so many tiles not all are compared when the file is opened. Where others hide the tile now
// it is not read, and where it belongs it is missing.
TEST(Trust, ATileThatTheDirectoryHidesUnderOthersIsFound) {
    test::CziFile file;
    test::Grid grid;
    grid.tile_width = grid.tile_height = 16;
    grid.overlap = 8;
    grid.area = area_of(grid, 66, 66);
    file.tiles = mosaic(grid);
    auto const source = memory_source("x.czi", test::moved(file.bytes(), 2200, 'Y', 16));
    Slide const slide = Slide::open(source).value();
    ReadOptions filled;
    filled.fill_bad = 9;
    // The second time it is known.
    for (auto const& image : {slide.read({}, 0), slide.read({}, 0, filled)}) {
        ASSERT_FALSE(image);
        EXPECT_NE(image.error().message.find("(Y is"), std::string::npos) << image.error().message;
    }
    EXPECT_FALSE(slide.read_at({}, 0.3));
    Selection region;
    region.rect = Rect{0, 0, 32, 32};
    EXPECT_TRUE(slide.read(region, 0));
    EXPECT_TRUE(Slide::open(source, {.trust_directory = true}).value().read({}, 0));
    EXPECT_TRUE(Slide::open(source, {.recover = true}).value().read({}, 0));
}

// What is told of them later must be what they are.
TEST(Trust, ValuesThatPixelsCannotHaveAreRefused) {
    test::CziFile file;
    file.tiles = {flat({0, 0, 8, 8}, 1)};
    double const nan = std::nan("");
    auto const good = [&](PixelType type, double value) {
        file.tiles[0].pixel_type = type;
        Slide const slide = open(file);
        ReadOptions background, bad;
        background.background = value;
        bad.fill_bad = value;
        bool const read = slide.read({}, 0, background).has_value();
        EXPECT_EQ(slide.read({}, 0, bad).has_value(), read);
        EXPECT_EQ(slide.read_at({}, 0.5, bad).has_value(), read);
        EXPECT_EQ(slide.read_tile(0, bad).has_value(), read);
        return read;
    };
    EXPECT_TRUE(good(PixelType::gray8, 255));
    for (double const v : {256.0, -1.0, 0.5, nan}) EXPECT_FALSE(good(PixelType::gray8, v)) << v;
    EXPECT_TRUE(good(PixelType::gray16, 300));
    EXPECT_FALSE(good(PixelType::gray16, 65536));
    for (double const v : {-0.5, 1e38, nan}) EXPECT_TRUE(good(PixelType::gray32_float, v)) << v;
    EXPECT_FALSE(good(PixelType::gray32_float, 1e39));
}

// Reads a mapped file again and again while it is cut; the pixels are right or there is an error.
TEST(Trust, AMappedFileThatShrinksIsAnError) {
    test::CziFile file;
    test::Grid grid;
    grid.tile_width = grid.tile_height = 128;
    grid.area = area_of(grid, 4, 4);
    grid.like.paint = test::paint_by([](test::Point const& p) {
        return static_cast<double>((p.x * p.x * 31 + p.y * p.y * 17 + p.x * p.y) % 251);
    });
    for (Compression const compression : {Compression::none, Compression::zstd0})
        for (std::uintmax_t const left : {0, 5000, 40000}) {
            grid.like.compression = compression;
            file.tiles = mosaic(grid);
            std::string const path = testing::TempDir() + "/shrinks.czi";
            file.save(path);
            Slide const slide = Slide::open(path, {}, Access::map).value();
            auto const before = slide.read({}, 0);
            ASSERT_TRUE(before) << before.error().text();
            std::thread cutter([&] { std::filesystem::resize_file(path, left); });
            for (bool cut = false; !cut;) {
                cut = std::filesystem::file_size(path) == left;
                auto const image = slide.read({}, 0);
                if (!image) continue;
                EXPECT_FALSE(cut);
                EXPECT_EQ(
                    std::memcmp(image->pixels.data(), before->pixels.data(), before->shape.bytes()),
                    0);
            }
            cutter.join();
            auto const after = slide.read({}, 0);
            ASSERT_FALSE(after);
            EXPECT_EQ(after.error().file, path);
            EXPECT_FALSE(slide.view_tile(15));
            std::filesystem::remove(path);
        }
}

}  // namespace
}  // namespace sluice::slide
