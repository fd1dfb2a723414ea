// Inputs that are no errors but hide one: it is said.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "domain/ptychography/test_simulate.h"

namespace sluice::ptycho {
namespace {

bool says(stem4d::Patterns const& patterns, std::string const& what) {
    stem4d::PtychographyOptions options;
    options.stages.front().iterations = 1;
    auto const found = stem4d::ptychography(patterns, options);
    if (!found) ADD_FAILURE() << found.error().text();
    for (std::string const& note : found->notes)
        if (note.find(what) != std::string::npos) return true;
    return false;
}

TEST(Doubts, OfPatternsThatAreEmpty) {
    auto patterns = simulate(32, 5, 5, 1e4, true).patterns;
    EXPECT_FALSE(says(patterns, "hold less than a hundredth"));
    auto& counts = std::get<std::vector<float>>(patterns.counts);
    std::fill(counts.begin() + 3 * 1024, counts.begin() + 5 * 1024, 0.F);
    EXPECT_TRUE(says(patterns, "2 of 25 patterns hold less than a hundredth"));
}

TEST(Doubts, OfValuesThatAreNoCounts) {
    auto patterns = simulate(32, 5, 5, 1e4, true).patterns;
    EXPECT_FALSE(says(patterns, "not whole numbers"));
    auto& counts = std::get<std::vector<float>>(patterns.counts);
    auto const before = counts;
    for (float& v : counts) v *= 0.37F;  // a gain, which is found
    EXPECT_FALSE(says(patterns, "not whole numbers"));
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = std::sqrt(before[i]) + 0.3F;
    EXPECT_TRUE(says(patterns, "not whole numbers"));
}

TEST(Doubts, OfZeroFrequencyThatIsElsewhere) {
    auto patterns = simulate(32, 5, 5, 1e4, true).patterns;
    EXPECT_FALSE(says(patterns, "brighter at the highest frequencies"));
    auto const before = std::get<std::vector<float>>(patterns.counts);
    auto& counts = std::get<std::vector<float>>(patterns.counts);
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = before[i ^ (16 * 32 + 16)];
    EXPECT_TRUE(says(patterns, "brighter at the highest frequencies"));
}

TEST(Doubts, OfPlacesThatAreAlone) {
    auto patterns = simulate(32, 5, 5, 1e4, true).patterns;
    EXPECT_FALSE(says(patterns, "further from all others"));
    patterns.positions[7].col += 500;
    EXPECT_TRUE(says(patterns, "1 of 25 positions are further from all others"));
    EXPECT_TRUE(says(patterns, "pattern 7 is the first"));
}

}  // namespace
}  // namespace sluice::ptycho
