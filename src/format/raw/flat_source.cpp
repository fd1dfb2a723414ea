// Positioned reads of whole runs of frames, converted where memory holds another type.
// SPDX-License-Identifier: Apache-2.0
#include "format/raw/flat_source.h"

#include <algorithm>

namespace sluice {

FlatRuns runs_of(std::shared_ptr<File const> const& file, std::span<std::uint64_t const> places,
                 std::uint64_t frame_bytes) {
    FlatRuns runs{.stride = frame_bytes};
    // What lies between frames is read with them: it should be a header, and no image.
    constexpr std::uint64_t most_between = 4096;
    if (places.size() > 1 && places[1] > places[0] + frame_bytes &&
        places[1] - places[0] - frame_bytes <= most_between)
        runs.stride = places[1] - places[0];
    std::uint64_t next = 0;
    for (std::uint64_t const at : places) {
        if (!runs.pieces.empty() && at == next)
            ++runs.pieces.back().count;
        else
            runs.pieces.push_back({file, at, 1});
        next = at + runs.stride;
    }
    return runs;
}

/// Memory for a run of frames: as they are stored, and as they are read where that differs.
struct FlatSource::Room {
    std::span<std::byte> stored, values;
};

FlatSource::FlatSource(std::vector<FlatPiece> pieces, FlatLayout const& layout)
    : pieces_(std::move(pieces)), layout_(layout) {
    expects(layout.step() >= layout.frame_bytes());
    index end = 0;
    for (FlatPiece const& p : pieces_) {
        std::uint64_t const size = p.file->size(), frame = layout.frame_bytes();
        expects(p.count == 0 || (size >= p.offset && size - p.offset >= frame &&
                                 (size - p.offset - frame) / layout.step() >=
                                     static_cast<std::uint64_t>(p.count - 1)));
        ends_.push_back(end += p.count);
    }
    layout_.present = end;
}

FlatSource::FlatSource(File file, FlatLayout const& layout)
    : FlatSource({{std::make_shared<File const>(std::move(file)), layout.offset, layout.present}},
                 layout) {}

Status FlatSource::read(FlatPiece const& piece, index first, std::span<EncodedFrame> out,
                        Room const& room) const {
    std::size_t const frame = layout_.frame_bytes(), step = layout_.step();
    auto const value_bytes =
        static_cast<std::size_t>(layout_.pixels * size_of(read_as(layout_.stored)));
    std::uint64_t const at = piece.offset + static_cast<std::uint64_t>(first) * step;
    SLUICE_CHECK(piece.file->read(at, room.stored.first((out.size() - 1) * step + frame)));
    for (std::size_t i = 0; i < out.size(); ++i) {
        Bytes const stored = room.stored.subspan(i * step, frame);
        out[i] = {.encoding = Encoding::values,
                  .bytes = stored,
                  .at = at + i * step,
                  .file = &piece.file->path()};
        if (room.values.empty()) continue;
        std::span<std::byte> const values = room.values.subspan(i * value_bytes, value_bytes);
        out[i].changed = convert_values(layout_.stored, stored, values.data());
        out[i].bytes = values;
    }
    return {};
}

Status FlatSource::fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const {
    expects(first >= 0);
    std::ranges::fill(out, EncodedFrame{});
    auto const wanted = static_cast<index>(out.size());
    auto const here =
        static_cast<std::size_t>(std::clamp<index>(layout_.present - first, 0, wanted));
    std::size_t const step = layout_.step();
    auto const value_bytes =
        static_cast<std::size_t>(layout_.pixels * size_of(read_as(layout_.stored)));
    std::size_t const stored_at = as_stored(layout_.stored) ? 0 : here * value_bytes;
    scratch.bytes.resize(stored_at + here * step);
    std::span<std::byte> const all = scratch.bytes;
    auto which = static_cast<std::size_t>(std::ranges::upper_bound(ends_, first) - ends_.begin());
    for (std::size_t done = 0; done < here; ++which) {
        FlatPiece const& piece = pieces_[which];
        index const from = first + static_cast<index>(done) - (ends_[which] - piece.count);
        std::size_t const n = std::min(here - done, static_cast<std::size_t>(piece.count - from));
        if (n == 0) continue;
        Room const room{all.subspan(stored_at + done * step, n * step),
                        stored_at == 0 ? std::span<std::byte>()
                                       : all.subspan(done * value_bytes, n * value_bytes)};
        SLUICE_CHECK(read(piece, from, out.subspan(done, n), room));
        done += n;
    }
    return {};
}

std::uint64_t FlatSource::stored_bytes() const {
    return static_cast<std::uint64_t>(layout_.present) * layout_.frame_bytes();
}

std::uint64_t FlatSource::index_digest() const {
    StoredType const& stored = layout_.stored;
    std::uint64_t digest =
        digest_after(0, {layout_.step(), static_cast<std::uint64_t>(layout_.pixels),
                         static_cast<std::uint64_t>(stored.kind),
                         static_cast<std::uint64_t>(stored.bytes), stored.big_endian});
    for (FlatPiece const& p : pieces_)
        digest = digest_after(digest, {p.offset, static_cast<std::uint64_t>(p.count)});
    return digest;
}

}  // namespace sluice
