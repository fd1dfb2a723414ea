// From the spans of a read to the facts of the rules.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile/rules/facts.h"

#include <gtest/gtest.h>

#include "domain/slide/profile/rules/findings.h"
#include "domain/slide/profile/sums.h"

namespace sluice::slide {
namespace {

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

}  // namespace
}  // namespace sluice::slide
