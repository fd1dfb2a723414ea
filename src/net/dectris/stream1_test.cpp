// Stream V1 over the loopback: series come whole, and what is wrong is told and left out.
// SPDX-License-Identifier: Apache-2.0
#include "net/dectris/stream1.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "codec/bitshuffle/bitshuffle.h"
#include "codec/lz4/lz4.h"
#include "net/test_receiver.h"

namespace sluice::net::dectris {
namespace {

using namespace std::chrono_literals;

Start small_start(index images) {
    Start s;
    s.series_id = 7;
    s.images = images;
    s.rows = 2, s.cols = 4;
    s.dtype = DType::u16;
    s.saturation = 1000;
    s.mask_applied = true;
    s.pixel_masks[""] = {0, 1, 0, 0, 0, 0, 0, 0};
    s.energy_ev = 2e5, s.frame_time_s = 1e-3, s.pixel_m = 1e-4;
    s.detector = "test", s.arm_date = "2026-01-01T00:00:00Z";
    s.scan = {1, images};
    return s;
}

std::vector<std::byte> values(Start const& s, int value) {
    return std::vector<std::byte>(static_cast<std::size_t>(s.rows * s.cols * size_of(s.dtype)),
                                  static_cast<std::byte>(value));
}

std::vector<Part> image(Start const& s, std::uint64_t frame) {
    return write_image_parts(s, frame, "<", values(s, static_cast<int>(frame)));
}

Part text(std::string const& said) {
    auto const bytes = std::as_bytes(std::span(said));
    return std::make_shared<std::vector<std::byte> const>(bytes.begin(), bytes.end());
}

/// A sender and what receives from it; every wait is bounded.
struct Pair : TestReceiver {
    Socket push = Socket::push("tcp://127.0.0.1:*").value();

