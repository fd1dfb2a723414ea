// Sequences made here field by field, and damage.
// SPDX-License-Identifier: Apache-2.0
#include "format/seq/seq.h"

#include "format/raw/test_flat.h"

namespace sluice {
namespace {

using Seq = FormatFolder;

// 4 frames of 2 x 3 pixels, a time of 8 bytes after each.
std::string made(int version, int bits) {
    Made m;
    m.le(std::uint32_t{0xfeed}).pad_to(28).le(version).le(std::int32_t{1024}).pad_to(548);
    std::uint32_t const size = static_cast<std::uint32_t>(6 * bits / 8);
    for (std::uint32_t const v : {3u, 2u, static_cast<std::uint32_t>(bits),
                                  static_cast<std::uint32_t>(bits), size, 100u, 4u, 0u, size + 8})
        m.le(v);
    m.le(1000.0).pad_to(version >= 5 ? 8192 : 1024);
    for (int f = 0; f < 4; ++f) {
        for (int p = 0; p < 6; ++p)
            bits == 8 ? m.le(std::uint8_t(f * 6 + p)) : m.le(std::uint16_t(f * 6 + p));
        m.raw("TIMESTMP");
    }
    return m.text();
}

TEST_F(Seq, frames_have_their_times_behind_them) {
    for (int const version : {3, 5}) {
        auto d = open(write("a.seq", made(version, 16)));
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(d->format, "seq");
        EXPECT_EQ(d->scan, (std::array<index, 2>{2, 2}));
        EXPECT_FALSE(d->warnings.empty());  // the scan is a guess
        EXPECT_EQ(d->dwell_s, 1e-3);
        auto const v = values_of<std::uint16_t>(*d);
        for (std::size_t i = 0; i < v.size(); ++i) ASSERT_EQ(v[i], i);
    }
    auto const d = open(write("a.seq", made(3, 8)), {.scan_shape = {{1, 4}}});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(values_of<std::uint8_t>(*d).back(), 23);
}

TEST_F(Seq, says_what_it_does_not_apply) {
    std::string const path = write("a.seq", made(3, 8));
    write("a.seq.dark.mrc", "x");
    auto const d = open(path);
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_TRUE(has_text(d->warnings, "a.seq.dark.mrc"));
}

TEST_F(Seq, refuses_every_truncation_and_sizes_that_lie) {
    std::string const whole = made(3, 16), path = write("a.seq", whole);
    // The last time may be missing.
    for (std::size_t n = 0; n + 8 < whole.size(); n += 9)
        ASSERT_FALSE(open(write("a.seq", whole.substr(0, n)))) << n;
    for (std::size_t const at : {548, 552, 572}) {
        std::string lie = whole;
        lie[at + 2] = '\x7f';
        EXPECT_FALSE(open(write("a.seq", lie))) << at;
    }
    std::string packed = whole;
    packed[620] = 1;
    EXPECT_FALSE(open(write("a.seq", packed)));
}

}  // namespace
}  // namespace sluice
