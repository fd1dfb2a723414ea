// What decoding met is told in sentences, and silence means that all counts were ordinary.
// SPDX-License-Identifier: Apache-2.0
#include "scan/describe.h"

#include <gtest/gtest.h>

namespace sluice::fold {
namespace {

TEST(Describe, NothingUnusualNothingSaid) {
    std::vector<std::string> notes{"before"};
    describe({}, {}, notes);
    EXPECT_EQ(notes, std::vector<std::string>{"before"});
}

TEST(Describe, OneSentenceEach) {
    store::Tally tally;
    tally.sentinels = 3, tally.saturated = 4, tally.not_finite = 5, tally.missing = 6;
    tally.rounded = 7, tally.beyond = 8;
    Dataset d;
    d.saturation = 200;
    std::vector<std::string> notes;
    describe(tally, d, notes);
    ASSERT_EQ(notes.size(), 6u);
    EXPECT_EQ(notes[0].rfind("3 all-ones pixels", 0), 0u) << notes[0];
    EXPECT_EQ(notes[1], "4 counts above the saturation value 200 (kept as they are)");
    EXPECT_EQ(notes[2].rfind("5 NaN or infinite values", 0), 0u) << notes[2];
    EXPECT_EQ(notes[3].rfind("7 values of the frames", 0), 0u) << notes[3];
    EXPECT_EQ(notes[4].rfind("8 values are beyond", 0), 0u) << notes[4];
    EXPECT_EQ(notes[5].rfind("6 frames lack data", 0), 0u) << notes[5];
}

TEST(Describe, AFillValueThatIsNoCountIsToldAsZero) {
    store::Tally tally;
    tally.missing = 6, tally.blank = 2;
    std::vector<std::string> notes;
    describe(tally, {}, notes);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_NE(notes[0].find("in 2 of them that value is not a count"), std::string::npos)
        << notes[0];
    EXPECT_TRUE(notes[0].ends_with("read as NaN (floats) or zero (counts)")) << notes[0];
}

}  // namespace
}  // namespace sluice::fold
