// Chunks of any shape and compact values as boxes.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "format/boxes/block_reader.h"
#include "format/boxes/flat_blocks.h"
#include "format/hdf5/pipeline.h"
#include "format/hdf5/readers.h"

namespace sluice::hdf5 {
namespace {

using boxes::BlockGrid;
using boxes::BoxReader;
using boxes::Sides;

class ChunkLoader final : public boxes::BlockLoader {
  public:
    ChunkLoader(StoredDataset const& d, std::vector<ChunkRecord> records,
                std::shared_ptr<Pools> pools)
        : file_(d.file),
          extent_(d.extent),
          chunk_(d.chunk),
          filters_(d.filters),
          plain_edges_(d.plain_edges),
          records_(std::move(records)),
          pools_(std::move(pools)) {
        for (ChunkRecord const& c : records_) stored_ += c.bytes;
    }

    Status load(std::uint64_t number, Sides const& position,
                std::span<std::byte> out) const override {
        SLUICE_TRY(auto file, pools_->files.get(file_, [&] { return File::open(file_); }));
        ChunkRecord const& c = *find(number);
        if (!can_be_stored(c, file->size(), out.size()))
            return Error{Code::truncated,
                         fmt::format("a chunk of {} bytes lies beyond the end of the file ({} "
                                     "bytes) or is absurdly long; copy the file again",
                                     c.bytes, file->size()),
                         file_, c.address};
        std::vector<std::byte> stored(c.bytes);
        SLUICE_CHECK(file->read(c.address, stored));
        bool const plain = plain_edges_ && over_edge(position, chunk_, extent_);
        std::uint32_t const mask = plain ? no_filters : c.filter_mask;
        if (auto s = decode_chunk(stored, filters_, mask, out); !s) {
            Error e = std::move(s).error();
            e.file = file_;
            e.at = c.address + e.at.value_or(0);
            return e;
        }
        return {};
    }
    bool present(std::uint64_t number) const override { return find(number) != nullptr; }
    std::uint64_t present_blocks() const override { return records_.size(); }
    std::uint64_t stored_bytes() const override { return stored_; }

  private:
    ChunkRecord const* find(std::uint64_t number) const {
        auto const c =
            std::lower_bound(records_.begin(), records_.end(), number,
                             [](ChunkRecord const& r, std::uint64_t n) { return r.chunk < n; });
        return c != records_.end() && c->chunk == number ? &*c : nullptr;
    }

    std::string file_;
    Sides extent_, chunk_;
    std::vector<Filter> filters_;
    bool plain_edges_;
    std::vector<ChunkRecord> records_;  // ascending
    std::uint64_t stored_ = 0;
    std::shared_ptr<Pools> pools_;
};

/// Values that stand in the header: one block of all.
class CompactLoader final : public boxes::BlockLoader {
  public:
    explicit CompactLoader(std::vector<std::byte> values) : values_(std::move(values)) {}
    Status load(std::uint64_t, Sides const&, std::span<std::byte> out) const override {
        std::copy(values_.begin(), values_.end(), out.begin());
        return {};
    }
    bool present(std::uint64_t) const override { return true; }
    std::uint64_t present_blocks() const override { return 1; }
    std::uint64_t stored_bytes() const override { return values_.size(); }

