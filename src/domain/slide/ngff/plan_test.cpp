// Plans that cannot be: nothing is written.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/convert_test.h"

namespace sluice::slide {
namespace {

TEST_F(SlideConvert, TooLittleMemoryIsSaidBeforeAnythingIsWritten) {
    Slide const slide = open(small_slide());
    ConvertOptions o = small_options();
    o.memory_limit = 3 * 32 * 32 * 2 - 1;
    auto const r = convert(slide, file("x"), o);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code, Code::out_of_memory);
    EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(SlideConvert, OptionsThatMakeNoSenseAreRefused) {
    Slide const slide = open(small_slide(PixelType::gray8, 1));
    auto const refused = [&](auto const& change) {
        ConvertOptions o = small_options();
        change(o);
        auto const r = convert(slide, file("x"), o);
        EXPECT_FALSE(r);
        return r ? Code::io : r.error().code;
    };
    using O = ConvertOptions;
    EXPECT_EQ(refused([](O& o) { o.ngff = "0.3"; }), Code::invalid_argument);
    EXPECT_EQ(refused([](O& o) { o.chunk = 33; }), Code::invalid_argument);
    EXPECT_EQ(refused([](O& o) { o.chunk = 0; }), Code::invalid_argument);
    EXPECT_EQ(refused([](O& o) { o.shard = 64; }), Code::invalid_argument);
    EXPECT_EQ(refused([](O& o) { o.ngff = "0.5", o.shard = 48; }), Code::invalid_argument);
    EXPECT_EQ(refused([](O& o) { o.codec_level = 10; }), Code::invalid_argument);
    EXPECT_EQ(refused([](O& o) { o.min_size = 0; }), Code::invalid_argument);
    EXPECT_EQ(refused([](O& o) { o.fill = 256; }), Code::invalid_argument);
    EXPECT_EQ(refused([](O& o) { o.fill = 0.5; }), Code::invalid_argument);
    EXPECT_EQ(refused([](O& o) { o.fill_bad = 256; }), Code::invalid_argument);
    EXPECT_EQ(refused([](O& o) { o.fill_bad = std::nan(""); }), Code::invalid_argument);
    EXPECT_EQ(refused([](O& o) { o.channels = {4}; }), Code::not_found);
    EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(SlideConvert, DimensionsThatOmeZarrLacksMustBeChosen) {
    test::CziFile f = small_slide(PixelType::gray16, 1);
    std::vector<test::Tile> tiles = f.tiles;
    for (test::Tile t : tiles) {
        t.at[slide::H] = 1;
        t.dimensions = "XYCZTMH";
        t.paint = test::paint_by([](test::Point const& p) { return value_at(p) + 1; });
        f.tiles.push_back(t);
    }
    Slide const slide = open(f);
    ConvertOptions o = small_options();
    auto const r = convert(slide, file("x"), o);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code, Code::unsupported);
    EXPECT_NE(r.error().message.find("--plane H=0"), std::string::npos) << r.error().message;
    o.plane = {{'H', 2}};
    EXPECT_EQ(convert(slide, file("x"), o).error().message, "there is no H=2; give 0 to 1");
    o.plane = {{'Z', 0}};
    EXPECT_EQ(convert(slide, file("x"), o).error().code, Code::invalid_argument);
    o.plane = {{'H', 1}};
    ASSERT_TRUE(convert(slide, file("x"), o));
    auto pixels = read_level<std::uint16_t>(file("x/0/0"));
    for (std::uint16_t& v : pixels) --v;
    expect_painted(pixels, {2, 1, 2, 101, 150}, 1);
}

TEST_F(SlideConvert, ChannelsOfDifferentTypesAreConvertedOneByOne) {
    test::CziFile f = small_slide(PixelType::gray16, 1);
    for (test::Tile const& like : small_slide(PixelType::gray8, 1).tiles) {
        test::Tile t = like;
        t.at[C] = 1;
        f.tiles.push_back(t);
    }
    Slide const slide = open(f);
    ConvertOptions o = small_options();
    EXPECT_EQ(convert(slide, file("x"), o).error().message,
              "channels have different pixel types (Gray8, Gray16; an array has one type) convert "
              "them one by one with --channels");
    o.channels = {1};
    auto const r = convert(slide, file("x"), o);
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_EQ(r->images[0].dtype, "uint8");
    EXPECT_EQ(r->images[0].shape[1], 1);
}

}  // namespace
}  // namespace sluice::slide
