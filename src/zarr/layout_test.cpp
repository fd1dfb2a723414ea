// Metadata of arrays: of every writer, refused by name, and damaged.
// SPDX-License-Identifier: Apache-2.0
#include "zarr/layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "zarr/text.h"

namespace sluice::zarr {
namespace {

std::string replaced(std::string text, std::string const& from, std::string const& to) {
    auto const at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

constexpr char two[] =
    R"({"zarr_format":2,"shape":[30,40],"chunks":[10,20],"dtype":"<u2","order":"C","filters":null,)"
    R"("compressor":{"id":"zstd","level":3},"fill_value":7,"dimension_separator":"/"})";
constexpr char three[] =
    R"({"zarr_format":3,"node_type":"array","shape":[30,40],"data_type":"uint16","fill_value":7,)"
    R"("chunk_grid":{"name":"regular","configuration":{"chunk_shape":[20,40]}},)"
    R"("chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},)"
    R"("codecs":[{"name":"sharding_indexed","configuration":{"chunk_shape":[10,20],)"
    R"("codecs":[{"name":"bytes","configuration":{"endian":"little"}},{"name":"zstd"}],)"
    R"("index_codecs":[{"name":"bytes","configuration":{"endian":"little"}},{"name":"crc32c"}],)"
    R"("index_location":"end"}}],"attributes":{},"dimension_names":["y","x"]})";
constexpr char plain[] =
    R"({"zarr_format":3,"node_type":"array","shape":[3,4,5],"data_type":"uint8","fill_value":0,)"
    R"("chunk_grid":{"name":"regular","configuration":{"chunk_shape":[3,4,5]}},)"
    R"("chunk_key_encoding":{"name":"default"},"codecs":[{"name":"bytes"}]})";

std::string said(std::string const& json) {
    auto const layout = parse_layout(json);
    return layout ? "taken" : layout.error().message;
}

double fill(Layout const& l) {
    double v = 0;
    float f = 0;
    if (l.dtype == DType::f64) std::memcpy(&v, l.fill.data(), sizeof v);
    if (l.dtype == DType::f32) std::memcpy(&f, l.fill.data(), sizeof f);
    return l.dtype == DType::f64 ? v : double{f};
}

TEST(ZarrLayout, ArraysOfBothVersionsAreWhatTheySay) {
    Layout const a = parse_layout(two).value(), b = parse_layout(three).value();
    for (Layout const& l : {a, b}) {
        EXPECT_EQ(l.shape, (std::vector<index>{30, 40}));
        EXPECT_EQ(l.chunk, (std::vector<index>{10, 20}));
        EXPECT_EQ(l.stride, (std::vector<index>{20, 1}));
        EXPECT_EQ(l.dtype, DType::u16);
        EXPECT_EQ(l.fill, (std::vector{std::byte{7}, std::byte{0}}));
        EXPECT_EQ(l.steps, std::vector{Step::zstd});
        EXPECT_EQ(l.chunk_bytes(), 400);
    }
    EXPECT_FALSE(a.key_prefix);
    EXPECT_TRUE(a.shard.empty());
    EXPECT_TRUE(b.index_checksum);
    EXPECT_FALSE(b.index_first);
    EXPECT_EQ(b.shard, (std::vector<index>{20, 40}));
}

TEST(ZarrLayout, TranspositionsFollowEachOther) {
    auto const with = [](std::string const& codecs) {
        return parse_layout(replaced(plain, R"({"name":"bytes"})", codecs + R"({"name":"bytes"})"));
    };
    std::string const one = R"({"name":"transpose","configuration":{"order":[1,2,0]}},)";
    // Stored as axes 1, 2, 0, whose sizes are 4, 5, 3.
    EXPECT_EQ(with(one).value().stride, (std::vector<index>{1, 15, 3}));
    // Once more: 2, 0, 1, and then as it was.
    EXPECT_EQ(with(one + one).value().stride, (std::vector<index>{4, 1, 12}));
    EXPECT_EQ(with(one + one + one).value().stride, (std::vector<index>{20, 5, 1}));
    for (char const* order : {"[0,1]", "[0,1,1]", "[1,2,3]", "[0,-1,2]", "\"D\"", "[]"})
        EXPECT_FALSE(with(replaced(one, "[1,2,0]", order))) << order;
}

TEST(ZarrLayout, FillValuesOfEveryKind) {
    auto const of = [](std::string const& type, std::string const& value) {
        return parse_layout(replaced(
            replaced(plain, R"("fill_value":0)", "\"fill_value\":" + value), "uint8", type));
    };
    EXPECT_TRUE(std::isnan(fill(of("float32", "\"NaN\"").value())));
    EXPECT_EQ(fill(of("float64", "\"-Infinity\"").value()), -INFINITY);
    EXPECT_EQ(fill(of("float32", "-2.5").value()), -2.5);
    EXPECT_EQ(fill(of("float32", "\"0x40490fdb\"").value()), double{3.14159274F});
    EXPECT_EQ(of("float16", "1.5").value().fill, (std::vector{std::byte{0}, std::byte{0x3e}}));
    EXPECT_EQ(of("int16", "-2").value().fill, (std::vector{std::byte{0xfe}, std::byte{0xff}}));
    EXPECT_EQ(of("int16", "7.0").value().fill, (std::vector{std::byte{7}, std::byte{0}}));
    EXPECT_EQ(of("bool", "true").value().fill, (std::vector{std::byte{1}}));
    for (auto const& [type, value] : {std::pair("uint8", "256"),
                                      {"uint8", "-1"},
                                      {"int8", "128"},
                                      {"uint16", "0.5"},
                                      {"uint8", "\"NaN\""},
                                      {"float32", "\"0x40\""},
                                      {"float32", "[]"},
                                      {"int32", "3e9"},
                                      {"float32", "\"nan\""},
                                      {"uint8", "1e300"}})
        EXPECT_NE(said(replaced(replaced(plain, R"("fill_value":0)",
                                         "\"fill_value\":" + std::string(value)),
                                "uint8", type))
                      .find("fill value"),
                  std::string::npos)
            << type << value;
}

TEST(ZarrLayout, WhatIsNotReadIsRefusedByItsName) {
    struct Case {
        char const *text, *from, *to, *said;
    };
    for (Case const& c : {
             Case{two, "zstd", "bz2", "compressor {\"id\":\"bz2\""},
             {two, "\"filters\":null", R"("filters":[{"id":"delta"}])",
              "filters [{\"id\":\"delta\""},
             {two, "<u2", "<c8", "dtype \"<c8\""},
             {two, "<u2", "<M8[ns]", "dtype \"<M8[ns]\""},
             {two, "\"C\"", "\"A\"", "order \"A\""},
             {two, "\"/\"", "\"-\"", "dimension_separator \"-\""},
             {two, "\"zarr_format\":2", "\"zarr_format\":4", "format 4"},
             {three, "\"zarr_format\":3", "\"zarr_format\":1", "format 1"},
             {three, "\"array\"", "\"group\"", "node type \"group\""},
             {three, "\"attributes\"", "\"offset\"", "the member 'offset' {}"},
             {three, "uint16", "complex64", "data_type \"complex64\""},
             {three, "regular", "rectilinear", "chunk_grid {\"name\":\"rectilinear\""},
             {three, "{\"name\":\"zstd\"}", "{\"name\":\"pcodec\"}", "codec {\"name\":\"pcodec\"}"},
             {three, "{\"name\":\"zstd\"}", R"({"name":"crc32c"},{"name":"zstd"})",
              "codec after another {\"name\":\"zstd\"}"},
             {three, "\"index_location\":\"end\"", "\"index_location\":\"middle\"",
              "index_location \"middle\""},
             {three, "{\"name\":\"crc32c\"}", "{\"name\":\"zstd\"}", "index_codecs"},
             {plain, "{\"name\":\"bytes\"}", "", "codecs without 'bytes'"},
         }) {
        auto const layout = parse_layout(replaced(c.text, c.from, c.to));
        ASSERT_FALSE(layout) << c.to;
        EXPECT_EQ(layout.error().code, Code::unsupported) << c.to;
        EXPECT_NE(layout.error().message.find(c.said), std::string::npos) << layout.error().message;
    }
    // What says that it need not be understood.
    EXPECT_EQ(said(replaced(three, R"("attributes":{})", R"("extra":{"must_understand":false})")),
              "taken");
    // An error is for people.
    EXPECT_LT(said(replaced(two, "\"C\"", "\"" + std::string(5000, 'C') + "\"")).size(), 400U);
}

TEST(ZarrLayout, AbsurdSizesAreErrors) {
    for (auto const& [text, from, to] : {std::tuple(two, "[10,20]", "[0,20]"),
                                         {two, "[10,20]", "[-10,20]"},
                                         {two, "[10,20]", "[10]"},
                                         {two, "[10,20]", "[65536,65536]"},
                                         {two, "[10,20]", "[18446744073709551615,1]"},
                                         {two, "[30,40]", "[-1,40]"},
                                         {two, "[30,40]", "[1e3,40]"},
                                         {two, "[30,40]", "30"},
                                         {two, "[30,40]", "[]"},
                                         {three, "[20,40]", "[20,30]"},
                                         {three, "[20,40]", "[5,10]"},
                                         {three, "[20,40]", "[20]"},
                                         {three, "[20,40]", "[1000000000000,40000]"}})
        EXPECT_EQ(parse_layout(replaced(text, from, to)).error().code, Code::corrupt) << to;
}

// Whatever a byte becomes: no crash, and what is taken can be worked with.
TEST(ZarrLayout, DamageOfEachByteIsAnErrorOrAnotherArray) {
    for (std::string const text : {two, three})
        for (std::size_t i = 0; i < text.size(); ++i)
            for (char const c : {'0', '9', '-', '[', '"', '}', ',', '\0', '\xff'}) {
                std::string bad = text;
                bad[i] = c;
                auto const layout = parse_layout(bad);
                if (!layout) {
                    EXPECT_FALSE(layout.error().message.empty());
                    continue;
                }
                ASSERT_GT(layout->chunk_bytes(), 0) << bad;
                ASSERT_LE(layout->chunk_bytes(), index{1} << 31) << bad;
                ASSERT_EQ(layout->stride.size(), layout->shape.size()) << bad;
                ASSERT_EQ(static_cast<index>(layout->fill.size()), size_of(layout->dtype));
            }
}

TEST(ZarrLayout, TheDepthOfATextIsThatOfItsBracketsOutsideOfStrings) {
    EXPECT_EQ(depth_of(""), 0);
    EXPECT_EQ(depth_of(R"({"a":[1,{"b":2}],"c":[[]]})"), 3);
    EXPECT_EQ(depth_of(R"(["[[[[","\"[[["])"), 1);
    EXPECT_EQ(depth_of("]]]["), 0);
}

}  // namespace
}  // namespace sluice::zarr
