// Patterns over parts of a scan, and single frames.
// SPDX-License-Identifier: Apache-2.0
#include "property/stem4d_test.h"

namespace sluice::stem4d {
namespace {

TEST(DiffractionPattern, OfAScanRegionIsThatOfItsPoints) {
    Counts const c = random_counts(9, 13, 24, 32, 28);
    Scan const whole = loaded(c);
    LoadOptions o;
    o.scan_region = Region{2, 3, 5, 8};
    Scan const part = loaded(c, o);
    std::vector<std::uint8_t> take(9 * 13);
    for (index r = 2; r < 7; ++r)
        for (index k = 3; k < 11; ++k) take[static_cast<std::size_t>(r * 13 + k)] = 1;
    for (Pattern kind : {Pattern::sum, Pattern::mean, Pattern::max, Pattern::variance}) {
        auto const by_region = diffraction_pattern(part, kind);
        auto const by_choice = diffraction_pattern(whole, kind, take);
        ASSERT_TRUE(by_region && by_choice);
        EXPECT_EQ(by_region->frames, 40);
        EXPECT_EQ(by_choice->frames, 40);
        EXPECT_EQ(by_region->values.values, by_choice->values.values);
    }
    auto const sum = diffraction_pattern(part, Pattern::sum);
    for (index i = 0; i < 24 * 32; ++i) {
        double expected = 0;
        for (std::size_t f = 0; f < take.size(); ++f)
            if (take[f]) expected += c.values[f * 24 * 32 + static_cast<std::size_t>(i)];
        ASSERT_EQ(sum->values.values[static_cast<std::size_t>(i)], expected);
    }
}

// Every choice of points that falls differently into the tiles of 16 frames.
TEST(DiffractionPattern, SinglePointsAndNone) {
    Counts const c = random_counts(5, 9, 17, 19, 29);
    Scan const scan = loaded(c);
    for (index f = 0; f < 45; ++f) {
        auto const one = frame(scan, f / 9, f % 9);
        ASSERT_TRUE(one);
        for (index i = 0; i < 17 * 19; ++i)
            ASSERT_EQ(one->values[static_cast<std::size_t>(i)],
                      c.values[static_cast<std::size_t>(f * 17 * 19 + i)]);
    }
    EXPECT_FALSE(frame(scan, 5, 0));
    EXPECT_FALSE(frame(scan, 0, -1));
    std::vector<std::uint8_t> const nothing(45), wrong(44, 1);
    EXPECT_FALSE(diffraction_pattern(scan, Pattern::mean, nothing));
    auto const short_choice = diffraction_pattern(scan, Pattern::mean, wrong);
    ASSERT_FALSE(short_choice);
    EXPECT_NE(short_choice.error().message.find("the choice has 44 scan points (the scan has 5x9)"),
              std::string::npos);
}

TEST(DiffractionPattern, KindsByName) {
    EXPECT_EQ(parse_pattern("variance").value(), Pattern::variance);
    auto const unknown = parse_pattern("median");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("sum, mean, max, variance"), std::string::npos);
}

}  // namespace
}  // namespace sluice::stem4d
