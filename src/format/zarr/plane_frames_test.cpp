// Frames of arrays whose bits Blosc shuffled: as planes, with the values that were written.
// SPDX-License-Identifier: Apache-2.0
#include <random>
#include <thread>

#include "format/raw/test_flat.h"
#include "format/zarr/zarr.h"
#include "zarr/array.h"

namespace sluice {
namespace {

using zarr::Compressor;

class ZarrPlanes : public FormatFolder {
  protected:
    // Writes every chunk but the last, and returns what the array holds.
    template <class T>
    std::vector<T> made(zarr::Spec const& spec, std::uint32_t most) {
        std::filesystem::remove_all(path());
        auto const array = zarr::Array::create(path(), spec);
        EXPECT_TRUE(array);
        std::mt19937 random(1);
        std::vector<T> all;
        std::size_t const rank = spec.shape.size();
        index const pixels = spec.shape[rank - 2] * spec.shape[rank - 1];
        auto const side = [&](std::size_t d) { return rank == 4 ? spec.shape[d] : 1; };
        index const rows = side(0), cols = spec.shape[rank - 3];
        all.assign(static_cast<std::size_t>(rows * cols * pixels), static_cast<T>(spec.fill));
        index const high = rank == 4 ? spec.chunk[0] : 1, wide = spec.chunk[rank - 3];
        std::vector<std::vector<std::byte>> encoded;
        zarr::ChunkScratch scratch;
        for (index r = 0; r < rows; r += high)
            for (index c = 0; c < cols; c += wide) {
                bool const last = r + high >= rows && c + wide >= cols;
                std::vector<T> chunk(static_cast<std::size_t>(high * wide * pixels));
                for (T& v : chunk) v = static_cast<T>(random() % (std::uint64_t{most} + 1));
                if (last) std::fill(chunk.begin(), chunk.end(), static_cast<T>(spec.fill));
                for (index f = 0; f < high * wide; ++f) {
                    index const row = r + f / wide, col = c + f % wide;
                    if (row < rows && col < cols)
                        std::copy_n(chunk.begin() + f * pixels, pixels,
                                    all.begin() + (row * cols + col) * pixels);
                }
                // Chunks may have a part of each frame's rows.
                index const part = spec.chunk[rank - 2] * spec.shape[rank - 1];
                for (index p = 0; p < pixels / part; ++p) {
                    std::vector<T> some;
                    for (index f = 0; f < high * wide; ++f)
                        some.insert(some.end(), chunk.begin() + f * pixels + p * part,
                                    chunk.begin() + f * pixels + (p + 1) * part);
                    std::vector<index> at{c / wide, p, 0};
                    if (rank == 4) at.insert(at.begin(), r / high);
                    auto const bytes = std::as_bytes(std::span(some));
                    if (spec.shard.empty()) {
                        EXPECT_TRUE(array->write_chunk(at, bytes, scratch));
                    } else {
                        encoded.push_back(array->encode(bytes, scratch).value());
                    }
                }
            }
        if (!spec.shard.empty()) {
            EXPECT_TRUE(array->write_shard(std::vector<index>(rank, 0), encoded));
        }
        return all;
    }

    std::string path() const { return (folder_ / "a.zarr").string(); }

