// Stacks made here page by page: orders, types, codecs, what programs say of them, and damage.
// SPDX-License-Identifier: Apache-2.0
#include "format/tiff/tiff.h"

#include <zlib.h>

#include "codec/zstd/zstd.h"
#include "format/tiff/test_tiff.h"

namespace sluice {
namespace {

using Tiff = FormatFolder;
using Pages = std::vector<std::vector<std::string>>;

// Frames of 2 x 3 values of 16 bits that count up, in strips of so many rows.
Pages counting(unsigned frames, bool big, unsigned strip_rows = 2) {
    Pages pages;
    std::uint16_t v = 0;
    for (unsigned f = 0; f < frames; ++f) {
        pages.emplace_back();
        for (unsigned row = 0; row < 2; row += strip_rows) {
            Made strip;
            for (unsigned i = 0; i < 3 * strip_rows; ++i, ++v) big ? strip.be(v) : strip.le(v);
            pages.back().push_back(strip.text());
        }
    }
    return pages;
}

std::string made(MakeTiff m) {
    return TiffMaker(std::move(m)).text();
}

void counts_up(Dataset const& d) {
    auto const v = values_of<std::uint16_t>(d, 4);
    ASSERT_EQ(v.size(), 36u);
    for (std::size_t i = 0; i < v.size(); ++i) ASSERT_EQ(v[i], i);
}

TEST_F(Tiff, classic_and_big_of_both_byte_orders) {
    for (bool const big : {false, true})
        for (bool const wide : {false, true})
            for (unsigned const strip : {1u, 2u}) {
                auto const d = open(write("a.tif", made({.big = big,
                                                         .wide = wide,
                                                         .strip_rows = strip,
                                                         .pages = counting(6, big, strip)})),
                                    {.scan_shape = {{2, 3}}});
                ASSERT_TRUE(d) << d.error().text();
                EXPECT_EQ(d->format, "tiff");
                EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
                EXPECT_EQ(d->dtype, DType::u16);
                counts_up(*d);
            }
}

std::string deflated(std::string const& s) {
    std::string out(compressBound(s.size()), '\0');
    uLongf size = out.size();
    EXPECT_EQ(compress(reinterpret_cast<Bytef*>(out.data()), &size,
                       reinterpret_cast<Bytef const*>(s.data()), s.size()),
              Z_OK);
    out.resize(size);
    return out;
}

std::string zstd(std::string const& s) {
    std::vector<std::byte> out;
    codec::zstd_compress(std::as_bytes(std::span(s)), out);
    return {reinterpret_cast<char const*>(out.data()), out.size()};
}

// One run as it is, with a filler in front.
std::string packbits(std::string const& s) {
    return std::string("\x80") + static_cast<char>(s.size() - 1) + s;
}

TEST_F(Tiff, packed_pages) {
    using Pack = std::string (*)(std::string const&);
    for (auto const& [code, pack] : {std::pair<unsigned, Pack>{8, deflated},
                                     {32946, deflated},
                                     {50000, zstd},
                                     {32773, packbits}})
        for (bool const big : {false, true}) {
            Pages pages = counting(6, big, 1);
            for (auto& page : pages)
                for (auto& strip : page) strip = pack(strip);
            auto const d = open(
                write("a.tif",
                      made({.big = big, .strip_rows = 1, .pages = pages, .tags = {{259, code}}})),
                {.scan_shape = {{3, 2}}});
            ASSERT_TRUE(d) << d.error().text();
            counts_up(*d);
        }
}

TEST_F(Tiff, differences_of_values_and_of_bytes) {
    // 5, 7, 6 and 65535, 0, 1 as differences.
    std::string const rows = Made()
                                 .be(std::uint16_t{5})
                                 .be(std::uint16_t{2})
                                 .be(std::uint16_t{0xffff})
                                 .be(std::uint16_t{0xffff})
                                 .be(std::uint16_t{1})
                                 .be(std::uint16_t{1})
                                 .text();
    auto d = open(write(
        "a.tif", made({.big = true, .pages = {{deflated(rows)}}, .tags = {{259, 8}, {317, 2}}})));
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(values_of<std::uint16_t>(*d), (std::vector<std::uint16_t>{5, 7, 6, 65535, 0, 1}));
    // 1.0, 2.0 and -0.5: first bytes 3f 40 bf, then 80 00 00, then zeros; each less its neighbour.
    std::string bytes;
    for (int const b : {0x3f, 0x40, 0xbf, 0x80, 0, 0, 0, 0, 0, 0, 0, 0})
        bytes += static_cast<char>(b);
    std::string stored = bytes.substr(0, 1);
    for (std::size_t i = 1; i < bytes.size(); ++i)
        stored += static_cast<char>(bytes[i] - bytes[i - 1]);
    for (bool const big : {false, true}) {
        d = open(write("a.tif", made({.big = big,
                                      .rows = 1,
                                      .strip_rows = 1,
                                      .bits = 32,
                                      .pages = {{zstd(stored)}},
                                      .tags = {{259, 50000}, {317, 3}, {339, 3}}})));
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(values_of<float>(*d), (std::vector<float>{1, 2, -0.5F}));
    }
}

TEST_F(Tiff, tiles_hang_over_the_edge) {
    std::string tile[2];
    for (unsigned t = 0; t < 2; ++t)
        for (unsigned i = 0; i < 256; ++i)
            tile[t] += static_cast<char>(
                i % 16 + 16 * t < 20 && i / 16 < 3 ? i % 16 + 16 * t + i / 16 : 99);
    auto const d = open(write("a.tif", made({.rows = 3,
                                             .cols = 20,
                                             .bits = 8,
                                             .pages = {{tile[0], tile[1]}},
                                             .tags = {{322, 16}, {323, 16}}})));
    ASSERT_TRUE(d) << d.error().text();
    auto const v = values_of<std::uint8_t>(*d);
    ASSERT_EQ(v.size(), 60u);
    for (unsigned i = 0; i < 60; ++i) EXPECT_EQ(v[i], i % 20 + i / 20) << i;
}

TEST_F(Tiff, descriptions_tell_the_scan) {
    for (std::string const text :
         {"ImageJ=1.53t\nimages=6\nslices=3\nframes=2\nhyperstack=true\nunit=nm\n",
          "{\"shape\": [2, 3, 2, 3]}"}) {
        auto const d =
            open(write("a.tif", made({.pages = counting(6, false), .description = text})));
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
        counts_up(*d);
        auto const fewer =
            open(write("b.tif", made({.pages = counting(5, false), .description = text})));
        ASSERT_FALSE(fewer);
        EXPECT_EQ(fewer.error().code, Code::incomplete);
    }
    auto const other = open(write(
        "a.tif", made({.pages = counting(4, false), .description = "{\"shape\": [1, 2, 2, 3]}"})));
    ASSERT_TRUE(other) << other.error().text();
    EXPECT_EQ(other->scan, (std::array<index, 2>{2, 2}));
}

TEST_F(Tiff, one_page_of_imagej_stands_for_all_frames) {
    std::string all;
    for (auto const& page : counting(6, true)) all += page.front();
    std::string const text = "ImageJ=1.53t\nimages=6\nchannels=3\nslices=2\n";
    std::string whole = made({.big = true, .pages = {{all}}, .description = text});
    auto const d = open(write("a.tif", whole));
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
    counts_up(*d);
    // Of many more frames than the file has room for.
    whole.replace(whole.find("images=6\nchannels=3"), 19, "images=99999999999\n");
    auto const many = open(write("a.tif", whole));
    ASSERT_FALSE(many);
    EXPECT_EQ(many.error().code, Code::truncated);
}

TEST_F(Tiff, what_is_not_read_is_named) {
    struct Case {
        std::map<unsigned, unsigned> tags;
        std::string said;
    };
    for (Case const& c :
         {Case{{{259, 7}}, "compression 7"}, Case{{{258, 12}}, "12 bits"},
          Case{{{277, 3}}, "colours"}, Case{{{262, 3}}, "colours"},
          Case{{{259, 8}, {317, 4}}, "predictor 4"}, Case{{{339, 5}}, "format 5"}}) {
        auto const d = open(write("a.tif", made({.pages = counting(1, false), .tags = c.tags})));
        ASSERT_FALSE(d);
        EXPECT_EQ(d.error().code, Code::unsupported);
        EXPECT_NE(d.error().message.find(c.said), std::string::npos) << d.error().text();
    }
    // Smaller copies of other pages are no frames.
    auto const d = open(write("a.tif", made({.pages = counting(1, false), .tags = {{254, 1}}})));
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::corrupt);
}

TEST_F(Tiff, refuses_every_truncation_circles_and_sizes_that_lie) {
    std::string const whole =
        made({.pages = counting(2, false), .description = "{\"shape\": [1, 2, 2, 3]}"});
    std::string const path = write("a.tif", whole);
    refuses_every_truncation(path, whole);
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (char const c : {'\x7f', '\xff', '\x00'}) {
            std::string lie = whole;
            lie[at] = c;
            auto const d = open(write("a.tif", lie));
            if (!d) {
                EXPECT_FALSE(d.error().message.empty());
                continue;
            }
            std::vector<EncodedFrame> frames(2);
            FetchScratch scratch;
            if (d->bytes() < 1 << 20) (void)d->source->fetch(0, frames, scratch);
        }
    auto const d = open(write("a.tif", made({.pages = counting(2, false), .circle = true})));
    ASSERT_FALSE(d);
    EXPECT_NE(d.error().message.find("lead back"), std::string::npos);
}

}  // namespace
}  // namespace sluice
