// Stream V2 over the loopback: series come whole, and what is wrong is told and left out.
// SPDX-License-Identifier: Apache-2.0
#include "net/dectris/stream2.h"

#include <gtest/gtest.h>

#include "net/cbor/diagnostic.h"
#include "net/test_receiver.h"

namespace sluice::net::dectris {
namespace {

using namespace std::chrono_literals;

Start small_start(index images) {
    Start s;
    s.series_id = 7;
    s.series_unique_id = "seven";
    s.images = images;
    s.rows = 2, s.cols = 3;
    s.dtype = DType::u16;
    s.channels = {"threshold_1"};
    s.saturation = 1000;
    s.mask_applied = true;
    s.pixel_masks["threshold_1"] = {0, 1, 0, 0, 0, 0};
    s.energy_ev = 2e5, s.frame_time_s = 1e-3, s.pixel_m = 1e-4;
    s.detector = "test", s.arm_date = "2026-01-01T00:00:00Z";
    s.scan = {1, images};
    return s;
}

cbor::TypedArray array_of(Start const& s) {
    return {.dtype = s.dtype, .dimensions = 2, .shape = {s.rows, s.cols}};
}

std::vector<std::byte> image_message(Start const& s, std::uint64_t id, cbor::TypedArray array) {
    std::vector<std::byte> const data(
        static_cast<std::size_t>(array.elements() * size_of(array.dtype)),
        static_cast<std::byte>(id));
    return write_image({.image_id = id, .data = array}, s, data);
}

/// A sender and what receives from it; every wait is bounded.
struct Pair : TestReceiver {
    Socket push = Socket::push("tcp://127.0.0.1:*").value();

