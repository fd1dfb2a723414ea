// Counters of the system, as their text says them.
// SPDX-License-Identifier: Apache-2.0
#include "bench/ticks.h"

#include <gtest/gtest.h>

namespace sluice::bench {
namespace {

TEST(Ticks, StolenAreTheEighth) {
    Ticks const t = parse_ticks("cpu  10 20 30 40 50 60 70 80 5 5");
    EXPECT_EQ(t.all, 360);
    EXPECT_EQ(t.stolen, 80);
    EXPECT_EQ(parse_ticks("cpu0 1 2 3").all, 0);
    EXPECT_EQ(parse_ticks("").all, 0);
    EXPECT_EQ(parse_ticks("cpu 1 2").stolen, 0);
}

}  // namespace
}  // namespace sluice::bench
