// Packets of Timepix3: what they are, whose times are whole, and that no length is believed.
// SPDX-License-Identifier: Apache-2.0
#include "format/tpx3/packets.h"

#include <gtest/gtest.h>

namespace sluice::tpx3 {
namespace {

using Kind = Found::Kind;
using Heard = Times::Heard;

Found found(std::string const& text, bool quiet = true) {
    return find_chunk(std::as_bytes(std::span(text)), quiet);
}
std::string chunk(std::vector<std::uint64_t> const& packets, int chip = 0) {
    return chunk_of(packets, chip);
}

TEST(Timepix3Packets, AHitSaysPixelAndTime) {
    // Written bit by bit: double column 0x56, super pixel 0x0b, pixel 6 of it; ToA 0x1234, ToT 77,
    // 5 fine steps before it, readout time 0x00ab.
    std::uint64_t const p = 0xbULL << 60 | 0x56ULL << 53 | 0x0bULL << 47 | 6ULL << 44 |
                            0x1234ULL << 30 | 77ULL << 20 | 5ULL << 16 | 0xabULL;
    EXPECT_EQ(kind_of(p), PacketKind::hit);
    Hit const h = hit_of(p);
    EXPECT_EQ(h.col, 2 * 0x56 + 1);
    EXPECT_EQ(h.row, 4 * 0x0b + 2);
    EXPECT_EQ(h.tot, 77);
    EXPECT_EQ(h.clock, ((0xabULL << 14 | 0x1234ULL) << 4) - 5);
}

TEST(Timepix3Packets, EveryPixelAndTimeComesBack) {
    for (index row = 0; row < chip_side; ++row)
        for (index col = 0; col < chip_side; ++col) {
            std::int64_t const time = 1'000'003 * (row * chip_side + col);
            Hit const h = hit_of(hit_packet(time, row, col));
            ASSERT_EQ(h.row, row);
            ASSERT_EQ(h.col, col);
            ASSERT_EQ(h.clock, static_cast<std::uint64_t>(time) % (1ULL << clock_bits));
        }
}

TEST(Timepix3Packets, FineTimesBeforeTheStartOfTheClockAreAtItsEnd) {
    std::uint64_t const p = 0xbULL << 60 | 3ULL << 16;
    EXPECT_EQ(hit_of(p).clock, (1ULL << clock_bits) - 3);
    EXPECT_EQ(hit_packet((std::int64_t{1} << clock_bits) - 3, 0, 0, 0), p);
}

TEST(Timepix3Packets, EdgesSayWhichTheyAre) {
    for (auto const& [code, edge] :
         {std::pair(0xfULL, Edge::tdc1_rise), std::pair(0xaULL, Edge::tdc1_fall),
          std::pair(0xeULL, Edge::tdc2_rise), std::pair(0xbULL, Edge::tdc2_fall)}) {
        std::uint64_t const p =
            6ULL << 60 | code << 56 | 0xabcULL << 44 | 12345ULL << 9 | 1ULL << 5;
        EXPECT_EQ(kind_of(p), PacketKind::edge);
        EdgePacket const e = edge_of(p);
        EXPECT_EQ(e.edge, edge);
        EXPECT_EQ(e.counter, 0xabc);
        EXPECT_EQ(e.clock, 2 * 12345u);
        EXPECT_EQ(edge_of(p + (6ULL << 5)).clock, 2 * 12345u + 1);
        EXPECT_EQ(edge_packet(2 * 12345, edge, 0xabc), p);
    }
    EXPECT_FALSE(edge_of(6ULL << 60 | 1ULL << 56).edge);
}

TEST(Timepix3Packets, WhatIsNoHitIsNamed) {
    EXPECT_EQ(kind_of(0x44ULL << 56), PacketKind::time);
    EXPECT_EQ(kind_of(0x71b0ULL << 48), PacketKind::control);
    EXPECT_EQ(kind_of(0xaULL << 60), PacketKind::timeless);
    for (std::uint64_t const nibble : {0x0, 0x1, 0x2, 0x3, 0x5, 0x8, 0x9, 0xc, 0xd, 0xe, 0xf})
        EXPECT_EQ(kind_of(nibble << 60), PacketKind::other);
}

TEST(Timepix3Packets, ChunksAreFoundOneAfterTheOther) {
    std::string const one = chunk({1, 2}, 3), two = chunk({}), text = one + two;
    Found const f = found(text);
    ASSERT_EQ(f.kind, Kind::chunk);
    EXPECT_EQ(f.size, 24u);
    EXPECT_EQ(f.chip, 3);
    ASSERT_EQ(f.packets.size(), 16u);
    EXPECT_EQ(f.packets[8], std::byte{2});
    EXPECT_EQ(found(text.substr(24)).size, 8u);
}

TEST(Timepix3Packets, WhatHasNotComeIsWaitedFor) {
    std::string const whole = chunk({1, 2, 3});
    for (std::size_t n = 0; n < whole.size(); ++n) {
        Found const f = found(whole.substr(0, n));
        ASSERT_EQ(f.kind, Kind::more) << n;
        ASSERT_GT(f.wanted, n);
        ASSERT_LE(f.wanted, whole.size());
    }
    EXPECT_EQ(found(whole, false).wanted, whole.size() + 1);
    EXPECT_EQ(found(whole + "T", false).kind, Kind::chunk);
}

TEST(Timepix3Packets, LengthsThatLieAreNoise) {
    std::string const next = chunk({7, 8});
    for (int const lie : {1, 8, 12, 32, 0xffff}) {
        std::string text = chunk({1, 2, 3});
        text[6] = static_cast<char>(lie & 0xff);
        text[7] = static_cast<char>(lie >> 8);
        text += next;
        Found const f = found(text);
        ASSERT_EQ(f.kind, Kind::noise) << lie;
        EXPECT_FALSE(f.wrong.empty());
        ASSERT_EQ(f.size, text.size() - next.size()) << lie;
        EXPECT_EQ(found(text.substr(f.size)).packets.size(), 16u);
    }
    // One that ends with the next is packets, one of which has no meaning.
    std::string both = chunk({1, 2, 3}) + next;
    both[6] = 48;
    EXPECT_EQ(found(both).packets.size(), 48u);
    // One that ends behind all that came is waited for, and then nothing begins after it.
    both[6] = 56;
    EXPECT_EQ(found(both).kind, Kind::more);
    EXPECT_EQ(found(both + next + next).kind, Kind::noise);
    Found const cut = found(next.substr(0, 15) + next, false);
    EXPECT_EQ(cut.kind, Kind::noise);
    EXPECT_EQ(cut.size, 15u);
}

TEST(Timepix3Packets, NoiseEndsWhereAChunkMayBegin) {
    EXPECT_EQ(found("xTPX").size, 1u);
    EXPECT_EQ(found("TTPX3").size, 1u);
    EXPECT_EQ(found("TPX4").size, 4u);
    EXPECT_EQ(found("garbage without").size, 15u);
}

constexpr std::int64_t turn = std::int64_t{1} << clock_bits;

std::uint64_t clock_of(std::int64_t time) {
    return static_cast<std::uint64_t>(time) & (static_cast<std::uint64_t>(turn) - 1);
}

TEST(Timepix3Times, WrapInHitsAndEdgesAlike) {
    Times times;
    std::int64_t t = turn - 1000;
    times.hear(times.whole(clock_of(t)));
    ASSERT_EQ(times.hear(times.whole(clock_of(t))), Heard::confirms);
    for (int i = 0; i < 1000; ++i) {
        t += Times::ahead / 3;
        std::uint64_t const clock = i % 2 == 0 ? hit_of(hit_packet(t, 1, 1)).clock
                                               : edge_of(edge_packet(t, Edge::tdc1_rise, i)).clock;
        ASSERT_EQ(times.whole(clock), t) << i;
        ASSERT_EQ(times.hear(t), Heard::believed);
        // What comes later than it was is where it was.
        ASSERT_EQ(times.whole(clock_of(t - Times::behind)), t - Times::behind);
    }
    EXPECT_GT(t, 8 * turn);
    EXPECT_EQ(times.newest(), t);
}

TEST(Timepix3Times, OneTimeFarAheadIsNotBelieved) {
    Times times;
    EXPECT_EQ(times.hear(100), Heard::maybe);  // the very first may be damaged
    EXPECT_EQ(times.hear(90), Heard::confirms);
    EXPECT_EQ(times.hear(110), Heard::believed);
    std::int64_t const far = 110 + 2 * Times::ahead;
    EXPECT_EQ(times.hear(far), Heard::maybe);
    EXPECT_EQ(times.hear(120), Heard::believed);
    EXPECT_EQ(times.hear(far), Heard::maybe);
    EXPECT_EQ(times.newest(), 120);
    EXPECT_EQ(times.hear(far + 5), Heard::confirms);
    EXPECT_EQ(times.newest(), far + 5);
}

TEST(Timepix3Times, AClockThatBeginsAnewBetweenTheFirstTwoIsFollowed) {
    Times times;
    EXPECT_EQ(times.hear(times.whole(clock_of(turn - 10))), Heard::maybe);
    EXPECT_EQ(times.hear(times.whole(clock_of(turn + 10))), Heard::confirms);
    EXPECT_EQ(times.whole(clock_of(turn - 10)), -10);
}

}  // namespace
}  // namespace sluice::tpx3