    explicit Pair(StreamOptions options = {.patience_s = 0.3}) {
        stream = Stream2::connect(push.address(), std::move(options)).value();
    }
    void send(std::vector<std::byte> message) {
        ASSERT_TRUE(push.send(std::move(message), 5s).value());
    }
    void send_image(Start const& s, std::uint64_t id) { send(image_message(s, id, array_of(s))); }
};

TEST(Stream2, MessagesComeBack) {
    Start const s = small_start(4);
    auto const bytes = write_start(s);
    cbor::Reader reader(bytes);
    auto const opened = open_message(reader).value();
    ASSERT_EQ(opened.type, Type::start);
    Start const back = read_start(reader, opened.items).value();
    EXPECT_TRUE(reader.done());
    EXPECT_EQ(back.series_id, 7u);
    EXPECT_EQ(back.series_unique_id, "seven");
    EXPECT_EQ(back.images, 4);
    EXPECT_EQ(back.rows, 2);
    EXPECT_EQ(back.cols, 3);
    EXPECT_EQ(back.dtype, DType::u16);
    EXPECT_EQ(back.channels, s.channels);
    EXPECT_EQ(back.saturation, s.saturation);
    EXPECT_TRUE(back.mask_applied);
    EXPECT_EQ(back.pixel_masks, s.pixel_masks);
    EXPECT_EQ(back.energy_ev, s.energy_ev);
    EXPECT_EQ(back.frame_time_s, s.frame_time_s);
    EXPECT_EQ(back.pixel_m, s.pixel_m);
    EXPECT_EQ(back.scan, s.scan);
    EXPECT_NE(cbor::diagnostic(bytes).value().find("0(\"2026-01-01T00:00:00Z\")"),
              std::string::npos);
}

TEST(Stream2, ASeriesComesWhole) {
    Pair p;
    Start const s = small_start(5);
    p.send(write_start(s));
    for (std::uint64_t const id : {0, 2, 1, 3, 4}) p.send_image(s, id);
    p.send(write_end(s));
    auto const start = p.stream->wait_for_series(p.bounded()).value();
    ASSERT_TRUE(start);
    FrameRing ring({.name = "test", .frames = 5});
    p.stream->receive(ring, p.bounded());
    EXPECT_EQ(marks(ring, 5), "01234");
    EXPECT_EQ(ring.why_ended(), "");
    EXPECT_TRUE(p.stream->problems().list().empty());
}

TEST(Stream2, WhatIsWrongIsToldAndLeftOut) {
    Pair p;
    Start const s = small_start(9);
    Start other = s;
    other.series_id = 8;
    p.send_image(s, 0);  // before the start
    p.send(std::vector<std::byte>(3, std::byte{0xff}));
    p.send(write_start(s));
    auto const start = p.stream->wait_for_series(p.bounded()).value();
    ASSERT_TRUE(start);
    p.send_image(s, 0);
    p.send_image(s, 0);
    p.send_image(other, 1);
    p.send(write_end(other));
    cbor::TypedArray array = array_of(s);
    array.dtype = DType::u32;
    p.send(image_message(s, 2, array));
    array = array_of(s);
    array.shape = {3, 3};
    p.send(image_message(s, 3, array));
    p.send_image(s, 100);
    p.send_image(s, UINT64_MAX);
    auto cut = image_message(s, 4, array_of(s));
    cut.resize(cut.size() - 3);
    p.send(std::move(cut));
    array = array_of(s);
    array.compression = "bslz4", array.modifier = 4;
    p.send(image_message(s, 5, array));
    array.compression = "jpeg", array.modifier = 0;
    p.send(image_message(s, 6, array));
    p.send(std::vector<std::byte>{std::byte{0x81}, std::byte{1}});
    p.send_image(s, 7);
    p.send(write_end(s));
    FrameRing ring({.name = "test", .frames = 9});
    p.stream->receive(ring, p.bounded());
    EXPECT_EQ(marks(ring, 9), "0......7.");
    EXPECT_EQ(p.first("images before the start of a series").substr(0, 2), "1,");
    EXPECT_EQ(p.first("messages that cannot be read").substr(0, 2), "2,");
    EXPECT_EQ(p.first("images that came twice"), "1, image 0");
    EXPECT_EQ(p.first("images of another series"), "1, image 1 of series 8 in series 7");
    EXPECT_EQ(p.first("ends of another series"), "1, of series 8 in series 7");
    EXPECT_EQ(p.first("images of another type"), "1, image 2 is uint32, the series uint16");
    EXPECT_EQ(p.first("images of another size"), "1, image 3 has 3x3 pixels, the series 2x3");
    EXPECT_EQ(p.first("images that the scan does not have"), "2, image 100, of 0 to 8");
    EXPECT_EQ(p.first("images that cannot be read").substr(0, 2), "1,");
    EXPECT_EQ(p.first("images shuffled for another type"),
              "1, image 5: elements of 4 bytes, not 2");
    EXPECT_EQ(p.first("images with an unknown compression"), "1, image 6: 'jpeg'");
}

TEST(Stream2, ASenderThatStopsEndsTheSeries) {
    Pair p;
    Start const s = small_start(3);
    p.send(write_start(s));
    p.send_image(s, 0);
    auto const start = p.stream->wait_for_series(p.bounded()).value();
    FrameRing ring({.name = "test", .frames = 3});
    p.stream->receive(ring, p.bounded());
    EXPECT_EQ(marks(ring, 3), "0..");
    EXPECT_NE(ring.why_ended().find("silent for 0.3 s"), std::string::npos);
}

TEST(Stream2, ANextSeriesEndsTheLastOne) {
    Pair p;
    Start const s = small_start(3);
    Start next = s;
    next.series_id = 8;
    p.send(write_start(s));
    p.send_image(s, 0);
    p.send(write_start(next));
    for (std::uint64_t id = 0; id < 3; ++id) p.send_image(next, id);
    auto const first = p.stream->wait_for_series(p.bounded()).value();
    FrameRing ring({.name = "test", .frames = 3});
    p.stream->receive(ring, p.bounded());
    EXPECT_EQ(ring.why_ended(), "series 8 began before the end of this one");
    auto const second = p.stream->wait_for_series(p.bounded()).value();
    ASSERT_TRUE(second);
    FrameRing later({.name = "test", .frames = 3});
    p.stream->receive(later, p.bounded());
    EXPECT_EQ(marks(later, 3), "012");
}

TEST(Stream2, ChannelsAreChosenByName) {
    Start two = small_start(1);
    two.channels = {"threshold_1", "threshold_2"};
    {
        Pair p;
        p.send(write_start(two));
        auto const start = p.stream->wait_for_series(p.bounded());
        ASSERT_FALSE(start);
        EXPECT_NE(start.error().message.find("2 channels (threshold_1, threshold_2)"),
                  std::string::npos);
    }
    {
        Pair p({.channel = "difference"});
        p.send(write_start(two));
        EXPECT_EQ(p.stream->wait_for_series(p.bounded()).error().code, Code::not_found);
    }
    Pair p({.channel = "threshold_2", .patience_s = 0.3});
    p.send(write_start(two));
    p.send_image(two, 0);  // of threshold_1
    auto const start = p.stream->wait_for_series(p.bounded()).value();
    FrameRing ring({.name = "test", .frames = 1});
    p.stream->receive(ring, p.bounded());
    EXPECT_EQ(p.first("images without the channel"), "1, image 0 has 'threshold_1'");
}

}  // namespace
}  // namespace sluice::net::dectris