    template <class T>
    void comes_back(zarr::Spec const& spec, std::uint32_t most, bool as_planes = true) {
        std::vector<T> const wanted = made<T>(spec, most);
        auto const d = open(path());
        ASSERT_TRUE(d) << d.error().text();
        std::vector<EncodedFrame> one(1);
        FetchScratch scratch;
        ASSERT_TRUE(d->source->fetch(1, one, scratch));
        EXPECT_EQ(one[0].encoding, as_planes ? Encoding::row_planes : Encoding::values);
        for (index const at_once : {1, 3, 16}) ASSERT_EQ(values_of<T>(*d, at_once), wanted);
        std::vector<std::thread> threads;
        for (index n = 1; n < 4; ++n)
            threads.emplace_back([&, n] { EXPECT_EQ(values_of<T>(*d, n), wanted); });
        for (std::thread& t : threads) t.join();
    }
};

zarr::Spec spec(DType type, std::vector<index> shape, std::vector<index> chunk) {
    return {.dtype = type,
            .shape = std::move(shape),
            .chunk = std::move(chunk),
            .codec = {.compressor = Compressor::blosc_lz4, .bits = true}};
}

TEST_F(ZarrPlanes, AreTheValuesThatWereWritten) {
    for (int const version : {2, 3})
        for (Compressor const c : {Compressor::blosc_lz4, Compressor::blosc_zstd})
            for (double const fill : {0.0, 7.0}) {
                auto const with = [&](zarr::Spec s) {
                    s.version = version, s.fill = fill, s.codec.compressor = c;
                    s.codec.crc32c = version == 3;
                    return s;
                };
                // Chunks of some frames of a row, of some rows, of one frame; blocks of Blosc that
                // end within a frame.
                comes_back<std::uint8_t>(with(spec(DType::u8, {5, 7, 8, 9}, {1, 3, 8, 9})), 2);
                comes_back<std::uint16_t>(with(spec(DType::u16, {5, 7, 12, 10}, {2, 3, 12, 10})),
                                          9);
                comes_back<std::uint32_t>(with(spec(DType::u32, {5, 3, 8, 9}, {1, 1, 8, 9})),
                                          70000);
                comes_back<std::uint16_t>(with(spec(DType::u16, {25, 8, 9}, {6, 8, 9})), 65535);
                comes_back<std::uint16_t>(
                    with(spec(DType::u16, {2, 25, 104, 96}, {1, 20, 104, 96})), 6);
            }
}

// 25 frames as a scan of 4x7: three points have none, of planes and of values.
TEST_F(ZarrPlanes, FramesThatTheArrayLacksAreMissing) {
    for (bool const bits : {true, false}) {
        zarr::Spec s = spec(DType::u16, {25, 8, 8}, {6, 8, 8});
        s.fill = 7, s.codec.bits = bits;
        made<std::uint16_t>(s, 300);
        auto const d = open(path(), {.scan_shape = {{4, 7}}, .allow_incomplete = true});
        ASSERT_TRUE(d) << d.error().text();
        std::vector<EncodedFrame> some(5);
        FetchScratch scratch;
        ASSERT_TRUE(d->source->fetch(23, some, scratch));
        for (std::size_t i = 0; i < some.size(); ++i)
            EXPECT_EQ(some[i].encoding == Encoding::missing, i >= 2) << i;
        std::vector<std::uint16_t> frame(64);
        ASSERT_TRUE(decode_frame(some[4], {8, 8, 2}, std::as_writable_bytes(std::span(frame))));
        EXPECT_EQ(frame, std::vector<std::uint16_t>(64, 7));
        std::filesystem::remove_all(path());
    }
}

TEST_F(ZarrPlanes, ComeOutOfShards) {
    zarr::Spec s = spec(DType::u16, {4, 6, 8, 8}, {1, 3, 8, 8});
    s.shard = {4, 6, 8, 8};
    comes_back<std::uint16_t>(s, 5);
}

TEST_F(ZarrPlanes, AreValuesWhereTheyCannotBePlanes) {
    // Half of a frame; a frame of 63 pixels; bytes that are shuffled; floats.
    comes_back<std::uint16_t>(spec(DType::u16, {5, 7, 8, 8}, {1, 3, 4, 8}), 9, false);
    comes_back<std::uint16_t>(spec(DType::u16, {5, 7, 7, 9}, {1, 3, 7, 9}), 9, false);
    zarr::Spec bytes = spec(DType::u16, {5, 7, 8, 8}, {1, 3, 8, 8});
    bytes.codec.bits = false;
    comes_back<std::uint16_t>(bytes, 9, false);
    comes_back<float>(spec(DType::f32, {5, 7, 8, 8}, {1, 3, 8, 8}), 9, false);
}

// Metadata that our writer does not write: chunks in other orders, other numbers.
TEST_F(ZarrPlanes, AreOnlyMadeWhereChunksHoldFramesAsTheyAre) {
    zarr::Spec s = spec(DType::u16, {16, 8, 8, 8}, {8, 8, 8, 8});
    s.version = 2;
    made<std::uint16_t>(s, 9);
    std::string const file = path() + "/.zarray";
    std::ifstream in(file);
    std::string const text{std::istreambuf_iterator<char>(in), {}};
    auto const encoding = [&](std::string const& from, std::string const& to,
                              OpenOptions const& options = {}) {
        std::string changed = text;
        auto const at = changed.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        std::ofstream(file) << changed.replace(at, from.size(), to);
        auto const d = open(path(), options);
        EXPECT_TRUE(d) << d.error().text();
        std::vector<EncodedFrame> one(1);
        FetchScratch scratch;
        EXPECT_TRUE(d->source->fetch(0, one, scratch));
        return one[0].encoding;
    };
    EXPECT_EQ(encoding("<u2", "<u2"), Encoding::row_planes);
    EXPECT_EQ(encoding("<u2", ">u2"), Encoding::values);
    EXPECT_EQ(encoding("<u2", "<i2"), Encoding::values);
    EXPECT_EQ(encoding("\"C\"", "\"F\""), Encoding::values);
    EXPECT_EQ(encoding("<u2", "<u2", {.axis_order = "dr,dc,sr,sc"}), Encoding::values);
    EXPECT_EQ(encoding("<u2", "<u2", {.axis_order = "sc,sr,dr,dc"}), Encoding::values);
}

TEST_F(ZarrPlanes, SayWhichChunkIsDamaged) {
    made<std::uint16_t>(spec(DType::u16, {4, 6, 8, 8}, {1, 3, 8, 8}), 5);
    std::filesystem::resize_file(path() + "/c/1/1/0/0", 20);
    auto const d = open(path());
    ASSERT_TRUE(d);
    std::vector<EncodedFrame> frames(16);
    FetchScratch scratch;
    EXPECT_TRUE(d->source->fetch(0, std::span(frames).first(9), scratch));
    auto const s = d->source->fetch(0, frames, scratch);
    ASSERT_FALSE(s);
    EXPECT_EQ(s.error().file, path() + "/c/1/1/0/0");
    EXPECT_NE(s.error().message.find("frame 9: a Blosc chunk"), std::string::npos)
        << s.error().message;
}

}  // namespace
}  // namespace sluice
