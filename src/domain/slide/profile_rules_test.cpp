// Each rule of the profile says what the numbers say, and nothing otherwise.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile_rules.h"

#include <gtest/gtest.h>

namespace sluice::slide {
namespace {

// A quiet machine of four processors, a fast disk, and a file without surprises.
Facts plain() {
    Facts f;
    f.processors = 4;
    f.codec = "JPEG XR";
    f.decode = 0.93;
    f.reads = {{1, 4.0, 4.0, 0, 0}, {2, 2.0, 4.0, 0.02, 0}, {4, 1.0, 4.1, 0.05, 0}};
    f.cold_asked = f.cold = true;
    f.disk_rate = 400e6;
    f.bytes_read = 40e6;
    f.open_s = 0.01;
    f.entries = f.tiles = f.tiles_in_region = 100;
    f.levels = 3;
    f.longest_tile_s = 0.05;
    f.seek_directory = f.seek_file = 1e3;
    return f;
}

Finding const* find(std::vector<Finding> const& all, std::string_view rule) {
    for (Finding const& f : all)
        if (f.rule == rule) return &f;
    return nullptr;
}

// The text of a rule's finding, with its advice; empty where it has none.
std::string said(Facts const& f, std::string_view rule) {
    std::vector<Finding> const all = findings_of(f);
    Finding const* const found = find(all, rule);
    return found ? found->text + "|" + found->advice : std::string();
}

TEST(ProfileRules, PlainFileSaysDecodingThreadsAndDisk) {
    std::vector<Finding> const all = findings_of(plain());
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].rule, "decoding");
    EXPECT_EQ(all[1].rule, "threads");
    EXPECT_EQ(all[2].rule, "disk");
}

TEST(ProfileRules, NoNumbersSayNothing) {
    EXPECT_TRUE(findings_of(Facts()).empty());
}

TEST(ProfileRules, Decoding) {
    Facts f = plain();
    EXPECT_EQ(said(f, "decoding"), "Decoding JPEG XR is 93 % of one thread's time.|");
    f.decode = 0.2;
    EXPECT_EQ(said(f, "decoding"), "");
}

TEST(ProfileRules, Copying) {
    Facts f = plain();
    EXPECT_EQ(said(f, "copying"), "");
    f.decode = 0;
    f.copy = 0.8;
    EXPECT_NE(said(f, "copying").find("is 80 % of one thread's time"), std::string::npos);
    EXPECT_NE(said(f, "copying").find("--mmap"), std::string::npos);
    f.mapped = true;
    EXPECT_TRUE(said(f, "copying").ends_with("|"));
}

TEST(ProfileRules, Composing) {
    Facts f = plain();
    EXPECT_EQ(said(f, "composing"), "");
    f.compose = 0.5;
    EXPECT_NE(said(f, "composing").find("is 50 %"), std::string::npos);
}

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

TEST(ProfileRules, DiskThatIsFastEnough) {
    // 40 MB in 1 s are needed, 400 MB/s are there.
    EXPECT_EQ(said(plain(), "disk"),
              "The disk delivered 400 MB/s, and the fastest read needs 40 MB/s: it would allow 10 "
              "times this speed, and does not limit.|");
}

TEST(ProfileRules, DiskThatLimits) {
    Facts f = plain();
    f.disk_rate = 10e6;
    std::vector<Finding> const all = findings_of(f);
    EXPECT_EQ(all.front().rule, "disk");
    EXPECT_NE(all.front().text.find("the disk limits a first read"), std::string::npos);
    EXPECT_NE(all.front().advice, "");
    f.disk_rate = 40e6;
    EXPECT_NE(said(f, "disk").find("limited by both"), std::string::npos);
}

TEST(ProfileRules, DiskThatWasNotMeasuredIsNotJudged) {
    Facts f = plain();
    f.cold = false;
    f.disk_rate = 0;
    f.cached = 0.97;
    EXPECT_EQ(said(f, "disk"), "");
    EXPECT_NE(said(f, "not cold").find("kept 97 % of the file"), std::string::npos);
    f.cold_asked = false;
    EXPECT_EQ(said(f, "not cold"), "");
}

TEST(ProfileRules, Idle) {
    Facts f = plain();
    f.reads.back().idle = 0.4;
    EXPECT_TRUE(said(f, "idle").starts_with("With 4 threads, 40 % of their time"));
    EXPECT_TRUE(said(f, "idle").ends_with("|"));
    f.tiles = 6;
    EXPECT_NE(said(f, "idle").find("6 tiles are few for 4 threads"), std::string::npos);
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

TEST(ProfileRules, StarvedTakesTheAdviceAboutThreadsBack) {
    Facts f = plain();
    f.reads[0].starved = 0.5;
    EXPECT_EQ(findings_of(f).front().rule, "starved");
    EXPECT_TRUE(said(f, "starved").starts_with("With one thread, 50 % of the time"));
    EXPECT_TRUE(said(f, "threads").ends_with("|"));
    // More threads than processors wait for each other.
    f.reads[0].starved = 0;
    f.reads[2].starved = 0.5;
    f.processors = 2;
    EXPECT_EQ(said(f, "starved"), "");
}

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
    EXPECT_NE(said(f, "no pyramid"), "");
    f.codec = "zstd1";
    EXPECT_EQ(said(f, "no pyramid"), "");
    f.codec = "JPEG XR";
    f.tiles_in_region = 4;
    EXPECT_EQ(said(f, "no pyramid"), "");
}

TEST(ProfileRules, Hidden) {
    Facts f = plain();
    EXPECT_EQ(said(f, "hidden"), "");
    f.hidden = 12;
    EXPECT_TRUE(said(f, "hidden").starts_with("12 tiles lie wholly under others"));
}

TEST(ProfileRules, FactsOfAProfile) {
    Profile p;
    p.processors = 2;
    p.disk = {1000000, true, 0.01, 0.5, 0.1};
    ReadTimes one;
    one.wall_s = 10;
    one.steps = {{"decode zstd1", 1, 4, {}}, {"decode JPEG XR", 8, 4, {}}, {"idle", 0.5, 0, {}}};
    one.stats.bytes_read = 900000;
    p.reads = {one};
    Facts const f = facts_of(p, false, true);
    EXPECT_DOUBLE_EQ(f.decode, 0.9);
    EXPECT_EQ(f.codec, "JPEG XR");
    EXPECT_DOUBLE_EQ(f.disk_rate, 2e6);
    EXPECT_DOUBLE_EQ(f.reads.at(0).idle, 0.05);
    EXPECT_DOUBLE_EQ(f.bytes_read, 900000);
}

}  // namespace
}  // namespace sluice::slide
