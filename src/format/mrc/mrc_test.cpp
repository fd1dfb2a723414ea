// MRC stacks made here: modes, byte orders, extended headers, volumes, and damage.
// SPDX-License-Identifier: Apache-2.0
#include "format/mrc/mrc.h"

#include "format/raw/test_flat.h"

namespace sluice {
namespace {

using Mrc = FormatFolder;

struct Make {
    int mode = 6, sections = 6, extended = 0, group = 0, deep = 6;
    bool big = false;
};

// Frames of 2 x 3 pixels that count up.
std::string made(Make const& m) {
    Made out;
    auto const word = [&](std::int32_t v) { m.big ? out.be(v) : out.le(v); };
    for (int const v : {3, 2, m.sections, m.mode, 0, 0, 0, 3, 2, m.deep}) word(v);
    word(std::bit_cast<std::int32_t>(6.0F));
    out.pad_to(88);
    word(m.group), word(m.extended);
    out.pad_to(208).raw("MAP ").raw(m.big ? "\x11\x11" : "\x44\x44").pad_to(220);
    word(1);
    out.raw("made here").pad_to(static_cast<std::size_t>(1024 + m.extended));
    for (int i = 0; i < m.sections * 6; ++i) {
        auto const wide = static_cast<std::uint16_t>(i);
        if (m.mode == 0) out.le(static_cast<std::int8_t>(i - 5));
        if (m.mode == 1 || m.mode == 6) m.big ? out.be(wide) : out.le(wide);
        if (m.mode == 2) word(std::bit_cast<std::int32_t>(static_cast<float>(i) - 0.5F));
        if (m.mode == 12) out.le(std::uint16_t(0x3c00));  // 1
    }
    return out.text();
}

TEST_F(Mrc, modes_and_byte_orders) {
    OpenOptions const o{.scan_shape = {{2, 3}}};
    for (bool const big : {false, true}) {
        auto d = open(write("a.mrc", made({.big = big})), o);
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(d->format, "mrc");
        auto const v = values_of<std::uint16_t>(*d);
        for (std::size_t i = 0; i < v.size(); ++i) ASSERT_EQ(v[i], i);
        d = open(write("a.mrc", made({.mode = 2, .extended = 160, .big = big})), o);
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(values_of<float>(*d)[35], 34.5F);
        EXPECT_EQ(values_of<float>(*d)[0], -0.5F);
    }
    auto d = open(write("a.mrc", made({.mode = 0})), o);
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(values_of<float>(*d)[0], -5);
    d = open(write("a.mrc", made({.mode = 12})), o);
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(values_of<float>(*d)[7], 1);
    d = open(write("a.mrc", made({.mode = 4})), o);
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::unsupported);
    EXPECT_EQ(d.error().at, 12u);
}

TEST_F(Mrc, a_stack_of_volumes_or_the_cameras_text_tells_the_scan) {
    auto d = open(write("a.mrc", made({.group = 401, .deep = 2})));
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->scan, (std::array<index, 2>{3, 2}));
    std::string const path = write("b_movie.mrc", made({}));
    d = open(path);
    ASSERT_FALSE(d);
    EXPECT_NE(d.error().message.find("2x3, 1x6"), std::string::npos);
    write("b_info.txt", "Scan - Size X = 3\r\nScan - Size Y = 2\r\n");
    d = open(path);
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
    EXPECT_EQ(d->files.size(), 2u);
}

TEST_F(Mrc, refuses_every_truncation_and_sizes_that_lie) {
    std::string whole = made({.sections = 4});
    std::string const path = write("a.mrc", whole);
    ASSERT_TRUE(open(path));
    refuses_every_truncation(path, whole, 13);
    for (std::size_t const at : {0, 4, 8, 92}) {
        std::string lie = whole;
        lie[at + 3] = '\x7f';
        EXPECT_FALSE(open(write("a.mrc", lie))) << at;
        lie[at + 3] = '\xff';
        EXPECT_FALSE(open(write("a.mrc", lie))) << at;
    }
}

// Blosc's header before bytes that it did not pack.
std::string chunk(std::string const& values) {
    Made out;
    auto const size = static_cast<std::uint32_t>(values.size());
    out.raw(std::string("\x02\x01\x02\x02", 4)).le(size).le(size).le(size + 16).raw(values);
    return out.text();
}

std::string packed(int sections) {
    std::string const plain = made({.sections = sections, .deep = sections});
    std::string out = plain.substr(0, 1024);
    std::int32_t const mode = 2006;
    std::memcpy(out.data() + 12, &mode, 4);
    for (std::size_t i = 0; i < static_cast<std::size_t>(sections); ++i)
        out += chunk(plain.substr(1024 + 12 * i, 12));
    return out;
}

TEST_F(Mrc, sections_that_blosc_packed) {
    auto const d = open(write("a.mrcz", packed(6)), {.scan_shape = {{2, 3}}});
    ASSERT_TRUE(d) << d.error().text();
    auto const v = values_of<std::uint16_t>(*d);
    ASSERT_EQ(v.size(), 36u);
    for (std::size_t i = 0; i < v.size(); ++i) EXPECT_EQ(v[i], i);
    EXPECT_FALSE(open(write("b.mrcz", packed(4).substr(0, 1024))));
}

TEST_F(Mrc, packed_sections_that_are_cut_or_lie) {
    std::string const whole = packed(4);
    std::string const path = write("a.mrcz", whole);
    ASSERT_TRUE(open(path));
    refuses_every_truncation(path, whole, 7);
    auto const part = open(write("b.mrcz", whole.substr(0, whole.size() - 1)),
                           {.scan_shape = {{2, 2}}, .allow_incomplete = true});
    ASSERT_TRUE(part) << part.error().text();
    EXPECT_EQ(part->missing, 1);
    for (std::size_t const at : {4, 5, 7, 12, 13, 15}) {
        std::string lie = whole;
        lie[1024 + 28 + at] = static_cast<char>(lie[1024 + 28 + at] ^ 0x71);
        EXPECT_FALSE(open(write("b.mrcz", lie))) << at;
    }
}

}  // namespace
}  // namespace sluice
