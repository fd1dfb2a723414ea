// What becomes of a chunk does not depend on what its thread compressed before.
// SPDX-License-Identifier: Apache-2.0
#include "zarr/compress.h"

#include <gtest/gtest.h>

#include <random>

#include "codec/bitshuffle/transpose.h"
#include "codec/blosc/blosc.h"
#include "codec/lz4planes/lz4planes.h"

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

// Empty where there are no planes.
std::vector<std::byte> from_planes(Bytes packed, index element, std::size_t elements) {
    auto const n = static_cast<index>(elements);
    auto const bytes = elements * static_cast<std::size_t>(element);
    std::vector<std::byte> planes(bytes), memory(bytes + codec::planes_slack), values(bytes);
    auto const count = codec::blosc_planes(packed, static_cast<int>(element), n, chosen_isa(),
                                           {planes.data(), n / 8, memory.data()});
    if (!count || !*count) return {};
    codec::transpose(chosen_isa())
        .unpack(planes.data(), n / 8, **count, static_cast<int>(element), n, values.data());
    return values;
}

// Whole blocks and the last one, elements that are no whole groups of eight, upper planes that are
// empty: what the library packs, our own decoder unpacks.
TEST(Compress, BitsThatBloscShufflesAreThoseOfOurDecoder) {
    std::mt19937 random(3);
    for (index const element : {1, 2, 3, 4, 8, 16})
        for (std::size_t const elements : {1U, 8U, 64U, 999U, 1000U, 33000U, 131072U, 300016U})
            for (unsigned const values : {1U, 3U, 256U}) {
                std::vector<std::byte> chunk(elements * static_cast<std::size_t>(element));
                for (std::size_t i = 0; i < chunk.size(); i += static_cast<std::size_t>(element))
                    chunk[i] = static_cast<std::byte>(random() % values);
                std::vector<std::byte> memory, out(chunk.size(), std::byte{0x5a});
                Codec const codec{.compressor = Compressor::blosc_lz4, .level = 5, .bits = true};
                auto const packed = compress(chunk, codec, element, memory);
                ASSERT_TRUE(packed);
                auto const bytes = codec::blosc_decompress(*packed, out);
                ASSERT_TRUE(bytes) << bytes.error().message;
                EXPECT_EQ(*bytes, chunk.size());
                ASSERT_EQ(out, chunk) << element << ' ' << elements << ' ' << values;
                bool const stored = ((*packed)[2] & std::byte{2}) != std::byte{};
                if (elements % 8 != 0 || stored || element > 4 || element == 3) continue;
                ASSERT_EQ(from_planes(*packed, element, elements), chunk)
                    << element << ' ' << elements << ' ' << values;
            }
}

}  // namespace
}  // namespace sluice::zarr
