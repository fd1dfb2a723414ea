// Reading chunks: names of files, the index of shards, codecs from the last to the first.
// SPDX-License-Identifier: Apache-2.0
#include "zarr/reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

#include "base/bytes.h"
#include "codec/blosc/blosc.h"
#include "codec/deflate/deflate.h"
#include "codec/lz4/lz4.h"
#include "codec/zstd/zstd.h"
#include "zarr/compress.h"
#include "zarr/place.h"
#include "zarr/text.h"

namespace sluice::zarr {
namespace {

// No codec here makes more of a byte than this; a chunk that claims to is damaged or malicious.
constexpr std::uint64_t most_expansion = 65536, always_allowed = std::uint64_t{16} << 20;

Error damaged(std::string what) {
    return {Code::corrupt, std::move(what) + "; write it again"};
}

Status whole(Result<std::size_t> const& n, std::size_t want) {
    if (!n) return n.error();
    if (*n == want) return {};
    return damaged(fmt::format("a chunk that holds {} bytes instead of {}", *n, want));
}

Status decode_lz4(Bytes encoded, std::span<std::byte> out) {
    // numcodecs writes the length in front of the block.
    if (encoded.size() < 4 || load_le<std::uint32_t>(encoded.data()) != out.size())
        return damaged("an LZ4 chunk that tells another length than its own");
    return codec::lz4_decompress(encoded.subspan(4), out);
}

// With advice for an array.
template <class T>
Result<T> of_blosc(Result<T> got) {
    if (got || got.error().code != Code::unsupported) return got;
    return Error{Code::unsupported,
                 "a Blosc chunk of another kind than is read here (versions 1 and 2 with BloscLZ, "
                 "LZ4, zlib or zstd); save the array with another codec"};
}

Status undo(Step step, Bytes encoded, std::span<std::byte> out) {
    switch (step) {
        case Step::blosc:
            return whole(of_blosc(codec::blosc_decompress(encoded, out)), out.size());
        case Step::zstd:
            return codec::zstd_decompress(encoded, out);
        case Step::deflate:
            return whole(codec::inflate_any(encoded, out), out.size());
        case Step::lz4:
            return decode_lz4(encoded, out);
        case Step::crc32c:
            break;
    }
    return {};
}

/// What a compressor made, or the elements themselves.
struct Compressed {
    std::optional<Step> step;
    Bytes bytes;
};

// Only checksums come after the compressor.
Result<Compressed> without_checksums(Layout const& layout, Bytes encoded) {
    for (std::size_t i = layout.steps.size(); i-- > 0;) {
        if (layout.steps[i] != Step::crc32c) return Compressed{layout.steps[i], encoded};
        SLUICE_TRY(encoded, without_crc32c(encoded));
    }
    return Compressed{{}, encoded};
}

}  // namespace

Status decode_chunk(Layout const& layout, Bytes encoded, std::span<std::byte> out) {
    expects(static_cast<index>(out.size()) == layout.chunk_bytes());
    SLUICE_TRY(Compressed const chunk, without_checksums(layout, encoded));
    if (chunk.step) return undo(*chunk.step, chunk.bytes, out);
    if (chunk.bytes.size() != out.size())
        return damaged(
            fmt::format("a chunk of {} bytes instead of {}", chunk.bytes.size(), out.size()));
    std::memcpy(out.data(), chunk.bytes.data(), out.size());
    return {};
}

Result<std::optional<int>> planes_of_chunk(Layout const& layout, Bytes encoded, Isa isa,
                                           codec::PlanesRoom const& room) {
    SLUICE_TRY(Compressed const chunk, without_checksums(layout, encoded));
    auto const element = static_cast<int>(size_of(layout.dtype));
    bool const turned = layout.big_endian && element > 1;
    if (chunk.step != Step::blosc || turned) return std::optional<int>();
    return of_blosc(
        codec::blosc_planes(chunk.bytes, element, layout.chunk_bytes() / element, isa, room));
}

Result<Reader> Reader::open(std::string const& path) {
    bool const three = is_there(path + "/zarr.json");
    std::string const file = path + (three ? "/zarr.json" : "/.zarray");
    SLUICE_TRY(std::string const text, read_text(file));
    auto layout = parse_layout(text);
    if (!layout) {
        layout.error().file = file;
        return std::move(layout).error();
    }
    return Reader(path, *std::move(layout));
}

std::string Reader::file_of(std::span<index const> at) const {
    std::string name = layout_.key_prefix ? "c" : "";
    for (std::size_t d = 0; d < at.size(); ++d) {
        index const per_file = layout_.shard.empty() ? 1 : layout_.shard[d] / layout_.chunk[d];
        if (!name.empty()) name += layout_.separator;
        name += std::to_string(at[d] / per_file);
    }
    return path_ + '/' + name;
}

Result<std::optional<ChunkPlace>> Reader::locate(std::span<index const> at) const {
    std::string const path = file_of(at);
    // A file that cannot be looked for is not known to be missing.
    SLUICE_TRY(bool const found, look_for(path));
    if (!found) return std::optional<ChunkPlace>();
    if (!layout_.shard.empty()) {
        index position = 0;
        for (std::size_t d = 0; d < at.size(); ++d) {
            index const n = layout_.shard[d] / layout_.chunk[d];
            position = position * n + at[d] % n;
        }
        return locate_in_shard(path, position);
    }
    SLUICE_TRY(auto const file, open_file(path));
    return std::optional(ChunkPlace{0, file->size()});
}

Result<std::optional<ChunkPlace>> Reader::locate_in_shard(std::string const& path,
                                                          index position) const {
    SLUICE_TRY(auto const index, indexes_->read(path, layout_));
    std::byte const* const entry = index->table.data() + position * 16;
    auto const offset = load_le<std::uint64_t>(entry), size = load_le<std::uint64_t>(entry + 8);
    if (offset == no_chunk && size == no_chunk) return std::optional<ChunkPlace>();
    if (offset < index->first || offset > index->end || size > index->end - offset)
        return Error{Code::corrupt, "a chunk of a shard lies outside of it; write it again", path,
                     index->begin + static_cast<std::uint64_t>(position) * 16};
    return std::optional(ChunkPlace{offset, size});
}

Status Reader::read(std::span<index const> at, ChunkPlace place, std::span<std::byte> to) const {
    expects(to.size() == place.size);
    SLUICE_TRY(auto const file, open_file(file_of(at)));
    return file->read(place.offset, to);
}

Status Reader::check_size(std::uint64_t encoded) const {
    auto const bytes = static_cast<std::uint64_t>(layout_.chunk_bytes());
    if (encoded > bytes * 2 + 65536)
        return damaged(fmt::format("a chunk of {} bytes that has {} when decoded", encoded, bytes));
    if (bytes > always_allowed && bytes / most_expansion > encoded)
        return damaged(fmt::format("{} bytes cannot come out of {} bytes", bytes, encoded));
    return {};
}

}  // namespace sluice::zarr
