// Overviews out of the coarse bands of JPEG XR tiles.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "czi_writer/czi_writer.h"
#include "czi_writer/grid.h"
#include "czi_writer/pixels.h"
#include "sluice/slide.h"

namespace sluice::slide {
namespace {

test::CziFile smooth(czi::Compression compression) {
    test::Grid grid;
    grid.tile_width = grid.tile_height = 160;
    grid.overlap = 16;
    grid.area = area_of(grid, 3, 2, -37, 50);
    grid.like.compression = compression;
    grid.like.pixel_type = PixelType::bgr24;
    grid.like.paint = test::paint_by([](test::Point const& p) {
        auto const x = static_cast<double>(p.x), y = static_cast<double>(p.y);
        return 120 + 60 * std::sin(x / 40) + 50 * std::cos(y / 50) +
               5 * static_cast<double>(p.sample);
    });
    test::CziFile file;
    file.tiles = mosaic(grid);
    return file;
}

int worst(Image const& a, Image const& b) {
    int most = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i)
        most = std::max(most, std::abs(std::to_integer<int>(a.pixels.data()[i]) -
                                       std::to_integer<int>(b.pixels.data()[i])));
    return most;
}

TEST(Reduced, IsCloseToTheMeanAndDecodesFewerPixels) {
    Slide const slide =
        Slide::open(memory_source("x.czi", smooth(czi::Compression::jpeg_xr).bytes())).value();
    // Where pixels of the coarse grid are not shared out whole, edges move by up to one of them,
    // and the picture changes by up to 1.5 a pixel.
    for (auto const& [zoom, most] :
         {std::pair{0.25, 4}, std::pair{0.0625, 4}, std::pair{0.2, 10}, std::pair{0.05, 32}}) {
        Stats full, coarse;
        ReadOptions options;
        options.stats = &full;
        auto const mean = slide.read_at({}, zoom, options);
        options.reduced = true;
        options.stats = &coarse;
        auto const low_pass = slide.read_at({}, zoom, options);
        ASSERT_TRUE(mean && low_pass);
        ASSERT_EQ(mean->shape.width, low_pass->shape.width);
        ASSERT_EQ(mean->shape.height, low_pass->shape.height);
        EXPECT_LE(worst(*mean, *low_pass), most) << zoom;
        EXPECT_LE(coarse.pixels_decoded * 15, full.pixels_decoded) << zoom;
    }
}

TEST(Reduced, NeedsJpegXr) {
    Slide const slide =
        Slide::open(memory_source("x.czi", smooth(czi::Compression::zstd0).bytes())).value();
    ReadOptions options;
    options.reduction = 4;
    auto const image = slide.read({}, 0, options);
    ASSERT_FALSE(image);
    EXPECT_NE(image.error().message.find("JPEG XR"), std::string::npos);
    options.reduction = 3;
    EXPECT_FALSE(slide.read({}, 0, options));
    options.reduction = 1;
    options.reduced = true;
    EXPECT_TRUE(slide.read_at({}, 0.1, options));
}

}  // namespace
}  // namespace sluice::slide
