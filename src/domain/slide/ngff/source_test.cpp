// Tiles that are damaged, elsewhere or under others: an error, or the fill.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "czi_writer/damage.h"
#include "domain/slide/ngff/convert_test.h"
#include "zarr/group.h"

namespace sluice::slide {
namespace {

// One that is in another file may be anywhere: a canvas of 500 million columns was laid out first.
TEST_F(SlideConvert, TilesInOtherFilesAreRefusedBeforeAnythingIsMade) {
    test::CziFile f = small_slide(PixelType::gray8, 1, 1);
    f.tiles[3].file_part = 32;
    auto const r = convert(open(f), file("x"), small_options());
    ASSERT_FALSE(r);
    EXPECT_NE(r.error().message.find("part 32"), std::string::npos);
    EXPECT_NE(r.error().message.find("--fill-bad"), std::string::npos);
    EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(SlideConvert, DamagedTilesAreFilledAndCounted) {
    test::CziFile f = small_slide(PixelType::gray16, 2, 1);
    for (std::size_t i : {3, 8}) {
        f.tiles[i].compression = czi::Compression::zstd0;
        f.tiles[i].data = std::vector<std::byte>(100, std::byte{7});
    }
    Slide const slide = open(f);
    ConvertOptions o = small_options();
    ASSERT_FALSE(convert(slide, file("x"), o));
    fs::remove_all(file("x.part"));
    o.fill_bad = 7;
    o.verify = true;
    for (char const* ngff : {"0.4", "0.5"}) {
        o.ngff = ngff;
        auto const r = convert(slide, file(ngff), o);
        ASSERT_TRUE(r) << r.error().text();
        ASSERT_EQ(r->tiles_filled.size(), 2U);
        EXPECT_NE(r->tiles_filled[0].find("cannot be read"), std::string::npos);
        EXPECT_EQ(r->tiles_filled[0].find("--fill-bad"), std::string::npos);
        ASSERT_FALSE(r->notes.empty());
        EXPECT_EQ(r->notes.back(), "2 damaged tiles are filled with 7");
        std::string const text = zarr::read_attributes(file(ngff) + "/0").value();
        EXPECT_NE(
            text.find(R"("filled_tiles":{"count":2,"value":7.0,"tiles":[{"tile":3,"reason":)"),
            std::string::npos)
            << text;
        ReadOptions filled;
        filled.fill_bad = 7;
        auto const wanted = slide.read({}, 0, filled).value();
        auto const got = read_level<std::uint16_t>(file(ngff) + "/0/0");
        EXPECT_EQ(std::memcmp(got.data(), wanted.pixels.data(), wanted.pixels.size()), 0);
        expect_pyramid<std::uint16_t>(file(ngff) + "/0", 4);
    }
    // An interruption does not forget them.
    o.ngff = "0.4", o.verify = false;
    ASSERT_FALSE(convert(slide, file("part"), stopping(o, 0.9)));
    ConvertOptions other = o;
    other.resume = true, other.fill_bad = 8;
    EXPECT_NE(convert(slide, file("part"), other).error().message.find("filled with 7"),
              std::string::npos);
    o.resume = true;
    auto const rest = convert(slide, file("part"), o);
    ASSERT_TRUE(rest) << rest.error().text();
    EXPECT_TRUE(rest->resumed);
    EXPECT_EQ(rest->tiles_filled.size(), 2U);
    EXPECT_EQ(files_of(file("part")), files_of(file("0.4")));
}

TEST_F(SlideConvert, ATileThatTheDirectoryHidesUnderOthersStopsTheConversion) {
    test::Grid grid;
    grid.tile_width = grid.tile_height = 16;
    grid.overlap = 8;
    grid.area = area_of(grid, 66, 66);
    test::CziFile f;
    f.tiles = test::mosaic(grid);
    auto const source = memory_source("x.czi", test::moved(f.bytes(), 2200, 'Y', 16));
    auto const r = convert(Slide::open(source).value(), file("x"), small_options());
    ASSERT_FALSE(r);
    EXPECT_NE(r.error().message.find("(Y is"), std::string::npos) << r.error().message;
    EXPECT_TRUE(fs::is_empty(folder_));
    EXPECT_TRUE(convert(Slide::open(source, {.trust_directory = true}).value(), file("x"),
                        small_options()));
}

TEST_F(SlideConvert, ADamagedTileStopsTheConversion) {
    test::CziFile f = small_slide();
    f.tiles[3].compression = czi::Compression::zstd0;
    f.tiles[3].data = std::vector<std::byte>(100, std::byte{7});
    auto const r = convert(open(f), file("x"), small_options());
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code, Code::corrupt);
    EXPECT_FALSE(fs::exists(file("x")));
    EXPECT_TRUE(fs::exists(file("x.part")));
}

}  // namespace
}  // namespace sluice::slide
