// OME-Zarr folders as they are described: ours, those of others, and those that lie.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "czi_writer/grid.h"
#include "czi_writer/pixels.h"
#include "sluice/convert.h"
#include "zarr/folder_test.h"
#include "zarr/group.h"

namespace sluice::slide {
namespace {

namespace fs = std::filesystem;

void put(std::string const& path, std::string const& text) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path) << text;
}

Slide two_scenes() {
    test::CziFile f;
    for (std::int32_t s = 0; s < 2; ++s) {
        test::Grid g;
        g.area = {s * 300, 0, 130 + s, 90};
        g.like.pixel_type = PixelType::gray16;
        g.like.paint = test::paint_by([](test::Point const& p) { return p.x; });
        g.like.scene = s;
        g.channels = 2, g.slices = 3;
        for (test::Tile const& t : test::mosaic(g)) f.tiles.push_back(t);
        f.metadata.scenes.push_back(
            {s, s == 0 ? "left" : "right", s == 0 ? "A1" : "B2", s + 1, s + 1});
    }
    f.metadata.x_um = 0.5, f.metadata.y_um = 0.25, f.metadata.z_um = 2;
    f.metadata.channels.resize(2);
    f.metadata.channels[0] = {0, "Channel:0", "DAPI", "", "0000FF"};
    f.metadata.channels[1] = {1, "Channel:1", "GFP", "", "00FF00"};
    return Slide::open(memory_source("test.czi", f.bytes())).value();
}

TEST(Ngff, WhatConvertWritesIsReadAsItWasMeant) {
    zarr::TestFolder const folder;
    Slide const slide = two_scenes();
    for (char const* ngff : {"0.4", "0.5"})
        for (ImageLayout layout : {ImageLayout::scenes, ImageLayout::plate}) {
            std::string const path = folder.file(
                std::string(ngff) + (layout == ImageLayout::plate ? "plate" : "scenes"));
            ConvertOptions o;
            o.ngff = ngff, o.layout = layout, o.chunk = 32, o.min_size = 40;
            if (o.ngff == "0.5") o.shard = 64, o.codec = ChunkCodec::zstd;
            ASSERT_TRUE(convert(slide, path, o));
            auto const found = ngff::open(path + "/");
            ASSERT_TRUE(found) << found.error().text();
            EXPECT_EQ(found->path, path);
            EXPECT_EQ(found->version, ngff);
            EXPECT_EQ(found->layout, layout == ImageLayout::plate ? ngff::FolderLayout::plate
                                                                  : ngff::FolderLayout::series);
            ASSERT_EQ(found->images.size(), 2U);
            ngff::Image const& image = found->images[1];
            EXPECT_EQ(image.path, layout == ImageLayout::plate ? "B/2/0" : "1");
            EXPECT_EQ(image.name, "right");
            ASSERT_EQ(image.axes.size(), 5U);
            EXPECT_EQ(image.axes[4].name, "x");
            EXPECT_EQ(image.axes[4].unit, "micrometer");
            ASSERT_EQ(image.channels.size(), 2U);
            EXPECT_EQ(image.channels[1].name, "GFP");
            EXPECT_EQ(image.channels[1].color, "00FF00");
            ASSERT_EQ(image.levels.size(), 3U);
            ngff::Level const& second = image.levels[1];
            EXPECT_EQ(second.array.shape, (std::vector<index>{1, 2, 3, 45, 66}));
            EXPECT_EQ(second.scale, (std::vector<double>{1, 1, 2, 0.5, 1}));
            EXPECT_EQ(second.translation.at(4), (300 + 0.5) * 0.5);
            EXPECT_EQ(second.array.zarr, o.ngff == "0.4" ? 2 : 3);
            EXPECT_EQ(second.array.dtype, o.ngff == "0.4" ? "<u2" : "uint16");
            EXPECT_EQ(second.array.codec, o.ngff == "0.4" ? "blosc lz4" : "zstd");
            EXPECT_EQ(second.array.chunk, (std::vector<index>{1, 1, 1, 32, 32}));
            EXPECT_EQ(second.array.shard.size(), o.ngff == "0.4" ? 0U : 5U);
            // One image, and one of its arrays, by themselves.
            auto const one = ngff::open(path + "/" + image.path);
            ASSERT_TRUE(one) << one.error().text();
            EXPECT_EQ(one->layout, ngff::FolderLayout::image);
            EXPECT_EQ(one->version, ngff);
            auto const array = ngff::open(path + "/" + image.path + "/2");
            ASSERT_TRUE(array) << array.error().text();
            EXPECT_EQ(array->layout, ngff::FolderLayout::array);
            EXPECT_TRUE(array->images.at(0).axes.empty());
        }
}

