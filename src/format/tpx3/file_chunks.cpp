// The chunks of a part of a file.
// SPDX-License-Identifier: Apache-2.0
#include "format/tpx3/file_chunks.h"

#include <algorithm>

namespace sluice::tpx3 {
namespace {

constexpr std::uint64_t mark_bytes = 4;

}  // namespace

FileChunks::FileChunks(Source const& file, std::uint64_t begin, std::uint64_t end, std::size_t room)
    : file_(&file),
      at_(begin),
      end_(end),
      visible_(std::min(end + mark_bytes, file.size())),
      room_(room),
      bytes_at_(begin) {}

// At least `wanted` bytes from `at_` on, where there are so many.
Status FileChunks::fill(std::size_t wanted) {
    std::uint64_t const have = bytes_at_ + bytes_.size();
    if (have >= std::min(at_ + wanted, visible_)) return {};
    std::vector<std::byte> next(
        static_cast<std::size_t>(std::min<std::uint64_t>(std::max(wanted, room_), visible_ - at_)));
    auto const kept = static_cast<std::size_t>(have - at_);
    std::copy(bytes_.end() - static_cast<std::ptrdiff_t>(kept), bytes_.end(), next.begin());
    SLUICE_CHECK(file_->read(have, std::span(next).subspan(kept)));
    bytes_ = std::move(next);
    bytes_at_ = at_;
    return {};
}

Result<std::optional<FileChunks::Next>> FileChunks::next() {
    if (at_ >= end_) return std::optional<Next>();
    std::size_t wanted = chunk_header_bytes;
    for (;;) {
        SLUICE_CHECK(fill(wanted));
        auto const passed = static_cast<std::size_t>(at_ - bytes_at_);
        Bytes const here = Bytes(bytes_).subspan(passed);
        bool const all = bytes_at_ + bytes_.size() == visible_;
        Next out{.found = find_chunk(here, all), .at = at_};
        if (out.found.kind == Found::Kind::more) {
            if (!all) {
                wanted = out.found.wanted;
                continue;
            }
            out.found = {.kind = Found::Kind::noise, .size = here.size()};
            out.cut_off = true;
        }
        at_ += out.found.size;
        return std::optional(std::move(out));
    }
}

}  // namespace sluice::tpx3
