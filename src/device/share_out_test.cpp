// share_out(): the rest is skipped after an error or a no.
// SPDX-License-Identifier: Apache-2.0
#include "device/share_out.h"

#include <gtest/gtest.h>

#include <atomic>

namespace sluice {
namespace {

TEST(ShareOut, DoesAllWhereNobodyStopsIt) {
    std::atomic<index> sum = 0;
    share_out(100, 4, nullptr, [&](index i, int) { sum += i; });
    EXPECT_EQ(sum, 4950);
    EXPECT_TRUE(share_out(100, 4, [&](index i, int) -> Status {
        sum -= i;
        return {};
    }));
    EXPECT_EQ(sum, 0);
}

TEST(ShareOut, ReturnsTheFirstError) {
    std::atomic<index> done = 0;
    auto const work = [&](index i, int) -> Status {
        if (i >= 7) return Error{Code::io, std::to_string(i)};
        ++done;
        return {};
    };
    auto const status = share_out(1000, 1, work);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "7");
    EXPECT_EQ(done, 7);
    EXPECT_FALSE(share_out(1000, 4, work));
}

TEST(ShareOut, SkipsTheRestAfterANo) {
    index asked = 0, done = 0;
    sluice::Run run([&](index) { return ++asked < 4; });
    share_out(10, 1, &run, [&](index, int) { ++done; });
    EXPECT_EQ(done, 3);
    EXPECT_EQ(asked, 4);
    EXPECT_EQ(run.status().error().code, Code::cancelled);
}

}  // namespace
}  // namespace sluice
