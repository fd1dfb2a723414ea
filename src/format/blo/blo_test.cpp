// Block files made here field by field, and what is wrong with others.
// SPDX-License-Identifier: Apache-2.0
#include "format/blo/blo.h"

#include "format/raw/test_flat.h"

namespace sluice {
namespace {

using Blo = FormatFolder;

// 2 x 3 patterns of 4 x 4 pixels that count up.
std::string made(bool wide = false) {
    Made m;
    m.raw("IMGBLO")
        .le(std::uint16_t(wide ? 259 : 258))
        .le(std::uint32_t{400})
        .le(std::uint32_t{512});
    m.le(std::uint32_t{0}).le(std::uint16_t{4}).le(std::uint16_t{0});
    m.le(std::uint16_t{3}).le(std::uint16_t{2}).le(std::uint16_t{4500});
    m.le(1.5).le(1.5).le(std::uint32_t{200000}).le(std::uint16_t{31250}).le(std::uint32_t{1140});
    m.pad_to(240);
    if (wide) m.raw("Blo Bit Depth: 16 bits");
    m.pad_to(512);
    for (unsigned f = 0; f < 6; ++f) {
        m.raw("AA").le(f);
        for (unsigned p = 0; p < 16; ++p)
            if (wide)
                m.le(std::uint16_t(f * 1000 + p));
            else
                m.le(std::uint8_t(f * 16 + p));
    }
    return m.text();
}

TEST_F(Blo, patterns_lie_behind_headers_of_six_bytes) {
    auto const d = open(write("a.blo", made()));
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->format, "blo");
    EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
    EXPECT_EQ(d->rows, 4);
    EXPECT_EQ(d->scan_step_nm, 1.5);
    EXPECT_EQ(d->energy_kv, 200);
    EXPECT_EQ(d->camera_length_mm, 114);
    auto const v = values_of<std::uint8_t>(*d, 4);
    for (std::size_t i = 0; i < v.size(); ++i) ASSERT_EQ(v[i], i);
}

TEST_F(Blo, pixels_may_have_16_bits) {
    auto const d = open(write("a.blo", made(true)));
    ASSERT_TRUE(d) << d.error().text();
    auto const v = values_of<std::uint16_t>(*d);
    EXPECT_EQ(v.back(), 5015);
}

TEST_F(Blo, refuses_what_is_cut_off_or_lies) {
    std::string const whole = made();
    std::string const path = write("a.blo", whole);
    refuses_every_truncation(path, whole, 7);
    std::string lie = whole;
    lie[20] = lie[21] = 0;
    EXPECT_FALSE(open(write("a.blo", lie)));
    lie = whole;
    lie[6] = 9;
    auto const d = open(write("a.blo", lie));
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::unsupported);
    write("a.blo", whole.substr(0, whole.size() - 30));
    auto const part = open(path, {.allow_incomplete = true});
    ASSERT_TRUE(part) << part.error().text();
    EXPECT_EQ(part->missing, 2);
}

}  // namespace
}  // namespace sluice
