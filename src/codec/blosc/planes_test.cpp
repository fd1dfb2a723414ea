// Bit planes out of Blosc chunks are those of the values that come out of the same chunks.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "base/bytes.h"
#include "codec/bitshuffle/transpose.h"
#include "codec/blosc/blosc.h"
#include "codec/lz4/lz4.h"
#include "codec/lz4planes/lz4planes.h"
#include "codec/zstd/zstd.h"

namespace sluice::codec {
namespace {

using Data = std::vector<std::byte>;

Data counts(index elements, int element, std::uint32_t most, std::mt19937& random) {
    Data out(static_cast<std::size_t>(elements * element));
    for (index i = 0; i < elements; ++i) {
        auto const v = static_cast<std::uint32_t>(random() % (std::uint64_t{most} + 1));
        std::memcpy(out.data() + i * element, &v, static_cast<std::size_t>(element));
    }
    return out;
}

void put(Data& to, std::size_t at, std::uint32_t number) {
    for (int i = 0; i < 4; ++i) to[at + i] = static_cast<std::byte>(number >> 8 * i);
}

struct Form {
    int element = 2;
    std::size_t block = 4096;  ///< bytes
    bool zstd = false, split = false;
    unsigned shuffle = 4;  ///< bits
};

// As the format's description has it.
Data chunk_of(Data const& values, Form const& f) {
    Data out(16), planes, packed;
    std::size_t const blocks = (values.size() + f.block - 1) / f.block;
    out.resize(16 + 4 * blocks);
    for (std::size_t b = 0; b < blocks; ++b) {
        std::size_t const at = b * f.block, bytes = std::min(f.block, values.size() - at);
        planes.assign(values.begin() + static_cast<std::ptrdiff_t>(at),
                      values.begin() + static_cast<std::ptrdiff_t>(at + bytes));
        auto const n = static_cast<index>(bytes) / f.element;
        if (f.shuffle == 4 && n % 8 == 0)
            transpose(chosen_isa()).pack(values.data() + at, f.element, n, planes.data(), n / 8);
        put(out, 16 + 4 * b, static_cast<std::uint32_t>(out.size()));
        bool const split =
            f.split && bytes == f.block && f.block / static_cast<std::size_t>(f.element) >= 128;
        std::size_t const streams = split ? static_cast<std::size_t>(f.element) : 1;
        for (std::size_t s = 0; s < streams; ++s) {
            Bytes stream = Bytes(planes).subspan(s * bytes / streams, bytes / streams);
            packed.clear();
            if (f.zstd)
                zstd_compress(stream, packed);
            else
                lz4_compress(stream, packed);
            if (packed.size() < stream.size()) stream = packed;
            out.resize(out.size() + 4);
            put(out, out.size() - 4, static_cast<std::uint32_t>(stream.size()));
            out.insert(out.end(), stream.begin(), stream.end());
        }
    }
    out[0] = std::byte{2}, out[1] = std::byte{1};
    out[2] = static_cast<std::byte>((f.zstd ? 4U : 1U) << 5 | f.shuffle | (f.split ? 0U : 16U));
    out[3] = static_cast<std::byte>(f.element);
    put(out, 4, static_cast<std::uint32_t>(values.size()));
    put(out, 8, static_cast<std::uint32_t>(f.block));
    put(out, 12, static_cast<std::uint32_t>(out.size()));
    return out;
}

/// Values that were made of planes, or nothing where there are no planes.
Result<std::optional<Data>> by_planes(Bytes chunk, int element, index elements, Isa isa) {
    index const stride = elements / 8 + 64;
    Data planes(static_cast<std::size_t>(8 * element * stride), std::byte{0xa5});
    Data memory(static_cast<std::size_t>(elements * element) + planes_slack);
    SLUICE_TRY(auto const count,
               blosc_planes(chunk, element, elements, isa, {planes.data(), stride, memory.data()}));
    if (!count) return std::optional<Data>();
    // Nothing else is written.
    for (std::size_t i = 0; i < planes.size(); ++i) {
        auto const at = static_cast<index>(i);
        if (at / stride >= *count || at % stride >= elements / 8) {
            EXPECT_EQ(planes[i], std::byte{0xa5}) << i;
        }
    }
    Data values(static_cast<std::size_t>(elements * element));
    transpose(isa).unpack(planes.data(), stride, *count, element, elements, values.data());
    return std::optional(values);
}

TEST(BloscPlanes, AreThoseOfTheValues) {
    std::mt19937 random(1);
    for (int const element : {1, 2, 4})
        for (index const elements : {8, 128, 1000, 4096, 30008})
            for (std::uint32_t const most : {0U, 1U, 9U, 255U})
                for (std::size_t const block : {64U, 4096U, 8000U, 65536U})
                    for (int kind = 0; kind < 4; ++kind) {
                        Data values = counts(elements, element, most, random);
                        // A pixel that is hot repeats a plane.
                        if (kind % 2 == 1)
                            std::memset(values.data() + 3 * element, 0xff,
                                        static_cast<std::size_t>(element));
                        Data const chunk = chunk_of(values, {.element = element,
                                                             .block = block,
                                                             .zstd = kind == 3,
                                                             .split = kind >= 1});
                        Data out(values.size());
                        ASSERT_EQ(blosc_decompress(chunk, out).value(), values.size());
                        ASSERT_EQ(out, values);
                        for (Isa const isa : compiled_isas()) {
                            if (!runs_here(isa)) continue;
                            auto const found = by_planes(chunk, element, elements, isa);
                            ASSERT_TRUE(found) << found.error().message;
                            ASSERT_TRUE(*found);
                            ASSERT_EQ(**found, values);
                        }
                    }
}

TEST(BloscPlanes, AreNoneWhereBitsAreNotShuffledAlike) {
    std::mt19937 random(2);
    Data const values = counts(4096, 2, 9, random);
    auto const none = [&](Form const& f, int element, index elements) {
        auto const found = by_planes(chunk_of(values, f), element, elements, chosen_isa());
        return found && !*found;
    };
    auto const some = by_planes(chunk_of(values, {}), 2, 4096, chosen_isa());
    EXPECT_TRUE(some && *some);
    EXPECT_TRUE(none({.shuffle = 1}, 2, 4096));
    EXPECT_TRUE(none({.shuffle = 0}, 2, 4096));
    EXPECT_TRUE(none({}, 4, 2048));
    EXPECT_TRUE(none({}, 2, 4104));
    EXPECT_TRUE(none({.block = 4088}, 2, 4096));
}

// What is taken, the decoder of values takes with the same values.
TEST(BloscPlanes, OfDamagedChunksAreAnErrorOrThoseOfTheValues) {
    std::mt19937 random(3);
    int taken = 0, refused = 0;
    for (int round = 0; round < 3000; ++round) {
        Form const f{.element = 1 << random() % 3, .zstd = round % 4 == 3, .split = round % 2 == 1};
        index const elements = 8 * static_cast<index>(1 + random() % 1500);
        Data chunk = chunk_of(counts(elements, f.element, 1 + random() % 20, random), f);
        for (unsigned n = 1 + random() % 4; n > 0; --n)
            chunk[random() % (n % 2 ? 40 : chunk.size())] ^= static_cast<std::byte>(random());
        if (random() % 4 == 0) chunk.resize(random() % chunk.size());
        Data values(static_cast<std::size_t>(elements * f.element));
        auto const size = blosc_decompress(chunk, values);
        auto const found = by_planes(chunk, f.element, elements, chosen_isa());
        if (found && *found) {
            ASSERT_TRUE(size) << round;
            ASSERT_EQ(*size, values.size());
            ASSERT_EQ(**found, values) << round;
        }
        ASSERT_TRUE(found || !size) << round;
        taken += found && *found;
        refused += !found;
    }
    EXPECT_GT(taken, 100);
    EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace sluice::codec
