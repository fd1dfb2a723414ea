// Whole chunks of bitshuffle and LZ4, decoded and encoded.
// SPDX-License-Identifier: Apache-2.0
#include "codec/bitshuffle/bitshuffle.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "base/bytes.h"
#include "codec/bitshuffle/transpose.h"
#include "codec/lz4/lz4.h"
#include "codec/zstd/zstd.h"
#include "device/per_isa.h"

namespace sluice::codec {

SLUICE_PER_ISA(Transpose, transpose)
SLUICE_PER_ISA(Lz4Planes, lz4_planes)

std::uint32_t pack_needed(Isa isa, Plain values, index n, int& expected, std::byte* planes,
                          index stride) {
    auto const pack = transpose(isa).pack_lowest;
    std::uint32_t const bits = pack(values, n, expected, planes, stride);
    auto const count = static_cast<int>(std::bit_width(bits));
    // The second pass finds the values in a cache.
    if (count > expected) pack(values, n, count, planes, stride);
    // One plane too many takes less time than a second pass.
    expected = std::min(count + 1, 8 * values.bytes);
    return bits;
}

Status decode_block(ShuffledBlock const& block, Compression compression, std::span<std::byte> out) {
    switch (compression) {
        case Compression::lz4:
            return lz4_decompress(block.bytes, out);
        case Compression::zstd:
            return zstd_decompress(block.bytes, out);
        case Compression::none:
            break;
    }
    if (!out.empty()) std::memcpy(out.data(), block.bytes.data(), out.size());
    return {};
}

void write_repeats(PlanesFound const& found, index plane_bytes, int count, std::byte* planes) {
    for (int p = found.filled; found.repeats && p < count; ++p)
        std::memcpy(planes + p * plane_bytes, planes + (found.filled - 1) * plane_bytes,
                    static_cast<std::size_t>(plane_bytes));
}

Result<PlanesFound> decode_planes(ShuffledBlock const& block, Compression compression, Isa isa,
                                  std::byte const* readable_end, int planes, std::byte* out) {
    auto const plane_bytes = static_cast<std::size_t>(block.count / 8);
    // The format's own limit; the library has the words for it.
    constexpr std::size_t most = std::numeric_limits<int>::max();
    bool const fits =
        block.bytes.size() <= most && plane_bytes <= most / static_cast<std::size_t>(planes);
    if (compression == Compression::lz4 && fits)
        if (auto found =
                lz4_planes(isa).decode(block.bytes, readable_end, out, plane_bytes, planes))
            return *found;
    SLUICE_CHECK(
        decode_block(block, compression, {out, plane_bytes * static_cast<std::size_t>(planes)}));
    return PlanesFound{planes, false};
}

Status decode_bitshuffle(Bytes chunk, Compression compression, int element_bytes,
                         std::span<std::byte> values, index block_elements) {
    if (element_bytes < 1 || element_bytes > most_element_bytes ||
        values.size() % static_cast<std::size_t>(element_bytes) != 0)
        return Error{Code::unsupported,
                     fmt::format("bitshuffled elements of {} bytes in a chunk of {} (they must "
                                 "fill it, and have 1 to {} bytes)",
                                 element_bytes, values.size(), most_element_bytes)};
    index const elements = static_cast<index>(values.size()) / element_bytes;
    SLUICE_TRY(BlockWalk walk,
               BlockWalk::begin(chunk, compression, elements, element_bytes, block_elements));
    int const count = 8 * element_bytes;
    std::vector<std::byte> planes(
        static_cast<std::size_t>(std::min(walk.block_elements(), elements) * element_bytes) +
        planes_slack);
    while (!walk.done()) {
        SLUICE_TRY(ShuffledBlock const block, walk.next());
        SLUICE_TRY(PlanesFound const found, decode_planes(block, compression, chosen_isa(),
                                                          walk.end(), count, planes.data()));
        write_repeats(found, block.count / 8, count, planes.data());
        transpose(chosen_isa())
            .unpack(planes.data(), block.count / 8, found.repeats ? count : found.filled,
                    element_bytes, block.count, values.data() + block.first * element_bytes);
    }
    SLUICE_TRY(Bytes const tail, walk.tail());
    if (!tail.empty())
        std::memcpy(values.data() + (values.size() - tail.size()), tail.data(), tail.size());
    return {};
}

namespace {

void append_be(std::vector<std::byte>& out, std::uint64_t value, std::size_t bytes) {
    out.resize(out.size() + bytes);
    for (std::size_t i = 0; i < bytes; ++i)
        out[out.size() - 1 - i] = static_cast<std::byte>(value >> (8 * i));
}

/// The planes of one block after the other. Of counts most planes are empty: no pass looks for
/// them.
class PackedBlocks {
  public:
    explicit PackedBlocks(int element_bytes) : element_(element_bytes) {}

