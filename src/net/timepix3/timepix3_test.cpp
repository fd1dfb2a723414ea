// Timepix3 over the loopback: hits become the images of their points.
// SPDX-License-Identifier: Apache-2.0
#include "net/timepix3/timepix3.h"

#include <gtest/gtest.h>

#include <thread>

#include "format/decode_frame.h"
#include "net/test_receiver.h"
#include "net/timepix3/wire.h"
#include "sluice/memory_dataset.h"

namespace sluice::net::timepix3 {
namespace {

using tpx3::chunk_of;
using tpx3::Edge;
using tpx3::edge_packet;
using tpx3::hit_packet;
using namespace std::chrono_literals;

StreamOptions usual(std::string const& chip_layout) {
    StreamOptions o;
    o.patience_s = 0.3;
    o.line_images = 2;
    o.open.format.of<Tpx3Options>().chip_layout = chip_layout;
    return o;
}

/// A readout and its receiver, of lines of two images.
struct Readout {
    explicit Readout(std::string const& chip_layout = {})
        : receiver{Timepix3::connect(port.address(), usual(chip_layout)).value()} {}

    TcpPort port = TcpPort::open("tcp://127.0.0.1:*").value();
    TestReceiver receiver;
    std::optional<TcpStream> to = port.accept(5s);

