// Tests of single frames: their disks are those that a pass over the scan finds, bit by bit.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/frame_disks.h"

#include <gtest/gtest.h>

#include "sluice/disks.h"

namespace sluice::crystal {
namespace {

using stem4d::BraggVectors;

// 5 x 7 points: a unit of sixteen frames ends within a row, and the last pair is one frame.
char const* const crystal_scan =
    "synthetic:crystal?scan=5x7&detector=96x96&disk_radius=5&g1=19,2&g2=-2,18&dose=6000&masked=0";

BraggVectors pattern_of(BraggVectors const& all, index pattern) {
    BraggVectors one{
        {1, 1}, all.detector_shape, {0, all.count(pattern)}, {}, {}, {}, {}, {}, {}, {}, {}, {},
        {}};
    auto const p = static_cast<std::size_t>(pattern);
    one.reason = {all.reason[p]};
    for (auto const column :
         {&BraggVectors::row, &BraggVectors::col, &BraggVectors::intensity,
          &BraggVectors::background, &BraggVectors::var_row, &BraggVectors::var_col,
          &BraggVectors::cov_row_col, &BraggVectors::intensity_error, &BraggVectors::score})
        (one.*column)
            .assign((all.*column).begin() + all.first[p], (all.*column).begin() + all.first[p + 1]);
    return one;
}

void expect_all_frames(LoadOptions const& load) {
    Scan const scan = Scan::load(open(crystal_scan).value(), load).value();
    auto const probe = stem4d::fit_template(scan).value().probe;
    auto const setup = stem4d::plan_disks(scan, probe).value();
    BraggVectors const all = stem4d::find_disks(scan, setup).value();
    auto const finder = FrameFinder::make(scan, setup, Device::cpu());
    ASSERT_TRUE(finder) << finder.error().text();
    ASSERT_GT(all.size(), 100);
    for (index p = 0; p < all.patterns(); ++p) {
        auto const one = finder->find(scan, p / 7, p % 7);
        ASSERT_TRUE(one) << one.error().text();
        ASSERT_TRUE(stem4d::check_vectors(*one));
        BraggVectors const want = pattern_of(all, p);
        EXPECT_EQ(one->reason, want.reason);
        EXPECT_EQ(one->detector_shape, want.detector_shape);
        EXPECT_EQ(one->row, want.row);
        EXPECT_EQ(one->col, want.col);
        EXPECT_EQ(one->intensity, want.intensity);
        EXPECT_EQ(one->var_col, want.var_col);
        EXPECT_EQ(one->score, want.score);
    }
}

TEST(FrameFinder, FindsWhatAPassOverTheScanFinds) {
    expect_all_frames({});
}

TEST(FrameFinder, FindsTheSameInWhatIsStreamedBinnedAndCut) {
    LoadOptions load;
    load.residency = Residency::stream;
    load.det_bin = 2;
    load.detector_region = Region{4, 2, 88, 90};
    expect_all_frames(load);
}

// Of a lattice whose origin wanders over the scan, each frame has it where it is expected there.
TEST(FrameFinder, FindsTheDisksOfAKnownLattice) {
    Scan const scan = Scan::load(open(crystal_scan).value(), {}).value();
    auto const probe = stem4d::fit_template(scan).value().probe;
    auto setup = stem4d::know_lattice(scan, stem4d::plan_disks(scan, probe).value()).value();
    ASSERT_TRUE(setup.lattice);
    setup.lattice->by_row = {0.35, -0.2}, setup.lattice->by_col = {0.05, 0.3};
    BraggVectors const all = stem4d::find_disks(scan, setup).value();
    auto const finder = FrameFinder::make(scan, setup, Device::cpu()).value();
    for (index p = 0; p < all.patterns(); ++p) {
        BraggVectors const one = finder.find(scan, p / 7, p % 7).value();
        BraggVectors const want = pattern_of(all, p);
        EXPECT_EQ(one.row, want.row);
        EXPECT_EQ(one.intensity, want.intensity);
    }
}

TEST(FrameFinder, RefusesAPointThatIsNotThere) {
    Scan const scan = Scan::load(open(crystal_scan).value(), {}).value();
    auto const probe = stem4d::synthetic_template(5).value();
    auto const setup = stem4d::plan_disks(scan, probe).value();
    auto const finder = FrameFinder::make(scan, setup, Device::cpu()).value();
    auto const none = finder.find(scan, 5, 0);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().message,
              "there is no scan point at row 5, column 0 (the scan is 5x7) give one that is there");
}

}  // namespace
}  // namespace sluice::crystal
