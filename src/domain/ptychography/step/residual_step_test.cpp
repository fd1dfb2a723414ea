// The part of a residual against the one that a fine search finds.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/residual_step.h"

#include <gtest/gtest.h>

namespace sluice::ptycho {
namespace {

double slope(double part, double model, double counts) {
    return slope_at(static_cast<float>(part), 1 - counts / model, model, counts);
}

ResidualSlopes slopes_of(double model, double counts) {
    ResidualSlopes slopes;
    for (index k = 0; k < parts_of_residual; ++k)
        slopes[static_cast<std::size_t>(k)] =
            slope(static_cast<double>(residual_part(k)), model, counts);
    return slopes;
}

TEST(ResidualParts, HaveTheSlopeOfTheLoss) {
    auto const loss = [](double part, double model, double counts) {
        double const factor = 1 - part * (1 - counts / model);
        double const m = model * factor * factor;
        return m - counts * std::log(m);
    };
    for (double counts : {0.5, 3.0, 40.0})
        for (double part : {0.125, 0.25}) {
            double const by = 1e-5, model = 2;
            double const found =
                (loss(part + by, model, counts) - loss(part - by, model, counts)) / (2 * by);
            EXPECT_NEAR(slope(part, model, counts), -found / 2, 1e-5 * std::abs(found)) << counts;
        }
}

// Of pixels that are all alike the best part is known: 1 / (1 + sqrt(I / M)).
TEST(ResidualParts, AreFoundWhereTheyAreKnown) {
    for (double ratio : {1.5, 4.0, 10.0, 60.0, 400.0, 900.0}) {
        double const known = 1 / (1 + std::sqrt(ratio));
        EXPECT_NEAR(best_part(slopes_of(2, 2 * ratio)) / known, 1, 0.15) << ratio;
    }
    // No pattern stops, and none goes further than where it is modelled rightly.
    EXPECT_EQ(best_part(slopes_of(1, 1e6)), 1.0 / 32);
    EXPECT_EQ(best_part(slopes_of(2, 0)), 0.5);
    EXPECT_EQ(best_part({}), 1.0 / 32);
}

}  // namespace
}  // namespace sluice::ptycho
