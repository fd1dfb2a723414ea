// Recordings made here: both versions, several files, scans within them, and damage.
// SPDX-License-Identifier: Apache-2.0
#include "format/tvips/tvips.h"

#include "format/raw/test_flat.h"

namespace sluice {
namespace {

using Tvips = FormatFolder;

std::string series_header(int version, int frame_header = 80) {
    Made m;
    for (int const v :
         {256, version, 3, 2, 16, 0, 0, 2, 2, 15600, 200, 10000, version == 2 ? frame_header : 0})
        m.le(v);
    return m.pad_to(256).text();
}

// Frames first .. last of 2 x 3 pixels: 10 * number + pixel; `cols` columns of a scan from `start`
// on.
std::string frames(int version, int first, int last, int start = 0, int cols = 0) {
    Made all;
    for (int f = first; f <= last; ++f) {
        Made m;
        m.le(f).pad_to(version == 2 ? 68 : 12);
        if (version == 2) {
            bool const in = cols > 0 && f >= start;
            m.le(in ? static_cast<float>((f - start) % cols) : 0.F);
            m.le(in ? static_cast<float>((f - start) / cols) : 0.F).pad_to(80);
        }
        for (int p = 0; p < 6; ++p) m.le(static_cast<std::uint16_t>(10 * f + p));
        all.raw(m.text());
    }
    return all.text();
}

TEST_F(Tvips, both_versions_and_several_files_are_one_recording) {
    for (int const version : {1, 2}) {
        write("a_000.tvips", series_header(version) + frames(version, 0, 3));
        std::string const later = write("a_001.tvips", frames(version, 4, 5));
        auto const d = open(later, {.scan_shape = {{2, 3}}});
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(d->format, "tvips");
        EXPECT_EQ(d->files.size(), 2u);
        EXPECT_EQ(d->energy_kv, 200);
        auto const v = values_of<std::uint16_t>(*d, 4);
        for (std::size_t i = 0; i < v.size(); ++i) ASSERT_EQ(v[i], i / 6 * 10 + i % 6);
    }
    auto const members = list_members(folder_.string());
    ASSERT_TRUE(members);
    EXPECT_EQ(members->size(), 1u);
}

TEST_F(Tvips, the_scan_is_found_among_other_frames) {
    std::string const path = write("a_000.tvips", series_header(2) + frames(2, 0, 9, 2, 3));
    auto d = open(path);
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
    EXPECT_EQ(d->scan_from, "the places in the frames' headers");
    EXPECT_EQ(values_of<std::uint16_t>(*d).front(), 20);
    EXPECT_TRUE(has_text(d->notes, "the first 2 and the last 2"));
    d = open(path, {.scan_shape = {{3, 2}}, .format = TvipsOptions{.tvips_start = 5}});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(values_of<std::uint16_t>(*d).front(), 40);
    EXPECT_FALSE(open(path, {.format = TvipsOptions{.tvips_start = 11}}));
}

TEST_F(Tvips, names_the_file_that_is_missing) {
    auto d = open(write("a_001.tvips", frames(2, 4, 5)));
    ASSERT_FALSE(d);
    EXPECT_NE(d.error().message.find("a_000.tvips"), std::string::npos);
    write("a_000.tvips", series_header(2) + frames(2, 0, 3));
    d = open(write("a_003.tvips", frames(2, 6, 7)));
    ASSERT_FALSE(d);
    EXPECT_NE(d.error().message.find("a_002.tvips"), std::string::npos) << d.error().message;
}

TEST_F(Tvips, refuses_every_truncation_and_sizes_that_lie) {
    std::string const whole = series_header(2) + frames(2, 0, 3);
    std::string const path = write("a_000.tvips", whole);
    ASSERT_TRUE(open(path));
    for (std::size_t n = 0; n < whole.size(); n += 5) {
        bool const is_whole = n > 256 && (n - 256) % 92 == 0;
        if (is_whole) continue;
        ASSERT_FALSE(open(write("a_000.tvips", whole.substr(0, n)))) << n;
    }
    for (std::size_t const at : {0, 4, 8, 12, 16, 48}) {
        std::string lie = whole;
        lie[at + 3] = '\x7f';
        EXPECT_FALSE(open(write("a_000.tvips", lie))) << at;
    }
}

}  // namespace
}  // namespace sluice
