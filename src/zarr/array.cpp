// Arrays in folders: a file per chunk or per shard.
// SPDX-License-Identifier: Apache-2.0
#include "zarr/array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <filesystem>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/with_type.h"
#include "codec/crc32c/crc32c.h"
#include "zarr/compress.h"
#include "zarr/shard_index.h"
#include "zarr/text.h"

namespace sluice::zarr {
namespace {

template <class T>
std::vector<std::byte> element(double value) {
    T const v = static_cast<T>(value);
    std::vector<std::byte> out(sizeof v);
    std::memcpy(out.data(), &v, sizeof v);
    return out;
}

std::vector<std::byte> element(DType type, double value) {
    return with_type_of<std::uint8_t, std::uint16_t, std::int32_t, std::uint32_t, float, double>(
        type, [&]<class T>(T) { return element<T>(value); });
}

// All bytes equal those one element before them, and the first ones are the fill value's.
bool all_fill(Bytes chunk, Bytes fill) {
    return std::memcmp(chunk.data(), fill.data(), fill.size()) == 0 &&
           std::memcmp(chunk.data(), chunk.data() + fill.size(), chunk.size() - fill.size()) == 0;
}

void spread(Bytes fill, std::span<std::byte> out) {
    for (std::size_t i = 0; i < out.size(); i += fill.size())
        std::memcpy(out.data() + i, fill.data(), fill.size());
}

Result<NewFile> create_in_new_folder(std::string const& path) {
    auto file = NewFile::create(path);
    if (file || file.error().code != Code::not_found) return file;
    SLUICE_CHECK(make_folder(std::filesystem::path(path).parent_path()));
    return NewFile::create(path);
}

void append(std::vector<std::byte>& out, std::uint64_t v, int bytes) {
    for (int i = 0; i < bytes; ++i) out.push_back(static_cast<std::byte>(v >> (8 * i)));
}

}  // namespace

Array::Array(std::string path, Spec spec)
    : path_(std::move(path)),
      spec_(std::move(spec)),
      chunk_bytes_(size_of(spec_.dtype)),
      fill_(element(spec_.dtype, spec_.fill)) {
    for (index const n : spec_.chunk) chunk_bytes_ *= n;
    for (std::size_t d = 0; d < spec_.shard.size(); ++d)
        per_block_ *= spec_.shard[d] / spec_.chunk[d];
}

Result<Array> Array::create(std::string const& path, Spec spec) {
    expects(spec.version == 3 || (spec.version == 2 && spec.shard.empty() && !spec.codec.crc32c));
    std::string const text = to_json(spec);
    // The rules for metadata that are read hold for those that are written.
    SLUICE_TRY(Spec const checked, parse_spec(text));
    expects(checked.shape == spec.shape);
    SLUICE_CHECK(make_folder(path));
    SLUICE_CHECK(write_text(path + (spec.version == 3 ? "/zarr.json" : "/.zarray"), text));
    if (spec.version == 2 && spec.attributes != "{}")
        SLUICE_CHECK(write_text(path + "/.zattrs", spec.attributes));
    return Array(path, std::move(spec));
}

Result<Array> Array::open(std::string const& path) {
    std::error_code error;
    bool const three = std::filesystem::exists(path + "/zarr.json", error);
    std::string const file = path + (three ? "/zarr.json" : "/.zarray");
    SLUICE_TRY(std::string const text, read_text(file));
    auto spec = parse_spec(text);
    if (!spec) {
        spec.error().file = file;
        return std::move(spec).error();
    }
    return Array(path, *std::move(spec));
}

std::string Array::file_of(std::span<index const> block) const {
    return fmt::format("{}/{}{}", path_, spec_.version == 3 ? "c/" : "", fmt::join(block, "/"));
}

Result<std::vector<std::byte>> Array::encode(Bytes chunk, ChunkScratch& scratch) const {
    expects(static_cast<index>(chunk.size()) == chunk_bytes_);
    if (all_fill(chunk, fill_)) return std::vector<std::byte>{};
    SLUICE_TRY(Bytes const encoded,
               compress(chunk, spec_.codec, size_of(spec_.dtype), scratch.encoded));
    return std::vector<std::byte>(encoded.begin(), encoded.end());
}

Result<Written> Array::write_shard(std::span<index const> block,
                                   std::span<std::vector<std::byte> const> chunks) const {
    expects(!spec_.shard.empty() && static_cast<index>(chunks.size()) == per_block_);
    index length = 0;
    for (auto const& c : chunks) length += static_cast<index>(c.size());
    if (length == 0) return Written{};
    SLUICE_TRY(NewFile file, create_in_new_folder(file_of(block)));
    std::vector<std::byte> table;
    Xxh64 hash;
    std::uint64_t offset = 0;
    for (auto const& c : chunks) {
        SLUICE_CHECK(file.write(c));
        hash.update(c);
        append(table, c.empty() ? no_chunk : offset, 8);
        append(table, c.empty() ? no_chunk : c.size(), 8);
        offset += c.size();
    }
    append(table, codec::crc32c(table), 4);
    SLUICE_CHECK(file.write(table));
    hash.update(table);
    SLUICE_CHECK(file.commit(Flush::later));
    return Written{length + static_cast<index>(table.size()), hash.digest()};
}

Result<Written> Array::write_chunk(std::span<index const> at, Bytes chunk,
                                   ChunkScratch& scratch) const {
    expects(spec_.shard.empty() && static_cast<index>(chunk.size()) == chunk_bytes_);
    if (all_fill(chunk, fill_)) return Written{};
    SLUICE_TRY(Bytes const encoded,
               compress(chunk, spec_.codec, size_of(spec_.dtype), scratch.encoded));
    SLUICE_TRY(NewFile file, create_in_new_folder(file_of(at)));
    SLUICE_CHECK(file.write(encoded));
    SLUICE_CHECK(file.commit(Flush::later));
    return Written{static_cast<index>(encoded.size()), xxh64(encoded)};
}

Status Array::decode(File const& file, std::uint64_t offset, std::uint64_t size,
                     std::span<std::byte> out, ChunkScratch& scratch) const {
    if (size > static_cast<std::uint64_t>(chunk_bytes_) * 2 + 65536)
        return Error{Code::corrupt,
                     fmt::format("a chunk of {} bytes that has {} when decoded; write it again",
                                 size, chunk_bytes_),
                     file.path(), offset};
    if (scratch.encoded.size() < size) scratch.encoded.resize(size);
    std::span<std::byte> const encoded = std::span(scratch.encoded).first(size);
    SLUICE_CHECK(file.read(offset, encoded));
    return decompress(encoded, spec_.codec, out);
}

Status Array::read_from_shard(std::string const& path, index position, std::span<std::byte> out,
                              bool& found, ChunkScratch& scratch) const {
    SLUICE_TRY(File const file, File::open(path));
    auto const length = static_cast<std::size_t>(per_block_) * 16 + 4;
    if (file.size() < length)
        return Error{
            Code::truncated,
            fmt::format("a shard of {} bytes without an index; write it again", file.size()), path};
    std::vector<std::byte> table(length);
    std::uint64_t const body = file.size() - length;
    SLUICE_CHECK(file.read(body, table));
    Bytes const entries(table.data(), table.size() - 4);
    if (load_le<std::uint32_t>(table.data() + entries.size()) != codec::crc32c(entries))
        return Error{Code::corrupt, "wrong checksum of a shard's index; write it again", path,
                     body};
    std::byte const* const entry = table.data() + position * 16;
    auto const offset = load_le<std::uint64_t>(entry), size = load_le<std::uint64_t>(entry + 8);
    if (offset == no_chunk && size == no_chunk) return {};
    if (offset > body || size > body - offset)
        return Error{Code::corrupt, "a chunk of a shard lies outside of it; write it again", path,
                     body + static_cast<std::uint64_t>(position) * 16};
    found = true;
    return decode(file, offset, size, out, scratch);
}

Status Array::read_chunk(std::span<index const> at, std::span<std::byte> out,
                         ChunkScratch& scratch) const {
    expects(at.size() == spec_.shape.size() && static_cast<index>(out.size()) == chunk_bytes_);
    std::vector<index> file(at.begin(), at.end());
    index position = 0;
    for (std::size_t d = 0; d < spec_.shard.size(); ++d) {
        index const n = spec_.shard[d] / spec_.chunk[d];
        position = position * n + at[d] % n;
        file[d] = at[d] / n;
    }
    std::string const path = file_of(file);
    bool found = false;
    Status status;
    std::error_code error;
    bool const there = std::filesystem::exists(path, error);
    // A file that cannot be looked for is not known to be missing.
    if (error) return Error{Code::io, fmt::format("cannot be read ({})", error.message()), path};
    if (there) {
        if (spec_.shard.empty()) {
            SLUICE_TRY(File const whole, File::open(path));
            status = decode(whole, 0, whole.size(), out, scratch);
            found = true;
        } else {
            status = read_from_shard(path, position, out, found, scratch);
        }
    }
    if (!status) {
        status.error().file = path;
        return status;
    }
    if (!found) spread(fill_, out);
    return {};
}

}  // namespace sluice::zarr
