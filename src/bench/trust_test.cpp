// Which rounds are believed.
// SPDX-License-Identifier: Apache-2.0
#include "bench/trust.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::bench {
namespace {

Trial good() {
    Trial t;
    t.threads = 1;
    t.wall_s = 1, t.cpu_s = 0.99;
    t.repeats = 5;
    t.spread = 0.05;
    return t;
}

std::string why(Trial const& t, int processors = 2) {
    auto const found = cannot_tell(std::vector{good(), t}, processors);
    if (!found) return "";
    EXPECT_TRUE(found->advice.starts_with("To get an answer")) << found->advice;
    return found->rule + ": " + found->text;
}

TEST(Trust, QuietRoundsTell) {
    EXPECT_EQ(why(good()), "");
    EXPECT_FALSE(cannot_tell({}, 2));
}

TEST(Trust, FewRoundsTellNothing) {
    Trial t = good();
    t.repeats = 2;
    EXPECT_EQ(why(t), "too few: 2 rounds cannot tell what is usual from what is chance.");
    t.repeats = 1;
    EXPECT_TRUE(why(t).starts_with("too few: One round"));
    t.repeats = 3;
    EXPECT_EQ(why(t), "");
}

TEST(Trust, ShortRoundsTellNothing) {
    Trial t = good();
    t.wall_s = t.cpu_s = 0.9e-3;
    EXPECT_TRUE(why(t).starts_with("too short: A round takes 0.9 ms"));
    t.wall_s = t.cpu_s = 1.1e-3;
    EXPECT_EQ(why(t), "");
}

TEST(Trust, StarvedRoundsTellNothing) {
    // One thread that computed half of its time waited the other half.
    Trial t = good();
    t.cpu_s = 0.5;
    EXPECT_TRUE(why(t).starts_with("starved: With one thread, 50 % of the time was waiting"));
    // Two threads wait for each other as well: what counts is what the system saw.
    t.threads = 2;
    EXPECT_EQ(why(t), "");
    t.starved = 0.15;
    EXPECT_TRUE(why(t).starts_with("starved: With 2 threads, 15 %"));
    EXPECT_EQ(why(t, 1), "");
    t.starved = 0;
    t.steal = 0.05;
    EXPECT_TRUE(why(t).starts_with("starved: With 2 threads, the host gave 5 %"));
}

TEST(Trust, RestlessRoundsTellNothing) {
    Trial t = good();
    t.spread = 0.51;
    EXPECT_EQ(why(t),
              "unsteady: The same round with one thread took times that differ by 51 %: nothing "
              "can be told from them.");
    t.spread = 0.5;
    EXPECT_EQ(why(t), "");
}

}  // namespace
}  // namespace sluice::bench
