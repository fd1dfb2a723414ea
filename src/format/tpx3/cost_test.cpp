// What decoding and ordering hits costs, in processor time; printed, for machines differ.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <ctime>
#include <random>

#include "format/tpx3/packets.h"
#include "format/tpx3/scan_clock.h"

namespace sluice::tpx3 {
namespace {

double processor_s() {
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

TEST(Timepix3Scan, CostOfAHit) {
    // 64 lines of 256 points of 10 us, 2 million hits that come up to 100 us later.
    constexpr std::int64_t line = 1'638'400;
    constexpr index hits = 2'000'000, lines = 64;
    std::mt19937_64 random(3);
    std::string bytes;
    std::vector<std::uint64_t> packets;
    index begun = 0;
    for (index i = 0; i < hits; ++i) {
        std::int64_t const now = lines * line * i / hits;
        if (begun < lines && now >= begun * line) {
            packets.push_back(
                edge_packet(1'000'000 + begun * line, Edge::tdc1_rise, static_cast<int>(begun)));
            ++begun;
        }
        auto const before = std::min(now, static_cast<std::int64_t>(random() % 64'000));
        packets.push_back(hit_packet(1'000'000 + now - before, static_cast<index>(random() % 256),
                                     static_cast<index>(random() % 256)));
        if (packets.size() > 8000) bytes += chunk_of(packets), packets.clear();
    }
    bytes += chunk_of(packets);
    index made = 0;
    ScanClock clock({.images = 256 * lines, .per_line = 256},
                    [&](index, Bytes pixels, std::shared_ptr<void const> const&) {
                        made += std::ssize(pixels) / 2;
                    });
    Times times;
    double const begin = processor_s();
    for (Bytes left = std::as_bytes(std::span(bytes)); !left.empty();) {
        Found const f = find_chunk(left, true);
        ASSERT_EQ(f.kind, Found::Kind::chunk);
        for (std::size_t at = 0; at < f.packets.size(); at += packet_bytes) {
            std::uint64_t p = 0;
            std::memcpy(&p, f.packets.data() + at, packet_bytes);
            if (kind_of(p) == PacketKind::hit) {
                Hit const h = hit_of(p);
                std::int64_t const time = times.whole(h.clock);
                times.hear(time);
                clock.hit(time, static_cast<std::uint16_t>(h.row * chip_side + h.col));
            } else {
                EdgePacket const e = edge_of(p);
                times.hear(times.whole(e.clock));
                clock.start(times.whole(e.clock), e.counter);
            }
        }
        if (times.newest()) clock.pass(*times.newest());
        left = left.subspan(f.size);
    }
    clock.finish(*times.newest());
    double const s = processor_s() - begin;
    ClockCounts const& c = clock.counts();
    EXPECT_EQ(c.hits, made);
    EXPECT_GT(made, hits * 9 / 10);
    EXPECT_EQ(made + c.before + c.between + c.late, hits);
    fmt::print("{:.1f} million hits a second of processor time\n",
               static_cast<double>(hits) / 1e6 / s);
}

}  // namespace
}  // namespace sluice::tpx3
