// Copy bandwidth on a clock that the test moves.
// SPDX-License-Identifier: Apache-2.0
#include "device/copy_bandwidth.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

// Every second reading ends a round: the rounds take 100, 1, 4 and 2 seconds.
std::function<double()> clock_of_rounds() {
    return [n = 0, time = 0.0]() mutable {
        constexpr double rounds[] = {100, 1, 4, 2};
        if (n % 2 == 1) time += rounds[n / 2];
        ++n;
        return time;
    };
}

TEST(CopyBandwidth, IsTheMedianOfTheRoundsAfterTheFirst) {
    constexpr index bytes = (index{3} << 20) + 5;
    auto const found = copy_bandwidth(Device::cpu(2), {bytes, 3, clock_of_rounds()});
    ASSERT_TRUE(found);
    // Read once and written once in two seconds, the middle one of 1, 4 and 2.
    EXPECT_EQ(*found, 2.0 * bytes / 2);
}

TEST(CopyBandwidth, OfDevicesWithMemoryOfTheirOwnIsNotKnown) {
    EXPECT_FALSE(copy_bandwidth(Device::fake(), {1 << 20, 3, clock_of_rounds()}));
    EXPECT_TRUE(copy_bandwidth(Device::reference(), {1 << 20, 3, clock_of_rounds()}));
}

TEST(CopyBandwidth, OfAClockThatStandsStillIsNotKnown) {
    EXPECT_FALSE(copy_bandwidth(Device::cpu(1), {1 << 20, 3, [] { return 1.0; }}));
}

TEST(ReadRates, CountEachByteOnce) {
    constexpr index bytes = (index{3} << 20) + 5;
    auto const found = read_rates(Device::cpu(2), {bytes, 3, clock_of_rounds()});
    EXPECT_EQ(found, (std::vector<double>{bytes / 1.0, bytes / 4.0, bytes / 2.0}));
    EXPECT_TRUE(read_rates(Device::fake(), {1 << 20, 3, clock_of_rounds()}).empty());
}

}  // namespace
}  // namespace sluice
