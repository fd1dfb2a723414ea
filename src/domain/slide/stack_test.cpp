// Stacks: each plane and tile is the one that a read of its own gives.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>

#include "czi_writer/czi_writer.h"
#include "czi_writer/grid.h"
#include "czi_writer/pixels.h"
#include "sluice/slide_stack.h"

namespace sluice::slide {
namespace {

double value_at(test::Point const& p) {
    return static_cast<double>((p.x * 7 + p.y * 13 + p.at[C] * 50 + p.at[Z] * 17) % 251);
}

test::CziFile two_channels_three_slices() {
    test::Grid grid;
    grid.tile_width = 20;
    grid.tile_height = 16;
    grid.area = area_of(grid, 2, 2, 100, -30);
    grid.channels = 2;
    grid.slices = 3;
    grid.like.paint = test::paint_by(value_at);
    test::CziFile file;
    file.tiles = mosaic(grid);
    return file;
}

Slide open(test::CziFile const& file) {
    return Slide::open(memory_source("x.czi", file.bytes())).value();
}

TEST(Stack, HoldsThePlanesInTheOrderOfItsAxes) {
    Slide const slide = open(two_channels_three_slices());
    Planes planes;
    planes.ranges[C] = {0, 1};
    planes.ranges[Z] = {1, 2};
    planes.rect = Rect{105, -25, 12, 9};
    Stats stats;
    ReadOptions options;
    options.stats = &stats;
    auto const s = read_planes(slide, planes, options);
    ASSERT_TRUE(s) << s.error().text();
    EXPECT_EQ(s->axes, "CZ");
    EXPECT_EQ(s->full_shape(), (std::vector<index>{2, 2, 9, 12}));
    EXPECT_EQ(s->planes, 4);
    EXPECT_EQ(s->planes_without, 0);
    EXPECT_EQ(stats.pixels_region, 4 * 9 * 12);
    std::size_t const bytes = s->shape.bytes();
    for (std::int32_t c = 0; c < 2; ++c)
        for (std::int32_t z = 1; z < 3; ++z) {
            Selection region{.rect = planes.rect};
            region.plane[C] = c, region.plane[Z] = z;
            auto const one = slide.read(region, 0);
            ASSERT_TRUE(one);
            EXPECT_EQ(
                std::memcmp(s->pixels.data() + static_cast<std::size_t>(2 * c + z - 1) * bytes,
                            one->pixels.data(), bytes),
                0)
                << "C " << c << " Z " << z;
        }
}

TEST(Stack, CountsThePlanesWithoutATile) {
    test::CziFile file = two_channels_three_slices();
    std::erase_if(file.tiles, [](test::Tile const& t) { return t.at[C] == 1 && t.at[Z] == 1; });
    Slide const slide = open(file);
    Planes planes;
    planes.ranges[C] = {0, 1};
    planes.ranges[Z] = {0, 2};
    Stats stats;
    ReadOptions options;
    options.stats = &stats;
    auto const s = read_planes(slide, planes, options);
    ASSERT_TRUE(s) << s.error().text();
    EXPECT_EQ(s->planes_without, 1);
    auto const said = remarks(*s, stats, {}, options);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find("(1 of 6 planes have no tile here)"), std::string::npos) << said[0];
}

TEST(Stack, NothingButBackgroundIsNoAnswer) {
    test::CziFile file = two_channels_three_slices();
    std::erase_if(file.tiles, [](test::Tile const& t) { return t.at[C] == 1 && t.at[Z] == 1; });
    Slide const slide = open(file);
    Planes planes;
    planes.ranges[C] = {1, 1};
    planes.ranges[Z] = {1, 1};
    planes.rect = Rect{105, -25, 12, 9};
    auto const s = read_planes(slide, planes, {});
    ASSERT_FALSE(s);
    EXPECT_EQ(s.error().code, Code::not_found);
    EXPECT_NE(
        s.error().message.find("plane C 1 Z 1 T 0, region 5,5,12,9; the first tile is at 0,0"),
        std::string::npos)
        << s.error().message;
}

TEST(Stack, RangesThatEndBeforeTheyBeginAreRefused) {
    Slide const slide = open(two_channels_three_slices());
    Planes planes;
    for (std::int32_t const last : {1, 0, -5}) {
        planes.ranges[Z] = {2, last};
        EXPECT_EQ(read_planes(slide, planes, {}).error().code, Code::invalid_argument) << last;
    }
}

TEST(Stack, PlanesOfSeveralPixelTypesAreRefused) {
    test::CziFile file = two_channels_three_slices();
    for (test::Tile& t : file.tiles)
        if (t.at[C] == 1) t.pixel_type = PixelType::bgr24;
    Slide const slide = open(file);
    Planes planes;
    planes.ranges[C] = {0, 1};
    auto const s = read_planes(slide, planes, {});
    ASSERT_FALSE(s);
    EXPECT_NE(s.error().message.find("different pixel types (channel 1 has 3 x uint8)"),
              std::string::npos)
        << s.error().message;
}

TEST(Stack, TilesAreThoseOfTheRegion) {
    Slide const slide = open(two_channels_three_slices());
    Selection region{.rect = Rect{100, -30, 20, 16}};
    auto const some = tiles_in(slide, region, 0);
    ASSERT_TRUE(some);
    EXPECT_EQ(some->size(), 1u);
    region.rect.reset();
    auto const all = tiles_in(slide, region, 0);
    ASSERT_TRUE(all);
    ASSERT_EQ(all->size(), 4u);
    auto const s = read_tile_stack(slide, *all, {});
    ASSERT_TRUE(s);
    EXPECT_EQ(s->axes, "N");
    EXPECT_EQ(s->full_shape(), (std::vector<index>{4, 16, 20}));
    for (std::size_t i = 0; i < 4; ++i) {
        auto const one = slide.read_tile((*all)[i]);
        ASSERT_TRUE(one);
        EXPECT_EQ(std::memcmp(s->pixels.data() + i * s->shape.bytes(), one->pixels.data(),
                              s->shape.bytes()),
                  0);
    }
    EXPECT_EQ(read_tile_stack(slide, {}, {}).error().code, Code::not_found);
}

}  // namespace
}  // namespace sluice::slide
