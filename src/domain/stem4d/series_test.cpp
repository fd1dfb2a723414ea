// Series: members in turn, one binning for all, and points of the full scan.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sluice/stem4d_series.h"

namespace sluice::stem4d {
namespace {

Dataset simulated(std::string const& more = "") {
    return open("synthetic:stem4d?scan=8x12&detector=32x32&dose=200" + more).value();
}

TEST(Series, MembersComeInTurnWithTheirOwnProgress) {
    Series series;
    series.members.push_back(simulated());
    series.members.push_back(simulated("&seed=5"));
    SeriesWork how;
    std::vector<index> begun, seen;
    how.progress = [&](index number, index all) -> Progress {
        EXPECT_EQ(all, 2);
        begun.push_back(number);
        return {};
    };
    std::vector<double> sums;
    auto const done = for_each_scan(std::move(series), how, [&](Member const& m) -> Status {
        seen.push_back(m.number);
        std::vector<Detector> const whole{parse_detector("disk:r=40,center=16:16").value()};
        SLUICE_TRY(auto const image, virtual_image(m.scan, whole, m.options));
        double sum = 0;
        for (double const v : image.values.values) sum += v;
        sums.push_back(sum);
        return {};
    });
    ASSERT_TRUE(done) << done.error().text();
    EXPECT_EQ(begun, (std::vector<index>{0, 1}));
    EXPECT_EQ(seen, begun);
    EXPECT_GT(sums[0], 0);
    EXPECT_NE(sums[0], sums[1]);
}

TEST(Series, TheFirstErrorEndsIt) {
    Series series;
    series.members.push_back(simulated());
    series.members.push_back(simulated());
    index seen = 0;
    auto const done = for_each_scan(std::move(series), {}, [&](Member const&) -> Status {
        ++seen;
        return Error{Code::cancelled, "enough"};
    });
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().message, "enough");
    EXPECT_EQ(seen, 1);
}

TEST(Series, PointsOfTheFullScanAreFoundInWhatWasLoaded) {
    LoadOptions options;
    options.scan_region = Region{2, 1, 4, 8};
    Scan const part = Scan::load(simulated(), options).value();
    EXPECT_EQ(loaded_point(part, 3, 4).value(), (std::array<index, 2>{1, 3}));
    EXPECT_NE(loaded_point(part, 0, 0).error().message.find("outside of what was read"),
              std::string::npos);
    EXPECT_NE(loaded_point(part, 8, 0).error().message.find("does not exist"), std::string::npos);
    EXPECT_NE(loaded_point(part, -1, 0).error().message.find("does not exist"), std::string::npos);
    options = {};
    options.scan_step = 2;
    Scan const coarse = Scan::load(simulated(), options).value();
    EXPECT_EQ(loaded_point(coarse, 4, 6).value(), (std::array<index, 2>{2, 3}));
    EXPECT_NE(loaded_point(coarse, 3, 4).error().message.find("nearest point that was read is 2:4"),
              std::string::npos);
}

TEST(Series, ImagesOfMembersAreStackedWhereTheirShapesAgree) {
    Array<double> all;
    std::vector<double> const image{1, 2, 3, 4, 5, 6};
    ASSERT_TRUE(append_image(all, image, {2, 3}, 0));
    EXPECT_EQ(all.shape, (std::vector<index>{2, 3}));
    ASSERT_TRUE(append_image(all, image, {2, 3}, 1));
    ASSERT_TRUE(append_image(all, image, {2, 3}, 2));
    EXPECT_EQ(all.shape, (std::vector<index>{3, 2, 3}));
    EXPECT_EQ(all.values.size(), 18u);
    EXPECT_FALSE(append_image(all, image, {3, 2}, 3));
}

TEST(Series, MapsOfMembersKeepTheirReasons) {
    ScanMap all;
    ScanMap const whole{{{1, 2}, {5, 6}}, "a", "px"};
    ScanMap gap = whole;
    gap.reason = {Missing::no, Missing::masked};
    ASSERT_TRUE(append_map(all, whole, 0));
    EXPECT_TRUE(all.reason.empty());
    ASSERT_TRUE(append_map(all, gap, 1));
    ASSERT_TRUE(append_map(all, whole, 2));
    EXPECT_EQ(all.shape, (std::vector<index>{3, 1, 2}));
    EXPECT_EQ(all.unit, "px");
    EXPECT_EQ(all.reason.size(), 6u);
    EXPECT_EQ(all.reason[3], Missing::masked);
    EXPECT_TRUE(all.error.empty());
}

}  // namespace
}  // namespace sluice::stem4d
