// Frames out of boxes: every frame is one, read with the strides of a frame in memory.
// SPDX-License-Identifier: Apache-2.0
#include "format/boxes/box_frames.h"

#include <fmt/format.h>

#include <algorithm>

#include "format/boxes/block_cache.h"
#include "format/scan_shape.h"

namespace sluice::boxes {
namespace {

constexpr index most_frames_looked_at = index{1} << 26;

Error with_frame(Error e, std::string const& file, index shown) {
    if (e.file.empty()) e.file = file;
    e.message = fmt::format("frame {}: {}", shown, e.message);
    return e;
}

}  // namespace

index FrameArray::frames() const {
    std::uint64_t n = 1;
    for (std::size_t d : axes.scan) n *= extent[d];
    return static_cast<index>(n);
}

Box FrameArray::frame(index number) const {
    Box box{Sides(extent.size(), 0), Sides(extent.size(), 1)};
    box.count[axes.row] = extent[axes.row];
    box.count[axes.col] = extent[axes.col];
    auto left = static_cast<std::uint64_t>(number);
    for (std::size_t i = axes.scan.size(); i-- > 0;) {
        box.start[axes.scan[i]] = left % extent[axes.scan[i]];
        left /= extent[axes.scan[i]];
    }
    return box;
}

BoxFrames::BoxFrames(FrameArray array, std::shared_ptr<BoxReader const> reader, Selection selection,
                     std::vector<FrameRun> missing)
    : array_(std::move(array)),
      reader_(std::move(reader)),
      selection_(selection),
      missing_(std::move(missing)) {}

std::uint64_t BoxFrames::frame_bytes() const {
    return static_cast<std::uint64_t>(array_.rows() * array_.cols() *
                                      size_of(read_as(array_.stored)));
}

// Readers that do not know of blocks say single elements.
std::optional<FrameBlock> BoxFrames::block() const {
    Sides const grain = reader_->grain();
    auto const side = [&](std::size_t d) {
        return static_cast<index>(std::min(grain[d], array_.extent[d]));
    };
    FrameBlock b{.kept_bytes = most_kept_bytes};
    b.detector = {side(array_.axes.row), side(array_.axes.col)};
    if (!array_.axes.scan.empty()) b.scan[1] = side(array_.axes.scan.back());
    if (array_.axes.scan.size() == 2) b.scan[0] = side(array_.axes.scan.front());
    bool const one_by_one = b.scan[0] * b.scan[1] == 1;
    if (one_by_one && b.detector[0] * b.detector[1] == 1) return {};
    if (one_by_one && b.detector == std::array{array_.rows(), array_.cols()}) return {};
    return b;
}

// The places of blocks are the reader's; what else decides is the order of axes.
std::uint64_t BoxFrames::index_digest() const {
    std::uint64_t digest =
        digest_after(reader_->stored_bytes(),
                     {array_.axes.row, array_.axes.col, array_.axes.scan.size(),
                      static_cast<std::uint64_t>(selection_.first),
                      static_cast<std::uint64_t>(selection_.stride),
                      static_cast<std::uint64_t>(array_.stored.kind),
                      static_cast<std::uint64_t>(array_.stored.bytes), array_.stored.big_endian});
    for (std::size_t const axis : array_.axes.scan)
        digest = digest_after(digest, {axis, array_.extent[axis]});
    return digest;
}

std::uint64_t BoxFrames::scratch_bytes(index count) const {
    return static_cast<std::uint64_t>(count) * frame_bytes() + reader_->memory_bytes();
}

Status BoxFrames::fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const {
    scratch.bytes.resize(static_cast<std::size_t>(scratch_bytes(std::ssize(out))));
    return fill(first, first, out, scratch.bytes.data());
}

Status BoxFrames::fill(index first, index shown, std::span<EncodedFrame> out, std::byte* to) const {
    bool const direct = as_stored(array_.stored);
    auto const pixels = static_cast<std::size_t>(array_.rows() * array_.cols());
    auto const bytes = static_cast<std::size_t>(frame_bytes());
    auto const element = static_cast<std::ptrdiff_t>(array_.stored.bytes);
    std::span<std::byte> const memory(to + out.size() * bytes,
                                      static_cast<std::size_t>(reader_->memory_bytes()));
    std::vector<std::byte> stored(direct ? 0 : pixels * static_cast<std::size_t>(element));
    Target target{nullptr, std::vector<std::ptrdiff_t>(array_.extent.size(), 0)};
    target.stride[array_.axes.row] = element * array_.cols();
    target.stride[array_.axes.col] = element;
    for (std::size_t i = 0; i < out.size(); ++i, to += bytes) {
        index const frame = first + static_cast<index>(i);
        target.to = direct ? to : stored.data();
        index const number = selection_.first + frame * selection_.stride;
        // A scan may ask for more frames than the array has.
        if (number >= array_.frames()) {
            out[i] = {.encoding = Encoding::missing, .bytes = array_.beyond};
            continue;
        }
        Box const box = array_.frame(number);
        if (auto s = reader_->read(box, target, memory); !s)
            return with_frame(std::move(s).error(), array_.file, shown + static_cast<index>(i));
        Conversion changed;
        if (!direct) changed = convert_values(array_.stored, stored, to);
        out[i] = {.encoding = Encoding::values,
                  .bytes = {to, bytes},
                  .file = &array_.file,
                  .changed = changed,
                  .partial = holds(missing_, frame)};
    }
    return {};
}

Result<std::vector<FrameRun>> missing_frames(FrameArray const& array, BoxReader const& reader,
                                             Selection s) {
    std::vector<FrameRun> runs;
    if (s.count == 0) return runs;
    if (auto const written = reader.written()) {
        if (!*written) runs.push_back({0, s.count});
        return runs;
    }
    if (s.count > most_frames_looked_at)
        return Error{Code::unsupported,
                     fmt::format("{} frames of which some were never written (up to 2^26 are "
                                 "looked at)",
                                 s.count),
                     array.file};
    Sides const grain = reader.grain();
    Sides cell, last;
    bool complete = true;
    for (index f = 0; f < s.count; ++f) {
        Box const box = array.frame(s.first + f * s.stride);
        cell.clear();
        for (std::size_t d : array.axes.scan) cell.push_back(box.start[d] / grain[d]);
        if (cell != last) complete = reader.complete(box);
        last = cell;
        if (!complete) add_run(runs, {f, 1});
    }
    return runs;
}

bool holds(std::vector<FrameRun> const& runs, index frame) {
    auto const after =
        std::upper_bound(runs.begin(), runs.end(), frame,
                         [](index f, FrameRun const& r) { return f < r.first + r.count; });
    return after != runs.end() && after->first <= frame;
}

}  // namespace sluice::boxes
