// Chunks of arrays that others wrote: read, missing, moved, and damaged.
// SPDX-License-Identifier: Apache-2.0
#include "zarr/reader.h"

#include <cstring>
#include <fstream>
#include <random>

#include "base/file.h"
#include "zarr/array.h"
#include "zarr/chunk_names.h"
#include "zarr/folder_test.h"

namespace sluice::zarr {
namespace {

ChunkScratch scratch;

namespace fs = std::filesystem;
using Data = std::vector<std::byte>;

Data noise(index bytes, unsigned seed) {
    std::mt19937 random(seed);
    Data out(static_cast<std::size_t>(bytes));
    for (std::byte& b : out) b = static_cast<std::byte>(random() % 7);
    return out;
}

void put(std::string const& path, Data const& bytes) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<char const*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
}

Data bytes_of(std::string const& text) {
    auto const bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

// The decoded chunk, an error, or nothing where no file has it.
Result<std::optional<Data>> chunk_of(Reader const& r, std::vector<index> const& at) {
    SLUICE_TRY(auto const place, r.locate(at));
    if (!place) return std::optional<Data>();
    SLUICE_CHECK(r.check_size(place->size));
    Data encoded(place->size), out(static_cast<std::size_t>(r.layout().chunk_bytes()));
    SLUICE_CHECK(r.read(at, *place, encoded));
    SLUICE_CHECK(r.decode(encoded, out));
    return std::optional(out);
}

std::string said(Result<std::optional<Data>> const& r) {
    return r ? (*r ? "read" : "missing") : r.error().text();
}

Spec spec(int version, Compressor compressor, DType type = DType::u16) {
    return {.version = version,
            .dtype = type,
            .shape = {60, 50},
            .chunk = {16, 16},
            .codec = {compressor, 3}};
}

TEST(ZarrReader, ReadsWhatOurOwnWriterWrites) {
    TestFolder const folder;
    for (int version : {2, 3})
        for (DType type : {DType::u8, DType::u16, DType::i32, DType::f32, DType::f64})
            for (Compressor c : {Compressor::none, Compressor::blosc_lz4, Compressor::zstd}) {
                auto const array = Array::create(folder.file("a"), spec(version, c, type)).value();
                Data const data = noise(array.chunk_bytes(), 1);
                ASSERT_TRUE(array.write_chunk(std::vector<index>{3, 2}, data, scratch));
                auto const reader = Reader::open(folder.file("a")).value();
                EXPECT_EQ(chunk_of(reader, {3, 2}).value(), data);
                EXPECT_EQ(chunk_of(reader, {3, 1}).value(), std::nullopt);
                fs::remove_all(folder.file("a"));
            }
}

Spec sharded() {
    Spec s = spec(3, Compressor::zstd);
    s.shard = {32, 48};
    return s;
}

// The shard at 1, 0: six chunks, of which the fourth is missing.
std::vector<Data> write_shard(std::string const& path) {
    auto const array = Array::create(path, sharded()).value();
    std::vector<Data> chunks, encoded;
    for (unsigned i = 0; i < 6; ++i) {
        chunks.push_back(i == 3 ? Data(512) : noise(512, i));
        encoded.push_back(array.encode(chunks.back(), scratch).value());
    }
    EXPECT_TRUE(array.write_shard(std::vector<index>{1, 0}, encoded));
    return chunks;
}

TEST(ZarrReader, ChunksOfShards) {
    TestFolder const folder;
    auto const chunks = write_shard(folder.file("a"));
    auto const reader = Reader::open(folder.file("a")).value();
    for (index i = 0; i < 6; ++i) {
        auto const found = chunk_of(reader, {2 + i / 3, i % 3}).value();
        if (i == 3)
            EXPECT_FALSE(found);
        else
            EXPECT_EQ(found, chunks[static_cast<std::size_t>(i)]);
    }
    EXPECT_EQ(chunk_of(reader, {0, 0}).value(), std::nullopt);
}

TEST(ZarrReader, DamageOfEachByteOfAnIndexIsAnErrorThatNamesTheShard) {
    TestFolder const folder;
    write_shard(folder.file("a"));
    std::string const path = folder.file("a/c/1/0");
    Data const good = read_file(path, 1 << 20).value();
    for (std::size_t i = good.size() - 6 * 16 - 4; i < good.size(); ++i) {
        Data bad = good;
        bad[i] ^= std::byte{1};
        put(path, bad);
        auto const r = chunk_of(Reader::open(folder.file("a")).value(), {2, 0});
        ASSERT_FALSE(r) << i;
        EXPECT_EQ(r.error().file, path);
        EXPECT_NE(r.error().message.find("checksum of a shard's index"), std::string::npos);
    }
    for (std::size_t size = 0; size < good.size(); size += 1 + size / 4) {
        put(path, {good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)});
        ASSERT_FALSE(chunk_of(Reader::open(folder.file("a")).value(), {2, 0})) << size;
    }
}

TEST(ZarrReader, AnIndexThatChangesIsReadAgain) {
    TestFolder const folder;
    write_shard(folder.file("a"));
    std::string const path = folder.file("a/c/1/0");
    auto const reader = Reader::open(folder.file("a")).value();
    ASSERT_EQ(said(chunk_of(reader, {2, 0})), "read");
    Data bad = read_file(path, 1 << 20).value();
    bad.back() ^= std::byte{1};
    put(path, bad);
    fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(2));
    EXPECT_NE(said(chunk_of(reader, {2, 0})).find("checksum"), std::string::npos);
}

