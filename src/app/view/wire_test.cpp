// Tests of the layout of messages.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/wire.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace sluice::app {
namespace {

struct Parts {
    Json header;
    std::string payload;
};

Parts take_apart(server::Message const& m) {
    std::uint32_t length = 0;
    std::memcpy(&length, m.bytes.data(), 4);
    EXPECT_EQ((4 + length) % 8, 0U);
    return {Json::parse(m.bytes.substr(4, length)), m.bytes.substr(4 + length)};
}

std::string dtype_of(std::vector<double> const& values) {
    ArrayMessage m;
    m.add_counts("a", {static_cast<index>(values.size())}, values);
    return take_apart(*m.finish({})).header["arrays"][0]["dtype"];
}

TEST(Wire, LaysOutHeaderAndArrays) {
    ArrayMessage m;
    m.add_counts("counts", {3}, std::vector<double>{1, 2, 255});
    m.add_floats("floats", {1, 2}, std::vector<double>{0.5, -1});
    auto const message = m.finish({{"op", "image"}, {"id", 7}});
    EXPECT_TRUE(message->binary);
    Parts const parts = take_apart(*message);
    EXPECT_EQ(parts.header["op"], "image");
    Json const& arrays = parts.header["arrays"];
    EXPECT_EQ(arrays[0]["offset"], 0);
    EXPECT_EQ(arrays[1]["offset"], 8);
    EXPECT_EQ(arrays[1]["shape"], Json({1, 2}));
    EXPECT_EQ(parts.payload.size(), 16U);
    EXPECT_EQ(parts.payload.substr(0, 3), "\x01\x02\xff");
    float floats[2];
    std::memcpy(floats, parts.payload.data() + 8, 8);
    EXPECT_EQ(floats[0], 0.5F);
    EXPECT_EQ(floats[1], -1.0F);
}

TEST(Wire, DoublesAreNotRounded) {
    ArrayMessage m;
    m.add_doubles("positions", {1}, std::vector<double>{0.1});
    Parts const parts = take_apart(*m.finish({}));
    EXPECT_EQ(parts.header["arrays"][0]["dtype"], "float64");
    double position = 0;
    std::memcpy(&position, parts.payload.data(), 8);
    EXPECT_EQ(position, 0.1);
}

TEST(Wire, BytesComeLastAndAsTheyAre) {
    ArrayMessage m;
    m.add_counts("counts", {1}, std::vector<double>{9});
    m.add_bytes("pixels", "uint16", {1, 3}, "abcdef");
    Parts const parts = take_apart(*m.finish({}));
    EXPECT_EQ(parts.header["arrays"][1],
              Json::parse(R"({"name":"pixels","dtype":"uint16","shape":[1,3],"offset":8})"));
    EXPECT_EQ(parts.payload.size(), 14U);
    EXPECT_EQ(parts.payload.substr(8), "abcdef");
    ArrayMessage alone;
    alone.add_bytes("bytes", "uint8", {3}, "xyz");
    EXPECT_EQ(take_apart(*alone.finish({})).payload, "xyz");
}

TEST(Wire, ChoosesTheSmallestExactType) {
    EXPECT_EQ(dtype_of({0, 255}), "uint8");
    EXPECT_EQ(dtype_of({0, 256}), "uint16");
    EXPECT_EQ(dtype_of({65536}), "uint32");
    EXPECT_EQ(dtype_of({4294967295.0}), "uint32");
    EXPECT_EQ(dtype_of({4294967296.0}), "float32");
    EXPECT_EQ(dtype_of({4294967297.0}), "float64");
    EXPECT_EQ(dtype_of({-1}), "float32");
    EXPECT_EQ(dtype_of({0.5}), "float32");
    EXPECT_EQ(dtype_of({0.1}), "float64");
    EXPECT_EQ(dtype_of({std::nan("")}), "float32");
}

TEST(Wire, ReplacesWhatIsNoUtf8) {
    auto const message = text_message({{"path", "a\xff"}, {"nan", std::nan("")}});
    EXPECT_FALSE(message->binary);
    EXPECT_EQ(message->bytes, "{\"path\":\"a\xef\xbf\xbd\",\"nan\":null}");
}

}  // namespace
}  // namespace sluice::app
