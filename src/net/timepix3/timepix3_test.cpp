// Timepix3 over the loopback: hits become the images of their points.
// SPDX-License-Identifier: Apache-2.0
#include "net/timepix3/timepix3.h"

#include <gtest/gtest.h>

#include "format/decode_frame.h"
#include "net/test_receiver.h"

namespace sluice::net::timepix3 {
namespace {

using namespace std::chrono_literals;

TEST(Timepix3, AScanComesWhole) {
    TcpPort port = TcpPort::open("tcp://127.0.0.1:*").value();
    TestReceiver p;
    p.stream = Timepix3::connect(port.address(), {.patience_s = 0.3, .line_images = 2}).value();
    auto to = port.accept(5s);
    // Two lines of two points; point i has i + 1 hits in pixel (3, 5).
    constexpr std::int64_t point = 1'000'000, first = 5'000'000;
    std::vector<std::uint64_t> packets;
    for (int i = 0; i < 4; ++i) {
        if (i % 2 == 0) packets.push_back(edge_packet(first + i * point, Edge::tdc1_rise, i / 2));
        for (int h = 0; h <= i; ++h)
            packets.push_back(hit_packet(first + i * point + 1000 + h, 3, 5));
    }
    packets.push_back(0x71ULL << 56);
    packets.push_back(edge_packet(first + 4 * point, Edge::tdc1_fall, 2));
    std::string const text = chunk_of(packets);
    ASSERT_EQ(to->send(std::as_bytes(std::span(text)), 5s), text.size());
    auto const series = p.stream->wait_for_series(p.bounded()).value();
    ASSERT_TRUE(series);
    EXPECT_EQ(series->dataset.rows, 256);
    FrameRing ring({.name = "test", .frames = 4});
    p.stream->receive(ring, p.bounded());
    EXPECT_EQ(ring.why_ended(), "");
    FetchScratch scratch;
    std::vector<EncodedFrame> frames(4);
    ASSERT_TRUE(ring.fetch(0, frames, scratch));
    for (std::size_t i = 0; i < 4; ++i) {
        ASSERT_EQ(frames[i].encoding, Encoding::hits) << i;
        std::vector<std::byte> values(256 * 256 * 2);
        ASSERT_TRUE(decode_frame(frames[i], {256, 256, 2}, values));
        EXPECT_EQ(std::to_integer<std::size_t>(values[2 * (3 * 256 + 5)]), i + 1);
    }
    EXPECT_TRUE(p.stream->problems().list().empty());
}

TEST(Timepix3, WithoutLinesAndPointsThereAreNoImages) {
    EXPECT_EQ(Timepix3::connect("tcp://127.0.0.1:1").error().code, Code::invalid_argument);
}

}  // namespace
}  // namespace sluice::net::timepix3
