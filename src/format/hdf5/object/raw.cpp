// Reading and assembling the elements of a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/raw.h"

#include <fmt/format.h>

#include "format/boxes/box.h"
#include "format/hdf5/chunk_index.h"
#include "format/hdf5/pipeline.h"

namespace sluice::hdf5::object {
namespace {

// Deflate, the densest filter that is common, packs up to 1032 to one; zstd packs constants
// tighter.
constexpr std::uint64_t densest = 65536;

/// Which chunk along each dimension has a number.
boxes::Sides position_of(std::uint64_t number, boxes::Sides const& extent,
                         boxes::Sides const& side) {
    boxes::Sides position(extent.size());
    for (std::size_t i = extent.size(); i-- > 0;) {
        std::uint64_t const along = (extent[i] + side[i] - 1) / side[i];
        position[i] = number % along;
        number /= along;
    }
    return position;
}

/// Copies what lies inside of the extent of the chunk at a position.
void lay(boxes::Sides const& position, Bytes chunk, DatasetInfo const& d,
         std::span<std::byte> out) {
    auto const &extent = d.space.extent, &side = d.layout.chunks.chunk;
    auto const stride = boxes::strides_of(extent, d.type.size);
    boxes::Sides count(extent.size());
    std::byte* to = out.data();
    for (std::size_t i = 0; i < extent.size(); ++i) {
        std::uint64_t const origin = position[i] * side[i];
        count[i] = std::min(side[i], extent[i] - origin);
        to += static_cast<std::ptrdiff_t>(origin) * stride[i];
    }
    boxes::copy_box(chunk.data(), boxes::strides_of(side, d.type.size), to, stride, count,
                    d.type.size);
}

class RawReader {
  public:
    RawReader(Object const& o, DatasetInfo const& d, std::uint64_t most)
        : o_(o), s_(o.source()), d_(d), most_(most), bytes_(*d.space.count() * d.type.size) {}

    Result<std::vector<std::byte>> read() {
        if (d_.external || d_.layout.kind == LayoutClass::mapped)
            return unsupported(d_.external ? "its data are in files of another format"
                                           : "it is virtual");
        if (bytes_ > most_) return unsupported(fmt::format("it has {} bytes", bytes_));
        if (d_.layout.kind == LayoutClass::compact) {
            auto const from = d_.layout.compact.begin();
            return std::vector(from, from + static_cast<std::ptrdiff_t>(bytes_));
        }
        if (d_.layout.kind == LayoutClass::chunked) return chunked();
        if (!s_.defined(d_.layout.address)) return filled();
        return s_.block(d_.layout.address, bytes_);
    }

  private:
    Error unsupported(std::string_view why) const {
        return s_.unsupported(fmt::format("the small dataset {} is not read ({})", o_.path(), why),
                              o_.address());
    }

    std::vector<std::byte> filled() const {
        std::vector<std::byte> out(static_cast<std::size_t>(bytes_));
        if (d_.fill.empty()) return out;
        for (std::size_t i = 0; i + d_.fill.size() <= out.size(); i += d_.fill.size())
            std::copy(d_.fill.begin(), d_.fill.end(), out.begin() + static_cast<std::ptrdiff_t>(i));
        return out;
    }

    Result<std::vector<std::byte>> chunked() {
        ChunkLayout const& layout = d_.layout.chunks;
        ChunkGrid grid{d_.space.extent, d_.space.max, layout.chunk, d_.type.size,
                       !d_.filters.empty()};
        for (std::uint64_t n : layout.chunk) {
            if (n > most_ / grid.chunk_bytes) return unsupported("its chunks are huge");
            grid.chunk_bytes *= n;
        }
        if (bytes_ == 0) return std::vector<std::byte>{};
        if (auto known = check_filters(d_.filters, d_.type.size, s_.path()); !known)
            return unsupported(known.error().message);
        auto records = read_chunk_index(s_.bytes(), s_.sb(), layout, grid, s_.sums());
        if (!records) return s_.placed(std::move(records).error(), o_.address());
        std::uint64_t stored = 0;
        for (ChunkRecord const& r : *records) stored += r.bytes;
        // A shape that costs nothing to write must cost nothing to read.
        if (bytes_ / densest > stored + s_.bytes().size()) return unsupported("it is almost empty");
        std::vector<std::byte> out = filled();
        for (ChunkRecord const& r : *records) {
            auto const position = position_of(r.chunk, d_.space.extent, layout.chunk);
            SLUICE_TRY(auto const chunk, decoded(r, position, grid.chunk_bytes));
            lay(position, chunk, d_, out);
        }
        return out;
    }

    Result<std::vector<std::byte>> decoded(ChunkRecord const& r, boxes::Sides const& position,
                                           std::uint64_t chunk_bytes) {
        if (!can_be_stored(r, s_.bytes().size(), chunk_bytes))
            return Error{
                Code::truncated,
                fmt::format("a chunk of the dataset {} lies beyond the end of the file, or "
                            "is too long; copy the file again",
                            o_.path()),
                s_.path(), r.address};
        std::vector<std::byte> stored(r.bytes);
        auto read = s_.bytes().read(r.address, stored);
        if (!read) return s_.placed(std::move(read).error(), r.address - s_.sb().base);
        std::vector<std::byte> values(static_cast<std::size_t>(chunk_bytes));
        bool const plain =
            d_.layout.plain_edges() && over_edge(position, d_.layout.chunks.chunk, d_.space.extent);
        std::uint32_t const mask = plain ? no_filters : r.filter_mask;
        if (auto done = decode_chunk(stored, d_.filters, mask, values); !done) {
            Error e = std::move(done).error();
            e.message = fmt::format("the dataset {}: {}", o_.path(), e.message);
            e.at.reset();
            return s_.placed(std::move(e), r.address - s_.sb().base);
        }
        return values;
    }

    Object const& o_;
    Source const& s_;
    DatasetInfo const& d_;
    std::uint64_t most_, bytes_;
};

}  // namespace

Result<Elements> read_elements(Object const& dataset, std::uint64_t most_bytes) {
    SLUICE_TRY(DatasetInfo d, dataset_info(dataset));
    SLUICE_TRY(auto bytes, RawReader(dataset, d, most_bytes).read());
    return Elements{d.type, std::move(d.space), std::move(bytes)};
}

}  // namespace sluice::hdf5::object
