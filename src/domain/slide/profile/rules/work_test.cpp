// What most of the computing is.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile/rules/facts_test.h"

namespace sluice::slide {
namespace {

TEST(ProfileRules, Decoding) {
    Facts f = plain();
    EXPECT_EQ(said(f, "decoding"), "Decoding JPEG XR is 93 % of the computing.|");
    f.decode = 0.2;
    EXPECT_EQ(said(f, "decoding"), "");
}

TEST(ProfileRules, Copying) {
    Facts f = plain();
    EXPECT_EQ(said(f, "copying"), "");
    f.decode = 0;
    f.copy = 0.8;
    EXPECT_NE(said(f, "copying").find("is 80 % of the computing"), std::string::npos);
    EXPECT_NE(said(f, "copying").find("--mmap"), std::string::npos);
    f.mapped = true;
    EXPECT_TRUE(said(f, "copying").ends_with("|"));
    // Two steps can be large, and one sets the pace.
    f.copy = 0.45, f.decode = 0.5;
    EXPECT_EQ(said(f, "copying"), "");
    EXPECT_NE(said(f, "decoding"), "");
}

TEST(ProfileRules, Composing) {
    Facts f = plain();
    EXPECT_EQ(said(f, "composing"), "");
    f.compose = 0.5;
    EXPECT_NE(said(f, "composing").find("is 50 %"), std::string::npos);
}

TEST(ProfileRules, Filling) {
    Facts f = plain();
    EXPECT_EQ(said(f, "filling"), "");
    f.outside = 0.6;
    EXPECT_TRUE(said(f, "filling").starts_with("Filling the space without tiles"));
    EXPECT_NE(said(f, "filling").find("is 60 % of the computing"), std::string::npos);
}

}  // namespace
}  // namespace sluice::slide
