// Tests of the viewer of slides over its socket: every tile is what the library reads.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/slide/slides.h"

#include <cmath>
#include <fstream>

#include "app/view/test_viewer.h"
#include "czi_writer/grid.h"
#include "czi_writer/pixels.h"

namespace sluice::app {
namespace {

using test::CziFile;

// 3 x 2 tiles of 400 x 300 pixels from (-70, 40) on: 1200 x 600, so three zooms of 512.
test::Grid grid_of(slide::PixelType type, czi::Compression compression) {
    test::Grid grid;
    grid.tile_width = 400;
    grid.tile_height = 300;
    grid.like.pixel_type = type;
    grid.like.compression = compression;
    grid.like.paint = test::paint_by([](test::Point const& p) {
        return static_cast<double>((p.x * 7 + p.y * 3 + p.sample * 50 + p.at[slide::C] * 1000 +
                                    p.at[slide::Z] * 100 + (p.x * p.y) % 11) &
                                   0x7fff);
    });
    grid.area = test::area_of(grid, 3, 2, -70, 40);
    return grid;
}

class SlidesTest : public ViewerFixture {
  protected:
    std::string save(CziFile const& file, std::string const& name = "a.czi") {
        file.save(folder.path + "/" + name);
        return folder.path + "/" + name;
    }
    void start(std::vector<std::string> const& paths) { ViewerFixture::start(Slides::open(paths)); }
    static Reply ask(Page& page, std::string const& op, std::string const& fields,
                     std::string const& slide = "s1") {
        return page.answer_to(page.ask(op, "t", fmt::format(R"("slide":"{}",{})", slide, fields)));
    }

