// Chunks of Zarr arrays that any program wrote: where they are, and their elements.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "codec/blosc/blosc.h"
#include "zarr/layout.h"
#include "zarr/shard_index.h"

namespace sluice::zarr {

/// The bytes of a chunk: of a whole file, or a part of a shard.
struct ChunkPlace {
    std::uint64_t offset = 0, size = 0;
};

/// Undoes what the writer did to a chunk; `out` has layout.chunk_bytes() bytes, whose order is
/// still that of the writer's machine.
Status decode_chunk(Layout const& layout, Bytes encoded, std::span<std::byte> out);

/// The bit planes of a chunk's elements, where its writer shuffled their bits (Blosc's bitshuffle);
/// else nothing. As codec::blosc_planes().
Result<std::optional<int>> planes_of_chunk(Layout const& layout, Bytes encoded, Isa isa,
                                           codec::PlanesRoom const& room);

/// An array in a folder. All functions may be called from many threads.
class Reader {
  public:
    static Result<Reader> open(std::string const& path);

    std::string const& path() const { return path_; }
    Layout const& layout() const { return layout_; }

    /// The file that has a chunk, `at` along each axis.
    std::string file_of(std::span<index const> at) const;
    /// None: no file has it, or its shard leaves it out; all its elements are the fill value.
    Result<std::optional<ChunkPlace>> locate(std::span<index const> at) const;
    /// Reads the bytes of a chunk into memory of place.size bytes.
    Status read(std::span<index const> at, ChunkPlace place, std::span<std::byte> to) const;
    /// Whether a chunk can come out of so many bytes: asked before memory is taken for it.
    Status check_size(std::uint64_t encoded) const;
    Status decode(Bytes encoded, std::span<std::byte> out) const {
        return decode_chunk(layout_, encoded, out);
    }

  private:
    Reader(std::string path, Layout layout) : path_(std::move(path)), layout_(std::move(layout)) {}
    Result<std::optional<ChunkPlace>> locate_in_shard(std::string const& file,
                                                      index position) const;

    std::string path_;
    Layout layout_;
    std::shared_ptr<ShardIndexes> indexes_ = std::make_shared<ShardIndexes>();
};

}  // namespace sluice::zarr
