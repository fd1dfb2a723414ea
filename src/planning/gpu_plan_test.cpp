// Estimates of GPUs by hand-made sheets, whose answers are known.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "sluice/plan_devices.h"

namespace sluice {
namespace {

GpuModel card() {
    return {"card", 10'000'000'000, 1e12, 20e12, 4, 0, "this test"};
}

TEST(GpuPlan, HoldsWhatIsWithinNineTenths) {
    auto const needed = [](std::uint64_t shared, std::uint64_t whole) {
        GpuModel const gpu = card();
        GpuWork w;
        w.shared = shared, w.whole = whole;
        return plan_gpus(w, {&gpu, 1}).at(0).needed;
    };
    EXPECT_EQ(needed(8'900'000'000, 0), 1);
    EXPECT_EQ(needed(9'100'000'000, 0), 2);
    // Each of them has the whole part, too.
    EXPECT_EQ(needed(9'000'000'000, 6'000'000'000), 3);
    EXPECT_EQ(needed(1, 9'000'000'000), 0);
}

TEST(GpuPlan, TellsTheLongestOfThreeRoofs) {
    GpuModel const gpu = card();
    auto const plan = [&](double bytes, double flop, double launches) {
        GpuWork w;
        w.bytes = bytes, w.flop = flop, w.launches = launches;
        return plan_gpus(w, {&gpu, 1}).at(0);
    };
    auto const by_memory = plan(6e11, 1, 1);
    EXPECT_EQ(by_memory.bound, "memory");
    EXPECT_DOUBLE_EQ(by_memory.work_s.value(), 1);  // 6e11 over 60 % of 1e12
    auto const by_flop = plan(1, 5e12, 1);
    EXPECT_EQ(by_flop.bound, "arithmetic");
    EXPECT_DOUBLE_EQ(by_flop.work_s.value(), 1);  // 5e12 over 25 % of 20e12
    auto const by_launches = plan(1, 1, 2e5);
    EXPECT_EQ(by_launches.bound, "launches");
    EXPECT_DOUBLE_EQ(by_launches.work_s.value(), 1);
    EXPECT_FALSE(plan(0, 1e12, 0).work_s) << "without a formula there is no time";
}

TEST(GpuPlan, CopiesOverTheCardsOwnPcie) {
    GpuModel gpu = card();
    GpuWork w;
    w.up = 25'200'000'000;
    EXPECT_NEAR(plan_gpus(w, {&gpu, 1}).at(0).transfer_s, 1, 1e-9);  // 80 % of 31.5e9
    gpu.pcie = 5;
    EXPECT_NEAR(plan_gpus(w, {&gpu, 1}).at(0).transfer_s, 0.5, 1e-9);
}

TEST(GpuPlan, SeveralPayUntilTheyMeetTooOften) {
    GpuModel gpu = card();
    GpuWork w;
    w.bytes = 6e12;  // ten seconds
    w.all_reduce = 50'000'000;
    w.halo = 4'000'000;
    w.exchanges = 10;
    auto const rarely = plan_gpus(w, {&gpu, 1}).at(0);
    ASSERT_EQ(rarely.several.size(), 3U);
    EXPECT_EQ(rarely.several[0].link, "PCIe 4 x16");
    EXPECT_TRUE(rarely.several[2].pays);
    EXPECT_LT(rarely.several[2].halo_s, rarely.several[2].all_reduce_s);
    w.exchanges = 5000;
    auto const often = plan_gpus(w, {&gpu, 1}).at(0);
    EXPECT_FALSE(often.several[0].pays);
    EXPECT_GT(often.several[2].work_s, often.work_s.value());
    gpu.nvlink_per_s = 450e9;
    auto const linked = plan_gpus(w, {&gpu, 1}).at(0);
    EXPECT_EQ(linked.several[0].link, "NVLink");
    EXPECT_LT(linked.several[0].work_s, often.several[0].work_s);
}

TEST(GpuPlan, ARingPassesTwiceAllButItsOwnPart) {
    // Two: each sends half, twice; eight: 14/8 of the bytes.
    double const link = 1e9 / gpu_share::link;
    EXPECT_NEAR(all_reduce_s(1'000'000'000, 2, link), 1 + 2 * gpu_share::exchange_s, 1e-9);
    EXPECT_NEAR(all_reduce_s(1'000'000'000, 8, link), 1.75 + 14 * gpu_share::exchange_s, 1e-9);
    EXPECT_EQ(all_reduce_s(1'000'000'000, 1, link), 0);
    EXPECT_NEAR(halo_exchange_s(1'000'000'000, 2, link), 1 + gpu_share::exchange_s, 1e-9);
    EXPECT_NEAR(halo_exchange_s(1'000'000'000, 3, link), 2 + 2 * gpu_share::exchange_s, 1e-9);
}

TEST(GpuPlan, EachRowOfTheTableHasItsSource) {
    std::set<std::string> names;
    for (GpuModel const& gpu : known_gpus()) {
        EXPECT_TRUE(names.insert(gpu.name).second) << gpu.name;
        EXPECT_FALSE(gpu.source.empty()) << gpu.name;
        EXPECT_GE(gpu.memory, 8'000'000'000U) << gpu.name;
        EXPECT_GE(gpu.memory_per_s, 200e9) << gpu.name;
        EXPECT_LE(gpu.memory_per_s, 10e12) << gpu.name;
        EXPECT_GE(gpu.flop_per_s, 5e12) << gpu.name;
        EXPECT_LE(gpu.flop_per_s, 200e12) << gpu.name;
        EXPECT_GE(gpu.pcie, 3) << gpu.name;
        EXPECT_LE(gpu.pcie, 5) << gpu.name;
    }
}

}  // namespace
}  // namespace sluice
