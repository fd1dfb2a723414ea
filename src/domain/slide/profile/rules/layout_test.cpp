// How the file is laid out.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile/rules/facts_test.h"

namespace sluice::slide {
namespace {

TEST(ProfileRules, Amplification) {
    Facts f = plain();
    EXPECT_EQ(said(f, "amplification"), "");
    f.amplification = 7.1;
    EXPECT_NE(said(f, "amplification").find("decodes 7.1 tiles for one"), std::string::npos);
}

TEST(ProfileRules, Order) {
    Facts f = plain();
    f.seek_directory = 500e6;
    EXPECT_NE(said(f, "order").find("jumps over 500 MB"), std::string::npos);
    // Jumps of less than what is read cost little.
    f.seek_directory = 30e6;
    EXPECT_EQ(said(f, "order"), "");
}

TEST(ProfileRules, Opening) {
    Facts f = plain();
    EXPECT_EQ(said(f, "opening"), "");
    f.open_s = 2;
    EXPECT_NE(said(f, "opening").find("as long as 2 of these reads"), std::string::npos);
}

TEST(ProfileRules, NoPyramid) {
    Facts f = plain();
    f.levels = 1;
    EXPECT_NE(said(f, "no pyramid").find("--reduced"), std::string::npos);
    f.codec = "zstd1";
    EXPECT_EQ(said(f, "no pyramid"), "");
}

TEST(ProfileRules, Hidden) {
    Facts f = plain();
    EXPECT_EQ(said(f, "hidden"), "");
    f.hidden = 3;
    EXPECT_NE(said(f, "hidden").find("3 tiles lie wholly under others"), std::string::npos);
}

}  // namespace
}  // namespace sluice::slide
