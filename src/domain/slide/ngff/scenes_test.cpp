// Scenes as groups, plates and wells, with the attributes that say so.
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"
#include "domain/slide/ngff/convert_test.h"
#include "zarr/group.h"

namespace sluice::slide {
namespace {

TEST_F(SlideConvert, ScenesAreGroupsWithTheirPlaces) {
    Slide const slide = open(three_scenes());
    auto const r = convert(slide, file("s"), small_options());
    ASSERT_TRUE(r) << r.error().text();
    ASSERT_EQ(r->images.size(), 3U);
    EXPECT_EQ(r->images[2].name, "scene 2");
    EXPECT_EQ(r->images[2].shape[4], 72);
    EXPECT_EQ(zarr::read_attributes(file("s")).value(), R"({"bioformats2raw.layout":3})");
    EXPECT_EQ(zarr::read_attributes(file("s/OME")).value(), R"({"series":["0","1","2"]})");
    std::string const text = zarr::read_attributes(file("s/2")).value();
    EXPECT_NE(text.find(R"("translation":[0.0,0.0,0.0,5.0,200.0])"), std::string::npos) << text;
    EXPECT_NE(text.find(R"("translation":[0.0,0.0,0.0,5.125,200.25])"), std::string::npos) << text;

    ConvertOptions o = small_options();
    o.scenes = {1};
    auto const one = convert(slide, file("one"), o);
    ASSERT_TRUE(one);
    ASSERT_EQ(one->images.size(), 1U);
    EXPECT_EQ(read_level<std::uint8_t>(file("one/0/0")), read_level<std::uint8_t>(file("s/1/0")));
    o.scenes = {1, 7};
    EXPECT_EQ(convert(slide, file("none"), o).error().message,
              "there is no scene 7; the file has 0, 1, 2");
    o.scenes = {};
    o.layout = ImageLayout::merged;
    auto const merged = convert(slide, file("merged"), o);
    ASSERT_TRUE(merged);
    EXPECT_EQ(merged->images[0].shape[4], 472);
    o.layout = ImageLayout::plate;
    auto const plate = convert(slide, file("plate"), o);
    ASSERT_FALSE(plate);
    EXPECT_EQ(plate.error().code, Code::unsupported);
}

TEST_F(SlideConvert, WellsMakeAPlate) {
    test::CziFile f = three_scenes();
    f.metadata.scenes = {{0, "a", "B10", 2, 10}, {1, "b", "B10", 2, 10}, {2, "c", "A9", 1, 9}};
    ConvertOptions o = small_options();
    o.ngff = "0.5";
    auto const r = convert(open(f), file("p"), o);
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_EQ(r->images[1].path, "B/10/1");
    EXPECT_EQ(zarr::read_attributes(file("p")).value(),
              R"({"ome":{"version":"0.5","bioformats2raw.layout":3,"plate":{"columns":)"
              R"([{"name":"9"},{"name":"10"}],"rows":[{"name":"A"},{"name":"B"}],"wells":)"
              R"([{"path":"B/10","rowIndex":1,"columnIndex":1},)"
              R"({"path":"A/9","rowIndex":0,"columnIndex":0}],"field_count":2,"name":"plate",)"
              R"("acquisitions":[{"id":0,"name":"0","maximumfieldcount":2}]}}})");
    EXPECT_EQ(zarr::read_attributes(file("p/B/10")).value(),
              R"({"ome":{"version":"0.5","well":{"images":[{"path":"0","acquisition":0},)"
              R"({"path":"1","acquisition":0}]}}})");
    o.layout = ImageLayout::scenes;
    ASSERT_TRUE(convert(open(f), file("s"), o));
    EXPECT_TRUE(fs::exists(file("s/2/0/zarr.json")));
}

TEST_F(SlideConvert, AttributesOfAnImageAreWhatOmeZarrSays) {
    test::CziFile f = small_slide();
    f.metadata.channels.resize(2);
    f.metadata.channels[0] = {0, "Channel:0", "DAPI", "", "0000FF"};
    f.metadata.channels[1] = {1, "Channel:1", "GFP", "", "00FF00"};
    ConvertOptions o = small_options();
    o.min_size = 100;
    o.provenance.fields = {{"program", "sluice"}, {"command", "sluice slide convert a b"}};
    ASSERT_TRUE(convert(open(f), file("a"), o));
    EXPECT_EQ(
        zarr::read_attributes(file("a/0")).value(),
        R"({"multiscales":[{"name":"test","version":"0.4","axes":[)"
        R"({"name":"t","type":"time","unit":"second"},{"name":"c","type":"channel"},)"
        R"({"name":"z","type":"space","unit":"micrometer"},)"
        R"({"name":"y","type":"space","unit":"micrometer"},)"
        R"({"name":"x","type":"space","unit":"micrometer"}],"datasets":[)"
        R"({"path":"0","coordinateTransformations":[)"
        R"({"type":"scale","scale":[3.0,1.0,2.0,0.25,0.5]},)"
        R"({"type":"translation","translation":[0.0,0.0,0.0,0.0,0.0]}]},)"
        R"({"path":"1","coordinateTransformations":[)"
        R"({"type":"scale","scale":[3.0,1.0,2.0,0.5,1.0]},)"
        R"({"type":"translation","translation":[0.0,0.0,0.0,0.125,0.25]}]}],)"
        R"("type":"mean","metadata":{"description":"mean of 2 x 2 pixels, halves rounded up",)"
        R"("method":"sluice slide convert","program":"sluice",)"
        R"("command":"sluice slide convert a b"}}],"omero":{"channels":[)"
        R"({"active":true,"coefficient":1,"color":"0000FF","family":"linear","inverted":false,)"
        R"("label":"DAPI","window":{"min":0.0,"max":65535.0,"start":3790.0,"end":18250.0}},)"
        R"({"active":true,"coefficient":1,"color":"00FF00","family":"linear","inverted":false,)"
        R"("label":"GFP","window":{"min":0.0,"max":65535.0,"start":8790.0,"end":23250.0}}],)"
        R"("rdefs":{"defaultT":0,"defaultZ":1,"model":"color"},"version":"0.4"}})");
    auto const xml = read_file(file("a/OME/METADATA.ome.xml"), 1 << 20).value();
    std::string const text(reinterpret_cast<char const*>(xml.data()), xml.size());
    EXPECT_NE(text.find("<Pixels ID=\"Pixels:0\" DimensionOrder=\"XYZCT\" Type=\"uint16\" "
                        "SizeX=\"150\" SizeY=\"101\" SizeZ=\"2\" SizeC=\"2\" SizeT=\"2\""),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("Name=\"DAPI\" Color=\"65535\""), std::string::npos) << text;
}

}  // namespace
}  // namespace sluice::slide
