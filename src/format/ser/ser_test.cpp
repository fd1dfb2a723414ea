// Series made here element by element, and damage.
// SPDX-License-Identifier: Apache-2.0
#include "format/ser/ser.h"

#include "format/raw/test_flat.h"

namespace sluice {
namespace {

using Ser = FormatFolder;

struct Make {
    bool wide = false, spectra = false;
    std::uint64_t gap = 0;  ///< before the last element
};

// 2 x 3 elements of 2 x 4 pixels (or 8 channels) that count up.
std::string made(Make const& m) {
    Made elements;
    std::vector<std::uint64_t> offsets;
    std::uint64_t const begin = 256;
    for (unsigned i = 0; i < 6; ++i) {
        if (i == 5) elements.raw(std::string(m.gap, 'x'));
        offsets.push_back(begin + elements.text().size());
        for (int side = 0; side < (m.spectra ? 1 : 2); ++side) elements.le(0.0).le(2e-9).le(0);
        elements.le(std::uint16_t{2});
        if (m.spectra)
            elements.le(8u);
        else
            elements.le(4u).le(2u);
        for (unsigned p = 0; p < 8; ++p) elements.le(static_cast<std::uint16_t>(8 * i + p));
    }
    Made out;
    out.raw("II").le(std::uint16_t{0x197}).le(std::uint16_t(m.wide ? 0x220 : 0x210));
    out.le(m.spectra ? 0x4120u : 0x4122u).le(0x4152u).le(6u).le(6u);
    std::uint64_t const at = begin + elements.text().size();
    if (m.wide)
        out.le(at);
    else
        out.le(static_cast<std::uint32_t>(at));
    out.le(2u);
    for (unsigned const size : {3u, 2u})
        out.le(size).le(0.0).le(5e-10).le(0u).le(0u).le(6u).raw("meters");
    out.pad_to(begin).raw(elements.text());
    for (auto const o : offsets) m.wide ? out.le(o) : out.le(static_cast<std::uint32_t>(o));
    return out.text();
}

TEST_F(Ser, images_and_spectra_in_both_versions) {
    for (Make const m :
         {Make{}, Make{.wide = true}, Make{.spectra = true}, Make{.wide = true, .gap = 10}}) {
        auto const d = open(write("a.ser", made(m)));
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(d->format, "ser");
        EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
        EXPECT_EQ(d->rows, m.spectra ? 1 : 2);
        EXPECT_EQ(d->scan_step_nm, 0.5);
        auto const v = values_of<std::uint16_t>(*d, 4);
        for (std::size_t i = 0; i < v.size(); ++i) ASSERT_EQ(v[i], i);
    }
}

TEST_F(Ser, refuses_every_truncation_and_offsets_that_lie) {
    std::string const whole = made({});
    std::string const path = write("a.ser", whole);
    refuses_every_truncation(path, whole, 7);
    std::string lie = whole;
    lie[lie.size() - 1] = '\x7f';
    EXPECT_FALSE(open(write("a.ser", lie)));
    lie = whole;
    lie[18] = lie[19] = lie[20] = '\x7f';  // elements
    EXPECT_FALSE(open(write("a.ser", lie)));
}

}  // namespace
}  // namespace sluice
