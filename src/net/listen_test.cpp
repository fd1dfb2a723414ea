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

TEST(Listen, SilenceEndsTheSeries) {
    EXPECT_NE(ended({Came::message}, 0.05, 10ms).find("silent for 0.05 s, without an end"),
              std::string::npos);
}

}  // namespace
}  // namespace sluice::net
