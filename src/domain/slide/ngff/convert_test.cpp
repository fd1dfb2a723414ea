// Pixels and their levels, read back element by element.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/convert_test.h"

#include "device/queue.h"
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

std::map<std::string, std::string> files_of(std::string const& folder) {
    std::map<std::string, std::string> all;
    for (fs::directory_entry const& e : fs::recursive_directory_iterator(folder)) {
        if (!e.is_regular_file()) continue;
        std::ifstream in(e.path(), std::ios::binary);
        all[fs::relative(e.path(), folder)] = {std::istreambuf_iterator<char>(in), {}};
    }
    return all;
}

TEST_F(SlideConvert, EveryDeviceMakesTheSameFiles) {
    for (PixelType const type : {PixelType::gray8, PixelType::bgr48, PixelType::gray32,
                                 PixelType::gray32_float, PixelType::gray64}) {
        Slide const slide = open(small_slide(type, 1, 2));
        ConvertOptions o = small_options();
        o.chunk = 16, o.min_size = 4, o.verify = true;
        // Wide strips, and passes that read what the pass before wrote.
        for (std::uint64_t const memory :
             {std::uint64_t{1} << 30, std::uint64_t{3 * 16 * 16 * 48}}) {
            o.memory_limit = memory;
            if (memory < 1 << 30 && type != PixelType::bgr48) continue;
            std::map<std::string, std::string> expected;
            for (Device const& device : {Device::cpu(2), Device::reference(), Device::fake()}) {
                o.device = device;
                o.overwrite = true;
                auto const r = convert(slide, file("out"), o);
                ASSERT_TRUE(r) << r.error().text();
                if (expected.empty()) expected = files_of(file("out"));
                auto const files = files_of(file("out"));
                EXPECT_EQ(files.size(), expected.size());
                for (auto const& [name, bytes] : files)
                    EXPECT_TRUE(expected[name] == bytes) << name << " by " << device.name() << ", "
                                                         << name_of(type) << ", memory " << memory;
            }
        }
    }
}

TEST_F(SlideConvert, ADeviceGetsEachBandOnce) {
    Slide const slide = open(small_slide(PixelType::gray16, 1, 1));
    ConvertOptions o = small_options();
    o.chunk = 16, o.min_size = 4;
    o.device = Device::fake();
    Traffic const before = traffic_of(o.device).value();
    ASSERT_TRUE(convert(slide, file("out"), o));
    Traffic const t = traffic_of(o.device).value() - before;
    std::uint64_t finest = 0, coarser = 0;
    for (int l = 0; fs::exists(file("out/0/" + std::to_string(l))); ++l)
        (l == 0 ? finest : coarser) +=
            2 * read_level<std::uint16_t>(file("out/0/" + std::to_string(l))).size();
    EXPECT_EQ(t.uploaded, finest);
    EXPECT_EQ(t.downloaded, coarser);
    EXPECT_GT(coarser, 0u);
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
