// What becomes of a chunk does not depend on what its thread compressed before.
// SPDX-License-Identifier: Apache-2.0
#include "zarr/compress.h"

#include <gtest/gtest.h>

#include <random>

namespace sluice::zarr {
namespace {

TEST(Compress, TheSameChunkAfterALargerOneIsTheSame) {
    std::mt19937 random(1);
    for (std::size_t const size : {64, 256, 1000, 4096})
        for (unsigned const values : {2U, 64U, 200U, 230U, 250U, 256U}) {
            std::vector<std::byte> chunk(size), large(1 << 16), fresh, later;
            for (std::byte& b : chunk) b = static_cast<std::byte>(random() % values);
            Codec const codec{.compressor = Compressor::blosc_lz4, .level = 5};
            std::vector<std::byte> memory, another;
            auto const packed = [&](Bytes bytes, std::vector<std::byte>& in) {
                auto const r = compress(bytes, codec, 1, in);
                return r ? std::vector(r->begin(), r->end()) : std::vector<std::byte>();
            };
            fresh = packed(chunk, another);
            packed(large, memory);
            later = packed(chunk, memory);
            EXPECT_FALSE(fresh.empty());
            EXPECT_EQ(fresh, later) << size << ' ' << values;
        }
}

}  // namespace
}  // namespace sluice::zarr
