// The metadata of arrays, word for word.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "zarr/array.h"

namespace sluice::zarr {
namespace {

Spec two() {
    Spec s;
    s.version = 2;
    s.dtype = DType::u16;
    s.shape = {1, 2, 300, 400};
    s.chunk = {1, 1, 128, 256};
    s.codec = {Compressor::blosc_lz4, 5};
    return s;
}

Spec three() {
    Spec s = two();
    s.version = 3;
    s.dimension_names = {"t", "c", "y", "x"};
    return s;
}

TEST(ZarrSpec, Version2IsWrittenAsNumcodecsReadsIt) {
    EXPECT_EQ(to_json(two()), R"({
  "zarr_format": 2,
  "shape": [
    1,
    2,
    300,
    400
  ],
  "chunks": [
    1,
    1,
    128,
    256
  ],
  "dtype": "<u2",
  "compressor": {
    "id": "blosc",
    "cname": "lz4",
    "clevel": 5,
    "shuffle": 1,
    "blocksize": 0
  },
  "fill_value": 0,
  "order": "C",
  "filters": null,
  "dimension_separator": "/"
})");
}

TEST(ZarrSpec, Version3WithShardsIsWrittenAsTheSpecificationSays) {
    Spec s = three();
    s.shape = {300, 400};
    s.chunk = {128, 256};
    s.shard = {256, 512};
    s.codec = {Compressor::zstd, 3};
    s.fill = 7;
    s.dimension_names = {"y", "x"};
    EXPECT_EQ(to_json(s), R"({
  "zarr_format": 3,
  "node_type": "array",
  "shape": [
    300,
    400
  ],
  "data_type": "uint16",
  "chunk_grid": {
    "name": "regular",
    "configuration": {
      "chunk_shape": [
        256,
        512
      ]
    }
  },
  "chunk_key_encoding": {
    "name": "default",
    "configuration": {
      "separator": "/"
    }
  },
  "fill_value": 7,
  "codecs": [
    {
      "name": "sharding_indexed",
      "configuration": {
        "chunk_shape": [
          128,
          256
        ],
        "codecs": [
          {
            "name": "bytes",
            "configuration": {
              "endian": "little"
            }
          },
          {
            "name": "zstd",
            "configuration": {
              "level": 3,
              "checksum": true
            }
          }
        ],
        "index_codecs": [
          {
            "name": "bytes",
            "configuration": {
              "endian": "little"
            }
          },
          {
            "name": "crc32c"
          }
        ],
        "index_location": "end"
      }
    }
  ],
  "dimension_names": [
    "y",
    "x"
  ],
  "attributes": {}
})");
}

TEST(ZarrSpec, EveryTypeAndCodecIsReadBack) {
    for (int version : {2, 3})
        for (DType type : {DType::u8, DType::u16, DType::i32, DType::f32, DType::f64})
            for (Compressor c : {Compressor::none, Compressor::blosc_lz4, Compressor::zstd}) {
                Spec s = version == 2 ? two() : three();
                s.dtype = type;
                s.fill = 3;
                s.codec = {c, c == Compressor::none ? 0 : 4};
                auto const back = parse_spec(to_json(s));
                ASSERT_TRUE(back) << back.error().text();
                EXPECT_EQ(*back, s);
                s.codec.crc32c = version == 3 && c != Compressor::zstd;
                EXPECT_EQ(parse_spec(to_json(s)).value(), s);
            }
}

TEST(ZarrSpec, WhatIsNotWrittenHereIsRefusedByName) {
    std::string const good = to_json(two());
    auto const change = [&](std::string_view from, std::string_view to) {
        std::string text = good;
        auto const at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
        auto const r = parse_spec(text);
        return r ? std::string("accepted") : r.error().message;
    };
    EXPECT_NE(change("<u2", ">u2").find("dtype \">u2\""), std::string::npos);
    EXPECT_NE(change("\"C\"", "\"F\"").find("order"), std::string::npos);
    EXPECT_NE(change("\"lz4\"", "\"snappy\"").find("codec"), std::string::npos);
    EXPECT_NE(change("\"/\"", "\".\"").find("dimension_separator"), std::string::npos);
    EXPECT_NE(change("null", "[]").find("filters"), std::string::npos);
    EXPECT_NE(change("128", "0").find("disagree"), std::string::npos);
    EXPECT_NE(change("128", "-5").find("disagree"), std::string::npos);
    EXPECT_NE(change("    256\n", "    256, 3\n").find("disagree"), std::string::npos);
    EXPECT_NE(change("128", "1e300").find("whole number"), std::string::npos);
    EXPECT_NE(change("\"clevel\": 5", "\"clevel\": 5.5").find("whole number"), std::string::npos);
    EXPECT_NE(change("\"fill_value\": 0", "\"fill_value\": 65536").find("fill value"),
              std::string::npos);
    EXPECT_NE(change("\"fill_value\": 0", "\"fill_value\": 1e300").find("fill value"),
              std::string::npos);
    EXPECT_NE(change("\"shape\"", "\"form\"").find("write it again"), std::string::npos);
}

TEST(ZarrSpec, TextThatIsNoMetadataIsAnErrorAndNotACrash) {
    for (char const* text : {"", "{", "[]", "7", "null", "{\"zarr_format\": 2}", "{\"shape\": {}}",
                             R"({"zarr_format": 3, "shape": ["a"]})"})
        EXPECT_FALSE(parse_spec(text)) << text;
    // Every beginning of good metadata.
    Spec s = three();
    s.shard = {1, 1, 256, 512};
    std::string const good = to_json(s);
    ASSERT_TRUE(parse_spec(good));
    for (std::size_t n = 0; n < good.size(); ++n) EXPECT_FALSE(parse_spec(good.substr(0, n)));
}

TEST(ZarrSpec, ChunksBeyondTwoGigabytesAreRefused) {
    Spec s = two();
    s.chunk = {1, 1, 1 << 16, 1 << 14};
    EXPECT_FALSE(parse_spec(to_json(s)));
    s.chunk = {1, index{1} << 40, index{1} << 40, 2};
    EXPECT_FALSE(parse_spec(to_json(s)));
}

}  // namespace
}  // namespace sluice::zarr