std::string without_checksum(std::string json) {
    auto const at = json.find("\"crc32c\"");
    auto const begin = json.rfind(',', at), end = json.find('}', at);
    return json.erase(begin, end + 1 - begin);
}

TEST(ZarrReader, AnIndexWithoutChecksumIsComparedWithTheFile) {
    TestFolder const folder;
    write_shard(folder.file("a"));
    std::string const meta = folder.file("a/zarr.json"), path = folder.file("a/c/1/0");
    Data const old = read_file(meta, 1 << 20).value();
    put(meta, bytes_of(without_checksum({reinterpret_cast<char const*>(old.data()), old.size()})));
    Data good = read_file(path, 1 << 20).value();
    good.erase(good.end() - 4, good.end());
    put(path, good);
    ASSERT_EQ(said(chunk_of(Reader::open(folder.file("a")).value(), {2, 0})), "read");
    std::size_t const entry = good.size() - 6 * 16;
    std::uint64_t const sizes[] = {~std::uint64_t{0}, ~std::uint64_t{0} - 1, good.size(),
                                   std::uint64_t{1} << 62, entry + 1};
    for (std::size_t field : {std::size_t{0}, std::size_t{8}})
        for (std::uint64_t const n : sizes) {
            Data bad = good;
            std::memcpy(bad.data() + entry + field, &n, sizeof n);
            put(path, bad);
            auto const r = chunk_of(Reader::open(folder.file("a")).value(), {2, 0});
            ASSERT_FALSE(r) << field << " " << n;
            EXPECT_NE(r.error().text().find(path + " at byte"), std::string::npos)
                << r.error().text();
        }
}

TEST(ZarrReader, DamageOfEachByteOfAChunkIsNoCrash) {
    TestFolder const folder;
    for (char const* compressor : {R"({"id":"blosc"})", R"({"id":"zstd"})"}) {
        auto const array =
            Array::create(folder.file("a"), spec(2, std::string_view(compressor).find("zstd") == 7
                                                        ? Compressor::zstd
                                                        : Compressor::blosc_lz4))
                .value();
        ASSERT_TRUE(
            array.write_chunk(std::vector<index>{0, 0}, noise(array.chunk_bytes(), 5), scratch));
        std::string const path = folder.file("a/0/0");
        Data const good = read_file(path, 1 << 20).value();
        auto const reader = Reader::open(folder.file("a")).value();
        Data out(static_cast<std::size_t>(array.chunk_bytes()));
        for (std::size_t i = 0; i < good.size(); ++i)
            for (unsigned char const flip : {0x01, 0x80, 0xff}) {
                Data bad = good;
                bad[i] ^= std::byte{flip};
                (void)reader.decode(bad, out);
            }
        for (std::size_t size = 0; size < good.size(); ++size)
            EXPECT_FALSE(reader.decode(Bytes(good).first(size), out)) << compressor << size;
        put(path, {good.begin(), good.end() - 1});
        EXPECT_FALSE(chunk_of(reader, {0, 0}));
        fs::remove_all(folder.file("a"));
    }
}

Result<Layout> plain(std::string const& codecs) {
    return parse_layout(
        R"({"zarr_format":3,"node_type":"array","shape":[4],"data_type":"uint8","fill_value":0,)"
        R"("chunk_grid":{"name":"regular","configuration":{"chunk_shape":[4]}},)"
        R"("chunk_key_encoding":{"name":"default"},"codecs":[{"name":"bytes"})" +
        codecs + "]}");
}

