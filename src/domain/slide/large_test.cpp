// Images that are larger than the caches, and memory that is kept for them.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "czi_writer/czi_writer.h"
#include "czi_writer/grid.h"
#include "czi_writer/pixels.h"
#include "device/past_caches.h"
#include "sluice/slide.h"

namespace sluice::slide {
namespace {

test::CziFile mosaic_of(PixelType type, czi::Compression compression) {
    test::Grid grid;
    grid.tile_width = grid.tile_height = 1100;
    grid.overlap = 51;
    grid.area = area_of(grid, 4, 4, -37, 50);
    grid.like.pixel_type = type;
    grid.like.compression = compression;
    grid.like.paint = test::paint_by([](test::Point const& p) {
        return static_cast<double>((p.x * 31 + p.y * 17 + p.sample * 5) & 255);
    });
    test::CziFile file;
    file.tiles = mosaic(grid);
    return file;
}

// Small regions do not go past the caches.
bool same_in_parts(Slide const& slide, Image const& all) {
    Rect const bounds = slide.bounds();
    index const pixel = all.shape.samples * size_of(all.shape.sample);
    for (index y = 0; y < bounds.height; y += 700) {
        Selection part;
        part.rect = {bounds.x, bounds.y + y, bounds.width, std::min<index>(700, bounds.height - y)};
        auto const image = slide.read(part, 0, {.threads = 2});
        if (!image || image->pixels.size() >= past_caches_from) return false;
        if (!std::equal(image->pixels.data(), image->pixels.data() + image->pixels.size(),
                        all.pixels.data() + y * bounds.width * pixel))
            return false;
    }
    return true;
}

TEST(Large, IsWhatItsPartsAre) {
    std::string const path = testing::TempDir() + "/large-" + std::to_string(::getpid()) + ".czi";
    for (auto const& [type, compression] : {std::pair{PixelType::gray16, czi::Compression::none},
                                            std::pair{PixelType::gray16, czi::Compression::zstd1},
                                            std::pair{PixelType::bgr24, czi::Compression::none}}) {
        mosaic_of(type, compression).save(path);
        for (Access const access : {Access::read, Access::map}) {
            Slide const slide = Slide::open(path, {}, access).value();
            auto const all = slide.read({}, 0, {.threads = 2});
            ASSERT_TRUE(all);
            ASSERT_GE(all->pixels.size(), past_caches_from);
            EXPECT_TRUE(same_in_parts(slide, *all)) << name_of(type);
        }
    }
    ::unlink(path.c_str());
}

TEST(Large, MemoryGivenUpIsTheNextOfItsSize) {
    constexpr std::size_t size = std::size_t{40} << 20;
    std::byte const* last = nullptr;
    {
        Buffer first(size);
        first.data()[size - 1] = std::byte{7};
        last = first.data();
    }
    {
        Buffer const again(size - 4096);
        EXPECT_EQ(again.data(), last) << "in whole large pages it is the same";
        EXPECT_EQ(again.size(), size - 4096);
        Buffer const beside(size);
        EXPECT_NE(beside.data(), last);
    }
}

}  // namespace
}  // namespace sluice::slide
