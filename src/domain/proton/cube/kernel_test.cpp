// Depth kernels: sums over depth, and the files that keep them.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "domain/proton/cube/depth_kernel.h"
#include "domain/proton/cube/kernel_cache.h"
#include "domain/proton/physics/constants.h"

namespace sluice::proton::cube {
namespace {

BaseEnergy ramp() {
    BaseEnergy b;
    b.energy = 70;
    for (int i = 0; i <= 100; ++i) {
        b.depth.push_back(0.5 * i);
        b.dose.push_back(10.0 * i);
        b.sigma.push_back(0.01 * i);
        b.halo_sigma.push_back(5);
        b.halo_weight.push_back(0.1);
        b.let.push_back(2);
    }
    return b;
}

TEST(DepthKernel, StepsOfAnyLengthLeaveTheSame) {
    Physics const physics(WaterTable::icru90);
    DepthKernel const k(physics, ramp());
    // Linear: the mean of a step is the value of its middle. MeV cm2/g are a tenth of MeV/mm.
    auto const m = k.mean(10, 20);
    EXPECT_NEAR((m.core + m.halo) / gray_mm2, 300 / 10, 1e-3);
    EXPECT_NEAR(m.halo / (m.core + m.halo), 0.1, 1e-9);
    EXPECT_NEAR(m.core_let / m.core, 2, 1e-9);
    double sum = 0;
    for (double z = 10; z < 19.99; z += 0.1) sum += 0.1 * k.mean(z, z + 0.1).core;
    EXPECT_NEAR(sum, 10 * m.core, 1e-9 * sum);
    // Steps of air are so thin that sums would lose their digits.
    EXPECT_NEAR(k.mean(15, 15.001).core, k.mean(14.99, 15.011).core, 2e-3 * m.core);
    EXPECT_NEAR(k.energy(), 1000 / 10.0 * 50 / 2, 0.5);
    EXPECT_EQ(k.mean(51, 52).core, 0);
}

TEST(DepthKernel, WhatIsNoKernelIsSaid) {
    BaseEnergy b = ramp();
    EXPECT_TRUE(DepthKernel::check(b));
    b.halo_sigma[7] = 1e25;
    EXPECT_FALSE(DepthKernel::check(b));
    b = ramp();
    b.dose[3] = std::nan("");
    EXPECT_FALSE(DepthKernel::check(b));
    b = ramp();
    b.let.pop_back();
    EXPECT_FALSE(DepthKernel::check(b));
    b.let.clear();
    EXPECT_TRUE(DepthKernel::check(b));
    b = ramp();
    b.depth[4] = b.depth[3];
    EXPECT_FALSE(DepthKernel::check(b));
}

// At 142 MeV a fit of a few columns gave a halo of 1e25 mm.
TEST(DepthKernel, MarchedHalosAreBelievable) {
    sluice::Run run;
    std::vector<KernelKey> keys;
    for (double const energy : {142.0, 215.0}) keys.push_back({energy, 0.8});
    auto const all = kernels(keys, "", 2, run).value();
    for (BaseEnergy const& b : all) {
        EXPECT_TRUE(DepthKernel::check(b)) << b.energy;
        for (double const s : b.halo_sigma) ASSERT_LT(s, 8 + 0.12 * b.range) << b.energy;
    }
}

TEST(KernelCache, ReadsWhatItWroteAndNothingElse) {
    KernelKey const key{70, 0.5};
    BaseEnergy const b = ramp();
    std::string const bytes = packed_kernel(key, b);
    auto const again = unpacked_kernel(key, bytes);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->dose, b.dose);
    EXPECT_EQ(again->halo_sigma, b.halo_sigma);
    EXPECT_FALSE(unpacked_kernel({70, 0.6}, bytes));
    EXPECT_FALSE(unpacked_kernel({70, 0.5, WaterTable::pstar}, bytes));
    for (std::size_t i = 0; i < bytes.size(); i += 97) {
        std::string damaged = bytes;
        damaged[i] = static_cast<char>(damaged[i] ^ 4);
        EXPECT_FALSE(unpacked_kernel(key, damaged)) << i;
        EXPECT_FALSE(unpacked_kernel(key, bytes.substr(0, i))) << i;
    }
}

TEST(KernelCache, AFolderGivesTheSameKernelAgain) {
    std::string const folder = ::testing::TempDir() + "kernels";
    std::filesystem::remove_all(folder);
    sluice::Run run;
    std::vector<KernelKey> const keys = {{60, 0.5}};
    auto const first = kernels(keys, folder, 1, run).value();
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
    auto const second = kernels(keys, folder, 1, run).value();
    EXPECT_EQ(first[0].dose, second[0].dose);
    // A folder that cannot be: the kernel is marched all the same.
    auto const third = kernels(keys, "/dev/null/kernels", 1, run).value();
    EXPECT_EQ(first[0].dose, third[0].dose);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sluice::proton::cube
