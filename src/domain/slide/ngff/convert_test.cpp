// Conversions of slides made for the tests, read back element by element.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/convert.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "czi_writer/damage.h"
#include "czi_writer/grid.h"
#include "czi_writer/pixels.h"
#include "zarr/array.h"
#include "zarr/group.h"

namespace sluice::slide {
namespace {

namespace fs = std::filesystem;
using czi::PixelType;

class SlideConvert : public testing::Test {
  protected:
    void SetUp() override {
        auto const* test = testing::UnitTest::GetInstance()->current_test_info();
        // Thousands of small files: seconds on a disk, and nothing in memory.
        fs::path const memory = "/dev/shm";
        folder_ = (fs::exists(memory) ? memory : fs::path(testing::TempDir())) /
                  (std::string("sluice_convert_") + test->name() + std::to_string(::getpid()));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    std::string file(std::string const& name) const { return folder_ / name; }

    fs::path folder_;
};

Slide open(test::CziFile const& file) {
    return Slide::open(memory_source("test.czi", file.bytes())).value();
}

// Values from which the place can be told; the slices and channels differ.
double value_at(test::Point const& p) {
    return static_cast<double>(p.x * 7 + p.y * 131 + p.sample * 1000 + p.at[czi::C] * 5000 +
                               p.at[czi::Z] * 300 + p.at[czi::T] * 17);
}

// 150 x 101 pixels whose corner is at (-20, 30).
test::Grid small_grid(PixelType type) {
    test::Grid g;
    g.area = {-20, 30, 150, 101};
    g.tile_width = 60, g.tile_height = 50, g.overlap = 6;
    g.like.pixel_type = type;
    g.like.paint = test::paint_by(value_at);
    return g;
}

// `depth` slices at as many times.
test::CziFile small_slide(PixelType type = PixelType::gray16, int channels = 2, int depth = 2) {
    test::Grid g = small_grid(type);
    g.channels = channels, g.slices = depth, g.times = depth;
    test::CziFile f;
    f.tiles = test::mosaic(g);
    f.metadata.x_um = 0.5, f.metadata.y_um = 0.25, f.metadata.z_um = 2, f.metadata.t_s = 3;
    return f;
}

ConvertOptions small_options() {
    ConvertOptions o;
    o.chunk = 32;
    o.min_size = 20;
    o.threads = 2;
    return o;
}

// All of a level as [t][c][z][y][x].
template <class T>
std::vector<T> read_level(std::string const& path, zarr::Spec* spec = nullptr) {
    auto const array = zarr::Array::open(path).value();
    auto const& s = array.spec().shape;
    auto const& chunk = array.spec().chunk;
    if (spec) *spec = array.spec();
    std::vector<T> out(static_cast<std::size_t>(s[0] * s[1] * s[2] * s[3] * s[4]));
    std::vector<T> part(static_cast<std::size_t>(chunk[3] * chunk[4]));
    for (index p = 0; p < s[0] * s[1] * s[2]; ++p)
        for (index y = 0; y < s[3]; y += chunk[3])
            for (index x = 0; x < s[4]; x += chunk[4]) {
                std::vector<index> const at{p / s[2] / s[1], p / s[2] % s[1], p % s[2],
                                            y / chunk[3], x / chunk[4]};
                array.read_chunk(at, std::as_writable_bytes(std::span(part))).value();
                for (index r = 0; r < std::min(chunk[3], s[3] - y); ++r)
                    std::copy_n(part.begin() + r * chunk[4], std::min(chunk[4], s[4] - x),
                                out.begin() + (p * s[3] + y + r) * s[4] + x);
            }
    return out;
}

// The next level, pixel by pixel: the plain words of the manual.
template <class T>
std::vector<T> halved(std::vector<T> const& in, std::vector<index> const& s) {
    index const h = (s[3] + 1) / 2, w = (s[4] + 1) / 2;
    std::vector<T> out;
    for (index p = 0; p < s[0] * s[1] * s[2]; ++p)
        for (index y = 0; y < h; ++y)
            for (index x = 0; x < w; ++x) {
                double sum = 0;
                int n = 0;
                for (index b = 2 * y; b < std::min(2 * y + 2, s[3]); ++b)
                    for (index a = 2 * x; a < std::min(2 * x + 2, s[4]); ++a, ++n)
                        sum += static_cast<double>(
                            in[static_cast<std::size_t>((p * s[3] + b) * s[4] + a)]);
                double const mean = sum / n;
                out.push_back(
                    static_cast<T>(std::is_integral_v<T> ? std::floor(mean + 0.5) : mean));
            }
    return out;
}

template <class T>
void expect_pyramid(std::string const& image, int levels) {
    zarr::Spec spec;
    std::vector<T> above = read_level<T>(image + "/0", &spec);
    for (int l = 1; l < levels; ++l) {
        std::vector<T> const wanted = halved(above, spec.shape);
        above = read_level<T>(image + "/" + std::to_string(l), &spec);
        ASSERT_EQ(above, wanted) << "level " << l;
    }
    EXPECT_FALSE(fs::exists(image + "/" + std::to_string(levels)));
}

// What the painter gave, for an image of small_slide().
template <class T>
void expect_painted(std::vector<T> const& got, std::vector<index> const& s, index samples) {
    std::size_t i = 0;
    for (index t = 0; t < s[0]; ++t)
        for (index c = 0; c < s[1]; ++c)
            for (index z = 0; z < s[2]; ++z)
                for (index y = 0; y < s[3]; ++y)
                    for (index x = 0; x < s[4]; ++x, ++i) {
                        test::Point p{x - 20, y + 30, c % samples};
                        p.at[czi::C] = static_cast<std::int32_t>(c / samples);
                        p.at[czi::Z] = static_cast<std::int32_t>(z);
                        p.at[czi::T] = static_cast<std::int32_t>(t);
                        auto const v = static_cast<T>(static_cast<std::int64_t>(value_at(p)));
                        ASSERT_EQ(got[i], v) << t << c << z << " y " << y << " x " << x;
                    }
}

// Paths and contents of all files below a folder.
std::vector<std::pair<std::string, std::string>> files_of(fs::path const& folder) {
    std::vector<std::pair<std::string, std::string>> out;
    for (auto const& e : fs::recursive_directory_iterator(folder)) {
        if (!e.is_regular_file()) continue;
        std::ifstream in(e.path(), std::ios::binary);
        out.emplace_back(fs::relative(e.path(), folder),
                         std::string(std::istreambuf_iterator<char>(in), {}));
    }
    std::sort(out.begin(), out.end());
    return out;
}

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

TEST_F(SlideConvert, TooLittleMemoryIsSaidBeforeAnythingIsWritten) {
    Slide const slide = open(small_slide());
    ConvertOptions o = small_options();
    o.memory_limit = 3 * 32 * 32 * 2 - 1;
    auto const r = convert(slide, file("x"), o);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code, Code::out_of_memory);
    EXPECT_TRUE(fs::is_empty(folder_));
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

test::CziFile three_scenes() {
    test::CziFile f;
    for (std::int32_t s = 0; s < 3; ++s) {
        test::Grid g = small_grid(PixelType::gray8);
        g.area = {s * 200, s * 10, 70 + s, 60};
        g.like.scene = s;
        for (test::Tile const& t : test::mosaic(g)) f.tiles.push_back(t);
        f.metadata.scenes.push_back({s, "scene " + std::to_string(s), "", 0, 0});
    }
    f.metadata.x_um = 0.5, f.metadata.y_um = 0.25;
    return f;
}

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
    o.layout = Layout::merged;
    auto const merged = convert(slide, file("merged"), o);
    ASSERT_TRUE(merged);
    EXPECT_EQ(merged->images[0].shape[4], 472);
    o.layout = Layout::plate;
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
    o.layout = Layout::scenes;
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
        R"("method":"sluice slide convert"}}],"omero":{"channels":[)"
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

// Cancels when `stop` of the bytes are done.
ConvertOptions stopping(ConvertOptions o, double stop) {
    o.progress = [stop](std::uint64_t done, std::uint64_t total) {
        return static_cast<double>(done) < stop * static_cast<double>(total);
    };
    return o;
}

TEST_F(SlideConvert, WhatWasStoppedGoesOnToTheSameFiles) {
    test::CziFile f = three_scenes();
    for (test::Tile& t : f.tiles) t.at[czi::C] = t.scene % 2;
    test::CziFile const tall = small_slide(PixelType::gray16, 1, 2);
    int number = 0;
    for (test::CziFile const* source : std::initializer_list<test::CziFile const*>{&f, &tall})
        for (index shard : {0, 32})
            for (std::uint64_t memory : {std::uint64_t{1} << 30, std::uint64_t{3} * 32 * 32 * 2}) {
                Slide const slide = open(*source);
                ConvertOptions o = small_options();
                o.chunk = 16, o.shard = shard, o.ngff = "0.5", o.min_size = 4;
                o.memory_limit = memory;
                std::string const whole = file("whole" + std::to_string(number));
                ASSERT_TRUE(convert(slide, whole, o));
                auto const wanted = files_of(whole);
                int stopped = 0;
                for (double stop : {0.0, 0.4, 0.8}) {
                    std::string const name = file("part" + std::to_string(number++));
                    auto const r = convert(slide, name, stopping(o, stop));
                    if (!r) {
                        ++stopped;
                        EXPECT_EQ(r.error().code, Code::cancelled);
                        EXPECT_FALSE(fs::exists(name));
                        ASSERT_TRUE(fs::exists(name + ".part"));
                        ConvertOptions again = o;
                        again.resume = true;
                        again.threads = 1;
                        auto const done = convert(slide, name, again);
                        ASSERT_TRUE(done) << done.error().text();
                        EXPECT_TRUE(done->resumed);
                    }
                    EXPECT_EQ(files_of(name), wanted) << stop;
                    fs::remove_all(name);
                }
                // The last of few steps may be the one in which it should have stopped.
                EXPECT_GE(stopped, memory < 1 << 20 ? 3 : 1);
            }
}

TEST_F(SlideConvert, GoingOnWithAnotherSlideOrOtherOptionsIsRefused) {
    Slide const slide = open(small_slide());
    ConvertOptions o = small_options();
    ASSERT_FALSE(convert(slide, file("x"), stopping(o, 0.5)));
    auto const again = convert(slide, file("x"), o);
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().message.find("--resume"), std::string::npos);
    o.resume = true;
    ConvertOptions other = o;
    other.min_size = 50;
    EXPECT_NE(convert(slide, file("x"), other).error().message.find("other options"),
              std::string::npos);
    auto const source = memory_source("test.czi", small_slide().bytes());
    for (czi::OpenOptions const opened :
         {czi::OpenOptions{.recover = true}, czi::OpenOptions{.trust_directory = true}}) {
        auto const r = convert(Slide::open(source, opened).value(), file("x"), o);
        ASSERT_FALSE(r);
        EXPECT_NE(r.error().message.find("other options"), std::string::npos);
    }
    Slide const larger = open(small_slide(PixelType::gray16, 3));
    EXPECT_NE(convert(larger, file("x"), o).error().message.find("another slide"),
              std::string::npos);
    // Both together mean: go on if it fits, or else begin again.
    other.overwrite = true;
    auto const begun = convert(slide, file("x"), other);
    ASSERT_TRUE(begun) << begun.error().text();
    EXPECT_FALSE(begun->resumed);
    fs::remove_all(file("x"));
    fs::create_directories(file("x.part"));
    std::ofstream(file("x.part/letter.txt")) << "dear";
    EXPECT_NE(convert(slide, file("x"), o).error().message.find("no unfinished conversion"),
              std::string::npos);
    EXPECT_TRUE(fs::exists(file("x.part/letter.txt")));
    // There is nothing to go on with: it begins.
    o.overwrite = false, o.resume = true;
    auto const fresh = convert(slide, file("y"), o);
    ASSERT_TRUE(fresh);
    EXPECT_FALSE(fresh->resumed);
}

// A conversion takes hours, in which the name may be given to something else.
TEST_F(SlideConvert, WhatComesThereMeanwhileStays) {
    Slide const slide = open(small_slide());
    ConvertOptions const o = small_options();
    ConvertOptions busy = o;
    busy.progress = [&](std::uint64_t, std::uint64_t) {
        fs::create_directories(file("x"));
        std::ofstream(file("x/letter.txt")) << "dear";
        return true;
    };
    for (bool overwrite : {false, true}) {
        busy.overwrite = overwrite;
        auto const r = convert(slide, file("x"), busy);
        ASSERT_FALSE(r);
        EXPECT_NE(r.error().message.find(overwrite ? "is no Zarr folder" : "exists already"),
                  std::string::npos)
            << r.error().message;
        EXPECT_TRUE(fs::exists(file("x/letter.txt")));
        fs::remove_all(file("x"));
    }
    // All that was made is still there.
    ConvertOptions again = o;
    again.resume = true;
    auto const r = convert(slide, file("x"), again);
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_TRUE(r->resumed);
    EXPECT_EQ(r->files_made_again, 0);
}

// The system refuses to follow them, which the library used to throw.
TEST_F(SlideConvert, LinksInACircleAreNoOutput) {
    Slide const slide = open(small_slide());
    for (std::string const name : {"x", "y.part"}) {
        fs::create_symlink(file(name), file(name));
        for (bool overwrite : {false, true}) {
            ConvertOptions o = small_options();
            o.overwrite = overwrite;
            auto const r = convert(slide, file(name.substr(0, 1)), o);
            ASSERT_FALSE(r) << name;
            EXPECT_EQ(r.error().code, Code::invalid_argument);
        }
        EXPECT_FALSE(zarr::is_node(file(name)));
        EXPECT_FALSE(zarr::Array::open(file(name)));
    }
}

TEST_F(SlideConvert, AnOutputThatWasHalfReplacedCountsAsThere) {
    Slide const slide = open(small_slide());
    ConvertOptions o = small_options();
    ASSERT_TRUE(convert(slide, file("x"), o));
    auto const before = files_of(file("x"));
    fs::rename(file("x"), file("x.sluice-old"));
    EXPECT_FALSE(convert(slide, file("x"), o));
    EXPECT_EQ(files_of(file("x")), before);
}

TEST_F(SlideConvert, OnlyZarrFoldersAreReplaced) {
    Slide const slide = open(small_slide());
    ConvertOptions o = small_options();
    ASSERT_TRUE(convert(slide, file("x"), o));
    auto const before = files_of(file("x"));
    EXPECT_FALSE(convert(slide, file("x"), o));
    o.overwrite = true;
    o.min_size = 60;
    // The old one stays until the new one is whole.
    ASSERT_FALSE(convert(slide, file("x"), stopping(o, 0.5)));
    EXPECT_EQ(files_of(file("x")), before);
    ASSERT_TRUE(convert(slide, file("x/"), o));
    EXPECT_FALSE(fs::exists(file("x/0/3")));
    fs::create_directories(file("home"));
    std::ofstream(file("home/letter.txt")) << "dear";
    auto const r = convert(slide, file("home"), o);
    ASSERT_FALSE(r);
    EXPECT_NE(r.error().message.find("no Zarr folder"), std::string::npos);
    EXPECT_TRUE(fs::exists(file("home/letter.txt")));
}

TEST_F(SlideConvert, VerifyFindsAChunkThatChanged) {
    Slide const slide = open(small_slide(PixelType::gray16, 2, 1));
    for (char const* chunk : {"0/0/0/1/0/2/3", "0/2/0/1/0/0/1"})
        for (bool remove : {false, true}) {
            ConvertOptions o = small_options();
            o.verify = true;
            o.codec = ChunkCodec::none;
            o.overwrite = true;
            bool spoilt = false;
            o.progress = [&](std::uint64_t done, std::uint64_t total) {
                if (spoilt || done < total / 2) return true;
                spoilt = true;
                fs::path const path = file("x.part/") + chunk;
                if (remove) {
                    fs::remove(path);
                } else {
                    std::fstream f(path, std::ios::in | std::ios::out | std::ios::binary);
                    f.seekp(77).put('\x55');
                }
                return true;
            };
            auto const r = convert(slide, file("x"), o);
            EXPECT_TRUE(spoilt);
            ASSERT_FALSE(r);
            EXPECT_EQ(r.error().code, Code::corrupt);
            EXPECT_NE(r.error().message.find("differs"), std::string::npos);
            EXPECT_FALSE(fs::exists(file("x")));
        }
}

// A conversion that stopped in the middle, of which something happens to the files.
class SlideConvertDamaged : public SlideConvert {
  protected:
    // Every file of chunks in the unfinished output.
    std::vector<fs::path> chunks() const {
        std::vector<fs::path> out;
        for (auto const& e : fs::recursive_directory_iterator(file("x.part")))
            if (e.is_regular_file() && std::isdigit(e.path().filename().string()[0]))
                out.push_back(e.path());
        std::sort(out.begin(), out.end());
        return out;
    }
    void expect_the_same_after(ConvertOptions o, double stop,
                               std::function<void(std::vector<fs::path> const&)> const& damage,
                               bool goes_on, index again) {
        Slide const slide = open(small_slide(PixelType::gray16, 2, 1));
        fs::remove_all(file("x"));
        fs::remove_all(file("whole"));
        ASSERT_TRUE(convert(slide, file("whole"), o));
        ASSERT_FALSE(convert(slide, file("x"), stopping(o, stop)));
        auto const there = chunks();
        ASSERT_GT(there.size(), 5U);
        damage(there);
        o.resume = true;
        auto const done = convert(slide, file("x"), o);
        ASSERT_TRUE(done) << done.error().text();
        EXPECT_EQ(done->resumed, goes_on);
        EXPECT_EQ(done->files_made_again, again < 0 ? std::ssize(there) : again);
        EXPECT_EQ(files_of(file("x")), files_of(file("whole")));
        EXPECT_EQ(done->chunks, 2 * (20 + 6 + 2 + 1));
    }
    static void change(fs::path const& path, std::function<void(std::string&)> const& how) {
        std::ifstream in(path, std::ios::binary);
        std::string text(std::istreambuf_iterator<char>(in), {});
        in.close();
        how(text);
        std::ofstream(path, std::ios::binary) << text;
    }
};

TEST_F(SlideConvertDamaged, FilesAreTrustedOnlyAfterTheirHashes) {
    using Files = std::vector<fs::path>;
    for (double stop : {0.3, 0.75}) {
        ConvertOptions o = small_options();
        expect_the_same_after(
            o, stop, [](Files const&) {}, true, 0);
        // Each alone: of the first level, and of those that were made of it.
        for (std::size_t part : {0, 1, 2, 3}) {
            auto const one = [part](Files const& f) { return f[part * (f.size() - 1) / 3]; };
            expect_the_same_after(
                o, stop, [&](Files const& f) { fs::remove(one(f)); }, true, 1);
            expect_the_same_after(
                o, stop,
                [&](Files const& f) { fs::resize_file(one(f), fs::file_size(one(f)) / 2); }, true,
                1);
            expect_the_same_after(
                o, stop,
                [&](Files const& f) {
                    change(one(f), [](std::string& t) { t[t.size() / 2] ^= 4; });
                },
                true, 1);
            expect_the_same_after(
                o, stop, [&](Files const& f) { std::ofstream(one(f), std::ios::app) << "more"; },
                true, 1);
        }
        expect_the_same_after(
            o, stop,
            [](Files const& f) {
                for (fs::path const& p : f) fs::remove(p);
            },
            true, -1);
    }
}

TEST_F(SlideConvertDamaged, WhatIsNotOfTheConversionGoesAway) {
    expect_the_same_after(
        small_options(), 0.5,
        [this](auto const&) {
            std::ofstream(file("x.part/0/0/0/0/0/0/99")) << "no chunk of this array";
            std::ofstream(file("x.part/0/0/0/0/0/0/1.part-77")) << "half a chu";
            std::ofstream(file("x.part/0/0/.zarray")) << "{}";
            fs::create_directories(file("x.part/0/7/0"));
        },
        true, 0);
}

TEST_F(SlideConvertDamaged, AJournalIsTrustedLineByLine) {
    std::string const journal = file("x.part/sluice-convert.journal");
    auto const o = small_options();
    auto const none = [](auto const&) {};
    expect_the_same_after(o, 0.5, none, true, 0);
    expect_the_same_after(
        o, 0.5, [&](auto const&) { fs::remove(journal); }, false, 0);
    expect_the_same_after(
        o, 0.5, [&](auto const&) { change(journal, [](std::string& t) { t[30] ^= 1; }); }, false,
        0);
    // A bit of every line, and several lengths: what it says no longer is made again.
    std::size_t first = 0, size = 0;
    expect_the_same_after(
        o, 0.5,
        [&](auto const&) {
            change(journal, [&](std::string& t) { first = t.find('\n'), size = t.size(); });
        },
        true, 0);
    ASSERT_GT(size, first + 100);
    for (std::size_t at = first + 1; at < size; at += (size - first) / 9)
        for (bool cut : {false, true})
            expect_the_same_after(
                o, 0.5,
                [&](auto const&) {
                    change(journal, [&](std::string& t) {
                        if (cut)
                            t.resize(at);
                        else
                            t[at] ^= 2;
                    });
                },
                true, 0);
}

TEST_F(SlideConvertDamaged, ShardsAndStripsToo) {
    ConvertOptions o = small_options();
    o.ngff = "0.5", o.shard = 64, o.codec = ChunkCodec::zstd, o.threads = 1;
    Slide const slide = open(small_slide(PixelType::bgr48, 1, 2));
    for (std::uint64_t memory : {std::uint64_t{1} << 30, std::uint64_t{3} * 64 * 64 * 6}) {
        o.memory_limit = memory;
        o.resume = false;
        fs::remove_all(file("whole"));
        ASSERT_TRUE(convert(slide, file("whole"), o));
        auto const wanted = files_of(file("whole"));
        for (std::size_t step : {3, 5, 7}) {
            ASSERT_FALSE(convert(slide, file("x"), stopping(o, 0.9)));
            auto const there = chunks();
            ASSERT_FALSE(there.empty());
            std::size_t spoilt = 0;
            for (std::size_t i = 0; i < there.size(); i += step, ++spoilt)
                change(there[i], [](std::string& t) { t[t.size() / 3] ^= 1; });
            o.resume = true;
            auto const done = convert(slide, file("x"), o);
            ASSERT_TRUE(done) << done.error().text();
            EXPECT_EQ(done->files_made_again, static_cast<index>(spoilt));
            EXPECT_EQ(files_of(file("x")), wanted) << step;
            fs::remove_all(file("x"));
            o.resume = false;
        }
    }
}

TEST_F(SlideConvertDamaged, WhatVerifyRejectedIsNotPublishedByResume) {
    Slide const slide = open(small_slide(PixelType::gray16, 2, 1));
    ConvertOptions o = small_options();
    ASSERT_TRUE(convert(slide, file("whole"), o));
    for (char const* chunk : {"0/0/0/1/0/2/3", "0/2/0/1/0/0/1"}) {
        ConvertOptions v = o;
        v.verify = true;
        bool spoilt = false;
        v.progress = [&](std::uint64_t done, std::uint64_t total) {
            if (spoilt || done < total / 2) return true;
            spoilt = true;
            change(file("x.part/") + chunk, [](std::string& t) { t[t.size() / 2] ^= 16; });
            return true;
        };
        auto const rejected = convert(slide, file("x"), v);
        ASSERT_FALSE(rejected);
        // Memory may have changed the pixels before their hash was made: the journal itself must
        // say that this step is not done.
        ConvertOptions again = o;
        again.resume = true;
        auto const done = convert(slide, file("x"), again);
        ASSERT_TRUE(done) << done.error().text();
        EXPECT_TRUE(done->resumed);
        EXPECT_EQ(done->files_made_again, 0);
        EXPECT_EQ(files_of(file("x")), files_of(file("whole")));
        fs::remove_all(file("x"));
    }
}

TEST_F(SlideConvert, OneOutputHasOneConversion) {
    Slide const slide = open(small_slide());
    ConvertOptions const o = small_options();
    ConvertOptions outer = o;
    int tried = 0;
    outer.progress = [&](std::uint64_t, std::uint64_t) {
        if (tried++ > 0) return true;
        for (bool overwrite : {false, true})
            for (bool resume : {false, true}) {
                ConvertOptions inner = o;
                inner.overwrite = overwrite, inner.resume = resume;
                auto const second = convert(slide, file("x/"), inner);
                EXPECT_FALSE(second);
                if (second) continue;
                EXPECT_EQ(second.error().code, Code::io);
                EXPECT_NE(second.error().message.find("converts into it at this moment"),
                          std::string::npos);
                EXPECT_NE(second.error().message.find(std::to_string(::getpid())),
                          std::string::npos);
            }
        EXPECT_TRUE(convert(slide, file("y"), o));
        return true;
    };
    auto const first = convert(slide, file("x"), outer);
    ASSERT_TRUE(first) << first.error().text();
    EXPECT_GT(tried, 0);
    EXPECT_EQ(files_of(file("x")), files_of(file("y")));
    // What a killed process leaves locks nobody out.
    std::ofstream(file("z.lock")) << "1234\n";
    EXPECT_TRUE(convert(slide, file("z"), o));
    EXPECT_FALSE(fs::exists(file("z.lock")));
}

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
    EXPECT_NE(convert(slide, file("part"), other).error().message.find("other options"),
              std::string::npos);
    o.resume = true;
    auto const rest = convert(slide, file("part"), o);
    ASSERT_TRUE(rest) << rest.error().text();
    EXPECT_TRUE(rest->resumed);
    EXPECT_EQ(rest->tiles_filled.size(), 2U);
    EXPECT_EQ(files_of(file("part")), files_of(file("0.4")));
}

TEST_F(SlideConvert, DimensionsThatOmeZarrLacksMustBeChosen) {
    test::CziFile f = small_slide(PixelType::gray16, 1);
    std::vector<test::Tile> tiles = f.tiles;
    for (test::Tile t : tiles) {
        t.at[czi::H] = 1;
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
        t.at[czi::C] = 1;
        f.tiles.push_back(t);
    }
    Slide const slide = open(f);
    ConvertOptions o = small_options();
    EXPECT_EQ(convert(slide, file("x"), o).error().message,
              "channels have different pixel types (Gray8, Gray16; an array has one) convert them "
              "one by one with --channels");
    o.channels = {1};
    auto const r = convert(slide, file("x"), o);
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_EQ(r->images[0].dtype, "uint8");
    EXPECT_EQ(r->images[0].shape[1], 1);
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
