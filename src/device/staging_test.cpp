// Rooms of a staging block.
// SPDX-License-Identifier: Apache-2.0
#include "device/staging.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Staging, GivesRoomsUntilTheyAreDelivered) {
    std::vector<std::byte> block(256);
    Staging staging(block);
    auto const a = staging.room(100), b = staging.room(100);
    EXPECT_EQ(a.size(), 100u);
    EXPECT_GE(b.data(), a.data() + 100);
    EXPECT_TRUE(staging.room(100).empty()) << "it is full";
    std::byte out{};
    staging.expect({&out, 1}, b);
    b[0] = std::byte{7};
    EXPECT_EQ(out, std::byte{});
    staging.deliver();
    EXPECT_EQ(out, std::byte{7});
    EXPECT_EQ(staging.room(256).size(), 256u);
    staging.expect({&out, 1}, a);
    staging.clear();
    a[0] = std::byte{9};
    staging.deliver();
    EXPECT_EQ(out, std::byte{7}) << "that was forgotten";
}

}  // namespace
}  // namespace sluice
