// FrameRing: frames wait within a budget, gaps are counted, and nobody waits for ever.
// SPDX-License-Identifier: Apache-2.0
#include "net/ring.h"

#include <gtest/gtest.h>

#include <thread>

namespace sluice::net {
namespace {

Arrival put(FrameRing& ring, index image, std::size_t size = 100) {
    auto const bytes =
        std::make_shared<std::vector<std::byte>>(size, static_cast<std::byte>(image));
    return ring.put(image, {.encoding = Encoding::values, .bytes = *bytes}, bytes);
}

/// A clock that stands until it is put forward.
struct Hands {
    std::chrono::steady_clock::time_point at{std::chrono::hours(1)};
    RingOptions of(index frames) {
        return {.name = "test", .frames = frames, .now = [this] { return at; }};
    }
    /// As `listen` does: a look each glance.
    void listen(FrameRing& ring, int ms) {
        for (; ms > 0; ms -= 50) {
            at += std::chrono::milliseconds(std::min(ms, 50));
            ring.listened();
        }
    }
};

/// '.' for a frame that is missing, else its first byte as a letter.
std::string fetch(FrameRing const& ring, index first, index count) {
    FetchScratch scratch;
    std::vector<EncodedFrame> frames(static_cast<std::size_t>(count));
    if (Status s = ring.fetch(first, frames, scratch); !s) return s.error().message;
    std::string text;
    for (EncodedFrame const& f : frames)
        text += f.encoding == Encoding::missing
                    ? '.'
                    : static_cast<char>('a' + std::to_integer<int>(f.bytes[0]));
    return text;
}

TEST(FrameRing, GivesWhatCameInTheOrderOfFrames) {
    FrameRing ring({.name = "test", .frames = 6});
    for (index const i : {1, 0, 3, 2}) EXPECT_EQ(put(ring, i), Arrival::kept);
    EXPECT_EQ(ring.state().waiting(), 4);
    EXPECT_EQ(ring.state().held_bytes, 400u);
    EXPECT_EQ(fetch(ring, 0, 4), "abcd");
    EXPECT_EQ(ring.state().held_bytes, 0u);
    EXPECT_EQ(put(ring, 0), Arrival::duplicate);
    EXPECT_EQ(put(ring, 6), Arrival::outside);
    EXPECT_EQ(put(ring, -1), Arrival::outside);
    EXPECT_EQ(put(ring, 5), Arrival::kept);
    ring.complete();
    EXPECT_EQ(put(ring, 4), Arrival::ended);
    EXPECT_EQ(fetch(ring, 4, 2), ".f");
    EXPECT_EQ(ring.gaps(), (std::vector<FrameRun>{{4, 1}}));
    EXPECT_NE(fetch(ring, 0, 1).find("read already"), std::string::npos);
}

TEST(FrameRing, ReadingWaitsForFrames) {
    FrameRing ring({.name = "test", .frames = 4});
    std::string got;
    std::jthread reader([&] { got = fetch(ring, 0, 4); });
    for (index i = 0; i < 4; ++i) EXPECT_EQ(put(ring, i), Arrival::kept);
    reader.join();
    EXPECT_EQ(got, "abcd");
}

TEST(FrameRing, WhatIsFarBehindIsGivenUp) {
    FrameRing ring({.name = "test", .frames = 20, .reorder = 3});
    for (index const i : {0, 2, 3}) EXPECT_EQ(put(ring, i), Arrival::kept);
    EXPECT_EQ(ring.state().gaps, 0);
    EXPECT_EQ(put(ring, 5), Arrival::kept);
    EXPECT_EQ(ring.state().gaps, 1);
    EXPECT_EQ(put(ring, 1), Arrival::late);
    EXPECT_EQ(fetch(ring, 0, 4), "a.cd");
    EXPECT_EQ(put(ring, 4), Arrival::kept);
}

TEST(FrameRing, OneNumberFarAheadGivesNothingUp) {
    FrameRing ring({.name = "test", .frames = 1000, .reorder = 3});
    EXPECT_EQ(put(ring, 0), Arrival::kept);
    EXPECT_EQ(put(ring, 900), Arrival::kept);
    EXPECT_EQ(put(ring, 1), Arrival::kept);
    EXPECT_EQ(ring.state().gaps, 0);
    EXPECT_EQ(put(ring, 500), Arrival::kept);
    EXPECT_EQ(put(ring, 501), Arrival::kept);
    EXPECT_EQ(ring.state().gaps, 496);  // of 2 .. 497
}

TEST(FrameRing, WhatTwoImagesHaveWaitedForIsGivenUp) {
    Hands hands;
    FrameRing ring(hands.of(1000));
    for (index const i : {0, 3}) EXPECT_EQ(put(ring, i), Arrival::kept);
    hands.listen(ring, 10000);
    EXPECT_EQ(ring.state().gaps, 0);  // one number may be damaged
    EXPECT_EQ(put(ring, 2), Arrival::kept);
    hands.listen(ring, 200);
    EXPECT_EQ(ring.state().gaps, 0);
    EXPECT_EQ(put(ring, 5), Arrival::kept);
    EXPECT_EQ(put(ring, 6), Arrival::kept);
    hands.listen(ring, 50);
    EXPECT_EQ(ring.gaps(), (std::vector<FrameRun>{{1, 1}}));
    EXPECT_EQ(put(ring, 1), Arrival::late);
    EXPECT_EQ(put(ring, 4), Arrival::kept);  // the others behind it have not waited so long
    EXPECT_EQ(fetch(ring, 0, 7), "a.cdefg");
}

TEST(FrameRing, ADamagedNumberAheadGivesNothingUpByTheClock) {
    Hands hands;
    FrameRing ring(hands.of(5000));
    EXPECT_EQ(put(ring, 0), Arrival::kept);
    EXPECT_EQ(put(ring, 3000), Arrival::kept);
    for (index i = 1; i < 20; ++i) {
        EXPECT_EQ(put(ring, i), Arrival::kept) << i;
        hands.listen(ring, 1000);
    }
    EXPECT_EQ(ring.state().gaps, 0);
}

// What lies in a socket while nobody reads it is not late.
TEST(FrameRing, TimeInWhichNobodyListensDoesNotCount) {
    Hands hands;
    RingOptions options = hands.of(100);
    options.tee = [&](index image, EncodedFrame const&, std::shared_ptr<void const> const&) {
        if (image == 3) hands.at += std::chrono::seconds(10);  // a disk that is slow
    };
    FrameRing ring(options);
    for (index const i : {0, 2, 3}) EXPECT_EQ(put(ring, i), Arrival::kept);
    ring.listened();
    EXPECT_EQ(ring.state().gaps, 0);
    hands.at += std::chrono::seconds(60);  // the machine stood still
    ring.listened();
    EXPECT_EQ(ring.state().gaps, 0);
    EXPECT_EQ(ring.state().lag_s, 70);
    EXPECT_EQ(put(ring, 1), Arrival::kept);
}

TEST(FrameRing, WithoutALimitOnlyNumbersCount) {
    Hands hands;
    RingOptions options = hands.of(100);
    options.reorder_time = {};
    FrameRing ring(options);
    for (index const i : {0, 2, 3}) EXPECT_EQ(put(ring, i), Arrival::kept);
    hands.listen(ring, 60000);
    EXPECT_EQ(put(ring, 1), Arrival::kept);
}

std::string told(FrameRing const& ring, index most = 10) {
    std::string text;
    for (WaitingFrame const& w : ring.waiting(std::chrono::milliseconds(100), most))
        text += static_cast<char>('a' + w.frame.number);
    return text;
}

TEST(FrameRing, TellsWhatWaitsForOthers) {
    Hands hands;
    FrameRing ring(hands.of(8));
    for (index const i : {0, 2, 5}) EXPECT_EQ(put(ring, i), Arrival::kept);
    hands.at += std::chrono::milliseconds(100);
    EXPECT_EQ(told(ring), "");  // nobody waits for anything: who reads is slow
    std::string got;
    std::jthread reader([&] { got = fetch(ring, 0, 4); });
    std::string first;
    while ((first = told(ring, 2)).empty()) std::this_thread::yield();
    EXPECT_EQ(first, "ac");
    EXPECT_EQ(told(ring, 2), "");        // so many are told and not fetched
    EXPECT_EQ(ring.state().lag_s, 0.1);  // of f
    EXPECT_EQ(told(ring), "f");          // each once
    EXPECT_EQ(ring.state().lag_s, 0);
    EXPECT_EQ(put(ring, 1), Arrival::kept);
    EXPECT_EQ(told(ring), "");  // it has not waited yet
    EXPECT_EQ(ring.state().waiting(), 4);
    EXPECT_EQ(put(ring, 3), Arrival::kept);
    reader.join();
    EXPECT_EQ(got, "abcd");
    ring.complete();
    EXPECT_EQ(fetch(ring, 4, 4), ".f..");
}

TEST(FrameRing, AFullRingWaitsForRoom) {
    FrameRing ring({.name = "test", .frames = 100, .budget = 300});
    std::jthread writer([&] {
        for (index i = 0; i < 100; ++i) EXPECT_EQ(put(ring, i), Arrival::kept);
    });
    for (index i = 0; i < 100; i += 4) {
        EXPECT_EQ(fetch(ring, i, 4).find('.'), std::string::npos) << i;
        EXPECT_LE(ring.state().held_bytes, 400u);
    }
}

TEST(FrameRing, AFullRingGivesUpWhatSomebodyWaitsFor) {
    FrameRing ring({.name = "test", .frames = 100, .budget = 300});
    std::string got;
    std::jthread reader([&] {
        got = fetch(ring, 0, 2);
        for (index i = 2; i < 20; i += 2) got += fetch(ring, i, 2);
    });
    for (index i = 0; i < 20; ++i) {
        if (i == 1) continue;
        EXPECT_EQ(put(ring, i), Arrival::kept);
    }
    reader.join();
    EXPECT_EQ(got, "a.cdefghijklmnopqrst");
    EXPECT_EQ(ring.state().gaps, 1);
}

TEST(FrameRing, TheEndWakesWhoWaits) {
    FrameRing ring({.name = "test", .frames = 4});
    std::string got;
    std::jthread reader([&] { got = fetch(ring, 0, 4); });
    EXPECT_EQ(put(ring, 2), Arrival::kept);
    ring.end("the sender stopped");
    reader.join();
    EXPECT_EQ(got, "..c.");
    EXPECT_EQ(ring.why_ended(), "the sender stopped");
    EXPECT_EQ(ring.state().gaps, 3);
}

TEST(FrameRing, ASpoiledFrameIsAGap) {
    index told = -1;
    FrameRing ring(
        {.name = "test", .frames = 4, .spoiled = [&](index i, Error const&) { told = i; }});
    for (index i = 0; i < 4; ++i) put(ring, i);
    EXPECT_EQ(fetch(ring, 0, 4), "abcd");
    ring.spoiled(2, {Code::corrupt, "it is broken"});
    EXPECT_EQ(told, 2);
    EXPECT_EQ(ring.gaps(), (std::vector<FrameRun>{{2, 1}}));
}

TEST(FrameRing, APathLeadsImagesToFrames) {
    // Two rows of three, the second from right to left, with an image of a flyback between.
    FrameRing ring({.name = "test", .frames = 6, .frame_of = {0, 1, 2, -1, 5, 4, 3}});
    EXPECT_EQ(ring.images(), 7);
    for (index i = 0; i < 7; ++i)
        EXPECT_EQ(put(ring, i), i == 3 ? Arrival::skipped : Arrival::kept);
    EXPECT_EQ(fetch(ring, 0, 6), "abcgfe");
}

TEST(FrameRing, TheFirstFramesStay) {
    FrameRing ring({.name = "test", .frames = 10, .budget = 500});
    for (index i = 0; i < 3; ++i) put(ring, i);
    EXPECT_EQ(ring.first_frames(3).size(), 3u);
    // Of what is more than the ring holds, what there is.
    std::jthread writer([&] {
        for (index i = 3; i < 10; ++i) put(ring, i);
    });
    EXPECT_EQ(ring.first_frames(8).size(), 5u);
    EXPECT_EQ(fetch(ring, 0, 10), "abcdefghij");
}

TEST(FrameRing, TheTeeHearsOfEveryImage) {
    std::string heard;
    FrameRing ring(
        {.name = "test",
         .frames = 2,
         .frame_of = {0, -1, 1},
         .tee = [&](index image, EncodedFrame const&, std::shared_ptr<void const> const&) {
             heard += std::to_string(image);
         }});
    for (index const i : {0, 0, 1, 7, 2}) put(ring, i);
    EXPECT_EQ(heard, "00172");
    EXPECT_EQ(ring.state().received, 2);
}

TEST(FrameRing, FramesThatWereLetGoCannotBeFetched) {
    FrameRing ring({.name = "test", .frames = 4});
    put(ring, 0);
    std::string heard;
    std::jthread waits([&] { heard = fetch(ring, 0, 2); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ring.discard();
    waits.join();
    EXPECT_NE(heard.find("let go"), std::string::npos) << heard;
    EXPECT_NE(fetch(ring, 0, 1).find("let go"), std::string::npos);
    EXPECT_TRUE(ring.first_frames(2).empty());
}

TEST(FrameRing, DiscardsWhatNobodyReads) {
    FrameRing ring({.name = "test", .frames = 100, .budget = 300});
    for (index i = 0; i < 3; ++i) EXPECT_EQ(put(ring, i), Arrival::kept);
    std::jthread later([&] { ring.discard(); });
    EXPECT_NE(put(ring, 3), Arrival::kept);  // whether it has waited for room or not
    for (index i = 4; i < 50; ++i) EXPECT_EQ(put(ring, i), Arrival::skipped);
    EXPECT_EQ(ring.state().held_bytes, 0u);
    EXPECT_FALSE(ring.state().ended);
    ring.complete();
    EXPECT_TRUE(ring.state().ended);
}

}  // namespace
}  // namespace sluice::net
