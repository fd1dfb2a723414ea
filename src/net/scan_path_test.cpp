// Orders of scans.
// SPDX-License-Identifier: Apache-2.0
#include "net/scan_path.h"

#include <gtest/gtest.h>

namespace sluice::net {
namespace {

TEST(ScanPath, Orders) {
    EXPECT_TRUE(frame_of({.scan = {2, 3}}).empty());
    EXPECT_EQ(frame_of({.scan = {2, 3}, .order = Order::serpentine}),
              (std::vector<index>{0, 1, 2, 5, 4, 3}));
    EXPECT_EQ(frame_of({.scan = {2, 2}, .flyback = 1}), (std::vector<index>{0, 1, -1, 2, 3, -1}));
}

}  // namespace
}  // namespace sluice::net