    explicit Pair(bool verify = false) {
        StreamOptions const options{.patience_s = 0.3, .verify = verify};
        stream = Stream1::connect(push.address(), options).value();
    }
    void send(std::vector<Part> const& parts) { ASSERT_TRUE(push.send(parts, 5s).value()); }
};

std::vector<EncodedFrame> got(FrameRing const& ring, index frames) {
    static FetchScratch scratch;
    std::vector<EncodedFrame> out(static_cast<std::size_t>(frames));
    EXPECT_TRUE(ring.fetch(0, out, scratch));
    return out;
}

TEST(Stream1, AHeaderSaysWhatTheDetectorIs) {
    for (HeaderDetail detail : {HeaderDetail::basic, HeaderDetail::all}) {
        Pair p;
        p.send(write_header_parts(small_start(5), detail));
        auto const series = p.stream->wait_for_series(p.bounded()).value();
        ASSERT_TRUE(series);
        EXPECT_EQ(series->name, "7");
        EXPECT_EQ(series->images, 5);
        EXPECT_EQ(series->scan, (std::array<index, 2>{1, 5}));
        Dataset const& d = series->dataset;
        EXPECT_EQ(d.rows, 2);
        EXPECT_EQ(d.cols, 4);
        EXPECT_EQ(d.dtype, DType::u16);
        EXPECT_EQ(d.saturation, 1000u);
        EXPECT_TRUE(d.sentinel);
        EXPECT_DOUBLE_EQ(d.energy_kv, 200);
        EXPECT_DOUBLE_EQ(d.dwell_s, 1e-3);
        EXPECT_DOUBLE_EQ(d.detector_pixel_um, 100);
        EXPECT_EQ(d.pixel_mask.size(), detail == HeaderDetail::all ? 8u : 0u);
        EXPECT_TRUE(p.stream->problems().list().empty());
    }
}

// A byte that LZ4 copies as it is: what is damaged there decodes.
TEST(Stream1, DamageThatDecodesIsFoundByItsHash) {
    Start const s = small_start(3);
    for (bool verify : {false, true}) {
        Pair p(verify);
        p.send(write_header_parts(s, HeaderDetail::basic));
        auto const series = p.stream->wait_for_series(p.bounded()).value();
        ASSERT_TRUE(series);
        for (std::uint64_t const frame : {0, 1, 2}) {
            std::vector<std::byte> packed;
            codec::lz4_compress(values(s, static_cast<int>(frame)), packed);
            auto parts = write_image_parts(s, frame, "lz4<", packed);
            if (frame == 1) {
                auto damaged = packed;
                damaged.back() ^= std::byte{0x04};  // the last bytes of a block are literals
                parts[2] = std::make_shared<std::vector<std::byte> const>(damaged);
            }
            if (frame == 2) parts[0] = text(R"({"htype":"dimage-1.0","series":7,"frame":2})");
            p.send(parts);
        }
        p.send(write_end_parts(s));
        FrameRing ring({.name = "test", .frames = 3});
        p.stream->receive(ring, p.bounded());
        EXPECT_EQ(ring.state().received, verify ? 2 : 3);
        std::string const told = p.first("images with another hash");
        EXPECT_EQ(told.substr(0, 22), verify ? "1, image 1 has the MD5" : "none");
        EXPECT_EQ(p.first("images without a hash"), verify ? "1, image 2: ''" : "none");
    }
    auto const wrong = net::connect("tcp://127.0.0.1:1", {.verify = true});
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().message.find("leave --verify away"), std::string::npos);
}

TEST(Stream1, WhatTheHeaderDoesNotSayTheFirstImageDoes) {
    Pair p;
    Start s = small_start(3);
    s.scan.reset();
    p.send(write_header_parts(s, HeaderDetail::none));
    for (std::uint64_t const frame : {0, 1, 2}) p.send(image(s, frame));
    p.send(write_end_parts(s));
    auto const series = p.stream->wait_for_series(p.bounded()).value();
    ASSERT_TRUE(series);
    EXPECT_EQ(series->images, 0);
    EXPECT_FALSE(series->scan);
    EXPECT_EQ(series->dataset.rows, 2);
    EXPECT_EQ(series->dataset.dtype, DType::u16);
    FrameRing ring({.name = "test", .frames = 3});
    p.stream->receive(ring, p.bounded());
    EXPECT_EQ(marks(ring, 3), "012");
    EXPECT_EQ(ring.why_ended(), "");
}

TEST(Stream1, TheConfigurationMayBeAMessageOfItsOwn) {
    Pair p;
    Start const s = small_start(2);
    auto const parts = write_header_parts(s, HeaderDetail::basic);
    p.send({parts[0]});
    p.send(parts);
    p.send({parts[0]});
    p.send({parts[1]});
    for (std::uint64_t const frame : {0, 1}) p.send(image(s, frame));
    p.send(write_end_parts(s));
    ASSERT_TRUE(p.stream->wait_for_series(p.bounded()).value());
    FrameRing cut({.name = "test", .frames = 2});
    p.stream->receive(cut, p.bounded());
    EXPECT_EQ(cut.why_ended(), "series 7 began before the end of this one");
    auto const series = p.stream->wait_for_series(p.bounded()).value();
    ASSERT_TRUE(series);
    EXPECT_EQ(series->images, 2);
    FrameRing ring({.name = "test", .frames = 2});
    p.stream->receive(ring, p.bounded());
    EXPECT_EQ(marks(ring, 2), "01");
    EXPECT_TRUE(p.stream->problems().list().empty());
}

TEST(Stream1, EveryEncodingComesAsItIs) {
    Pair p;
    Start const s = small_start(6);
    p.send(write_header_parts(s, HeaderDetail::basic));
    auto const series = p.stream->wait_for_series(p.bounded()).value();
    auto const plain = values(s, 3);
    std::vector<std::byte> block;
    codec::lz4_compress(plain, block);
    p.send(write_image_parts(s, 0, "<", plain));
    p.send(write_image_parts(s, 1, ">", plain));
    p.send(write_image_parts(s, 2, "lz4<", block));
    p.send(write_image_parts(s, 3, "bs16-lz4<", codec::encode_bitshuffle_lz4(plain, 2)));
    p.send(write_image_parts(s, 4, "bs8-lz4<", codec::encode_bitshuffle_lz4(plain, 1)));
    p.send(write_image_parts(s, 5, "bs16-lz4>", plain));
    p.send(write_end_parts(s));
    FrameRing ring({.name = "test", .frames = 6});
    p.stream->receive(ring, p.bounded());
    auto const frames = got(ring, 6);
    EXPECT_EQ(frames[0].encoding, Encoding::values);
    EXPECT_EQ(frames[1].encoding, Encoding::big_endian);
    EXPECT_EQ(frames[2].encoding, Encoding::lz4_block);
    EXPECT_TRUE(std::ranges::equal(frames[2].bytes, block));
    EXPECT_EQ(frames[3].encoding, Encoding::bitshuffle_lz4);
    EXPECT_EQ(frames[3].shuffled_bytes, 2);
    EXPECT_EQ(frames[4].shuffled_bytes, 1);
    EXPECT_EQ(frames[5].encoding, Encoding::missing);
    EXPECT_EQ(p.first("images with an unknown compression"), "1, image 5: 'bs16-lz4>'");
}

TEST(Stream1, WhatIsWrongIsToldAndLeftOut) {
    Pair p;
    Start const s = small_start(9);
    Start other = s;
    other.series_id = 8;
    p.send(image(s, 0));  // before the header
    p.send({text("no JSON")});
    p.send(write_header_parts(s, HeaderDetail::basic));
    auto const series = p.stream->wait_for_series(p.bounded()).value();
    ASSERT_TRUE(series);
    p.send(image(s, 0));
    p.send(image(s, 0));
    p.send(image(other, 1));
    p.send(write_end_parts(other));
    Start wrong = s;
    wrong.dtype = DType::u32;
    p.send(image(wrong, 2));
    wrong = s;
    wrong.rows = 3;
    p.send(image(wrong, 3));
    p.send(image(s, 100));
    p.send(image(s, UINT64_MAX));
    auto parts = image(s, 4);
    parts.resize(2);  // without its bytes
    p.send(parts);
    parts.resize(1);
    p.send(parts);
    parts = image(s, 5);
    parts[2] = text("of another length");
    p.send(parts);
    parts = image(s, 6);
    parts[1] = text(R"({"htype":"dimage_d-1.0","shape":[99999999,4],"type":"uint16"})");
    p.send(parts);
    parts[1] = text(R"({"htype":"dimage_d-1.0","shape":[4,2],"type":"float32"})");
    p.send(parts);
    p.send({text(R"({"htype":"dimage-1.0","series":7})"), text("{}"), text("")});
    p.send({text(R"({"htype":"hello-1.0"})")});
    p.send({text("[1]")});
    p.send(image(s, 7));
    p.send(write_end_parts(s));
    FrameRing ring({.name = "test", .frames = 9});
    p.stream->receive(ring, p.bounded());
    EXPECT_EQ(marks(ring, 9), "0......7.");
    EXPECT_EQ(p.first("images before the start of a series").substr(0, 2), "1,");
    EXPECT_EQ(p.first("messages that cannot be read").substr(0, 2), "3,");
    EXPECT_EQ(p.first("images that came twice"), "1, image 0");
    EXPECT_EQ(p.first("images of another series"), "1, image 1 of series 8 in series 7");
    EXPECT_EQ(p.first("ends of another series"), "1, of series 8 in series 7");
    EXPECT_EQ(p.first("images of another type"), "1, image 2 is uint32, the series uint16");
    EXPECT_EQ(p.first("images of another size"), "1, image 3 has 3x4 pixels, the series 2x4");
    EXPECT_EQ(p.first("images that the scan does not have"), "2, image 100, of 0 to 8");
    EXPECT_EQ(p.first("images that cannot be read").substr(0, 2), "5,");
    EXPECT_EQ(p.first("messages of an unknown type"), "1, 'hello-1.0'");
}

TEST(Stream1, HeadersThatLieAreNotBelieved) {
    auto const said = [](std::string const& config) {
        Pair p;
        p.send(
            {text(R"({"htype":"dheader-1.0","series":7,"header_detail":"basic"})"), text(config)});
        p.send(write_header_parts(small_start(2), HeaderDetail::basic));
        EXPECT_EQ(p.stream->wait_for_series(p.bounded()).value().value().images, 2);
        return p.first("starts of series that cannot be read");
    };
    EXPECT_EQ(said(R"({"ntrigger":4,"x_pixels_in_detector":4000000000})"),
              "1, an image of 4000000000 rows or columns (there are 1 to 32768)");
    EXPECT_EQ(said(R"({"ntrigger":1000000000000,"nimages":1000000000000})"),
              "1, a series of 1000000000000 triggers of 1000000000000 images");
    EXPECT_EQ(said(R"({"bit_depth_image":12})"), "1, images of 12 bits (8, 16 and 32 are read)");
    EXPECT_EQ(said("{"), "1, what is no JSON object (byte 2 is no JSON)");
    Pair p;
    Start const s = small_start(2);
    auto parts = write_header_parts(s, HeaderDetail::all);
    parts[5] = text("short");
    p.send(parts);
    parts = write_header_parts(s, HeaderDetail::all);
    parts.resize(3);
    p.send(parts);
    EXPECT_TRUE(p.stream->wait_for_series(p.bounded()).value());
    EXPECT_EQ(p.first("starts of series that cannot be read").substr(0, 28),
              "1, a pixel mask of 5 bytes f");
    EXPECT_EQ(p.first("headers that lack parts"), "1, the pixel mask, in 3 parts");
}

TEST(Stream1, ANextSeriesEndsTheLastOne) {
    Pair p;
    Start const s = small_start(3);
    Start next = s;
    next.series_id = 8;
    p.send(write_header_parts(s, HeaderDetail::basic));
    p.send(image(s, 0));
    p.send(write_header_parts(next, HeaderDetail::basic));
    for (std::uint64_t frame = 0; frame < 3; ++frame) p.send(image(next, frame));
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

}  // namespace
}  // namespace sluice::net::dectris
