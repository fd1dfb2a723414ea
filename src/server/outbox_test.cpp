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
    Outbox box(100);
    EXPECT_TRUE(box.put("image", message("old")));
    EXPECT_TRUE(box.put("frame", message("frame")));
    EXPECT_TRUE(box.put("image", message("newer")));
    EXPECT_EQ(box.replaced(), 1U);
    EXPECT_EQ(box.bytes(), 10U);
    EXPECT_EQ((*box.take())->bytes, "newer");
    EXPECT_EQ((*box.take())->bytes, "frame");
    EXPECT_FALSE(box.take());
    EXPECT_EQ(box.bytes(), 0U);
}

TEST(Outbox, RefusesWhatIsTooMuchButTakesOneOfAnySize) {
    Outbox box(4);
    EXPECT_TRUE(box.put("a", message("too long for it")));
    EXPECT_FALSE(box.put("b", message("x")));
    EXPECT_EQ(box.refused(), 1U);
    EXPECT_TRUE(box.put("a", message("abc")));
    EXPECT_TRUE(box.put("b", message("x")));
    EXPECT_FALSE(box.put("", message("y")));
}

TEST(Outbox, ReplacesNothingWithoutASlot) {
    Outbox box(100);
    EXPECT_TRUE(box.put("", message("one")));
    EXPECT_TRUE(box.put("", message("two")));
    EXPECT_EQ((*box.take())->bytes, "one");
    EXPECT_EQ((*box.take())->bytes, "two");
}

}  // namespace
}  // namespace sluice::server
