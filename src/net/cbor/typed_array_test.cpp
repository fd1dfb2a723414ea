// Arrays of numbers in CBOR.
// SPDX-License-Identifier: Apache-2.0
#include "net/cbor/typed_array.h"

#include <gtest/gtest.h>

#include "net/cbor/diagnostic.h"

namespace sluice::cbor {
namespace {

std::vector<std::byte> with_bytes(TypedArray const& array) {
    Writer w;
    write_typed_head(w, array);
    auto out = std::move(w).take();
    out.insert(out.end(), array.bytes.begin(), array.bytes.end());
    return out;
}

Result<TypedArray> read(Bytes message) {
    std::vector<std::byte> room;
    Reader reader(message);
    return read_typed_array(reader, room);
}

TEST(TypedArray, ComesBack) {
    std::vector<std::byte> const data(2 * 3 * 2, std::byte{7});
    auto const message =
        with_bytes({.dtype = DType::u16, .dimensions = 2, .shape = {2, 3}, .bytes = data});
    EXPECT_EQ(diagnostic(message).value(), "40([[2, 3], 69(h'070707070707070707070707')])");
    auto const array = read(message).value();
    EXPECT_EQ(array.dtype, DType::u16);
    EXPECT_EQ(array.dimensions, 2);
    EXPECT_EQ(array.shape[1], 3);
    EXPECT_EQ(array.elements(), 6);
    EXPECT_TRUE(array.compression.empty());
    EXPECT_EQ(array.bytes.size(), data.size());
}

TEST(TypedArray, CompressedBytesStayAsTheyAre) {
    std::vector<std::byte> const data(5, std::byte{1});
    auto const message = with_bytes({.dtype = DType::u32,
                                     .dimensions = 2,
                                     .shape = {192, 192},
                                     .compression = "bslz4",
                                     .modifier = 4,
                                     .bytes = data});
    EXPECT_EQ(diagnostic(message).value(),
              "40([[192, 192], 70(56500([\"bslz4\", 4, h'0101010101']))])");
    auto const array = read(message).value();
    EXPECT_EQ(array.compression, "bslz4");
    EXPECT_EQ(array.modifier, 4u);
    EXPECT_EQ(array.elements(), 192 * 192);
    EXPECT_EQ(array.bytes.data() + array.bytes.size(), message.data() + message.size());
}

TEST(TypedArray, WithoutAShape) {
    Writer w;
    w.tag(64);
    w.bytes(std::vector<std::byte>(9));
    EXPECT_EQ(read(w.written()).value().elements(), 9);
}

std::string refused(auto const& write) {
    Writer w;
    write(w);
    auto const array = read(w.written());
    return array ? "taken" : array.error().message;
}

TEST(TypedArray, WrongOnesAreRefused) {
    std::vector<std::byte> const four(4);
    auto const shaped = [&](std::uint64_t outer, std::vector<std::uint64_t> const& shape,
                            std::uint64_t type) {
        return refused([&](Writer& w) {
            w.tag(outer), w.array(2), w.array(shape.size());
            for (auto const n : shape) w.natural(n);
            w.tag(type), w.bytes(four);
        });
    };
    EXPECT_EQ(shaped(40, {2, 2}, 64), "taken");
    EXPECT_NE(shaped(40, {2, 3}, 64).find("4 bytes for 6 elements"), std::string::npos);
    EXPECT_NE(shaped(1040, {2, 2}, 64).find("column order"), std::string::npos);
    EXPECT_NE(shaped(40, {2, 2}, 65).find("big-endian"), std::string::npos);
    EXPECT_NE(shaped(40, {2, 2}, 63).find("typed array is expected"), std::string::npos);
    EXPECT_NE(shaped(40, {}, 64).find("without dimensions"), std::string::npos);
    EXPECT_NE(shaped(40, {0, 4}, 64).find("an extent of 0"), std::string::npos);
    EXPECT_NE(shaped(40, {1ULL << 63, 2}, 64).find("an extent of"), std::string::npos);
    EXPECT_NE(shaped(40, {1, 1, 1, 1, 4}, 64).find("more than 4"), std::string::npos);
    EXPECT_NE(refused([](Writer& w) { w.natural(1); }).find("expected is a tag"),
              std::string::npos);
    EXPECT_NE(refused([&](Writer& w) {
                  w.tag(64), w.tag(56500), w.array(3);
                  w.text("lz4"), w.natural(0), w.bytes(four);
              }).find("without a shape"),
              std::string::npos);
    EXPECT_NE(refused([&](Writer& w) { w.tag(64), w.tag(56501), w.bytes(four); }).find("tag 56501"),
              std::string::npos);
}

}  // namespace
}  // namespace sluice::cbor
