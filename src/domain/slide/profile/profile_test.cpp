// A profile's sums, jumps and overlaps, and a whole profile of a small file.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "czi_writer/czi_writer.h"
#include "czi_writer/grid.h"
#include "czi_writer/pixels.h"
#include "domain/slide/profile/order.h"
#include "domain/slide/profile/sums.h"

namespace sluice::slide {
namespace {

constexpr std::int64_t ms = 1000000;

StepTime const* step_of(ReadTimes const& r, std::string_view name) {
    for (StepTime const& s : r.steps)
        if (s.name == name) return &s;
    return nullptr;
}

TEST(ProfileSums, StepsAddUpToTheWorkersTime) {
    ReadTimes r;
    r.threads = 2;
    r.cold = true;
    r.spans = {{Phase::plan, 0, -1, 0, 2 * ms, 0, 0},
               {Phase::locate, 0, 7, 2 * ms, 3 * ms, ms / 2, 0},
               {Phase::read, 0, 7, 3 * ms, 13 * ms, 4 * ms, 100},
               {Phase::decode, 0, 7, 14 * ms, 34 * ms, 18 * ms, 400},
               {Phase::compose, 0, 7, 34 * ms, 40 * ms, 6 * ms, 0},
               {Phase::decode, 1, 8, 5 * ms, 10 * ms, 5 * ms, 400}};
    sum_up(r, 0, 41 * ms, false, [](std::int32_t) { return "zstd1"; });
    EXPECT_DOUBLE_EQ(r.wall_s, 0.041);
    EXPECT_NEAR(r.seconds(step::plan), 0.002, 1e-12);
    EXPECT_NEAR(r.seconds(step::copy), 0.0045, 1e-12);
    EXPECT_NEAR(r.seconds(step::disk), 0.0065, 1e-12);
    EXPECT_NEAR(r.seconds("decode zstd1"), 0.023, 1e-12);
    EXPECT_NEAR(r.seconds(step::compose), 0.006, 1e-12);
    EXPECT_NEAR(r.seconds(step::starved), 0.002, 1e-12);
    EXPECT_NEAR(r.seconds(step::other), 0.001, 1e-12);
    EXPECT_NEAR(r.seconds(step::idle), 0.001 + 0.036, 1e-12);
    EXPECT_NEAR(r.seconds(""), 2 * 0.041, 1e-12);
    StepTime const* const decode = step_of(r, "decode zstd1");
    ASSERT_TRUE(decode);
    EXPECT_EQ(decode->tiles, 2);
    EXPECT_NEAR(decode->tile_s.max, 0.018, 1e-12);
    ASSERT_EQ(r.slowest.size(), 2u);
    EXPECT_EQ(r.slowest[0].tile, 7);
    EXPECT_NEAR(r.slowest[0].seconds, 0.037, 1e-12);
}

TEST(ProfileSums, MappedFilesWaitForTheDiskWhileTheyDecode) {
    ReadTimes r;
    r.system.major_faults = 1;
    r.spans = {{Phase::decode, 0, 0, 0, 10 * ms, 4 * ms, 0}};
    sum_up(r, 0, 10 * ms, true, [](std::int32_t) { return "LZW"; });
    EXPECT_NEAR(r.seconds(step::disk), 0.006, 1e-12);
    EXPECT_EQ(r.seconds(step::starved), 0);
}

TEST(ProfileSums, AWorkerThatDidNothingWasIdle) {
    ReadTimes r;
    r.threads = 3;
    sum_up(r, 0, 10 * ms, false, [](std::int32_t) { return ""; });
    EXPECT_NEAR(r.seconds(step::idle), 0.03, 1e-12);
}

TEST(ProfileOrder, Jumps) {
    SeekStats const s = seeks_of("rows", {{100, 200}, {200, 300}, {50, 90}, {1000, 1100}});
    EXPECT_EQ(s.order, "rows");
    EXPECT_EQ(s.total, 0u + 250 + 910);
    EXPECT_EQ(s.largest, 910u);
    EXPECT_EQ(s.median, 250u);
    EXPECT_EQ(s.backwards, 1);
    EXPECT_EQ(seeks_of("file", {{5, 9}}).total, 0u);
}

// 4 x 3 tiles of 64 pixels that overlap by 8.
std::string small_file() {
    test::Grid grid;
    grid.tile_width = grid.tile_height = 64;
    grid.overlap = 8;
    grid.like.pixel_type = PixelType::gray8;
    grid.like.compression = czi::Compression::zstd1;
    grid.like.paint = test::texture(1);
    grid.area = test::area_of(grid, 4, 3);
    test::CziFile file;
    for (test::Tile& t : test::mosaic(grid)) file.tiles.push_back(std::move(t));
    std::string const path =
        (std::filesystem::temp_directory_path() / ("profile_test_" + std::to_string(::getpid())))
            .string() +
        ".czi";
    file.save(path, 1);
    return path;
}

class ProfileFile : public testing::Test {
  protected:
    std::string const path_ = small_file();
    ~ProfileFile() override { std::filesystem::remove(path_); }
};

TEST_F(ProfileFile, TilesByRectangle) {
    Slide const slide = Slide::open(path_).value();
    std::vector<std::int32_t> const tiles = tiles_of(slide, {}, 0);
    ASSERT_EQ(tiles.size(), 12u);
    Amplification const a = amplification_of(slide, {}, 0, tiles);
    // 4 corners meet 4 tiles, 6 at the edges 6, 2 inside 9.
    EXPECT_DOUBLE_EQ(a.per_tile, (4 * 4 + 6 * 6 + 2 * 9) / 12.0);
    EXPECT_EQ(a.most, 9);
}

TEST_F(ProfileFile, MiddleHasAtMostSoManyTiles) {
    Slide const slide = Slide::open(path_).value();
    EXPECT_EQ(middle_of(slide, {}, 0, 0).rect, std::nullopt);
    EXPECT_EQ(middle_of(slide, {}, 0, 12).rect, std::nullopt);
    for (index most = 1; most < 12; ++most) {
        Selection const part = middle_of(slide, {}, 0, most);
        ASSERT_TRUE(part.rect);
        auto const met = std::ssize(tiles_of(slide, part, 0));
        EXPECT_GE(met, 1);
        EXPECT_LE(met, most);
    }
}

TEST_F(ProfileFile, ProfileOfAFile) {
    ProfileOptions options;
    options.threads = {2, 1, 2};
    Result<Profile> const p = profile(path_, options);
    ASSERT_TRUE(p) << p.error().text();
    EXPECT_EQ(p->tiles.size(), 12u);
    EXPECT_DOUBLE_EQ(p->amplification.of_region, 1);
    ASSERT_EQ(p->reads.size(), 2u);
    EXPECT_EQ(p->reads[0].threads, 1);
    EXPECT_EQ(p->reads[1].threads, 2);
    for (ReadTimes const& r : p->reads) {
        EXPECT_EQ(r.stats.tiles_decoded, 12);
        EXPECT_NEAR(r.seconds(""), r.threads * r.wall_s, 1e-9);
        EXPECT_GT(r.seconds("decode zstd1"), 0);
    }
    EXPECT_EQ(p->seeks.size(), 4u);
    EXPECT_EQ(p->disk.cold, p->disk.cached < 0.1);
    EXPECT_EQ(p->disk.cold_s > 0, p->disk.cold);
}

TEST_F(ProfileFile, TraceAndPicture) {
    ProfileOptions options;
    options.threads = {2};
    options.cold = false;
    Profile const p = profile(path_, options).value();
    EXPECT_FALSE(p.disk.cold);
    EXPECT_FALSE(p.cold_read);
    Slide const slide = Slide::open(path_).value();
    auto const json = nlohmann::json::parse(trace_events(slide, p));
    int decodes = 0, named = 0;
    for (auto const& e : json.at("traceEvents")) {
        named += e.at("ph") == "M";
        if (e.at("ph") != "X" || e.at("cat") != "decode") continue;
        ++decodes;
        EXPECT_TRUE(e.at("args").contains("x"));
        EXPECT_LT(e.at("tid").get<int>(), 2);
        EXPECT_GE(e.at("dur").get<double>(), 0);
    }
    EXPECT_EQ(decodes, 12);
    EXPECT_EQ(named, 3);
    std::string const svg = order_svg(slide, p);
    std::size_t rectangles = 0;
    for (std::size_t at = 0; (at = svg.find("<title>tile ", at)) != std::string::npos; ++at)
        ++rectangles;
    EXPECT_EQ(rectangles, 24u);
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST_F(ProfileFile, WhatCannotBeProfiled) {
    ProfileOptions options;
    EXPECT_EQ(profile("/no/such.czi", options).error().code, Code::not_found);
    options.region.rect = Rect{100000, 100000, 10, 10};
    EXPECT_EQ(profile(path_, options).error().code, Code::not_found);
    options.region.rect = {};
    options.level = 5;
    EXPECT_EQ(profile(path_, options).error().code, Code::invalid_argument);
    options.level = 0;
    options.progress = [](std::uint64_t, std::uint64_t) { return false; };
    EXPECT_EQ(profile(path_, options).error().code, Code::cancelled);
}

}  // namespace
}  // namespace sluice::slide
