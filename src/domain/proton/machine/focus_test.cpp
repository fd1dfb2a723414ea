// Widths along a beam as moments on one plane.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/machine/focus.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sluice::proton {
namespace {

TEST(MachineFocus, ParabolasAreFoundExactly) {
    struct Case {
        double sigma, divergence, covariance;
    };
    for (auto const& [s, d, c] :
         {Case{4, 0.003, 0.006}, Case{4, 0.003, -0.011}, Case{4, 0, 0}, Case{3, 1e-4, 0},
          // The waist is a point.
          Case{4, 0.01, -0.04}, Case{10, 0.05, 0.4999}}) {
        std::vector<double> z, sigma;
        for (double v = -500; v <= 1500; v += 250) {
            z.push_back(v);
            sigma.push_back(std::sqrt(std::max(0.0, s * s + 2 * c * v + d * d * v * v)));
        }
        Focus const f = focus_of(z, sigma);
        double const scale = std::max(1e-12, s * d);
        EXPECT_NEAR(f.sigma, s, 1e-6);
        EXPECT_NEAR(f.divergence, d, 1e-8);
        EXPECT_NEAR(f.covariance / scale, c / scale, 1e-5);
        EXPECT_LT(std::abs(f.residual), 1e-6);
        EXPECT_LE(std::abs(f.covariance), f.sigma * f.divergence * (1 + 1e-12));
    }
}

TEST(MachineFocus, FewWidthsAreOneBeam) {
    Focus const one = focus_of({100}, {3});
    EXPECT_EQ(one.sigma, 3);
    EXPECT_EQ(one.divergence, 0);
    EXPECT_EQ(one.residual, 0);
    // As matRad takes them: linear in between.
    Focus const two = focus_of({-1000, 1000}, {3, 5});
    EXPECT_NEAR(two.sigma, 4, 1e-12);
    EXPECT_NEAR(two.divergence, 0.001, 1e-12);
    EXPECT_NEAR(two.covariance, 0.004, 1e-12);
    EXPECT_NEAR(two.residual, 0, 1e-12);
    Focus const parallel = focus_of({-10000, 10000}, {4, 4});
    EXPECT_EQ(parallel.sigma, 4);
    EXPECT_EQ(parallel.divergence, 0);
    EXPECT_EQ(parallel.covariance, 0);
}

TEST(MachineFocus, WhatNoGaussianHasIsFittedAndSaid) {
    // Air widens by the cube; a cone that bends the wrong way; a jump.
    for (auto const& sigma : {std::vector{3.4, 3.5, 3.9, 4.8, 6.5},
                              {3.0, 4.0, 4.7, 5.1, 5.2},
                              {2.0, 2.0, 9.0, 2.0, 2.0}}) {
        std::vector<double> const z = {0, 250, 500, 750, 1000};
        Focus const f = focus_of(z, sigma);
        EXPECT_GT(std::abs(f.residual), 0.01);
        EXPECT_LE(std::abs(f.covariance), f.sigma * f.divergence * (1 + 1e-12));
        double worst = 0;
        for (std::size_t i = 0; i < z.size(); ++i) {
            double const square = f.sigma * f.sigma + 2 * f.covariance * z[i] +
                                  f.divergence * f.divergence * z[i] * z[i];
            worst = std::max(worst, std::abs(std::sqrt(std::max(0.0, square)) - sigma[i]));
        }
        EXPECT_NEAR(worst, std::abs(f.residual), 1e-12);
    }
}

}  // namespace
}  // namespace sluice::proton
