// The head that every segment begins with.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "format/czi/layout.h"

namespace sluice::czi {

Result<Segment> read_segment(Source const& source, std::uint64_t offset) {
    if (offset > source.size() || source.size() - offset < segment_header)
        return Error{Code::truncated,
                     fmt::format("a segment should be here (the file has {} bytes); the file is "
                                 "cut off, copy it again",
                                 source.size()),
                     source.name(), offset};
    std::array<std::byte, segment_header> head;
    SLUICE_CHECK(source.read(offset, head));
    Segment s;
    auto const* const text = reinterpret_cast<char const*>(head.data());
    s.id.assign(text, std::find(text, text + 16, '\0'));
    s.offset = offset;
    auto const allocated = load_le<std::int64_t>(head.data() + 16);
    auto const used = load_le<std::int64_t>(head.data() + 24);
    std::uint64_t const room = source.size() - offset - segment_header;
    if (allocated < 0 || static_cast<std::uint64_t>(allocated) > room)
        return Error{Code::truncated,
                     fmt::format("the segment {} says that it is {} bytes long ({} follow in the "
                                 "file); the file is damaged or cut off",
                                 s.id, allocated, room),
                     source.name(), offset};
    s.allocated = static_cast<std::uint64_t>(allocated);
    s.used_known = used > 0 && used <= allocated;
    s.used = s.used_known ? static_cast<std::uint64_t>(used) : s.allocated;
    return s;
}

Result<Segment> read_segment(Source const& source, std::uint64_t offset, std::string_view id) {
    SLUICE_TRY(Segment s, read_segment(source, offset));
    if (s.id != id) {
        bool const text =
            std::all_of(s.id.begin(), s.id.end(), [](char c) { return c >= ' ' && c <= '~'; });
        return damaged(source, offset,
                       fmt::format("no {} here (found '{}'); the file's index is wrong, try "
                                   "--recover",
                                   id, text ? s.id : "bytes that are no name"));
    }
    return s;
}

}  // namespace sluice::czi
