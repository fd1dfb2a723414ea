// Zarr arrays of versions 2 and 3 in a folder: made, written a file at a time, read a chunk at a
// time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/dtype.h"
#include "sluice/result.h"

namespace sluice {
class File;
}

namespace sluice::zarr {

enum class Compressor : std::uint8_t { none, blosc_lz4, blosc_zstd, zstd };

struct Codec {
    Compressor compressor = Compressor::blosc_lz4;
    int level = 5;  ///< blosc: 0..9, zstd: 1..22
    /// Whether a chunk ends with its CRC-32C; version 3. Frames of zstd have a checksum in them.
    bool crc32c = false;
    bool bits = false;  ///< blosc: shuffle the bits of elements, not their bytes
    bool operator==(Codec const&) const = default;
};

/// What an array is, as its metadata say.
struct Spec {
    int version = 3;          ///< of the format: 2 or 3
    DType dtype = DType::u8;  ///< u8, u16, i32, u32, f32 or f64
    std::vector<index> shape;
    std::vector<index> chunk;
    /// Elements per file along each axis, multiples of `chunk`; empty: a file per chunk. Version 3.
    std::vector<index> shard = {};
    Codec codec = {};
    double fill = 0;                                ///< a value that the type can hold
    std::vector<std::string> dimension_names = {};  ///< version 3
    /// The text of a JSON object: of version 3 in the same file, else .zattrs. It is not read back.
    std::string attributes = "{}";
    bool operator==(Spec const&) const = default;
};

/// The metadata file's text, .zarray or zarr.json.
std::string to_json(Spec const& spec);
/// The arrays that to_json can describe; others are refused by the name of the unknown part.
Result<Spec> parse_spec(std::string_view json);

/// A file as it was handed to the system.
struct Written {
    index length = 0;        ///< bytes; 0: there is no file, all elements are the fill value
    std::uint64_t hash = 0;  ///< xxh64() of them
};

/// Memory for encoded chunks that a thread lends to one call after the other: fresh pages for every
/// chunk would cost more than some codecs, and leave holes.
struct ChunkScratch {
    std::vector<std::byte> encoded = {};
};

/// An array in a folder. All functions may be called from many threads, for different files, each
/// with its own scratch. The caller flushes the files to the disk, many of them together.
class Array {
  public:
    /// Makes the folder and writes the metadata.
    static Result<Array> create(std::string const& path, Spec spec);
    static Result<Array> open(std::string const& path);

    std::string const& path() const { return path_; }
    Spec const& spec() const { return spec_; }
    /// Bytes of a decoded chunk, edges included.
    index chunk_bytes() const { return chunk_bytes_; }
    /// Elements of the array in one file, along each axis: the shard, or else the chunk.
    std::vector<index> const& block() const {
        return spec_.shard.empty() ? spec_.chunk : spec_.shard;
    }
    /// Chunks in one file.
    index chunks_per_block() const { return per_block_; }

    /// Encodes a chunk of chunk_bytes() bytes and writes its file, for arrays without shards; no
    /// file where all elements are the fill value.
    Result<Written> write_chunk(std::span<index const> at, Bytes chunk,
                                ChunkScratch& scratch) const;
    /// Encodes a chunk for a shard; empty when all elements are the fill value.
    Result<std::vector<std::byte>> encode(Bytes chunk, ChunkScratch& scratch) const;
    /// Writes a shard out of the encoded chunks in it, in C order; without any there is no file.
    Result<Written> write_shard(std::span<index const> block,
                                std::span<std::vector<std::byte> const> chunks) const;
    /// Decodes a chunk into chunk_bytes() bytes; where there is none it is all fill.
    Status read_chunk(std::span<index const> at, std::span<std::byte> out,
                      ChunkScratch& scratch) const;

    /// The file of a block.
    std::string file_of(std::span<index const> block) const;

  private:
    Array(std::string path, Spec spec);
    Status read_from_shard(std::string const& file, index position, std::span<std::byte> out,
                           bool& found, ChunkScratch& scratch) const;
    Status decode(File const& file, std::uint64_t offset, std::uint64_t size,
                  std::span<std::byte> out, ChunkScratch& scratch) const;

    std::string path_;
    Spec spec_;
    index chunk_bytes_ = 0, per_block_ = 1;
    std::vector<std::byte> fill_;  // one element
};

}  // namespace sluice::zarr
