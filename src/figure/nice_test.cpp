// Tests of nice numbers, ticks and scale bars.
// SPDX-License-Identifier: Apache-2.0
#include "figure/nice.h"

#include <gtest/gtest.h>

#include <cmath>

#include "figure/scale_bar.h"

namespace sluice::figure {
namespace {

std::vector<std::string> labels(Ticks const& ticks) {
    std::vector<std::string> out;
    for (auto const& tick : ticks.ticks) out.push_back(tick.label);
    return out;
}

using Labels = std::vector<std::string>;

TEST(Nice, Numbers) {
    EXPECT_DOUBLE_EQ(nice_number(1), 1);
    EXPECT_DOUBLE_EQ(nice_number(1.5), 2);
    EXPECT_DOUBLE_EQ(nice_number(3), 2);
    EXPECT_DOUBLE_EQ(nice_number(3.3), 5);
    EXPECT_DOUBLE_EQ(nice_number(8), 10);
    EXPECT_DOUBLE_EQ(nice_number(0.0043), 0.005);
    for (double v = 1e-12; v < 1e12; v *= 1.37) {
        double const ratio = nice_number(v) / v;
        EXPECT_GE(ratio, 1 / std::sqrt(2.51));
        EXPECT_LE(ratio, std::sqrt(2.51));
    }
}

TEST(Nice, EvenTicks) {
    EXPECT_EQ(labels(nice_ticks(Scale::linear, {0, 1}, 5)),
              (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
    EXPECT_EQ(labels(nice_ticks(Scale::linear, {-12, 11}, 5)),
              (Labels{"−10", "−5", "0", "5", "10"}));
    Ticks const large = nice_ticks(Scale::linear, {0, 3.1e6}, 3);
    EXPECT_EQ(large.factor, "×10⁶");
    EXPECT_EQ(labels(large), (Labels{"0", "1", "2", "3"}));
    Ticks const small = nice_ticks(Scale::linear, {2e-5, 3e-5}, 2);
    EXPECT_EQ(small.factor, "×10⁻⁵");
    EXPECT_EQ(labels(small), (Labels{"2.0", "2.5", "3.0"}));
}

TEST(Nice, TicksLieInsideTheLimits) {
    for (Scale scale : {Scale::linear, Scale::log, Scale::power})
        for (double low : {1e-9, 0.3, 999.0, 12345.678})
            for (double range : {1.001, 1.5, 40.0, 1e5})
                for (int count : {1, 2, 8}) {
                    Ticks const ticks = nice_ticks(scale, {low, low * range}, count);
                    EXPECT_LT(ticks.ticks.size(), 40u);
                    for (auto const& tick : ticks.ticks) {
                        EXPECT_GE(tick.value, low * (1 - 1e-6));
                        EXPECT_LE(tick.value, low * range * (1 + 1e-6));
                    }
                }
}

TEST(Nice, DecadesAndPowers) {
    EXPECT_EQ(labels(nice_ticks(Scale::log, {0.5, 2e5}, 6)),
              (Labels{"1", "10", "100", "1000", "10000", "10⁵"}));
    EXPECT_EQ(labels(nice_ticks(Scale::log, {1e-6, 1}, 3)), (Labels{"10⁻⁶", "10⁻⁴", "0.01", "1"}));
    EXPECT_EQ(labels(nice_ticks(Scale::log, {3, 30}, 6)), (Labels{"5", "10", "20"}));
    EXPECT_EQ(labels(nice_ticks(Scale::log, {3.1, 3.9}, 4)), (Labels{"3.2", "3.4", "3.6", "3.8"}));
    EXPECT_EQ(labels(nice_ticks(Scale::power, {0, 20}, 4)),
              (Labels{"0", "0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5",
                      "1", "2", "5", "10", "20"}));
}

TEST(Nice, Texts) {
    EXPECT_EQ(number_text(0), "0");
    EXPECT_EQ(number_text(-0.25), "−0.25");
    EXPECT_EQ(number_text(1.09146), "1.09");
    EXPECT_EQ(number_text(54321), "54321");
    EXPECT_EQ(number_text(1234567), "1.23×10⁶");
    EXPECT_EQ(number_text(2e-7), "2×10⁻⁷");
    EXPECT_EQ(power_of_ten(-123456789), "10⁻¹²³⁴⁵⁶⁷⁸⁹");
}

TEST(ScaleBar, LengthsAndUnits) {
    struct Case {
        index cols;
        double size;
        char const* unit;
        char const* label;
    };
    for (Case const& c :
         {Case{256, 1, "px", "50 px"}, Case{3, 1, "px", "1 px"}, Case{256, 0.4, "nm", "20 nm"},
          Case{128, 0.02, "nm", "5 Å"}, Case{512, 20, "nm", "2 µm"}, Case{512, 10, "nm", "1 µm"},
          Case{128, 0.3, "Å", "1 nm"}, Case{100, 0.1, "Å", "2 Å"},
          Case{256, 0.5, "mrad", "20 mrad"}, Case{200, 0.05, "1/nm", "2 nm⁻¹"},
          Case{100, 0, "nm", "20 px"}, Case{100, NAN, "nm", "20 px"}, Case{100, 3, "", "20 px"}}) {
        ScaleBar const bar = scale_bar_of(c.cols, {c.size, c.unit});
        EXPECT_EQ(bar.label, c.label);
        if (c.cols < 10) continue;
        double const share = bar.pixels / static_cast<double>(c.cols);
        EXPECT_GT(share, 0.2 / 1.6) << c.label;
        EXPECT_LT(share, 0.2 * 1.6) << c.label;
    }
    EXPECT_DOUBLE_EQ(scale_bar_of(128, {0.3, "Å"}).pixels, 10 / 0.3);
}

}  // namespace
}  // namespace sluice::figure
