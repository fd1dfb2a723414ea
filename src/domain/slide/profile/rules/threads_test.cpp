// How many threads to take, and what keeps more of them from helping.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile/rules/facts_test.h"

namespace sluice::slide {
namespace {

TEST(ProfileRules, ThreadsThatHelp) {
    EXPECT_EQ(said(plain(), "threads"),
              "4 threads read 4.00 times as fast as one here (4 processors).|Use --threads 4.");
}

TEST(ProfileRules, ThreadsTheFewestThatAreAboutAsFast) {
    Facts f = plain();
    f.reads = {{1, 4.0, 4.0, 0, 0}, {2, 2.05, 4.0, 0, 0}, {4, 2.0, 4.0, 0, 0}};
    EXPECT_EQ(said(f, "threads"),
              "2 threads read 1.95 times as fast as one here (4 processors).|Use --threads 2.");
}

TEST(ProfileRules, ThreadsThatDoNotHelp) {
    Facts f = plain();
    f.reads = {{1, 1.0, 1.0, 0, 0}, {2, 1.1, 1.2, 0, 0}};
    EXPECT_TRUE(said(f, "threads").starts_with("More threads did not help here"));
    EXPECT_TRUE(said(f, "threads").ends_with("|Use --threads 1."));
}

TEST(ProfileRules, ThreadsNeedSomethingToCompare) {
    Facts f = plain();
    f.reads = {{2, 1.0, 1.0, 0, 0}, {4, 0.5, 1.0, 0, 0}};
    EXPECT_EQ(said(f, "threads"), "");
    f.reads = {{1, 1.0, 1.0, 0, 0}};
    EXPECT_EQ(said(f, "threads"), "");
}

TEST(ProfileRules, BestThreads) {
    EXPECT_EQ(best_threads({}), 0);
    EXPECT_EQ(best_threads({{1, 1.0, 1, 0, 0}, {2, 0.95, 1, 0, 0}}), 1);
    EXPECT_EQ(best_threads({{1, 1.0, 1, 0, 0}, {2, 0.6, 1, 0, 0}, {8, 0.5, 1, 0, 0}}), 8);
}

TEST(ProfileRules, Idle) {
    Facts f = plain();
    f.reads.back().idle = 0.4;
    f.longest_tile_s = 0.3;
    EXPECT_TRUE(said(f, "idle").starts_with("With 4 threads, 40 % of their time"));
    EXPECT_TRUE(said(f, "idle").ends_with("|"));
    f.tiles = 6;
    EXPECT_NE(said(f, "idle").find("6 tiles are few for 4 threads"), std::string::npos);
    // No tile was long enough to wait for.
    f.longest_tile_s = 0.1;
    EXPECT_EQ(said(f, "idle"), "");
    f.longest_tile_s = 0.3;
    f.processors = 2;
    EXPECT_EQ(said(f, "idle"), "");
    f.processors = 4;
    f.reads.back().idle = 0.05;
    EXPECT_EQ(said(f, "idle"), "");
}

TEST(ProfileRules, SlowerCores) {
    Facts f = plain();
    EXPECT_EQ(said(f, "slower cores"), "");
    f.reads.back().cpu_s = 6;
    EXPECT_NE(said(f, "slower cores").find("took 1.50 times the computing"), std::string::npos);
    // More threads than processors say nothing about the processors.
    f.processors = 2;
    EXPECT_EQ(said(f, "slower cores"), "");
}

}  // namespace
}  // namespace sluice::slide
