// Misspelt words.
// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice {
namespace {

TEST(Nearest, IsTheWordWithFewestChanges) {
    std::vector<std::string> const known = {"sigma", "divergence", "sigma_x"};
    EXPECT_EQ(nearest("sgma", known), "sigma");
    EXPECT_EQ(nearest("sgma_x", known), "sigma_x");
    EXPECT_EQ(near_enough("divergense", known), "divergence");
    EXPECT_EQ(near_enough("protons", known), std::nullopt);
}

TEST(Nearest, AWordAsLongAsAFileTakesNoTime) {
    std::vector<std::string> const known(100, "a word that is known");
    std::string const longest(100'000'000, 'x');
    EXPECT_EQ(nearest(longest, known), known[0]);
    EXPECT_EQ(near_enough(longest, known), std::nullopt);
}

}  // namespace
}  // namespace sluice
