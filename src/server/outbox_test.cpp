// Tests of what a slow client is kept.
// SPDX-License-Identifier: Apache-2.0
#include "server/outbox.h"

#include <gtest/gtest.h>

namespace sluice::server {
namespace {

SharedMessage message(std::string text) {
    return std::make_shared<Message>(Message{std::move(text), false});
}

TEST(Outbox, KeepsTheNewestOfASlotInItsPlace) {
    Outbox box;
    box.put("image", message("old"));
    box.put("frame", message("frame"));
    box.put("image", message("newer"));
    EXPECT_EQ(box.replaced(), 1U);
    EXPECT_EQ(box.bytes(), 10U);
    EXPECT_EQ((*box.take())->bytes, "newer");
    EXPECT_EQ((*box.take())->bytes, "frame");
    EXPECT_FALSE(box.take());
    EXPECT_EQ(box.bytes(), 0U);
}

TEST(Outbox, RefusesNothing) {
    Outbox box;
    for (int i = 0; i < 10; ++i) box.put(std::to_string(i), message(std::string(1 << 20, 'x')));
    EXPECT_EQ(box.bytes(), std::size_t{10} << 20);
    box.put("3", message("short"));
    EXPECT_EQ(box.bytes(), (std::size_t{9} << 20) + 5);
}

TEST(Outbox, CountsEveryMessage) {
    Outbox box;
    for (int i = 0; i < 10; ++i) box.put(std::to_string(i), message("12345678"));
    EXPECT_FALSE(box.holds_more_than(80, 10));
    EXPECT_TRUE(box.holds_more_than(79, 10));
    EXPECT_TRUE(box.holds_more_than(80, 9));
    box.clear();
    EXPECT_FALSE(box.holds_more_than(0, 0));
}

TEST(Outbox, ReplacesNothingWithoutASlot) {
    Outbox box;
    box.put("", message("one"));
    box.put("", message("two"));
    EXPECT_EQ((*box.take())->bytes, "one");
    EXPECT_EQ((*box.take())->bytes, "two");
}

}  // namespace
}  // namespace sluice::server
