// Arrays written and read back, and files that are damaged.
// SPDX-License-Identifier: Apache-2.0
#include "zarr/array.h"

#include <fstream>
#include <random>
#include <thread>

#include "base/test_deep.h"
#include "codec/crc32c/crc32c.h"
#include "zarr/folder_test.h"
#include "zarr/group.h"
#include "zarr/reader.h"
#include "zarr/text.h"

namespace sluice::zarr {
namespace {

ChunkScratch scratch;

std::vector<std::byte> noise(index bytes, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::byte> out(static_cast<std::size_t>(bytes));
    for (std::byte& b : out) b = static_cast<std::byte>(random() % 7);
    return out;
}

Spec small(int version, Compressor compressor = Compressor::blosc_lz4) {
    Spec s;
    s.version = version;
    s.dtype = DType::u16;
    s.shape = {100, 90};
    s.chunk = {32, 32};
    s.codec = {compressor, 3};
    return s;
}

TEST(ZarrArray, ChunksComeBackWithEveryTypeAndCodec) {
    TestFolder const folder;
    for (int version : {2, 3})
        for (DType type : {DType::u8, DType::u16, DType::i32, DType::f32, DType::f64})
            for (Compressor c : {Compressor::none, Compressor::blosc_lz4, Compressor::zstd}) {
                Spec s = small(version, c);
                s.dtype = type;
                auto const array = Array::create(folder.file("a"), s).value();
                auto const data = noise(array.chunk_bytes(), 1);
                std::vector<index> const at{3, 2};
                ASSERT_GT(array.write_chunk(at, data, scratch).value().length, 0);
                EXPECT_TRUE(
                    std::filesystem::exists(folder.file(version == 2 ? "a/3/2" : "a/c/3/2")));
                auto const again = Array::open(folder.file("a")).value();
                std::vector<std::byte> back(data.size());
                ASSERT_TRUE(again.read_chunk(at, back, scratch));
                EXPECT_EQ(back, data);
                std::filesystem::remove_all(folder.file("a"));
            }
}

TEST(ZarrArray, ChunksOfNothingButFillAreNotWritten) {
    TestFolder const folder;
    Spec s = small(2);
    s.fill = 513;
    auto const array = Array::create(folder.file("a"), s).value();
    std::vector<std::byte> fill(static_cast<std::size_t>(array.chunk_bytes()));
    for (std::size_t i = 0; i < fill.size(); i += 2)
        fill[i] = std::byte{1}, fill[i + 1] = std::byte{2};
    std::vector<index> const at{0, 0};
    EXPECT_EQ(array.write_chunk(at, fill, scratch).value().length, 0);
    EXPECT_EQ(folder.files(), 1);
    std::vector<std::byte> back(fill.size());
    ASSERT_TRUE(array.read_chunk(at, back, scratch));
    EXPECT_EQ(back, fill);
    fill.back() = std::byte{3};
    EXPECT_GT(array.write_chunk(at, fill, scratch).value().length, 0);
    ASSERT_TRUE(array.read_chunk(at, back, scratch));
    EXPECT_EQ(back, fill);
}

Spec sharded() {
    Spec s = small(3, Compressor::zstd);
    s.shard = {64, 96};
    return s;
}

// Six chunks, the third of which is empty.
std::vector<std::vector<std::byte>> write_shard(Array const& array) {
    std::vector<std::vector<std::byte>> chunks, encoded;
    for (unsigned i = 0; i < 6; ++i) {
        chunks.push_back(noise(array.chunk_bytes(), i));
        if (i == 2) std::fill(chunks.back().begin(), chunks.back().end(), std::byte{0});
        encoded.push_back(array.encode(chunks.back(), scratch).value());
    }
    EXPECT_TRUE(encoded[2].empty());
    std::vector<index> const at{1, 0};
    EXPECT_GT(array.write_shard(at, encoded).value().length, 100);
    return chunks;
}

TEST(ZarrArray, ShardsHoldTheirChunksInOrder) {
    TestFolder const folder;
    auto const array = Array::create(folder.file("a"), sharded()).value();
    ASSERT_EQ(array.chunks_per_block(), 6);
    auto const chunks = write_shard(array);
    EXPECT_EQ(folder.files(), 2);
    std::vector<std::byte> back(static_cast<std::size_t>(array.chunk_bytes()));
    for (index i = 0; i < 6; ++i) {
        std::vector<index> const at{2 + i / 3, i % 3};
        ASSERT_TRUE(array.read_chunk(at, back, scratch));
        EXPECT_EQ(back, chunks[static_cast<std::size_t>(i)]) << i;
    }
}

TEST(ZarrArray, DamagedShardsAreErrorsThatNameTheFile) {
    TestFolder const folder;
    auto const array = Array::create(folder.file("a"), sharded()).value();
    auto const chunks = write_shard(array);
    std::string const path = folder.file("a/c/1/0");
    auto const good = read_file(path, 1 << 20).value();
    std::vector<std::byte> back(static_cast<std::size_t>(array.chunk_bytes()));
    auto const with = [&](std::vector<std::byte> bytes) {
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<char const*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        auto const s = array.read_chunk(std::vector<index>{2, 0}, back, scratch);
        EXPECT_EQ(s ? path : s.error().file, path);
        return s ? std::string() : s.error().message;
    };
    EXPECT_EQ(with(good), "");
    auto bad = good;
    bad[bad.size() - 20] ^= std::byte{1};
    EXPECT_NE(with(bad).find("checksum"), std::string::npos);
    bad = good;
    bad.resize(50);
    EXPECT_NE(with(bad).find("without an index"), std::string::npos);
    bad = good;
    bad[2] ^= std::byte{0xff};
    EXPECT_NE(with(bad), "");
    // An index whose checksum is right and whose sizes are absurd.
    bad = good;
    for (std::size_t i = 0; i < 8; ++i) bad[bad.size() - 100 + 8 + i] = std::byte{0x7f};
    std::uint32_t const sum = codec::crc32c(Bytes(bad).subspan(bad.size() - 100, 96));
    for (std::size_t i = 0; i < 4; ++i)
        bad[bad.size() - 4 + i] = static_cast<std::byte>(sum >> (8 * i));
    EXPECT_NE(with(bad).find("outside"), std::string::npos);
}

TEST(ZarrArray, DamagedChunksAreErrors) {
    TestFolder const folder;
    for (Compressor c : {Compressor::none, Compressor::blosc_lz4, Compressor::zstd}) {
        auto const array = Array::create(folder.file("a"), small(2, c)).value();
        std::vector<index> const at{0, 0};
        auto const data = noise(array.chunk_bytes(), 3);
        ASSERT_TRUE(array.write_chunk(at, data, scratch));
        auto const good = read_file(array.file_of(at), 1 << 20).value();
        std::vector<std::byte> back(data.size());
        for (std::size_t keep :
             {std::size_t{0}, std::size_t{1}, std::size_t{15}, good.size() / 2, good.size() - 1}) {
            std::ofstream(array.file_of(at), std::ios::binary)
                .write(reinterpret_cast<char const*>(good.data()),
                       static_cast<std::streamsize>(keep));
            auto const s = array.read_chunk(at, back, scratch);
            ASSERT_FALSE(s) << keep;
            EXPECT_EQ(s.error().file, array.file_of(at));
        }
        std::filesystem::remove_all(folder.file("a"));
    }
}

// One bit of a chunk with a checksum: an error, or, in bits that say nothing, the same elements.
// Our reader of every writer's arrays is asked, too.
TEST(ZarrArray, ABitThatTurnsOverIsFound) {
    TestFolder const folder;
    for (auto const& [version, codec] :
         {std::pair{2, Codec{Compressor::zstd, 3}}, std::pair{3, Codec{Compressor::zstd, 3}},
          std::pair{3, Codec{Compressor::none, 0, true}},
          std::pair{3, Codec{Compressor::blosc_lz4, 5, true}}}) {
        Spec s = small(version);
        s.codec = codec;
        auto const array = Array::create(folder.file("a"), s).value();
        auto const reader = Reader::open(folder.file("a")).value();
        auto const data = noise(array.chunk_bytes(), 5);
        std::vector<index> const at{0, 0};
        ASSERT_TRUE(array.write_chunk(at, data, scratch));
        std::string const path = array.file_of(at);
        auto bytes = read_file(path, 1 << 20).value();
        std::vector<std::byte> back(data.size());
        index found = 0, tried = 0;
        std::size_t const step = deep_tests() ? 11 : 53;
        for (std::size_t bit = 0; bit < 8 * bytes.size(); bit += step + bit % 7, ++tried) {
            bytes[bit / 8] ^= std::byte{1} << bit % 8;
            std::ofstream(path, std::ios::binary)
                .write(reinterpret_cast<char const*>(bytes.data()), std::ssize(bytes));
            bool const ours = static_cast<bool>(array.read_chunk(at, back, scratch));
            EXPECT_TRUE(!ours || back == data) << version << ", bit " << bit;
            bool const any = static_cast<bool>(decode_chunk(reader.layout(), bytes, back));
            EXPECT_TRUE(!any || back == data) << version << ", bit " << bit;
            found += !ours && !any ? 1 : 0;
            bytes[bit / 8] ^= std::byte{1} << bit % 8;
        }
        EXPECT_GE(found * 100, tried * 98);
        std::filesystem::remove_all(folder.file("a"));
    }
}

TEST(ZarrArray, ThreadsWriteDifferentChunksOfOneArray) {
    TestFolder const folder;
    Spec s = small(3);
    s.shape = {512, 512};
    auto const array = Array::create(folder.file("a"), s).value();
    std::vector<std::thread> threads;
    for (index t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            ChunkScratch own;
            for (index i = t; i < 256; i += 4)
                (void)array.write_chunk(std::vector<index>{i / 16, i % 16},
                                        noise(array.chunk_bytes(), static_cast<unsigned>(i)), own);
        });
    for (auto& t : threads) t.join();
    EXPECT_EQ(folder.files(), 257);
    std::vector<std::byte> back(static_cast<std::size_t>(array.chunk_bytes()));
    for (index i = 0; i < 256; ++i) {
        ASSERT_TRUE(array.read_chunk(std::vector<index>{i / 16, i % 16}, back, scratch));
        EXPECT_EQ(back, noise(array.chunk_bytes(), static_cast<unsigned>(i)));
    }
}

TEST(ZarrGroup, AttributesComeBackInBothVersions) {
    TestFolder const folder;
    for (int version : {2, 3}) {
        std::string const path = folder.file("g" + std::to_string(version));
        EXPECT_FALSE(is_node(path));
        ASSERT_TRUE(write_group(path, version, R"({"b":[1,2],"a":"x"})"));
        EXPECT_TRUE(is_node(path));
        EXPECT_EQ(read_attributes(path).value(), R"({"b":[1,2],"a":"x"})");
    }
    EXPECT_EQ(read_text(folder.file("g2/.zgroup")).value(), "{\n  \"zarr_format\": 2\n}\n");
    EXPECT_EQ(read_text(folder.file("g3/zarr.json")).value(),
              "{\n  \"zarr_format\": 3,\n  \"node_type\": \"group\",\n  \"attributes\": {\n    "
              "\"b\": [\n      1,\n      2\n    ],\n    \"a\": \"x\"\n  }\n}\n");
    EXPECT_FALSE(read_attributes(folder.file("none")));
    ASSERT_TRUE(write_text(folder.file("g3/zarr.json"), "[1"));
    EXPECT_FALSE(read_attributes(folder.file("g3")));
}

}  // namespace
}  // namespace sluice::zarr
