// Reads of which nothing can be told.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile/rules/facts_test.h"

namespace sluice::slide {
namespace {

TEST(ProfileRules, TooShort) {
    Facts f = plain();
    EXPECT_EQ(said(f, "too short"), "");
    f.reads = {{1, 0.0031, 0.003, 0, 0}};
    EXPECT_EQ(
        said(f, "too short"),
        "A read of 100 tiles takes 3.1 ms, which is too short to show what limits it.|To get an "
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

}  // namespace
}  // namespace sluice::slide
