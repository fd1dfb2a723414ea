// What a first read waits for.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile/rules/facts_test.h"

namespace sluice::slide {
namespace {

TEST(ProfileRules, DiskThatDoesNotLimit) {
    EXPECT_EQ(said(plain(), "disk"),
              "A first read takes 1.1 times as long as one from the cache: the disk does not "
              "limit.|");
}

TEST(ProfileRules, DiskThatLimits) {
    Facts f = plain();
    f.cold = {{4, 3.0, 4.2, 0.05, 0}, 0.6};
    std::vector<Finding> const all = findings_of(f);
    EXPECT_EQ(all.front().rule, "disk");
    EXPECT_EQ(all.front().text,
              "A first read takes 3 times as long as one from the cache, and 60 % of it waits for "
              "the disk: the disk limits a first read.");
    EXPECT_NE(all.front().advice, "");
    EXPECT_EQ(all.front().evidence,
              "sure: 3 s from the disk and 1 s from the cache with 4 threads; 100 tiles, "
              "3 reads within 0 %");
}

TEST(ProfileRules, SlowFirstReadsThatDoNotWaitAreNotTheDisks) {
    Facts f = plain();
    f.cold = {{4, 3.0, 11, 0.05, 0}, 0.1};
    EXPECT_EQ(said(f, "disk"),
              "A first read takes 3 times as long as one from the cache, and 10 % of it waits for "
              "the disk: the system needs longer to fill its cache.|");
}

TEST(ProfileRules, FewBytesAndRestlessTimesSayNothingOfTheDisk) {
    Facts f = plain();
    f.cold = {{4, 30.0, 4.2, 0.05, 0}, 0.9};
    f.bytes_read = 2.8e6;
    EXPECT_EQ(said(f, "disk"), "");
    EXPECT_TRUE(
        said(f, "disk unknown").starts_with("The tiles have 2.8 MB, which is too little to tell"));
    f.bytes_read = 40e6;
    EXPECT_EQ(said(f, "disk unknown"), "");
    f.cold->read.spread = 0.7;
    EXPECT_EQ(said(f, "disk"), "");
    EXPECT_TRUE(said(f, "disk unknown").starts_with("The times of first reads differ by 70 %"));
    // Nothing to compare with.
    f.cold->read.threads = 3;
    EXPECT_EQ(said(f, "disk unknown"), "");
}

TEST(ProfileRules, DiskThatWasNotMeasuredIsNotJudged) {
    Facts f = plain();
    f.cold.reset();
    f.cached = 0.97;
    EXPECT_EQ(said(f, "disk"), "");
    EXPECT_EQ(said(f, "disk unknown"), "");
    EXPECT_NE(said(f, "not cold").find("kept 97 % of the file"), std::string::npos);
    f.cold_asked = false;
    EXPECT_EQ(said(f, "not cold"), "");
}

}  // namespace
}  // namespace sluice::slide
