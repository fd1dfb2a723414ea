// What all receivers do with what comes.
// SPDX-License-Identifier: Apache-2.0
#include "net/listen.h"

#include <gtest/gtest.h>

#include <thread>

namespace sluice::net {
namespace {

using namespace std::chrono_literals;

std::string ended(std::vector<Came> const& script, double patience_s,
                  std::chrono::milliseconds each) {
    FrameRing ring({.name = "test", .frames = 4});
    std::size_t at = 0;
    Listening how{.images = 4, .patience_s = patience_s};
    how.next = [&]() -> Result<Came> {
        std::this_thread::sleep_for(each);
        return at < script.size() ? script[at++] : Came::nothing;
    };
    how.cut_short = [] { return std::string(); };
    listen(
        ring, [] { return true; }, how);
    return ring.why_ended();
}

// Messages that come slowly, one after the other, are no silence: however long they take together.
TEST(Listen, ASlowSenderIsNotSilent) {
    std::vector<Came> script(30, Came::message);
    script.push_back(Came::nothing);
    script.push_back(Came::end);
    EXPECT_EQ(ended(script, 0.1, 10ms), "");
}

// A slow machine sleeps longer, and gives up after fewer messages.
TEST(Listen, ALostImageOfASlowSenderIsGivenUpByTime) {
    FrameRing ring({.name = "test", .frames = 64, .reorder_time = std::chrono::milliseconds(60)});
    index sent = 0, given_up_after = 0;
    Listening how{.images = 64, .patience_s = 5};
    how.next = [&]() -> Result<Came> {
        if (ring.state().gaps > 0) {
            given_up_after = sent;
            return Came::end;
        }
        std::this_thread::sleep_for(5ms);
        if (sent == 3) ++sent;
        ring.put(sent++, {}, nullptr);
        return sent < 60 ? Came::message : Came::end;
    };
    how.cut_short = [] { return std::string(); };
    listen(
        ring, [] { return true; }, how);
    EXPECT_GT(given_up_after, 4);
    EXPECT_LT(given_up_after, 50);
}

TEST(Listen, SilenceEndsTheSeries) {
    EXPECT_NE(ended({Came::message}, 0.05, 10ms).find("silent for 0.05 s, without an end"),
              std::string::npos);
}

}  // namespace
}  // namespace sluice::net
