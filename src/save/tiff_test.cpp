// Tests of save_tiff: read back with libtiff, and how it fails.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <tiffio.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>

#include "save/folder_test.h"
#include "sluice/save.h"

namespace sluice::save {
namespace {

struct Page {
    std::vector<float> values;
    std::uint32_t rows = 0, cols = 0;
    std::uint16_t bits = 0, format = 0;
    std::string description = {};
};

std::vector<Page> pages_of(std::string const& path) {
    std::vector<Page> pages;
    std::unique_ptr<TIFF, void (*)(TIFF*)> const t(TIFFOpen(path.c_str(), "r"), TIFFClose);
    EXPECT_NE(t, nullptr);
    if (!t) return pages;
    do {
        Page p;
        char* text = nullptr;
        TIFFGetField(t.get(), TIFFTAG_IMAGELENGTH, &p.rows);
        TIFFGetField(t.get(), TIFFTAG_IMAGEWIDTH, &p.cols);
        TIFFGetField(t.get(), TIFFTAG_BITSPERSAMPLE, &p.bits);
        TIFFGetField(t.get(), TIFFTAG_SAMPLEFORMAT, &p.format);
        TIFFGetField(t.get(), TIFFTAG_IMAGEDESCRIPTION, &text);
        if (text != nullptr) p.description = text;
        p.values.resize(std::size_t{p.rows} * p.cols);
        for (std::uint32_t row = 0; row < p.rows; ++row)
            EXPECT_EQ(TIFFReadScanline(t.get(), p.values.data() + std::size_t{row} * p.cols, row),
                      1);
        pages.push_back(p);
    } while (TIFFReadDirectory(t.get()));
    return pages;
}

TEST(Tiff, OnePage) {
    TestFolder const folder;
    std::vector<float> const values = {0.5f, -1e30f, std::numeric_limits<float>::infinity(),
                                       3,    4,      1e-40f};
    ASSERT_TRUE(save_tiff(folder.file("a.tif"), View<float const, 2>(values.data(), {2, 3}),
                          {{{"unit", "µm"}, {"source", "C:\\a \"b\".h5"}}}));
    auto const pages = pages_of(folder.file("a.tif"));
    ASSERT_EQ(pages.size(), 1u);
    EXPECT_EQ(pages[0].rows, 2u);
    EXPECT_EQ(pages[0].cols, 3u);
    EXPECT_EQ(pages[0].bits, 32);
    EXPECT_EQ(pages[0].format, SAMPLEFORMAT_IEEEFP);
    EXPECT_EQ(pages[0].values, values);
    EXPECT_EQ(pages[0].description,
              "{\n  \"unit\": \"\\u00b5m\",\n  \"source\": \"C:\\\\a \\\"b\\\".h5\"\n}\n");
}

TEST(Tiff, ManyStripsAndPages) {
    TestFolder const folder;
    constexpr index pages = 3, rows = 333, cols = 517;  // rows % rows per strip != 0
    std::vector<float> values(pages * rows * cols);
    std::iota(values.begin(), values.end(), 0.0f);
    ASSERT_TRUE(
        save_tiff(folder.file("a.tif"), View<float const, 3>(values.data(), {pages, rows, cols})));
    auto const read = pages_of(folder.file("a.tif"));
    ASSERT_EQ(read.size(), 3u);
    for (std::size_t page = 0; page < 3; ++page)
        EXPECT_EQ(std::memcmp(read[page].values.data(), values.data() + page * rows * cols,
                              rows * cols * sizeof(float)),
                  0);
}

TEST(Tiff, FailuresAreClean) {
    std::vector<float> const values(10000);
    expect_clean_failures([&](std::string const& path) {
        return save_tiff(path, View<float const, 2>(values.data(), {100, 100}));
    });
}

TEST(Tiff, EmptyImagesAreRefused) {
    TestFolder const folder;
    for (std::array<index, 3> shape :
         {std::array<index, 3>{0, 2, 2}, {1, 0, 2}, {1, 2, 0}, {1, 1, index{1} << 32}}) {
        Status const status = save_tiff(folder.file("a.tif"), View<float const, 3>(nullptr, shape));
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().code, Code::invalid_argument);
    }
    EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace sluice::save
