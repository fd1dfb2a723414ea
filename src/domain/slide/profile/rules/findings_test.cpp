// Each rule of the profile says what the numbers say, and nothing otherwise.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile/rules/findings.h"

#include <gtest/gtest.h>

#include "domain/slide/profile/sums.h"
#include "domain/slide/profile/system.h"

namespace sluice::slide {
namespace {

// A quiet machine of four processors, a fast disk, and a file without surprises.
Facts plain() {
    Facts f;
    f.processors = 4;
    f.codec = "JPEG XR";
    f.decode = 0.93;
    f.reads = {{1, 4.0, 4.0, 0, 0}, {2, 2.0, 4.0, 0.02, 0}, {4, 1.0, 4.1, 0.05, 0}};
    f.cold = {{4, 1.1, 4.2, 0.05, 0}, 0.02};
    f.cold_asked = true;
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

std::string evidence(Facts const& f, std::string_view rule) {
    std::vector<Finding> const all = findings_of(f);
    Finding const* const found = find(all, rule);
    return found ? found->evidence : std::string();
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

// Everything that can be said, said at once.
Facts everything() {
    Facts f = plain();
    f.copy = f.compose = f.outside = 0.5;
    f.cold = {{4, 4.0, 4.2, 0.05, 0}, 0.7};
    f.reads.back().cpu_s = 6;
    f.reads.back().idle = 0.3;
    f.longest_tile_s = 0.8;
    f.amplification = 7;
    f.seek_directory = 500e6;
    f.open_s = 2;
    f.levels = 1;
    f.hidden = 3;
    return f;
}

TEST(ProfileRules, TimesThatSayNothingGiveNoClaimAndOneAdvice) {
    std::vector<std::string> rules;
    for (Finding const& f : findings_of(everything())) rules.push_back(f.rule);
    EXPECT_EQ(rules, (std::vector<std::string>{"disk", "decoding", "composing", "filling",
                                               "threads", "idle", "slower cores", "opening",
                                               "no pyramid", "amplification", "order", "hidden"}));
    std::vector<Facts> bad(7, everything());
    // A few milliseconds; too few tiles.
    for (ReadFacts& r : bad[0].reads) r.wall_s /= 100, r.cpu_s /= 100;
    bad[1].tiles = 3;
    // Waiting that the steps saw, that only the clocks saw, that the host saw; and restless times.
    bad[2].reads[1].starved = 0.2;
    bad[3].reads[0].cpu_s = 0.5 * bad[3].reads[0].wall_s;
    bad[4].reads[2].steal = 0.1;
    bad[5].reads[2].spread = 0.8;
    bad[6].reads[2].wall_s = 100, bad[6].reads[2].starved = 0.9;
    constexpr std::array why = {"too short", "too short", "starved", "starved",
                                "starved",   "unsteady",  "starved"};
    for (std::size_t i = 0; i < bad.size(); ++i) {
        std::vector<Finding> const all = findings_of(bad[i]);
        // In three tiles there is no order to speak of.
        bool const few = bad[i].tiles < 8;
        ASSERT_EQ(all.size(), few ? 3u : 4u) << i;
        EXPECT_EQ(all[0].rule, why[i]);
        EXPECT_TRUE(all[0].advice.starts_with("To get an answer")) << all[0].advice;
        EXPECT_EQ(cannot_tell(bad[i])->rule, why[i]);
        // What is counted stays true, but it is no time to follow advice.
        EXPECT_EQ(all[1].rule, "amplification");
        if (!few) {
            EXPECT_EQ(all[2].rule, "order");
        }
        EXPECT_EQ(all.back().rule, "hidden");
        for (std::size_t k = 1; k < all.size(); ++k) EXPECT_EQ(all[k].advice, "");
    }
    EXPECT_FALSE(cannot_tell(everything()));
}

TEST(ProfileRules, TooShort) {
    Facts f = plain();
    EXPECT_EQ(said(f, "too short"), "");
    f.reads = {{1, 0.0031, 0.003, 0, 0}};
    EXPECT_EQ(said(f, "too short"),
              "A read of 100 tiles takes 3.1 ms: too little to tell what limits it.|To get an "
              "answer, read more at once: a larger --region, --max-tiles 0, or a larger file.");
    f = plain();
    f.tiles = 1;
    EXPECT_TRUE(said(f, "too short").starts_with("A read of 1 tile takes 4 s"))
        << said(f, "too short");
    f.tiles = 4;
    EXPECT_EQ(said(f, "too short"), "");
}

TEST(ProfileRules, Starved) {
    Facts f = plain();
    EXPECT_EQ(said(f, "starved"), "");
    f.reads[0].starved = 0.5;
    EXPECT_TRUE(said(f, "starved")
                    .starts_with("With one thread, 50 % of the time was waiting for a processor"));
    // 45 % computing is 55 % waiting, whatever the steps saw of it.
    f = plain();
    f.reads[0].cpu_s = 1.8;
    EXPECT_TRUE(said(f, "starved").starts_with("With one thread, 55 % of the time"));
    f.reads[0].cpu_s = 3.6;
    EXPECT_EQ(said(f, "starved"), "");
    // Threads wait for each other's tiles, and not only for processors.
    f.reads[1].cpu_s = 0.5;
    EXPECT_EQ(said(f, "starved"), "");
    f.reads[1].steal = 0.2;
    EXPECT_TRUE(said(f, "starved").starts_with("With 2 threads, the host gave 20 %"));
    // More threads than processors wait for each other.
    f = plain();
    f.reads[2].starved = 0.5;
    f.processors = 2;
    EXPECT_EQ(said(f, "starved"), "");
}

TEST(ProfileRules, Unsteady) {
    Facts f = plain();
    f.reads[1].spread = 0.4;
    EXPECT_EQ(said(f, "unsteady"), "");
    f.reads[1].spread = 0.6;
    EXPECT_TRUE(said(f, "unsteady")
                    .starts_with("The same read with 2 threads took times that differ by 60 %"));
    f.processors = 1;
    EXPECT_EQ(said(f, "unsteady"), "");
}

TEST(ProfileRules, EvidenceIsSureOrLikely) {
    Facts f = plain();
    f.reads[0].repeats = 5;
    f.reads[0].spread = 0.04;
    EXPECT_EQ(evidence(f, "decoding"),
              "sure: 4 s of computing in 4 s with one thread; 100 tiles, 5 reads within "
              "4 %");
    f.reads[0].spread = 0.2;
    EXPECT_TRUE(evidence(f, "decoding").starts_with("likely"));
    f.reads[0].spread = 0;
    f.reads[0].repeats = 1;
    EXPECT_TRUE(evidence(f, "decoding").starts_with("likely"));
    EXPECT_TRUE(evidence(f, "decoding").ends_with("1 read within 0 %"));
    f.reads[0].repeats = 3;
    f.tiles = 10;
    EXPECT_TRUE(evidence(f, "decoding").starts_with("likely"));
    for (Finding const& each : findings_of(everything())) {
        bool const counted = each.rule == "amplification" || each.rule == "order" ||
                             each.rule == "hidden" || each.rule == "no pyramid";
        EXPECT_EQ(each.evidence.empty(), counted) << each.rule;
    }
}

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
    EXPECT_TRUE(said(f, "filling").starts_with("Filling what has no tile"));
    EXPECT_NE(said(f, "filling").find("is 60 % of the computing"), std::string::npos);
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
              "the disk: the work of the system, which fills its cache, is more.|");
}

TEST(ProfileRules, FewBytesAndRestlessTimesSayNothingOfTheDisk) {
    Facts f = plain();
    f.cold = {{4, 30.0, 4.2, 0.05, 0}, 0.9};
    f.bytes_read = 2.8e6;
    EXPECT_EQ(said(f, "disk"), "");
    EXPECT_TRUE(said(f, "disk unknown").starts_with("The tiles have 2.8 MB: too little to tell"));
    f.bytes_read = 40e6;
    EXPECT_EQ(said(f, "disk unknown"), "");
    f.cold->read.spread = 0.7;
    EXPECT_EQ(said(f, "disk"), "");
    EXPECT_TRUE(said(f, "disk unknown").starts_with("First reads took times that differ by 70 %"));
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

// From spans to sentences: one read of 100 ms with one thread and eight tiles, of which each step
// computes a part of the time that passes.
Profile traced(double busy, SystemCounts const& system, bool cold) {
    constexpr std::int64_t ms = 1000000;
    Profile p;
    p.processors = 2;
    p.tiles.resize(8);
    ReadTimes r;
    r.cold = cold;
    r.system = system;
    auto const part = [&](std::int64_t wall) {
        return static_cast<std::int64_t>(busy * static_cast<double>(wall));
    };
    for (std::int32_t t = 0; t < 8; ++t) {
        std::int64_t const at = 12 * t * ms;
        r.spans.push_back({Phase::read, 0, t, at, at + 4 * ms, part(4 * ms), 0});
        r.spans.push_back({Phase::decode, 0, t, at + 4 * ms, at + 12 * ms, part(8 * ms), 0});
    }
    sum_up(r, 0, 100 * ms, false, [](std::int32_t) { return "zstd1"; });
    (cold ? p.cold_read.emplace() : p.reads.emplace_back()) = std::move(r);
    return p;
}

TEST(ProfileRules, SharesAreOfTheComputingAndNotOfTheTime) {
    // The machine gave a quarter: decoding is two thirds of what was computed all the same.
    Facts const f = facts_of(traced(0.25, {.cpu_s = 0.024}, false), false, false);
    EXPECT_NEAR(f.decode, 2.0 / 3, 1e-9);
    EXPECT_NEAR(f.copy, 1.0 / 3, 1e-9);
    EXPECT_EQ(f.codec, "zstd1");
    // And nothing is claimed of such times.
    EXPECT_EQ(findings_of(f).front().rule, "starved");
    Facts const quiet = facts_of(traced(1, {.cpu_s = 0.096}, false), false, false);
    EXPECT_NEAR(quiet.decode, 2.0 / 3, 1e-9);
    EXPECT_EQ(findings_of(quiet).front().rule, "decoding");
}

TEST(ProfileRules, OnlyWhatCameFromADiskWasWaitedFor) {
    EXPECT_EQ(traced(0.5, {}, false).reads[0].seconds(step::disk), 0);
    EXPECT_NEAR(traced(0.5, {}, false).reads[0].seconds(step::starved), 0.048, 1e-9);
    // A page of the program is not the file.
    EXPECT_EQ(traced(0.5, {.disk_bytes = 4096}, false).reads[0].seconds(step::disk), 0);
    EXPECT_NEAR(traced(0.5, {.disk_bytes = 1 << 22}, false).reads[0].seconds(step::disk), 0.016,
                1e-9);
    EXPECT_NEAR(traced(0.5, {}, true).cold_read->seconds(step::disk), 0.016, 1e-9);
}

TEST(ProfileRules, ComputingOutsideOfTheStepsIsNotIdleness) {
    Profile const p = traced(0.125, {.cpu_s = 0.016}, false);
    // 12 ms are in the steps, and 4 ms are what was idle after them.
    EXPECT_NEAR(p.reads[0].seconds(step::outside), 0.004, 1e-9);
    EXPECT_NEAR(p.reads[0].seconds(step::idle), 0, 1e-9);
    EXPECT_NEAR(p.reads[0].seconds(""), 0.1, 1e-9);
    EXPECT_NEAR(facts_of(p, false, false).outside, 0.25, 1e-9);
}

TEST(ProfileRules, StolenTicksAreTheEighth) {
    Ticks const t = parse_ticks("cpu  10 20 30 40 50 60 70 80 5 5");
    EXPECT_EQ(t.all, 360);
    EXPECT_EQ(t.stolen, 80);
    EXPECT_EQ(parse_ticks("cpu0 1 2 3").all, 0);
    EXPECT_EQ(parse_ticks("").all, 0);
    EXPECT_EQ(parse_ticks("cpu 1 2").stolen, 0);
}

}  // namespace
}  // namespace sluice::slide