    Bytes pack(std::byte const* values, index count) {
        auto const bytes = static_cast<std::size_t>(count * element_);
        if (planes_.size() != bytes) planes_.assign(bytes, std::byte{}), filled_ = 0;
        if (element_ != 1 && element_ != 2 && element_ != 4) {
            transpose(isa_).pack(values, element_, count, planes_.data(), count / 8);
            return planes_;
        }
        int const before = expected_;
        std::uint32_t const bits =
            pack_needed(isa_, {values, element_}, count, expected_, planes_.data(), count / 8);
        int const now = std::max(before, static_cast<int>(std::bit_width(bits)));
        // What the block before left behind.
        if (filled_ > now)
            std::memset(planes_.data() + now * (count / 8), 0,
                        static_cast<std::size_t>((filled_ - now) * (count / 8)));
        filled_ = now;
        return planes_;
    }

  private:
    Isa isa_ = chosen_isa();
    int element_, expected_ = 0, filled_ = 0;
    std::vector<std::byte> planes_;
};

std::vector<std::byte> encode(Bytes values, int element_bytes, index block_elements,
                              Compression compression) {
    if (block_elements == 0) block_elements = default_block_elements(element_bytes);
    index const elements = static_cast<index>(values.size()) / element_bytes;
    std::vector<std::byte> out;
    PackedBlocks blocks(element_bytes);
    if (compression != Compression::none) {
        append_be(out, values.size(), 8);
        append_be(out, static_cast<std::uint64_t>(block_elements * element_bytes), 4);
    }
    index first = 0;
    for (index count; (count = std::min(block_elements, (elements - first) / 8 * 8)) > 0;
         first += count) {
        Bytes const planes = blocks.pack(values.data() + first * element_bytes, count);
        if (compression == Compression::none) {
            out.insert(out.end(), planes.begin(), planes.end());
            continue;
        }
        std::size_t const length_at = out.size();
        append_be(out, 0, 4);
        std::size_t const n = compression == Compression::lz4 ? lz4_compress(planes, out)
                                                              : zstd_compress(planes, out);
        store_be(out.data() + length_at, static_cast<std::uint32_t>(n));
    }
    Bytes const tail = values.subspan(static_cast<std::size_t>(first * element_bytes));
    out.insert(out.end(), tail.begin(), tail.end());
    return out;
}

}  // namespace

std::vector<std::byte> encode_bitshuffle(Bytes values, int element_bytes, index block_elements) {
    return encode(values, element_bytes, block_elements, Compression::none);
}
std::vector<std::byte> encode_bitshuffle_lz4(Bytes values, int element_bytes,
                                             index block_elements) {
    return encode(values, element_bytes, block_elements, Compression::lz4);
}
std::vector<std::byte> encode_bitshuffle_zstd(Bytes values, int element_bytes,
                                              index block_elements) {
    return encode(values, element_bytes, block_elements, Compression::zstd);
}

Status decode_lz4(Bytes chunk, std::span<std::byte> values) {
    if (chunk.size() < 12) return Error{Code::corrupt, "LZ4 chunk without its header", {}, 0};
    auto const total = load_be<std::uint64_t>(chunk.data());
    std::size_t const block_bytes = load_be<std::uint32_t>(chunk.data() + 8);
    if (total != values.size())
        return Error{Code::corrupt,
                     fmt::format("chunk says that it holds {} bytes, the frame has {}; the file is "
                                 "damaged",
                                 total, values.size()),
                     {},
                     0};
    if (block_bytes == 0)
        return Error{Code::corrupt, "block size of 0 bytes; the file is damaged", {}, 8};
    std::size_t at = 12;
    while (!values.empty()) {
        std::size_t const plain = std::min(block_bytes, values.size());
        if (chunk.size() - at < 4)
            return Error{Code::corrupt, "chunk ends before its last block", {}, at};
        std::size_t const size = load_be<std::uint32_t>(chunk.data() + at);
        at += 4;
        if (size > chunk.size() - at)
            return Error{Code::corrupt, "block longer than its chunk; the file is damaged", {}, at};
        Bytes const block = chunk.subspan(at, size);
        if (size == plain)
            std::memcpy(values.data(), block.data(), size);
        else
            SLUICE_CHECK(lz4_decompress(block, values.first(plain)));
        at += size;
        values = values.subspan(plain);
    }
    return {};
}

std::vector<std::byte> encode_lz4(Bytes values, index block_bytes) {
    std::size_t const block =
        block_bytes > 0 ? static_cast<std::size_t>(block_bytes) : std::size_t{1} << 30;
    std::vector<std::byte> out;
    append_be(out, values.size(), 8);
    append_be(out, std::min(block, values.size()), 4);
    while (!values.empty()) {
        Bytes const plain = values.first(std::min(block, values.size()));
        std::size_t const length_at = out.size();
        append_be(out, 0, 4);
        std::size_t n = lz4_compress(plain, out);
        if (n >= plain.size()) {
            out.resize(length_at + 4);
            out.insert(out.end(), plain.begin(), plain.end());
            n = plain.size();
        }
        store_be(out.data() + length_at, static_cast<std::uint32_t>(n));
        values = values.subspan(plain.size());
    }
    return out;
}

}  // namespace sluice::codec
