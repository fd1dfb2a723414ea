// What is timed of protons does what its name says.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/benchmark/contests.h"

#include <gtest/gtest.h>

#include "bench/rounds.h"

namespace sluice::proton {
namespace {

TEST(ProtonBenchmark, ContestantsDoTheirWorkAgainAndAgain) {
    Physics const physics(WaterTable::icru90);
    BenchmarkGrid const grid{16, 16, 9, 40, 1.5};
    EXPECT_EQ(grid.name(), "40x9x16x16");
    auto all = grid_contestants(physics, grid, {Device::cpu(1), Precision::f32});
    ASSERT_TRUE(all) << all.error().message;
    std::vector<std::string> notes;
    auto const results = bench::run_rounds(*all, {1, 2, {}}, notes);
    ASSERT_TRUE(results) << results.error().message;
    ASSERT_EQ(results->size(), 3u);
    bench::Measured const &dense = (*results)[0], &point = (*results)[1], &beam = (*results)[2];
    EXPECT_EQ(dense.details["cells"], grid.cells());
    EXPECT_EQ(dense.bytes, 2.0 * 4 * 16 * 16 * 9 * 40);
    EXPECT_EQ(point.items, 40);
    // Empty parts are left out.
    EXPECT_GT(point.details["cells"], 0.0);
    EXPECT_LT(point.details["cells"], 0.5 * static_cast<double>(grid.cells()));
    EXPECT_GT(beam.details["cells"], 0.0);
    auto const wide = grid_contestants(physics, grid, {Device::cpu(1), Precision::f64});
    ASSERT_TRUE(wide);
    EXPECT_EQ((*wide)[0].bytes, 2 * dense.bytes);
}

}  // namespace
}  // namespace sluice::proton