TEST(ZarrReader, GzipZlibAndChecksumsOfChunks) {
    Data const want = bytes_of("abcd");
    // python3: gzip.compress(b'abcd', mtime=0), zlib.compress(b'abcd'), and crc32c.
    Data const gzip =
        bytes_of(std::string("\x1f\x8b\x08\0\0\0\0\0\x02\x03\x4b\x4c\x4a\x4e\x01\0"
                             "\x11\xcd\x82\xed\x04\0\0\0",
                             24));
    Data const zlib = bytes_of(std::string("\x78\x9c\x4b\x4c\x4a\x4e\x01\0\x03\xd8\x01\x8b", 12));
    Data const summed = bytes_of(std::string("abcd\x31\x0a\xc8\x92", 8));
    auto const deflate = plain(R"(,{"name":"gzip"})").value();
    auto const crc = plain(R"(,{"name":"crc32c"})").value();
    Data out(4);
    for (auto const& [layout, good] : {std::pair(deflate, gzip), {deflate, zlib}, {crc, summed}}) {
        ASSERT_TRUE(decode_chunk(layout, good, out));
        EXPECT_EQ(out, want);
        for (std::size_t size = 0; size < good.size(); ++size)
            EXPECT_FALSE(decode_chunk(layout, Bytes(good).first(size), out)) << size;
    }
    for (std::size_t i = 0; i < summed.size(); ++i) {
        Data bad = summed;
        bad[i] ^= std::byte{4};
        EXPECT_FALSE(decode_chunk(crc, bad, out)) << i;
    }
    Data more = want;
    more.push_back({});
    EXPECT_FALSE(decode_chunk(plain("").value(), more, out));
}

TEST(ZarrReader, SnappyIsRefusedInTheWordsOfZarr) {
    auto const layout = plain(R"(,{"name":"blosc"})").value();
    // Version 2, one block of 4 bytes at 20, codec 2.
    Data const snappy =
        bytes_of(std::string("\x02\x01\x50\x01\4\0\0\0\4\0\0\0\x1b\0\0\0"
                             "\x14\0\0\0\x03\0\0\0abc",
                             27));
    Data out(4);
    auto const s = decode_chunk(layout, snappy, out);
    ASSERT_FALSE(s);
    EXPECT_EQ(s.error().code, Code::unsupported);
    EXPECT_NE(s.error().message.find("save the array with another codec"), std::string::npos);
}

TEST(ZarrReader, MuchCannotComeOutOfNothing) {
    TestFolder const folder;
    Spec s = spec(2, Compressor::zstd);
    s.shape = s.chunk = {30000, 30000};
    ASSERT_TRUE(Array::create(folder.file("a"), s));
    auto const reader = Reader::open(folder.file("a")).value();
    EXPECT_FALSE(reader.check_size(20));
    EXPECT_FALSE(reader.check_size(std::uint64_t{1} << 40));
    EXPECT_TRUE(reader.check_size(1 << 20));
}

TEST(ZarrReader, WhatCannotBeLookedForIsNotMissing) {
    TestFolder const folder;
    ASSERT_TRUE(Array::create(folder.file("a"), spec(2, Compressor::none)));
    auto const reader = Reader::open(folder.file("a")).value();
    EXPECT_EQ(said(chunk_of(reader, {0, 0})), "missing");
    // A link to what was deleted.
    fs::create_directories(folder.file("a/0"));
    fs::create_symlink(folder.file("nowhere"), folder.file("a/0/0"));
    EXPECT_NE(said(chunk_of(reader, {0, 0})).find("a/0/0: cannot open"), std::string::npos);
    // A file where a folder should be.
    put(folder.file("a/1"), Data(3));
    EXPECT_NE(said(chunk_of(reader, {1, 0})).find("a/1/0: cannot be read"), std::string::npos);
    // A folder where a file should be.
    fs::create_directories(folder.file("a/2/0"));
    EXPECT_NE(said(chunk_of(reader, {2, 0})).find("is a folder"), std::string::npos);
}

TEST(ZarrReader, ChunksWithNamesOfAnotherKindAreNotTakenAsMissing) {
    TestFolder const folder;
    std::string const a = folder.file("a");
    ASSERT_TRUE(Array::create(a, spec(2, Compressor::none)));
    Layout layout = Reader::open(a).value().layout();
    EXPECT_FALSE(has_chunks(a, layout).value());
    put(a + "/.zattrs", bytes_of("{}"));
    EXPECT_FALSE(has_chunks(a, layout).value());
    EXPECT_EQ(count_chunk_files(a, 9), 0);
    put(a + "/3/2", Data(9));
    EXPECT_TRUE(has_chunks(a, layout).value());
    EXPECT_EQ(count_chunk_files(a, 9), 1);
    layout.separator = '.';
    auto const wrong = has_chunks(a, layout);
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().text().find("has chunks with names like '0/0', and its metadata say "
                                        "'0.0'; correct the dimension_separator"),
              std::string::npos)
        << wrong.error().text();
    layout.separator = '/';
    layout.key_prefix = true;
    EXPECT_FALSE(has_chunks(a, layout));
    put(a + "/c/3/2", Data(9));
    EXPECT_TRUE(has_chunks(a, layout).value());
    EXPECT_FALSE(has_chunks(folder.file("nothing"), layout));
}

}  // namespace
}  // namespace sluice::zarr
