// Choosing the fastest part for a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "format/hdf5/filters.h"
#include "format/hdf5/readers.h"
#include "format/scan_shape.h"
#include "format/while_written.h"

namespace sluice::hdf5 {
namespace {

/// Renumbers the chunks by frame of the part.
void select(std::vector<ChunkRecord>& chunks, Selection s) {
    auto const first = static_cast<std::uint64_t>(s.first);
    auto const stride = static_cast<std::uint64_t>(s.stride);
    auto const outside = [&](ChunkRecord const& c) {
        return c.chunk < first || (c.chunk - first) % stride != 0 ||
               (c.chunk - first) / stride >= static_cast<std::uint64_t>(s.count);
    };
    std::erase_if(chunks, outside);
    for (ChunkRecord& c : chunks) c.chunk = (c.chunk - first) / stride;
}

std::vector<FrameRun> frames_without(std::vector<ChunkRecord> const& chunks, index frames) {
    std::vector<FrameRun> runs;
    index next = 0;
    for (ChunkRecord const& c : chunks) {
        auto const frame = static_cast<index>(c.chunk);
        add_run(runs, {next, std::max<index>(frame - next, 0)});
        next = frame + 1;
    }
    add_run(runs, {next, frames - next});
    return runs;
}

Result<MadePart> contiguous_part(StoredDataset const& d, Selection s, Opening& opening) {
    if (!d.offset) return MadePart{missing_part(d.read_fill()), {{0, s.count}}};
    SLUICE_CHECK(check_contiguous(d, *opening.pools));
    return MadePart{array_part(d, s, *d.offset, opening.pools)};
}

Result<MadePart> frame_chunk_part(StoredDataset const& d, FrameCode code, Selection s,
                                  Opening& opening) {
    SLUICE_TRY(Chunks chunks, read_chunks(d, *opening.pools));
    select(chunks.records, s);
    auto missing = frames_without(chunks.records, s.count);
    return MadePart{chunk_part(d, code, std::move(chunks.records), opening.pools),
                    std::move(missing)};
}

}  // namespace

std::optional<FrameCode> encoding_of(std::vector<Filter> const& filters, int element_bytes) {
    if (filters.empty()) return FrameCode{};
    if (filters.size() != 1) return {};
    auto const& v = filters[0].values;
    if (filters[0].id == filter_lz4) return FrameCode{Encoding::lz4};
    if (filters[0].id != filter_bitshuffle || v.size() < 3) return {};
    if (v[2] != static_cast<unsigned>(element_bytes)) return {};
    switch (v.size() > 4 ? v[4] : 0) {
        case 0:
            return FrameCode{Encoding::bitshuffle, v.size() > 3 ? static_cast<index>(v[3]) : 0};
        case 2:
            return FrameCode{Encoding::bitshuffle_lz4};
        case 3:
            return FrameCode{Encoding::bitshuffle_zstd};
        default:
            return {};
    }
}

void add_note(std::vector<std::string>& notes, std::string note) {
    if (std::find(notes.begin(), notes.end(), note) == notes.end())
        notes.push_back(std::move(note));
}

Error not_frame_by_frame(StoredDataset const& d) {
    return {Code::unsupported,
            fmt::format(
                "the dataset {} has several frames in a piece ({}), so that nobody sees "
                "which of them are written; write chunks of one frame, or open the file "
                "when it is finished",
                d.path,
                d.storage == Storage::chunked
                    ? fmt::format("chunks of {} in {}", shape_text(d.chunk), shape_text(d.extent))
                    : "it has no chunks"),
            d.file};
}

void note_growth(StoredDataset const& d) {
    if (WhileWritten* const written = WhileWritten::now())
        written->shape_grows = d.storage == Storage::chunked && d.max != d.extent;
}

Result<MadePart> make_part(StoredDataset const& d, Selection s, Opening& opening) {
    if (WhileWritten::now() && !d.chunks_within_frames()) return not_frame_by_frame(d);
    if (d.storage == Storage::contiguous && d.exact && !d.external)
        return contiguous_part(d, s, opening);
    auto const encoding = encoding_of(d.filters, d.element.bytes);
    if (d.storage == Storage::chunked && d.exact && d.frame_chunks() && encoding)
        return frame_chunk_part(d, *encoding, s, opening);
    return box_part(d, boxes::usual_axes(d.rank()), s, opening);
}

}  // namespace sluice::hdf5
