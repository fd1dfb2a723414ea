// FRMS6 files made here: folded frames, several files, the text beside them, and damage.
// SPDX-License-Identifier: Apache-2.0
#include "format/frms6/frms6.h"

#include "format/raw/test_flat.h"

namespace sluice {
namespace {

using Frms6 = FormatFolder;

// Images of 4 x 3 pixels that count up from `first`; stored are 2 lines of 6 values.
std::string file(int first, int frames, std::uint32_t said) {
    Made out;
    out.le(std::uint16_t(1024)).le(std::uint16_t(64)).pad_to(7).le(std::uint8_t(6)).pad_to(88);
    out.le(std::uint16_t(6)).le(std::uint16_t(2)).pad_to(1020).le(said);
    for (int f = 0; f < frames; ++f) {
        out.pad_to(out.text().size() + 64);
        auto const value = [&](int row, int col) {
            return static_cast<std::uint16_t>(first + 12 * f + 3 * row + col);
        };
        for (int r = 0; r < 2; ++r) {
            for (int c = 0; c < 3; ++c) out.le(value(r, c));
            for (int c = 3; c-- > 0;) out.le(value(3 - r, c));
        }
    }
    return out.text();
}

constexpr std::string_view hdr =
    "[measurementInfo]\r\nSTEMImageSize = 2x3\r\nsignalFrames = 6\r\ndarkFrames = 2\r\n"
    "dwellTimeMicroseconds = 500\r\nreadoutMode = \"bin: 1, windowing: 4 x 4\"\r\n";

TEST_F(Frms6, frames_of_several_files_are_unfolded) {
    write("a_000.frms6", file(9000, 2, 2));
    std::string const path = write("a_001.frms6", file(0, 4, 4));
    write("a_002.frms6", file(48, 2, 0));
    write("a.hdr", std::string(hdr));
    for (char const* const name : {"a_000.frms6", "a_001.frms6", "a_002.frms6"}) {
        auto const d = open((folder_ / name).string());
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
        EXPECT_EQ(d->rows, 4);
        EXPECT_EQ(d->cols, 3);
        EXPECT_DOUBLE_EQ(d->dwell_s, 5e-4);
        auto const v = values_of<std::uint16_t>(*d);
        ASSERT_EQ(v.size(), 72u);
        for (std::size_t i = 0; i < v.size(); ++i) EXPECT_EQ(v[i], i);
        EXPECT_TRUE(has_text(d->warnings, "dark frames"));
        EXPECT_TRUE(has_text(d->warnings, "rows and columns"));
    }
    EXPECT_EQ(list_members(folder_.string()).value(), std::vector{path});
}

TEST_F(Frms6, what_is_missing_is_told) {
    std::string const path = write("a_002.frms6", file(0, 4, 4));
    auto d = open(path);
    ASSERT_FALSE(d);
    EXPECT_NE(d.error().message.find("a_001.frms6"), std::string::npos) << d.error().text();
    d = open(write("b.frms6", file(0, 4, 0)));
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->scan, (std::array<index, 2>{2, 2}));
    write("c_001.frms6", file(0, 4, 4));
    write("c.hdr", std::string(hdr));
    d = open((folder_ / "c_001.frms6").string());
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::incomplete);
}

TEST_F(Frms6, refuses_every_truncation_and_sizes_that_lie) {
    std::string const whole = file(0, 4, 4);
    std::string const path = write("a.frms6", whole);
    ASSERT_TRUE(open(path));
    refuses_every_truncation(path, whole, 11);
    for (std::size_t const at : {0, 2, 7, 88, 90, 91, 1021, 1023}) {
        std::string lie = whole;
        lie[at] = static_cast<char>(lie[at] ^ 0x41);
        EXPECT_FALSE(open(write("a.frms6", lie))) << at;
    }
}

}  // namespace
}  // namespace sluice
