// Tests of save_png: read back with libpng, and how it fails.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <png.h>

#include <map>
#include <memory>

#include "save/folder_test.h"
#include "sluice/save.h"

namespace sluice::save {
namespace {

struct ReadPng {
    Picture picture;
    std::map<std::string, std::string> texts;
};

ReadPng read_png(std::string const& path) {
    ReadPng out;
    std::unique_ptr<FILE, int (*)(FILE*)> const file(std::fopen(path.c_str(), "rb"), std::fclose);
    png_struct* png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_info* info = png_create_info_struct(png);
    png_init_io(png, file.get());
    png_read_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
    EXPECT_EQ(png_get_bit_depth(png, info), 8);
    EXPECT_EQ(png_get_color_type(png, info), PNG_COLOR_TYPE_RGB);
    out.picture = {png_get_image_height(png, info), png_get_image_width(png, info), {}};
    png_byte** rows = png_get_rows(png, info);
    for (index row = 0; row < out.picture.rows; ++row)
        out.picture.rgb.insert(out.picture.rgb.end(), rows[row], rows[row] + out.picture.cols * 3);
    png_text* texts = nullptr;
    int n = 0;
    png_get_text(png, info, &texts, &n);
    for (int i = 0; i < n; ++i) out.texts[texts[i].key] = texts[i].text;
    png_destroy_read_struct(&png, &info, nullptr);
    return out;
}

Picture noise(index rows, index cols) {
    Picture p{rows, cols, std::vector<std::uint8_t>(static_cast<std::size_t>(rows * cols * 3))};
    std::uint32_t state = 1;
    for (auto& v : p.rgb)
        v = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
    return p;
}

TEST(Png, ReadsBack) {
    TestFolder const folder;
    Picture const picture = noise(37, 53);
    Provenance const provenance{{{"Source", "a.h5"},
                                 {"Unit", "µm"},
                                 {" edge ", "x"},
                                 {std::string(200, 'k'), "long"},
                                 {"Größe", "name"}}};
    ASSERT_TRUE(save_png(folder.file("a.png"), picture, provenance));
    ReadPng const read = read_png(folder.file("a.png"));
    EXPECT_EQ(read.picture.rows, 37);
    EXPECT_EQ(read.picture.cols, 53);
    EXPECT_EQ(read.picture.rgb, picture.rgb);
    EXPECT_EQ(read.texts, (std::map<std::string, std::string>{{"Source", "a.h5"},
                                                              {"Unit", "µm"},
                                                              {"_edge_", "x"},
                                                              {std::string(79, 'k'), "long"},
                                                              {"Gr____e", "name"}}));
}

TEST(Png, TheSameBytesEveryTime) {
    TestFolder const folder;
    for (char const* name : {"a.png", "b.png"})
        ASSERT_TRUE(save_png(folder.file(name), noise(20, 20), {{{"a", "b"}}}));
    EXPECT_EQ(read_file(folder.file("a.png"), 1 << 20).value(),
              read_file(folder.file("b.png"), 1 << 20).value());
}

TEST(Png, WrongSizesAreRefused) {
    TestFolder const folder;
    for (auto const& [rows, cols] : {std::pair<index, index>{0, 5}, {5, 0}, {1, 1'000'001}}) {
        Status const status = save_png(folder.file("a.png"), {rows, cols, {}});
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().code, Code::invalid_argument);
    }
    EXPECT_TRUE(folder.names().empty());
    EXPECT_DEATH((void)save_png(folder.file("a.png"), {2, 2, {1, 2, 3}}), "broken contract");
}

TEST(Png, FailuresAreClean) {
    expect_clean_failures([](std::string const& path) { return save_png(path, noise(50, 50)); });
}

}  // namespace
}  // namespace sluice::save
