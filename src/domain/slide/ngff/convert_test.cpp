// Pixels and their levels, read back element by element.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/convert_test.h"

#include "zarr/group.h"

namespace sluice::slide {
namespace {

TEST_F(SlideConvert, GrayPlanesAndTheirLevels) {
    Slide const slide = open(small_slide());
    for (char const* ngff : {"0.4", "0.5"}) {
        ConvertOptions o = small_options();
        o.ngff = ngff;
        o.verify = true;
        auto const r = convert(slide, file(ngff), o);
        ASSERT_TRUE(r) << r.error().text();
        ASSERT_EQ(r->images.size(), 1U);
        EXPECT_EQ(r->images[0].shape, (std::array<index, 5>{2, 2, 2, 101, 150}));
        EXPECT_EQ(r->images[0].levels, 4);
        EXPECT_EQ(r->pixels, 8 * 101 * 150);
        EXPECT_EQ(r->bytes, 8U * 101 * 150 * 2);
        EXPECT_EQ(r->chunks, 8 * (20 + 6 + 2 + 1));
        EXPECT_EQ(r->chunks_verified, r->chunks);
        EXPECT_GT(r->bytes_written, 0U);
        EXPECT_GT(r->peak_memory, 0U);
        std::string const image = file(ngff) + "/0";
        zarr::Spec spec;
        expect_painted(read_level<std::uint16_t>(image + "/0", &spec), spec.shape, 1);
        expect_pyramid<std::uint16_t>(image, 4);
        EXPECT_FALSE(fs::exists(file(ngff) + ".part"));
        EXPECT_FALSE(fs::exists(file(ngff) + "/sluice-convert.journal"));
        EXPECT_FALSE(fs::exists(file(ngff) + ".lock"));
    }
}

TEST_F(SlideConvert, ColoursBecomeChannelsInTheOrderRedGreenBlue) {
    Slide const slide = open(small_slide(PixelType::bgr24, 1));
    auto const r = convert(slide, file("rgb"), small_options());
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_EQ(r->images[0].shape[1], 3);
    zarr::Spec spec;
    expect_painted(read_level<std::uint8_t>(file("rgb/0/0"), &spec), spec.shape, 3);
    expect_pyramid<std::uint8_t>(file("rgb/0"), 4);
    std::string const text = zarr::read_attributes(file("rgb/0")).value();
    for (char const* part : {R"("color":"FF0000")", R"("label":"Red")", R"("label":"Blue")",
                             R"("window":{"min":0.0,"max":255.0,"start":0.0,"end":255.0})"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST_F(SlideConvert, FloatsHaveMeansThatAreNotRounded) {
    Slide const slide = open(small_slide(PixelType::gray32_float, 1, 1));
    auto const r = convert(slide, file("f"), small_options());
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_EQ(r->images[0].dtype, "float32");
    expect_pyramid<float>(file("f/0"), 4);
}

TEST_F(SlideConvert, StripsShardsAndCodecsMakeTheSamePixels) {
    Slide const slide = open(small_slide(PixelType::bgr48, 1, 1));
    std::vector<std::vector<std::uint16_t>> levels;
    ConvertOptions o = small_options();
    o.chunk = 16, o.min_size = 8;
    ASSERT_TRUE(convert(slide, file("whole"), o));
    for (int l = 0; l < 6; ++l)
        levels.push_back(read_level<std::uint16_t>(file("whole/0/" + std::to_string(l))));
    auto const same = [&](char const* name) {
        auto const r = convert(slide, file(name), o);
        ASSERT_TRUE(r) << name << ": " << r.error().text();
        for (std::size_t l = 0; l < levels.size(); ++l)
            EXPECT_EQ(read_level<std::uint16_t>(file(name) + "/0/" + std::to_string(l)), levels[l])
                << name << " level " << l;
    };
    o.verify = true;
    o.memory_limit = 3 * 16 * 16 * 6;
    same("narrowest strips");
    o.memory_limit = 6 * 16 * 16 * 6;
    same("wider strips");
    o.ngff = "0.5", o.shard = 32, o.codec = ChunkCodec::zstd;
    o.memory_limit = 3 * 32 * 32 * 6;
    same("shards in strips");
    o.memory_limit = 1 << 30;
    same("shards");
    EXPECT_TRUE(fs::exists(file("shards/0/0/c/0/2/0/3/4")));
    EXPECT_FALSE(fs::exists(file("shards/0/0/c/0/2/0/3/5")));
    o.shard = 0, o.codec = ChunkCodec::none, o.threads = 1;
    same("none");
}

TEST_F(SlideConvert, WhereThereIsNoTileIsFillAndNoFile) {
    test::Grid g = small_grid(PixelType::gray8);
    g.area = {0, 0, 60, 50};
    test::CziFile f;
    f.tiles = test::mosaic(g);
    g.area = {200, 300, 60, 50};
    for (test::Tile const& t : test::mosaic(g)) f.tiles.push_back(t);
    Slide const slide = open(f);
    ConvertOptions o = small_options();
    o.fill = 255;
    o.verify = true;
    auto const r = convert(slide, file("sparse"), o);
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_GT(r->chunks_empty, r->chunks / 2);
    EXPECT_FALSE(fs::exists(file("sparse/0/0/0/0/0/5/0")));
    EXPECT_TRUE(fs::exists(file("sparse/0/0/0/0/0/10/7")));
    auto const pixels = read_level<std::uint8_t>(file("sparse/0/0"));
    EXPECT_EQ(pixels[100], 255);
    EXPECT_EQ(pixels[59], static_cast<std::uint8_t>(59 * 7));
    expect_pyramid<std::uint8_t>(file("sparse/0"), 6);
}

}  // namespace
}  // namespace sluice::slide
