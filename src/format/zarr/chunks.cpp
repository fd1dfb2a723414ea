// Chunks are decoded whole and, where their elements lie in another order, turned.
// SPDX-License-Identifier: Apache-2.0
#include "format/zarr/chunks.h"

#include <fmt/format.h>

#include <algorithm>

#include "format/zarr/plane_frames.h"

namespace sluice::zarr_scan {
namespace {

// The fill value is in this machine's order, and the chunks are in the file's.
std::vector<std::byte> stored_fill(zarr::Layout const& layout) {
    std::vector<std::byte> element = layout.fill;
    if (layout.big_endian) std::reverse(element.begin(), element.end());
    return element;
}

class ChunkLoader final : public boxes::BlockLoader {
  public:
    ChunkLoader(zarr::Reader reader, std::uint64_t chunks, std::uint64_t stored_bytes)
        : reader_(std::move(reader)), chunks_(chunks), stored_bytes_(stored_bytes) {
        zarr::Layout const& l = reader_.layout();
        boxes::Sides const chunk(l.chunk.begin(), l.chunk.end());
        to_ = boxes::strides_of(chunk, static_cast<std::size_t>(size_of(l.dtype)));
        for (index const s : l.stride) from_.push_back(s * size_of(l.dtype));
    }

    Status load(std::uint64_t, boxes::Sides const& position,
                std::span<std::byte> out) const override {
        std::vector<index> const at(position.begin(), position.end());
        Status done = decoded(at, out);
        if (!done && done.error().file.empty()) done.error().file = reader_.file_of(at);
        return done;
    }

    // A chunk without a file is all fill value: writers leave such chunks out.
    bool present(std::uint64_t) const override { return true; }
    std::uint64_t present_blocks() const override { return chunks_; }
    std::uint64_t stored_bytes() const override { return stored_bytes_; }

  private:
    Status decoded(std::vector<index> const& at, std::span<std::byte> out) const {
        zarr::Layout const& l = reader_.layout();
        SLUICE_TRY(auto const place, reader_.locate(at));
        if (!place) return fill(out);
        SLUICE_CHECK(reader_.check_size(place->size));
        std::vector<std::byte> encoded(place->size);
        SLUICE_CHECK(reader_.read(at, *place, encoded));
        if (from_ == to_) return reader_.decode(encoded, out);
        std::vector<std::byte> turned(out.size());
        SLUICE_CHECK(reader_.decode(encoded, turned));
        boxes::Sides const count(l.chunk.begin(), l.chunk.end());
        boxes::copy_box(turned.data(), from_, out.data(), to_, count,
                        static_cast<std::size_t>(size_of(l.dtype)));
        return {};
    }

    Status fill(std::span<std::byte> out) const {
        std::vector<std::byte> const element = stored_fill(reader_.layout());
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = element[i % element.size()];
        return {};
    }

    zarr::Reader reader_;
    std::uint64_t chunks_, stored_bytes_;
    std::vector<std::ptrdiff_t> from_, to_;
};

}  // namespace

Result<std::shared_ptr<FrameSource const>> frames_of(zarr::Reader reader, boxes::FrameArray array,
                                                     index frames, std::uint64_t stored_bytes) {
    zarr::Layout const l = reader.layout();
    boxes::BlockGrid const grid{
        array.extent, {l.chunk.begin(), l.chunk.end()}, static_cast<std::size_t>(size_of(l.dtype))};
    auto const bytes = grid.block_bytes();
    auto const chunks = boxes::product_of(grid.counts(), std::uint64_t{1} << 62);
    if (!bytes || !chunks)
        return Error{Code::unsupported,
                     fmt::format("chunks of {} elements (one may have 2 GiB) write it again with "
                                 "smaller ones",
                                 reader.layout().chunk_bytes()),
                     array.file};
    std::vector<std::byte> const fill = stored_fill(l);
    array.beyond = fill;
    if (!as_stored(array.stored)) {
        array.beyond.resize(static_cast<std::size_t>(size_of(read_as(array.stored))));
        (void)convert_values(array.stored, fill, array.beyond.data());
    }
    std::uint64_t const keep = boxes::bytes_to_keep(grid, array.axes);
    std::shared_ptr<boxes::BlockCache> cache;
    if (keep > 0) {
        cache = std::make_shared<boxes::BlockCache>(keep);
        cache->grow(keep);
    }
    auto blocks = std::make_shared<boxes::BlockReader>(
        grid, std::make_unique<ChunkLoader>(reader, *chunks, stored_bytes),
        std::vector<std::byte>{}, std::move(cache));
    auto values = std::make_shared<boxes::BoxFrames>(
        array, std::move(blocks), boxes::Selection{0, 1, frames}, std::vector<FrameRun>{});
    if (may_be_planes(l, array))
        return plane_frames(std::move(reader), std::move(array), std::move(values), keep);
    return std::shared_ptr<FrameSource const>(std::move(values));
}

}  // namespace sluice::zarr_scan
