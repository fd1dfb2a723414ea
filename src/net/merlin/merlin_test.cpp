// Merlin over the loopback: series come whole, and what is wrong is told and left out.
// SPDX-License-Identifier: Apache-2.0
#include "net/merlin/merlin.h"

#include <gtest/gtest.h>

#include "net/merlin/test_frames.h"
#include "net/test_receiver.h"

namespace sluice::net::merlin {
namespace {

using namespace std::chrono_literals;

std::string hdr(index frames) {
    return message(fmt::format(
        "HDR,\t\nFrames in Acquisition (Number):\t{}\nFrames per Trigger (Number):\t2\nEnd\t",
        frames));
}

std::string frame(std::uint64_t sequence, MadeFrame f = {.type = "U16"}) {
    f.sequence = sequence;
    f.pixel = static_cast<char>(sequence);
    return message(f);
}

/// A sender and what receives from it; every wait is bounded.
struct Pair : TestReceiver {
    TcpPort port = TcpPort::open("tcp://127.0.0.1:*").value();
    std::optional<TcpStream> to;

    explicit Pair(StreamOptions options = {.patience_s = 0.3}) {
        stream = Merlin::connect(port.address(), std::move(options)).value();
        to = port.accept(5s);
    }
    void send(std::string const& text) {
        for (Bytes left = std::as_bytes(std::span(text)); !left.empty();) {
            auto const gone = to->send(left, 5s);
            ASSERT_TRUE(gone && *gone > 0);
            left = left.subspan(*gone);
        }
    }
};

TEST(Merlin, ASeriesComesWhole) {
    Pair p;
    p.send(hdr(4));
    for (std::uint64_t const n : {1, 2, 3, 4}) p.send(frame(n));
    auto const series = p.stream->wait_for_series(p.bounded()).value();
    ASSERT_TRUE(series);
    EXPECT_EQ(series->images, 4);
    EXPECT_EQ(series->scan, (std::array<index, 2>{2, 2}));
    EXPECT_EQ(series->dataset.rows, 4);
    EXPECT_EQ(series->dataset.cols, 6);
    EXPECT_EQ(series->dataset.dtype, DType::u16);
    EXPECT_DOUBLE_EQ(series->dataset.dwell_s, 0.000555);
    FrameRing ring({.name = "test", .frames = 4});
    p.stream->receive(ring, p.bounded());
    EXPECT_EQ(marks(ring, 4), "1234");
    EXPECT_EQ(ring.why_ended(), "");
    EXPECT_TRUE(p.stream->problems().list().empty());
}

TEST(Merlin, MessagesMayComeByteByByte) {
    Pair p;
    p.send(hdr(2));
    std::string const all = frame(1) + frame(2);
    p.send(all.substr(0, 500));
    auto const series = p.stream->wait_for_series(p.bounded()).value();
    ASSERT_TRUE(series);
    FrameRing ring({.name = "test", .frames = 2});
    std::jthread const later([&] {
        for (char const c : all.substr(500)) p.send(std::string(1, c));
    });
    p.stream->receive(ring, p.bounded());
    EXPECT_EQ(marks(ring, 2), "12");
}

TEST(Merlin, WhatIsWrongIsToldAndLeftOut) {
    Pair p;
    p.send("garbage" + frame(1));  // before the header
    p.send(hdr(9));
    p.send(frame(1));
    auto const series = p.stream->wait_for_series(p.bounded()).value();
    ASSERT_TRUE(series);
    p.send(frame(1));
    p.send(frame(2, {.type = "U32"}));
    p.send(frame(3, {.width = 7, .type = "U16"}));
    p.send(frame(100));
    p.send(frame(0));
    p.send(frame(4).substr(0, 300));  // a header cut in the middle
    p.send(frame(5));
    std::string lie = frame(6);
    lie.replace(0, prefix_bytes, "MPX,0000009999,");
    p.send(lie);
    p.send(frame(7));
    p.send(message("WHAT is this"));
    p.send("more garbage");
    p.send(frame(9));
    FrameRing ring({.name = "test", .frames = 9});
    p.stream->receive(ring, p.bounded());
    EXPECT_EQ(marks(ring, 9), "1...5.7.9");
    EXPECT_EQ(ring.why_ended(), "");  // the last one came
    EXPECT_EQ(p.first("bytes between messages").substr(0, 2), "2,");
    EXPECT_EQ(p.first("images before the start of a series").substr(0, 2), "1,");
    EXPECT_EQ(p.first("images that came twice"), "1, image 1");
    EXPECT_EQ(p.first("images of another type"), "1, image 2 is uint32, the series uint16");
    EXPECT_EQ(p.first("images of another size"), "1, image 3 has 4x7 pixels, the series 4x6");
    EXPECT_EQ(p.first("images that the scan does not have"), "2, image 100, of 1 to 9");
    EXPECT_EQ(p.first("messages that cannot be read").substr(0, 2), "2,");
    EXPECT_EQ(p.first("messages of an unknown type").substr(0, 2), "1,");
}

TEST(Merlin, AConnectionThatClosesIsMadeAgain) {
    Pair p({.patience_s = 2});
    p.send(hdr(5));
    p.send(frame(1));
    p.send(frame(2).substr(0, 100));
    auto const series = p.stream->wait_for_series(p.bounded()).value();
    p.to.reset();
    std::jthread const later([&] {
        p.to = p.port.accept(5s);
        p.send(frame(4));
        p.send(frame(5));
    });
    FrameRing ring({.name = "test", .frames = 5});
    p.stream->receive(ring, p.bounded());
    EXPECT_EQ(marks(ring, 5), "1..45");
    EXPECT_EQ(p.first("messages that were cut off"),
              "1, the sender closed the connection after 100 bytes of one");
}

TEST(Merlin, AConnectionThatStaysClosedEndsTheSeries) {
    Pair p;
    p.send(hdr(3));
    p.send(frame(1));
    auto const series = p.stream->wait_for_series(p.bounded()).value();
    p.to.reset();
    FrameRing ring({.name = "test", .frames = 3});
    { TcpPort const gone = std::move(p.port); }
    p.stream->receive(ring, p.bounded());
    EXPECT_EQ(marks(ring, 3), "1..");
    EXPECT_EQ(ring.why_ended(), "the sender closed the connection, and took no other for 0.3 s");
}

TEST(Merlin, ANextSeriesEndsTheLastOne) {
    Pair p;
    p.send(hdr(3) + frame(1) + hdr(2) + frame(1) + frame(2));
    auto const first = p.stream->wait_for_series(p.bounded()).value();
    FrameRing ring({.name = "test", .frames = 3});
    p.stream->receive(ring, p.bounded());
    EXPECT_EQ(marks(ring, 3), "1..");
    EXPECT_EQ(ring.why_ended(), "another series began before the last image of this one");
    auto const second = p.stream->wait_for_series(p.bounded()).value();
    ASSERT_TRUE(second);
    EXPECT_EQ(second->name, "2");
    FrameRing later({.name = "test", .frames = 2});
    p.stream->receive(later, p.bounded());
    EXPECT_EQ(marks(later, 2), "12");
}

TEST(Merlin, AddressesAreChecked) {
    EXPECT_EQ(Merlin::connect("127.0.0.1:6342").error().code, Code::invalid_argument);
    EXPECT_EQ(Merlin::connect("tcp://no.such.host.invalid:6342").error().code, Code::io);
    EXPECT_FALSE(Merlin::connect("tcp://127.0.0.1:6342", {.channel = "a"}));
    EXPECT_EQ(protocol_of("tcp://merlin:6342"), Protocol::merlin);
    EXPECT_EQ(protocol_of("tcp://dcu:9999"), Protocol::dectris_v1);
    EXPECT_EQ(protocol_of("tcp://dcu:31001"), Protocol::dectris_v2);
    EXPECT_EQ(protocol_of("ipc://x:9999"), Protocol::dectris_v2);
}

}  // namespace
}  // namespace sluice::net::merlin
