// Which of disk, decoding, work and copying takes longest, by numbers that are known.
// SPDX-License-Identifier: Apache-2.0
#include "planning/flows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "planning/folder.h"

namespace sluice::planning {
namespace {

PlanFlow known(char const* name, double bytes, double per_s) {
    PlanFlow f;
    f.name = name;
    f.bytes = static_cast<std::uint64_t>(bytes);
    f.per_s = per_s;
    f.s = bytes / per_s;
    return f;
}

std::vector<PlanFlow> disk(double cold_per_s) {
    return {known("the disk, nothing cached", 1e9, cold_per_s),
            known("the disk, all cached", 1e9, 4e9)};
}

TEST(Flows, NameWhatTakesLongest) {
    FlowTimes t;
    t.stored_bytes = 1e9;
    t.cached_load_s = 2;
    t.work_s = 1;
    t.threads = 2;
    t.up = 25'200'000;
    auto slow = disk(100e6);
    add_flows(slow, t);
    auto const of_slow = bottlenecks_of(slow);
    ASSERT_EQ(of_slow.size(), 3U);
    EXPECT_EQ(of_slow[0].find("nothing cached: the disk, nothing cached takes longest, 10 s"), 0U)
        << of_slow[0];
    EXPECT_EQ(of_slow[1].find("all cached: decoding takes longest"), 0U) << of_slow[1];
    // 0.25 s of reading by two threads are in the two seconds.
    auto const decoded = std::ranges::find(slow, "decoding", &PlanFlow::name);
    ASSERT_NE(decoded, slow.end());
    EXPECT_DOUBLE_EQ(decoded->s, 2 - 0.125);
    auto const pcie = std::ranges::find(slow, "PCIe 4 x16", &PlanFlow::name);
    ASSERT_NE(pcie, slow.end());
    EXPECT_NEAR(pcie->s, 1e-3, 1e-9);
}

TEST(Flows, WorkOrCopyingMayTakeLongest) {
    FlowTimes t;
    t.cached_load_s = 1;
    t.work_s = 50;
    auto flows = disk(2e9);
    add_flows(flows, t);
    EXPECT_EQ(bottlenecks_of(flows).at(0).find("nothing cached: the work takes longest, 50 s"), 0U);
    t.up = 252'000'000'000;
    flows = disk(2e9);
    add_flows(flows, t);
    EXPECT_NE(bottlenecks_of(flows).at(2).find("PCIe 4 x16 takes longest, 10 s"),
              std::string::npos);
}

TEST(Flows, SayWhyNothingWasTaken) {
    auto const none = disk_flows({"/nowhere/at/all"}, 1e9, {}).value();
    ASSERT_EQ(none.size(), 2U);
    EXPECT_NE(none[0].not_taken.find("smaller than the 4 MB"), std::string::npos);
    EXPECT_TRUE(bottlenecks_of(none).empty());
}

TEST(Flows, ReadTheLargestFile) {
    auto const folder = Folder::make({}).value();
    std::string const path = folder->path() + "/large";
    std::ofstream(path) << std::string(std::size_t{24} << 20, 'x');
    auto const flows = disk_flows({path}, 240e6, {}).value();
    ASSERT_TRUE(flows[1].not_taken.empty()) << flows[1].not_taken;
    EXPECT_GT(flows[1].per_s, 0);
    EXPECT_DOUBLE_EQ(flows[1].s, 240e6 / flows[1].per_s);
    // Of the disk itself there is a rate, or the reason why not.
    EXPECT_EQ(flows[0].not_taken.empty(), flows[0].per_s > 0);
}

}  // namespace
}  // namespace sluice::planning
