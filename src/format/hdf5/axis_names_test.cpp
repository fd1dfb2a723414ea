// What the names and units of axes say of their order.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/axis_names.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sluice::hdf5 {
namespace {

using boxes::FrameAxes;

bool contains(std::string const& all, std::string const& part) {
    return all.find(part) != std::string::npos;
}

TEST(AxisNames, HyperSpysReversedOrderIsRead) {
    auto const a =
        axes_named({{"kx", "[1_/_n_m]"}, {"ky", "[1_/_n_m]"}, {"x", "[n_m]"}, {"y", "[n_m]"}});
    ASSERT_TRUE(a) << a.error().message;
    EXPECT_EQ(*a, (FrameAxes{{3, 2}, 1, 0}));
}

TEST(AxisNames, TheUsualOrderStaysWhateverItsNames) {
    for (auto const& words :
         {std::vector<AxisWords>{{"R_x", "nm"}, {"R_y", "nm"}, {"Q_x", "A^-1"}, {"Q_y", "A^-1"}},
          std::vector<AxisWords>{{"x", "nm"}, {"y", "nm"}, {"", "mrad"}, {"", ""}},
          std::vector<AxisWords>{{"", ""}, {"", ""}, {"", ""}, {"", ""}},
          std::vector<AxisWords>{{"x", "nm"}, {"ky", "1/nm"}, {"kx", "1/nm"}},
          std::vector<AxisWords>{{"", ""}, {"", ""}, {"", ""}}, std::vector<AxisWords>{}}) {
        auto const a = axes_named(words);
        ASSERT_TRUE(a) << a.error().message;
        EXPECT_FALSE(*a);
    }
}

TEST(AxisNames, AnOrderThatIsHalfNamedIsAnError) {
    for (auto const& words :
         {std::vector<AxisWords>{{"", "1/nm"}, {"", "1/nm"}, {"", "nm"}, {"", "nm"}},
          std::vector<AxisWords>{{"kx", ""}, {"ky", ""}, {"", ""}, {"", ""}},
          std::vector<AxisWords>{{"x", "nm"}, {"kx", "mrad"}, {"y", "nm"}, {"k", "mrad"}}}) {
        auto const a = axes_named(words);
        ASSERT_FALSE(a);
        EXPECT_TRUE(contains(a.error().message, "--axis-order"));
    }
}

TEST(AxisNames, RowsAndColumnsAreMeantAlsoInTheUsualOrder) {
    auto const turned = axes_named(
        {{"scan_column", ""}, {"scan_row", ""}, {"detector_column", ""}, {"detector_row", ""}});
    ASSERT_TRUE(turned);
    EXPECT_EQ(*turned, (FrameAxes{{1, 0}, 3, 2}));
    auto const detector = axes_named({{"x", "nm"}, {"y", "nm"}, {"det col", ""}, {"det row", ""}});
    ASSERT_TRUE(detector);
    EXPECT_EQ(*detector, (FrameAxes{{0, 1}, 3, 2}));
    auto const usual = axes_named(
        {{"scan_row", ""}, {"scan_column", ""}, {"detector_row", ""}, {"detector_column", ""}});
    EXPECT_TRUE(usual && !*usual);
}

TEST(AxisNames, FramesMayComeLast) {
    auto const a = axes_named({{"kx", "1/nm"}, {"ky", "1/nm"}, {"x", "nm"}});
    ASSERT_TRUE(a) << a.error().message;
    EXPECT_EQ(*a, (FrameAxes{{2}, 1, 0}));
    auto const half = axes_named({{"", "1/nm"}, {"", "1/nm"}, {"x", "nm"}});
    ASSERT_FALSE(half);
    EXPECT_TRUE(half.error().message.ends_with(" detector_row,detector_column,scan"));
}

/// What an order says of each dimension, as --axis-order has it.
std::vector<std::string> roles_in(std::string const& order) {
    std::vector<std::string> roles;
    for (std::size_t at = 0; at <= order.size();) {
        std::size_t const end = std::min(order.find(',', at), order.size());
        roles.push_back(order.substr(at, end - at));
        at = end + 1;
    }
    return roles;
}

/// The order that the words stand for, or the one that the error proposes; empty: the usual one.
std::vector<std::string> order_of(std::vector<AxisWords> const& words) {
    auto const named = axes_named(words);
    if (named) return *named ? roles_in(boxes::axes_text(**named)) : std::vector<std::string>{};
    std::string const& text = named.error().message;
    std::string const option = "for example --axis-order ";
    EXPECT_TRUE(contains(text, option)) << text;
    std::string const order = text.substr(text.find(option) + option.size());
    EXPECT_TRUE(boxes::parse_axes(order, words.size())) << order;
    return roles_in(order);
}

// Whether the labels are enough or not: what is read or proposed does not contradict them.
TEST(AxisNames, TheOrderFollowsTheLabelsInEveryPermutation) {
    struct Label {
        AxisWords words;
        char const* role;
        bool operator<(Label const& other) const { return words.name < other.words.name; }
    };
    auto const labels = [](std::array<AxisWords, 4> const& w) {
        return std::vector<Label>{{w[0], "detector_row"},
                                  {w[1], "detector_column"},
                                  {w[2], "scan_row"},
                                  {w[3], "scan_column"}};
    };
    for (auto all :
         {labels({{{"qy"}, {"qx"}, {"y"}, {"x"}}}), labels({{{"Q_y"}, {"Q_x"}, {"R_y"}, {"R_x"}}}),
          labels({{{"ky"}, {"kx"}, {"y"}, {"x"}}}),
          labels({{{"dy"}, {"dx"}, {"scan_y"}, {"scan_x"}}}),
          labels({{{"qy", "1/nm"}, {"qx", "1/nm"}, {"y", "nm"}, {"x", "nm"}}}),
          labels({{{"det_row"}, {"det_col"}, {"scan row"}, {"scan column"}}})}) {
        std::ranges::sort(all, {}, [](Label const& l) { return l.words.name; });
        do {
            std::vector<AxisWords> words;
            std::vector<std::string> roles;
            for (Label const& l : all) {
                words.push_back(l.words);
                roles.emplace_back(l.role);
            }
            auto const order = order_of(words);
            bool const scan_first = roles[0].starts_with("scan") && roles[1].starts_with("scan");
            // x before y is no reason to turn the usual order.
            if (order.empty())
                EXPECT_TRUE(scan_first) << words_text(words);
            else
                EXPECT_EQ(order, roles) << words_text(words);
        } while (std::ranges::next_permutation(all, {}, [](Label const& l) {
                     return l.words.name;
                 }).found);
    }
}

AxisWords flagged(bool navigate, std::string name = "", std::string unit = "") {
    return {std::move(name), std::move(unit), navigate, false};
}

TEST(AxisNames, UnitsCountForMoreThanHyperSpysFlags) {
    auto const a = axes_named({flagged(true, "ky", "1/nm"), flagged(true, "kx", "1/nm"),
                               flagged(false, "y", "nm"), flagged(false, "x", "nm")});
    ASSERT_TRUE(a) << a.error().message;
    EXPECT_EQ(*a, (FrameAxes{{2, 3}, 0, 1}));
    // Half of the units are there, and contradict the flags.
    auto const half = axes_named({flagged(true, "ky", "$nm^{-1}$"), flagged(true, "kx", "1/\u00c5"),
                                  flagged(false, "y"), flagged(false, "x")});
    ASSERT_FALSE(half);
    EXPECT_TRUE(contains(half.error().message,
                         "--axis-order detector_row,detector_column,scan_row,scan_column"));
}

TEST(AxisNames, HyperSpysFlagsCountWhereUnitsSayNothing) {
    auto const last = axes_named({flagged(false), flagged(false), flagged(true), flagged(true)});
    ASSERT_TRUE(last) << last.error().message;
    EXPECT_EQ(*last, (FrameAxes{{2, 3}, 0, 1}));
    auto const frames = axes_named({flagged(false, "x"), flagged(false, "y"), flagged(true)});
    ASSERT_TRUE(frames) << frames.error().message;
    EXPECT_EQ(*frames, (FrameAxes{{2}, 1, 0}));
    for (auto const& words :
         {std::vector{flagged(true), flagged(true), flagged(false), flagged(false)},
          std::vector{flagged(true, "y", "nm"), flagged(true, "x", "nm"), flagged(false, "", "nm"),
                      flagged(false, "", "nm")},
          std::vector{flagged(true, "y", "nm"), flagged(true, "x"), flagged(false, "ky"),
                      flagged(false)},
          std::vector{flagged(false), flagged(false), flagged(false), flagged(false)}}) {
        auto const usual = axes_named(words);
        ASSERT_TRUE(usual) << usual.error().message;
        EXPECT_FALSE(*usual);
    }
    // A map of spectra has no frames.
    for (auto const& words :
         {std::vector{flagged(true), flagged(true), flagged(false)},
          std::vector{flagged(true, "y", "nm"), flagged(true, "x", "nm"),
                      flagged(false, "E", "eV")},
          std::vector{flagged(true), flagged(true), flagged(true), flagged(false)}}) {
        auto const spectra = axes_named(words);
        ASSERT_FALSE(spectra);
        EXPECT_TRUE(contains(spectra.error().message, "a detector has two axes"))
            << spectra.error().message;
    }
}

}  // namespace
}  // namespace sluice::hdf5