    bool sends(std::vector<std::uint64_t> const& packets) {
        std::string const text = chunk_of(packets);
        return to->send(std::as_bytes(std::span(text)), 5s) == text.size();
    }
};

TEST(Timepix3, AScanComesWhole) {
    Readout r;
    TestReceiver& p = r.receiver;
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
    ASSERT_TRUE(r.sends(packets));
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

// One chip may have any number. Of several, those of one would be a part of each pattern.
TEST(Timepix3, SeveralChipsAreRefused) {
    auto const heard = [](std::vector<int> const& chips) {
        Readout r;
        std::string text;
        for (int const chip : chips)
            text += chunk_of(std::array{hit_packet(5'000'000, 3, 5)}, chip);
        text += chunk_of(std::array{edge_packet(5'000'100, Edge::tdc1_rise, 0)}, chips.front());
        EXPECT_EQ(r.to->send(std::as_bytes(std::span(text)), 5s), text.size());
        auto const series = r.receiver.stream->wait_for_series(r.receiver.bounded());
        if (!series) return series.error().text();
        auto const told = r.receiver.stream->problems().list();
        return told.empty() ? std::string() : told[0].what;
    };
    EXPECT_EQ(heard({3, 3, 3, 3}), "");
    EXPECT_EQ(heard({0, 0, 2, 0}), "chunks of another chip");
    EXPECT_NE(heard({0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3})
                  .find("hits of chip 0 and of chip 1 (how its chips lie"),
              std::string::npos);
}

// What each chip sends lies where it was said; signals count, whichever chip tells them.
TEST(Timepix3, SeveralChipsLieWhereItIsSaid) {
    Readout r("0:0:260,1:260:260:180,2:260:0:180,3:0:0");
    TestReceiver& p = r.receiver;
    constexpr std::int64_t point = 1'000'000, first = 5'000'000;
    std::string text;
    for (int i = 0; i < 4; ++i) {
        std::int64_t const begin = first + i * point;
        if (i % 2 == 0) text += chunk_of(std::array{edge_packet(begin, Edge::tdc1_rise, i / 2)}, 9);
        for (int const chip : {2, 0, 3, 1})
            text += chunk_of(std::array{hit_packet(begin + 1000 + chip, 3, 5 + i)}, chip);
        // Nobody said where it lies.
        text += chunk_of(std::array{hit_packet(begin + 1010, 3, 5)}, 9);
    }
    text += chunk_of(std::array{edge_packet(first + 4 * point, Edge::tdc1_fall, 2)}, 9);
    ASSERT_EQ(r.to->send(std::as_bytes(std::span(text)), 5s), text.size());
    auto const series = p.stream->wait_for_series(p.bounded()).value();
    ASSERT_TRUE(series);
    EXPECT_EQ(series->dataset.rows, 516);
    EXPECT_EQ(series->dataset.cols, 516);
    ASSERT_EQ(series->dataset.pixel_mask.size(), 516U * 516);
    EXPECT_EQ(series->dataset.pixel_mask[256], 1U);
    EXPECT_EQ(series->dataset.pixel_mask[255], 0U);
    FrameRing ring({.name = "test", .frames = 4});
    p.stream->receive(ring, p.bounded());
    FetchScratch scratch;
    std::vector<EncodedFrame> frames(4);
    ASSERT_TRUE(ring.fetch(0, frames, scratch));
    for (std::size_t i = 0; i < 4; ++i) {
        ASSERT_EQ(frames[i].encoding, Encoding::wide_hits);
        std::vector<std::uint16_t> values(516 * 516);
        ASSERT_TRUE(
            decode_frame(frames[i], {516, 516, 2}, std::as_writable_bytes(std::span(values))));
        std::size_t const at = 3 * 516 + 5 + i, turned = (515 - 3) * 516 - i;
        for (std::size_t const pixel : {at, at + 260, turned + 510, turned + 250}) {
            EXPECT_EQ(values[pixel], 1) << i << ": " << pixel / 516 << ", " << pixel % 516;
            values[pixel] = 0;
        }
        EXPECT_TRUE(std::ranges::all_of(values, [](auto v) { return v == 0; }));
    }
    EXPECT_EQ(p.first("chunks of a chip without a place"), "7, of chip 9");
}

// Over a turn of the clock, with a way back after each line.
TEST(Timepix3, CountsThatWereSentComeBack) {
    std::array<std::uint8_t, 12 * 20 * 30> counts{};
    for (std::size_t i = 0; i < counts.size(); ++i)
        counts[i] = static_cast<std::uint8_t>(i * i % 11 == 3 ? i % 37 : 0);
    Dataset const dataset =
        from_memory({.data = counts.data(), .dtype = DType::u8, .shape = {3, 4, 20, 30}}).value();
    SimulatorOptions const options{.rate = 1500, .flyback = 2, .wait_s = 10};
    auto const from = wire("tcp://127.0.0.1:*", dataset, options).value();
    TestReceiver p;
    p.stream = Timepix3::connect(from->address(), {.patience_s = 10, .line_images = 6}).value();
    SimulatorReport sent;
    std::jthread const sends([&] { sent = simulate(dataset, *from, options).value(); });
    auto const series = p.stream->wait_for_series(p.bounded()).value();
    ASSERT_TRUE(series);
    std::vector<index> frame_of;
    for (index row = 0; row < 3; ++row)
        for (index col = 0; col < 6; ++col) frame_of.push_back(col < 4 ? 4 * row + col : -1);
    FrameRing ring({.name = "test", .frames = 12, .frame_of = frame_of});
    p.stream->receive(ring, p.bounded());
    EXPECT_EQ(ring.why_ended(), "");
    FetchScratch scratch;
    std::vector<EncodedFrame> frames(12);
    ASSERT_TRUE(ring.fetch(0, frames, scratch));
    for (index f = 0; f < 12; ++f) {
        std::vector<std::uint16_t> values(256 * 256);
        auto const bytes = std::as_writable_bytes(std::span(values));
        ASSERT_TRUE(decode_frame(frames[static_cast<std::size_t>(f)], {256, 256, 2}, bytes)) << f;
        for (index row = 0; row < 256; ++row)
            for (index col = 0; col < 256; ++col)
                ASSERT_EQ(values[static_cast<std::size_t>(256 * row + col)],
                          row < 20 && col < 30
                              ? counts[static_cast<std::size_t>((f * 20 + row) * 30 + col)]
                              : 0)
                    << f << ": " << row << ", " << col;
    }
    EXPECT_TRUE(p.stream->problems().list().empty()) << p.stream->problems().list()[0].what;
}

TEST(Timepix3, ProblemsAreCounted) {
    Readout r;
    TestReceiver& p = r.receiver;
    constexpr std::int64_t line = 2'000'000, first = 5'000'000;
    std::vector<std::uint64_t> packets;
    for (int i = 0; i < 4; ++i)
        packets.push_back(edge_packet(first + i * line, Edge::tdc1_rise, i));
    for (int i = 1; i < 4; ++i)
        packets.push_back(edge_packet(first + 3 * line + 10 * i, Edge::tdc1_rise, 3));
    packets.push_back(edge_packet(first + 4 * line, Edge::tdc1_fall, 4));
    ASSERT_TRUE(r.sends(packets));
    ASSERT_TRUE(p.stream->wait_for_series(p.bounded()).value());
    FrameRing ring({.name = "test", .frames = 10});
    p.stream->receive(ring, p.bounded());
    EXPECT_EQ(p.first("line starts that come too early"), "3, ");
    EXPECT_EQ(text_of(StreamProblem{"line starts that come too early", 3, ""}),
              "line starts that come too early: 3");
}

TEST(Timepix3, OnlyCountsOfOneChipAreSent) {
    SimulatorOptions const options{};
    auto const why = [&](Dataset const& d, SimulatorOptions const& o) {
        auto const made = wire("tcp://127.0.0.1:*", d, o);
        return made ? std::string() : made.error().message;
    };
    std::array<std::uint8_t, 16> const counts{};
    Dataset d =
        from_memory({.data = counts.data(), .dtype = DType::u8, .shape = {1, 1, 4, 4}}).value();
    EXPECT_EQ(why(d, options), "");
    EXPECT_NE(why(d, {.duplicate = 0.1}).find("--duplicate"), std::string::npos);
    EXPECT_NE(why(d, {.reorder = 0.1}).find("--reorder"), std::string::npos);
    EXPECT_NE(why(d, {.rate = 1e8}).find("--rate"), std::string::npos);
    d.rows = 257;
    EXPECT_NE(why(d, options).find("257x4"), std::string::npos);
    EXPECT_TRUE(wire("tcp://127.0.0.1:*", d, options, {"0:0:0,1:256:0"}));
    EXPECT_FALSE(wire("tcp://127.0.0.1:*", d, options, {"0:0"}));
    d.rows = 4;
    d.dtype = DType::f32;
    EXPECT_NE(why(d, options).find("float32"), std::string::npos);
}

TEST(Timepix3, WithoutLinesAndPointsThereAreNoImages) {
    EXPECT_EQ(Timepix3::connect("tcp://127.0.0.1:1").error().code, Code::invalid_argument);
}

}  // namespace
}  // namespace sluice::net::timepix3
