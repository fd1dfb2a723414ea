// The floor that counting sets, against random numbers and its two limits.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/poisson_floor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sluice::ptycho {
namespace {

TEST(PoissonFloor, IsWhatDrawnCountsShow) {
    std::mt19937_64 bits(5);
    for (double mean : {0.01, 0.3, 1.0, 4.0, 17.0, 60.0}) {
        std::poisson_distribution<int> draw(mean);
        double sum = 0;
        int const draws = 200000;
        for (int i = 0; i < draws; ++i)
            sum += std::pow(std::sqrt(static_cast<double>(draw(bits))) - std::sqrt(mean), 2);
        EXPECT_NEAR(root_noise(mean), sum / draws, 0.01 * root_noise(mean) + 1e-4) << mean;
    }
}

TEST(PoissonFloor, GoesOnSmoothlyWhereTheSeriesBegins) {
    EXPECT_NEAR(root_noise(39.999), root_noise(40.001), 3e-4);
    EXPECT_EQ(root_noise(0), 0);
    EXPECT_NEAR(root_noise(1e6), 0.25, 1e-6);
}

}  // namespace
}  // namespace sluice::ptycho