    Folder const folder{"slide"};
};

// The bytes of a reply against what the library reads of the same region.
void expect_read(Reply const& reply, slide::Slide const& slide, slide::Selection const& region,
                 int zoom) {
    ASSERT_EQ(reply.header["op"], "tile") << reply.header.dump();
    EXPECT_EQ(reply.header["request"]["slide"], "s1");
    EXPECT_EQ(reply.header["request"]["op"], "tile");
    auto const want = slide.read_at(region, std::ldexp(1.0, -zoom), {.background = 0});
    ASSERT_TRUE(want) << want.error().text();
    EXPECT_EQ(reply.header["arrays"][0]["shape"],
              Json({want->shape.height, want->shape.width, want->shape.samples}));
    ASSERT_EQ(reply.payload.size(), want->shape.bytes());
    EXPECT_EQ(std::memcmp(reply.payload.data(), want->pixels.data(), reply.payload.size()), 0);
}

TEST_F(SlidesTest, TilesAreWhatTheLibraryReads) {
    test::Grid grid = grid_of(slide::PixelType::gray16, czi::Compression::zstd1);
    grid.channels = 2;
    grid.slices = 2;
    CziFile file;
    file.tiles = test::mosaic(grid);
    for (test::Tile& t : test::pyramid(grid)) file.tiles.push_back(std::move(t));
    std::string const path = save(file);
    start({path});
    Page page(port());
    EXPECT_EQ(page.hello["tile"], tile_side);
    Json const told = page.hello["slides"][0];
    EXPECT_EQ(told["bounds"], Json({-70, 40, 1200, 600}));
    EXPECT_EQ(told["zooms"], 3);
    EXPECT_EQ(told["channels"].size(), 2U);
    EXPECT_EQ(told["channels"][1]["sample"], "uint16");
    EXPECT_EQ(told["dimensions"], Json::parse(R"([{"letter":"Z","first":0,"count":2}])"));

    slide::Slide const slide = slide::Slide::open(path).value();
    slide::Selection region;
    region.plane[slide::C] = region.plane[slide::Z] = 1;
    region.rect = slide::Rect{-70 + 512, 40, 512, 512};
    Reply const full = ask(page, "tile", R"("zoom":0,"row":0,"col":1,"plane":{"C":1,"Z":1})");
    EXPECT_EQ(full.header["arrays"][0]["dtype"], "uint16");
    EXPECT_FALSE(full.header["empty"]);
    expect_read(full, slide, region, 0);
    region.rect = slide::Rect{-70 + 1024, 40 + 512, 176, 88};
    expect_read(ask(page, "tile", R"("zoom":0,"row":1,"col":2,"plane":{"C":1,"Z":1})"), slide,
                region, 0);
    region = {};
    region.rect = slide::Rect{-70, 40, 1200, 600};
    expect_read(ask(page, "tile", R"("zoom":2,"row":0,"col":0)"), slide, region, 2);
}

TEST_F(SlidesTest, EdgesThatAreNoWholePixelOfAZoomAreShownToo) {
    test::Grid grid = grid_of(slide::PixelType::bgr24, czi::Compression::none);
    grid.area.width = 1203;
    CziFile file;
    file.tiles = test::mosaic(grid);
    start({save(file)});
    Page page(port());
    Reply const r = ask(page, "tile", R"("zoom":2,"row":0,"col":0)");
    EXPECT_EQ(r.header["arrays"][0]["shape"], Json({150, 301, 3}));
    // The last pixel is the mean of the three columns that there are, and not of glass.
    double sum = 0;
    for (int x = 1200; x < 1203; ++x)
        for (int y = 0; y < 4; ++y) {
            index const px = x - 70, py = y + 40;
            sum += static_cast<double>((px * 7 + py * 3 + (px * py) % 11) & 0xff);
        }
    EXPECT_NEAR(r.values()[300 * 3], sum / 12, 0.5);
}

TEST_F(SlidesTest, DamagedTilesAreToldAndTheRestIsShown) {
    CziFile file;
    file.tiles = test::mosaic(grid_of(slide::PixelType::gray8, czi::Compression::zstd0));
    file.tiles[1].data = std::vector<std::byte>(100, std::byte{7});
    start({save(file)});
    Page page(port());
    Reply const r = ask(page, "tile", R"("zoom":0,"row":0,"col":0)");
    ASSERT_EQ(r.header["op"], "tile") << r.header.dump();
    ASSERT_EQ(r.header["bad"].size(), 1U);
    EXPECT_EQ(r.header["bad"][0]["rect"], Json({330, 40, 400, 300}));
    EXPECT_NE(r.header["bad"][0]["message"].get<std::string>(), "");
    EXPECT_EQ(r.values()[450], 0);
    EXPECT_EQ(r.values()[1], (-69 * 7 + 40 * 3 + (-69 * 40) % 11) & 0xff);
}

TEST_F(SlidesTest, WhereNothingIsNothingTravels) {
    CziFile file;
    test::Tile tile;
    tile.rect = {0, 0, 64, 64};
    file.tiles.push_back(tile);
    tile.rect = {2000, 0, 64, 64};
    tile.at[slide::Z] = 1;
    file.tiles.push_back(tile);
    start({save(file)});
    Page page(port());
    Reply const r = ask(page, "tile", R"("zoom":0,"row":0,"col":2)");
    EXPECT_TRUE(r.header["empty"]);
    EXPECT_TRUE(r.payload.empty());
    EXPECT_TRUE(
        ask(page, "tile", R"("zoom":2,"row":0,"col":0,"plane":{"Z":1})").header.contains("arrays"));
}

TEST_F(SlidesTest, AttachmentsTravelAsTheyAre) {
    CziFile file;
    file.tiles = test::mosaic(grid_of(slide::PixelType::gray8, czi::Compression::none));
    file.attachments.push_back({"Label", "JPG", {std::byte{0xff}, std::byte{0xd8}, std::byte{3}}});
    start({save(file)});
    Page page(port());
    EXPECT_EQ(page.hello["slides"][0]["info"]["attachments"][0]["name"], "Label");
    Reply const r = ask(page, "attachment", R"("number":0)");
    EXPECT_EQ(r.values(), (std::vector<double>{255, 216, 3}));
    EXPECT_EQ(ask(page, "attachment", R"("number":1)").header["op"], "error");
}

TEST_F(SlidesTest, SaysWhatIsWrongAndStaysUp) {
    CziFile file;
    file.tiles = test::mosaic(grid_of(slide::PixelType::gray8, czi::Compression::none));
    start({save(file)});
    Page page(port());
    char const* const wrong[] = {R"("zoom":3,"row":0,"col":0)",
                                 R"("zoom":0,"row":2,"col":0)",
                                 R"("zoom":0,"row":0,"col":16777216)",
                                 R"("zoom":0,"row":0,"col":0,"plane":{"Z":4})",
                                 R"("zoom":0,"row":0,"col":0,"plane":{"C":-2})",
                                 R"("zoom":0,"row":-1,"col":0)"};
    for (char const* const fields : wrong) {
        Json const error = ask(page, "tile", fields).header;
        EXPECT_EQ(error["op"], "error") << fields;
        EXPECT_EQ(error["code"], "invalid_argument") << fields;
        EXPECT_TRUE(error.contains("request")) << fields;
    }
    Json const unknown = ask(page, "tile", R"("zoom":0,"row":0,"col":7)", "s2").header;
    EXPECT_EQ(unknown["op"], "error");
    EXPECT_EQ(unknown["code"], "not_found");
    EXPECT_EQ(unknown["request"]["slide"], "s2");
    EXPECT_EQ(unknown["request"]["col"], 7);
    EXPECT_EQ(ask(page, "ping", R"("x":0)").header["op"], "pong");

    Page rude(port());
    for (int i = 0; i < 6; ++i) rude.client.send("{");
    EXPECT_EQ(rude.client.wait_for_close(), 1008U);
    EXPECT_EQ(ask(page, "ping", R"("x":0)").header["op"], "pong");
}

// A file whose coarsest tile takes long: 400 tiles and no pyramid.
TEST_F(SlidesTest, StoppedTilesAreNotAnswered) {
    test::Grid grid = grid_of(slide::PixelType::gray16, czi::Compression::zstd0);
    grid.area = test::area_of(grid, 20, 20);
    CziFile file;
    file.tiles = test::mosaic(grid);
    start({save(file)});
    Page page(port());
    for (int i = 0; i < 40; ++i)
        page.client.send(fmt::format(
            R"({{"op":"tile","id":{},"slot":"t{}","slide":"s1","zoom":4,"row":0,"col":0}})",
            100 + i, i));
    for (int i = 0; i < 40; ++i)
        page.client.send(fmt::format(R"({{"op":"stop","id":{},"slot":"t{}"}})", 200 + i, i));
    page.client.send(R"({"op":"tile","id":900,"slot":"z","slide":"s1","zoom":0,"row":9,"col":9})");
    int answered = 0;
    while (true) {
        Json const h = page.next().header;
        if (h["op"] == "progress") continue;
        if (h["id"] == 900) break;
        ++answered;
    }
    EXPECT_LT(answered, 20);
}

TEST_F(SlidesTest, LimitsTheSlotsThatWait) {
    test::Grid grid = grid_of(slide::PixelType::gray16, czi::Compression::zstd0);
    grid.area = test::area_of(grid, 6, 6);
    CziFile file;
    file.tiles = test::mosaic(grid);
    start({save(file)});
    Page page(port());
    for (int i = 0; i < 300; ++i)
        page.client.send(fmt::format(
            R"({{"op":"tile","id":{},"slot":"t{}","slide":"s1","zoom":3,"row":0,"col":0}})", i, i));
    int refused = 0;
    for (int answers = 0; answers < 300;) {
        Json const h = page.next().header;
        if (h["op"] == "progress") continue;
        refused += h["op"] == "error";
        ++answers;
    }
    EXPECT_GT(refused, 0);
    EXPECT_EQ(ask(page, "ping", R"("x":0)").header["op"], "pong");
}

TEST_F(SlidesTest, OpensWhatItCanAndSaysWhatNot) {
    CziFile file;
    file.tiles = test::mosaic(grid_of(slide::PixelType::gray8, czi::Compression::none));
    std::string const good = save(file), text = folder.path + "/text.czi";
    std::ofstream(text) << "no slide";
    start({text, good});
    Page page(port());
    EXPECT_EQ(page.hello["slides"].size(), 1U);
    EXPECT_EQ(page.hello["slides"][0]["name"], "a.czi");
    EXPECT_NE(page.hello["notes"][0].get<std::string>().find("text.czi"), std::string::npos);
    EXPECT_FALSE(Slides::open({text}));
}

}  // namespace
}  // namespace sluice::app