  private:
    std::vector<std::byte> values_;
};

/// Nothing was ever written.
class EmptyLoader final : public boxes::BlockLoader {
  public:
    Status load(std::uint64_t, Sides const&, std::span<std::byte>) const override { return {}; }
    bool present(std::uint64_t) const override { return false; }
    std::uint64_t present_blocks() const override { return 0; }
    std::uint64_t stored_bytes() const override { return 0; }
};

Result<std::shared_ptr<BoxReader const>> in_blocks(StoredDataset const& d, Sides block,
                                                   boxes::FrameAxes const& axes, Pools& pools,
                                                   std::unique_ptr<boxes::BlockLoader const> from) {
    for (std::uint64_t& side : block) side = std::max<std::uint64_t>(side, 1);
    BlockGrid grid{d.extent, std::move(block), d.element_bytes()};
    Sides const counts = grid.counts();
    Sides const per_frame{counts[axes.row], counts[axes.col]};
    if (!grid.block_bytes())
        return Error{Code::unsupported,
                     fmt::format("the dataset {} has chunks of {} (over 2 GiB each); rewrite it "
                                 "with h5repack -l CHUNK=...",
                                 d.path, shape_text(d.chunk)),
                     d.file};
    if (!boxes::product_of(per_frame, boxes::most_blocks_per_frame))
        return Error{Code::unsupported,
                     fmt::format("the dataset {} has frames in over 4 million chunks each; "
                                 "rewrite it with h5repack -l CHUNK=...",
                                 d.path),
                     d.file};
    std::uint64_t const keep = boxes::bytes_to_keep(grid, axes);
    pools.blocks->grow(keep);
    std::shared_ptr<BoxReader const> reader = std::make_shared<boxes::BlockReader const>(
        std::move(grid), std::move(from), d.fill, keep > 0 ? pools.blocks : nullptr);
    return reader;
}

Sides frame_block(StoredDataset const& d, boxes::FrameAxes const& axes) {
    Sides block(d.rank(), 1);
    block[axes.row] = d.extent[axes.row];
    block[axes.col] = d.extent[axes.col];
    return block;
}

Result<std::shared_ptr<BoxReader const>> contiguous_reader(StoredDataset const& d,
                                                           boxes::FrameAxes const& axes,
                                                           std::shared_ptr<Pools> const& pools) {
    if (!d.offset)
        return in_blocks(d, frame_block(d, axes), axes, *pools, std::make_unique<EmptyLoader>());
    SLUICE_CHECK(check_contiguous(d, *pools));
    return boxes::flat_reader({d.extent, d.element_bytes(), *d.offset, axes},
                              [pools, file = d.file] {
                                  return pools->files.get(file, [&] { return File::open(file); });
                              });
}

Error with_file(Error e, std::string const& file) {
    if (e.file.empty()) e.file = file;
    return e;
}

}  // namespace

Status check_contiguous(StoredDataset const& d, Pools& pools) {
    SLUICE_TRY(auto file, pools.files.get(d.file, [&] { return File::open(d.file); }));
    std::uint64_t const room = *d.offset > file->size() ? 0 : file->size() - *d.offset;
    std::uint64_t const frame = static_cast<std::uint64_t>(d.rows() * d.cols()) * d.element_bytes();
    if (static_cast<std::uint64_t>(d.frames()) > room / frame)
        return Error{Code::truncated,
                     fmt::format("the dataset {} is longer than the rest of the file ({} of {} "
                                 "frames are there); copy the file again",
                                 d.path, room / frame, d.frames()),
                     d.file, *d.offset};
    return {};
}

Result<Chunks> read_chunks(StoredDataset const& d, Pools& pools) {
    SLUICE_CHECK(check_filters(d.filters, d.element_bytes(), d.file));
    SLUICE_TRY(auto file, pools.files.get(d.file, [&] { return File::open(d.file); }));
    ReadFile const in(*file);
    auto sb = read_superblock(in);
    if (!sb) return with_file(std::move(sb).error(), d.file);
    auto const bytes = BlockGrid{d.extent, d.chunk, d.element_bytes()}.block_bytes();
    if (!bytes || *bytes == 0)
        return Error{Code::unsupported,
                     fmt::format("the dataset {} has chunks of {} (over 2 GiB each); rewrite it "
                                 "with h5repack -l CHUNK=...",
                                 d.path, shape_text(d.chunk)),
                     d.file};
    auto records =
        read_chunk_index(in, *sb, d.chunks, {d.extent, d.max, d.chunk, *bytes, !d.filters.empty()});
    if (!records) return with_file(std::move(records).error(), d.file);
    return Chunks{std::move(*records), *bytes};
}

Result<std::shared_ptr<BoxReader const>> make_reader(StoredDataset const& d,
                                                     boxes::FrameAxes const& axes,
                                                     Opening& opening) {
    if (d.external)
        return Error{Code::unsupported,
                     fmt::format("the dataset {} keeps its values in files of their own (external "
                                 "storage); copy it into one file with h5repack",
                                 d.path),
                     d.file};
    switch (d.storage) {
        case Storage::mapped:
            return virtual_reader(d, axes, opening);
        case Storage::compact:
            return in_blocks(d, d.extent, axes, *opening.pools,
                             std::make_unique<CompactLoader>(d.compact));
        case Storage::contiguous:
            return contiguous_reader(d, axes, opening.pools);
        case Storage::chunked:
            break;
    }
    SLUICE_TRY(Chunks chunks, read_chunks(d, *opening.pools));
    return in_blocks(d, d.chunk, axes, *opening.pools,
                     std::make_unique<ChunkLoader>(d, std::move(chunks.records), opening.pools));
}

}  // namespace sluice::hdf5