constexpr char image_04[] =
    R"({"multiscales":[{"version":"0.4","axes":["y",{"name":"x","unit":"meter"}],)"
    R"("coordinateTransformations":[{"type":"scale","scale":[2,3]}],"datasets":[)"
    R"({"path":"s0","coordinateTransformations":[{"type":"scale","scale":[1,0.5]}]},)"
    R"({"path":"s1"}]}]})";

TEST(Ngff, ScalesOfAllLevelsAndOfEachAreMultiplied) {
    auto const image = ngff::parse_image(image_04);
    ASSERT_TRUE(image) << image.error().text();
    EXPECT_EQ(image->levels.at(0).scale, (std::vector<double>{2, 1.5}));
    EXPECT_EQ(image->levels.at(1).scale, (std::vector<double>{2, 3}));
    EXPECT_EQ(image->axes.at(1).unit, "meter");
}

TEST(Ngff, FoldersThatLieAreErrors) {
    zarr::TestFolder const folder;
    auto const said = [&](std::string const& name) {
        auto const r = ngff::open(folder.file(name));
        return r ? std::string("opened") : r.error().text();
    };
    put(folder.file("a/.zgroup"), "{\"zarr_format\": 2}");
    EXPECT_NE(said("a").find("is a Zarr group without an image"), std::string::npos);
    put(folder.file("a/.zattrs"), image_04);
    EXPECT_NE(said("a").find("s0/.zarray: cannot open"), std::string::npos) << said("a");
    constexpr char array[] =
        R"({"zarr_format":2,"shape":[5,6],"chunks":[5,6],"dtype":"<f2","compressor":{"id":"bz2"},)"
        R"("fill_value":null,"order":"C","filters":null})";
    put(folder.file("a/s0/.zarray"), array);
    put(folder.file("a/s1/.zarray"), array);
    EXPECT_EQ(said("a"), "opened");
    EXPECT_EQ(ngff::open(folder.file("a"))->images[0].levels[0].array.codec, "bz2");
    put(folder.file("a/s1/.zarray"),
        R"({"zarr_format":2,"shape":[5],"chunks":[5],"dtype":"<f2","compressor":null})");
    EXPECT_NE(said("a").find("level 's1' has 1 dimensions, and the image 2 axes"),
              std::string::npos);
    put(folder.file("a/s1/.zarray"), R"({"zarr_format":2,"shape":[5,-6],"chunks":[5,6]})");
    EXPECT_NE(said("a").find("write it again"), std::string::npos);
    // Paths lead nowhere else.
    for (char const* path : {"../b", "/etc", "x/../../b", ""}) {
        put(folder.file("b/zarr.json"),
            std::string(R"({"zarr_format":3,"node_type":"group","attributes":{"ome":{"version":)"
                        R"("0.5","multiscales":[{"axes":[{"name":"x"}],"datasets":[{"path":")") +
                path + R"("}]}]}}})");
        EXPECT_NE(said("b").find("must lie within the folder"), std::string::npos) << path;
    }
    put(folder.file("c/.zgroup"), "{}");
    for (char const* text :
         {"", "[]", "7", R"({"multiscales":[]})", R"({"multiscales":[{}]})", R"({"plate":{}})",
          R"({"plate":{"wells":[{"path":"../a"}]}})", R"({"bioformats2raw.layout":3})",
          R"({"multiscales":[{"axes":[{"name":1}],"datasets":[]}]})"}) {
        put(folder.file("c/.zattrs"), text);
        EXPECT_NE(said("c"), "opened") << text;
    }
}

TEST(Ngff, EveryBeginningOfGoodMetadataIsAnErrorAndNotACrash) {
    std::string const good = image_04;
    for (std::size_t n = 0; n < good.size(); ++n)
        EXPECT_FALSE(ngff::parse_image(good.substr(0, n)));
    for (char const* text : {"", "{}", "[]", "null", R"({"zarr_format":3})",
                             R"({"zarr_format":2,"shape":[1e9],"chunks":[1],"dtype":"|u1"})"})
        EXPECT_FALSE(ngff::parse_array(text)) << text;
}

}  // namespace
}  // namespace sluice::slide
