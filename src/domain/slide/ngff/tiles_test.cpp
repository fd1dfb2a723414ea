// Images of OME-Zarr read as slides: levels, axes, what metadata get wrong, and damage.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/tiles.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "zarr/folder_test.h"

namespace sluice::slide {
namespace {

namespace fs = std::filesystem;

void put(std::string const& path, std::string const& text) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

std::string text_of(std::string const& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, std::string const& from, std::string const& to) {
    auto const at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

/// An array of bytes y, x in chunks of 4 x 4 without codec: element y, x is `first` + 10 y + x.
void make_array(std::string const& path, int height, int width, int first,
                std::string const& dtype = "|u1") {
    put(path + "/.zarray",
        fmt::format(R"({{"zarr_format":2,"shape":[{},{}],"chunks":[4,4],"dtype":"{}","order":"C",)"
                    R"("filters":null,"compressor":null,"fill_value":9}})",
                    height, width, dtype));
    // Of large ones only the first chunks.
    for (int row = 0; row * 4 < std::min(height, 40); ++row)
        for (int column = 0; column * 4 < std::min(width, 40); ++column) {
            std::string chunk;
            for (int i = 0; i < 16; ++i)
                chunk += static_cast<char>(first + 10 * (row * 4 + i / 4) + column * 4 + i % 4);
            put(fmt::format("{}/{}.{}", path, row, column), chunk);
        }
}

/// A scale for each level, or none.
void make_group(std::string const& path, std::vector<std::string> const& scales,
                std::string const& more = "") {
    put(path + "/.zgroup", R"({"zarr_format":2})");
    std::string datasets;
    for (std::size_t l = 0; l < scales.size(); ++l) {
        if (l > 0) datasets += ',';
        datasets += fmt::format(R"({{"path":"{}")", l);
        if (!scales[l].empty())
            datasets +=
                R"(,"coordinateTransformations":[{"type":"scale","scale":)" + scales[l] + "}]";
        datasets += '}';
    }
    put(path + "/.zattrs",
        R"({"multiscales":[{"version":"0.4","axes":[{"name":"y","unit":"millimeter"},)"
        R"({"name":"x","unit":"nanometer"}],"datasets":[)" +
            datasets + "]}]" + more + "}");
}

std::string said(std::string const& path) {
    auto const slide = Slide::open(path);
    return slide ? std::string("opened") : slide.error().text();
}

std::vector<int> numbers(Image const& image) {
    std::vector<int> out;
    for (std::byte const b : image.pixels.span()) out.push_back(std::to_integer<int>(b));
    return out;
}

std::string notes(Slide const& slide) {
    std::string out;
    for (std::string const& n : slide.notes()) out += n + "\n";
    return out;
}

TEST(NgffTiles, ALevelRoundedDownRepeatsItsLastRowAndColumn) {
    zarr::TestFolder const folder;
    std::string const a = folder.file("a");
    make_group(a, {"[1,1]", "[2,2]"});
    make_array(a + "/0", 5, 7, 0);
    make_array(a + "/1", 2, 3, 100);
    Slide const slide = Slide::open(a).value();
    EXPECT_EQ(notes(slide), "");
    ASSERT_EQ(slide.levels().size(), 2U);
    EXPECT_EQ(slide.bounds(), (Rect{0, 0, 7, 5}));
    EXPECT_EQ(numbers(slide.read({}, 1).value()),
              (std::vector{100, 101, 102, 102, 110, 111, 112, 112, 110, 111, 112, 112}));
    Selection r;
    r.rect = Rect{3, 3, 3, 2};
    EXPECT_EQ(numbers(slide.read(r, 0).value()), (std::vector{33, 34, 35, 43, 44, 45}));
}

TEST(NgffTiles, AFactorThatIsNotToldOrWronglyIsFoundAndNamed) {
    zarr::TestFolder const folder;
    int number = 0;
    for (auto const& [scale, words] : {std::pair("", "its scale is not told"),
                                       {"[1,1]", "its scale says 1/1"},
                                       {"[3,3]", "its scale says 1/3"},
                                       {"[0,0]", "its scale is not told"},
                                       {"[-16,-16]", "its scale is not told"},
                                       {"[16]", "its scale is not told"}}) {
        std::string const a = folder.file(std::to_string(number++));
        make_group(a, {"[1,1]", scale});
        make_array(a + "/0", 203, 171, 0);
        // Rounded down: 12.7 x 10.7, whose quotients are 16.9 and 17.1.
        make_array(a + "/1", 12, 10, 0);
        Slide const slide = Slide::open(a).value();
        ASSERT_EQ(slide.levels().size(), 2U) << scale;
        EXPECT_EQ(slide.levels()[1].factor, 16) << scale;
        EXPECT_NE(
            notes(slide).find(std::string("level '1' is taken as 1/16 by its size (") + words),
            std::string::npos)
            << notes(slide);
    }
}

TEST(NgffTiles, LevelsThatAreNoPyramidAreLeftOutAndNamed) {
    zarr::TestFolder const folder;
    for (auto const& [height, width, words] : {std::tuple(20, 20, "no coarser than the first"),
                                               {40, 40, "no coarser than the first"},
                                               {10, 20, "pixels do not divide"},
                                               {3, 10, "pixels do not divide"}}) {
        std::string const a = folder.file(fmt::format("{}x{}", height, width));
        make_group(a, {"[1,1]", "[2,2]"});
        make_array(a + "/0", 20, 20, 0);
        make_array(a + "/1", height, width, 0);
        Slide const slide = Slide::open(a).value();
        EXPECT_EQ(slide.levels().size(), 1U);
        EXPECT_NE(notes(slide).find(words), std::string::npos) << notes(slide);
    }
    std::string const a = folder.file("types");
    make_group(a, {"[1,1]", "[2,2]"});
    make_array(a + "/0", 8, 8, 0);
    make_array(a + "/1", 4, 4, 0, "|i1");
    EXPECT_NE(notes(Slide::open(a).value()).find("another type"), std::string::npos);
}

TEST(NgffTiles, WidenedElementsKeepTheirValues) {
    zarr::TestFolder const folder;
    std::string const a = folder.file("a");
    make_array(a, 2, 2, -3, "|i1");
    Slide const slide = Slide::open(a).value();
    EXPECT_NE(notes(slide).find("the elements are int8 and are read as int32"), std::string::npos);
    Image const image = slide.read({}, 0).value();
    std::int32_t got[4];
    ASSERT_EQ(image.pixels.size(), sizeof got);
    std::memcpy(got, image.pixels.data(), sizeof got);
    EXPECT_EQ(std::vector<int>(got, got + 4), (std::vector{-3, -2, 7, 8}));
    for (auto const& [dtype, name] : {std::pair("<i8", "int64"), {"<u8", "uint64"}}) {
        make_array(folder.file("wide"), 2, 2, 0, dtype);
        EXPECT_NE(said(folder.file("wide")).find(std::string("elements of ") + name),
                  std::string::npos)
            << said(folder.file("wide"));
    }
}

TEST(NgffTiles, MissingChunksAreFillAndEmptyOnesErrors) {
    zarr::TestFolder const folder;
    std::string const a = folder.file("a");
    make_array(a, 4, 8, 0);
    fs::remove(a + "/0.0");
    Slide const slide = Slide::open(a).value();
    Selection r;
    r.rect = Rect{3, 0, 2, 2};
    EXPECT_EQ(numbers(slide.read(r, 0).value()), (std::vector{9, 4, 9, 14}));
    EXPECT_EQ(notes(slide).find("no chunk"), std::string::npos);
    put(a + "/0.1", "");
    auto const empty = slide.read({}, 0);
    ASSERT_FALSE(empty);
    EXPECT_NE(empty.error().text().find("0.1: the tile at X 4 Y 0"), std::string::npos)
        << empty.error().text();
    put(a + "/0.1", std::string(15, 'a'));
    EXPECT_FALSE(slide.read({}, 0));
    fs::remove(a + "/0.1");
    EXPECT_NE(
        notes(Slide::open(a).value()).find("the array has no chunk; all its pixels have the fill"),
        std::string::npos);
    // Chunks of another naming are not missing chunks.
    put(a + "/0/1", std::string(16, 'a'));
    EXPECT_NE(said(a).find("names like '0/0', and its metadata say '0.0'"), std::string::npos);
}

TEST(NgffTiles, DimensionsThatHaveNamesAreTheAxes) {
    zarr::TestFolder const folder;
    auto const make = [&](std::string const& names) {
        put(folder.file("a/zarr.json"),
            R"({"zarr_format":3,"node_type":"array","shape":[6,5,2],"data_type":"uint8",)"
            R"("fill_value":3,"chunk_grid":{"name":"regular","configuration":{"chunk_shape":)"
            R"([6,5,2]}},"chunk_key_encoding":{"name":"default"},"codecs":[{"name":"bytes"}],)"
            R"("dimension_names":)" +
                names + "}");
        return Slide::open(folder.file("a")).value();
    };
    Slide const named = make(R"(["y","x","c"])");
    EXPECT_EQ(named.bounds(), (Rect{0, 0, 5, 6}));
    EXPECT_EQ(named.counts()[C], 2);
    EXPECT_EQ(notes(named).find("axes"), std::string::npos);
    for (auto const& [names, words] :
         {std::pair(R"(["a","b","c"])",
                    "the array's axes are called a, b, c; they are taken as z, "
                    "y, x"),
          {"null", "the array names no axes; they are taken as z, y, x"}}) {
        Slide const other = make(names);
        EXPECT_EQ(other.bounds(), (Rect{0, 0, 2, 5}));
        EXPECT_NE(notes(other).find(words), std::string::npos) << notes(other);
    }
}

TEST(NgffTiles, SizesOfPixelsAndWindowsOfChannels) {
    zarr::TestFolder const folder;
    std::string const a = folder.file("a");
    make_array(a + "/0", 8, 8, 0);
    std::string const omero =
        R"(,"omero":{"channels":[{"label":"DAPI","color":"0000FF","window":{"start":51,"end":102,)"
        R"("min":0,"max":255}},{"window":{"start":3}}]})";
    std::vector<std::string> told;
    for (auto const& [scale, y, x] :
         {std::tuple("[0.002,250]", 2.0, 0.25), {"[-1,0]", 0.0, 0.0}, {"[5]", 0.0, 0.0}}) {
        make_group(a, {scale}, omero);
        told.clear();
        Metadata const m = Slide::open(a).value().metadata(told);
        EXPECT_EQ(told.size(), scale[1] == '-' ? 2U : 0U);
        EXPECT_DOUBLE_EQ(m.y_um, y) << scale;
        EXPECT_DOUBLE_EQ(m.x_um, x) << scale;
        ASSERT_EQ(m.channels.size(), 2U);
        EXPECT_EQ(m.channels[0].name, "DAPI");
        EXPECT_DOUBLE_EQ(m.channels[0].low, 0.2);
        EXPECT_DOUBLE_EQ(m.channels[0].high, 0.4);
        EXPECT_EQ(m.channels[1].high, 0);
    }
    make_group(a, {"[2,3]"});
    put(a + "/.zattrs", replaced(text_of(a + "/.zattrs"), "nanometer", "parsec"));
    told.clear();
    EXPECT_EQ(Slide::open(a).value().metadata(told).x_um, 0);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0], "the scale of x is left out (3 parsec is not understood)");
}

TEST(NgffTiles, PathsThatLeadOutAndOtherLies) {
    zarr::TestFolder const folder;
    std::string const a = folder.file("a");
    make_array(a + "/0", 8, 8, 0);
    make_array(folder.file("outside"), 8, 8, 0);
    for (std::string const& path : {std::string("../outside"), folder.file("outside"),
                                    std::string("0/../../outside"), std::string()}) {
        make_group(a, {""});
        put(a + "/.zattrs",
            replaced(text_of(a + "/.zattrs"), R"("path":"0")", R"("path":")" + path + '"'));
        EXPECT_NE(said(a).find("must lie within the folder"), std::string::npos) << said(a);
    }
    make_group(a, {""});
    std::string const good = text_of(a + "/.zattrs");
    put(a + "/.zattrs", replaced(good, R"("axes")", R"("old_axes")"));
    EXPECT_NE(said(a).find("version 0.4 whose multiscales name no axes"), std::string::npos);
    put(a + "/.zattrs", replaced(good, R"("name":"x")", R"("name":"y")"));
    EXPECT_NE(said(a).find("axes y, y ('y' has 8"), std::string::npos) << said(a);
    put(a + "/.zattrs", replaced(good, R"({"name":"x")", R"({"name":"q")"));
    EXPECT_NE(said(a).find("'q' has 8 elements"), std::string::npos) << said(a);
    std::string const deep(300000, '[');
    for (char const* key : {"multiscales", "ome"}) {
        put(a + "/.zattrs", fmt::format(R"({{"{}":{}{}}})", key, deep, std::string(300000, ']')));
        EXPECT_NE(said(a).find("nests more than 200 brackets"), std::string::npos);
    }
}

TEST(NgffTiles, MillionsOfTilesThatAreNotThereTakeNoMemory) {
    zarr::TestFolder const folder;
    std::string const a = folder.file("a");
    make_array(a, 8, 8, 0);
    std::string const good = text_of(a + "/.zarray");
    for (auto const& [shape, words] :
         {std::pair("[8000,8000]", "but has 4 files of chunks"),
          {"[9000,9000]", "chunks in its"},
          {"[4611686018427387904,8]", "has more pixels than can be counted"},
          {"[1000000000000,1000000000000]", "larger chunks"},
          {"[0,8]", "without elements"}}) {
        put(a + "/.zarray", replaced(good, "[8,8]", shape));
        EXPECT_NE(said(a).find(words), std::string::npos) << said(a);
    }
    // Half a million planes in one chunk.
    put(a + "/.zarray", replaced(replaced(good, "[8,8]", "[3000000,4,4]"), "[4,4]", "[9,4,4]"));
    EXPECT_NE(said(a).find("but has 4 files of chunks"), std::string::npos) << said(a);
}

TEST(NgffTiles, DamageOfEachByteOfMetadataIsAnErrorOrAnotherImage) {
    zarr::TestFolder const folder;
    std::string const a = folder.file("a");
    make_group(a, {"[1,1]", "[2,2]"});
    make_array(a + "/0", 8, 8, 0);
    make_array(a + "/1", 4, 4, 0);
    for (char const* name : {"/.zattrs", "/0/.zarray", "/1/.zarray"}) {
        std::string const good = text_of(a + name);
        for (std::size_t i = 0; i < good.size(); ++i)
            for (std::size_t turn : {0U, 3U}) {
                std::string bad = good;
                bad[i] = std::string("09-[\",\0", 7)[(i + turn) % 7];
                put(a + name, bad);
                auto const slide = Slide::open(a);
                if (!slide) {
                    EXPECT_NE(slide.error().text().find(a), std::string::npos)
                        << slide.error().text();
                    continue;
                }
                Selection r;
                r.rect = Rect{0, 0, 8, 8};
                for (std::size_t l = 0; l < slide->levels().size(); ++l)
                    (void)slide->read(r, static_cast<int>(l));
            }
        put(a + name, good);
    }
}

}  // namespace
}  // namespace sluice::slide
