// The head that every segment begins with, and what follows its end.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "format/czi/layout.h"

namespace sluice::czi {
namespace {

// Writers pad segments to multiples of this; the length of some does not count the padding.
constexpr std::uint64_t segment_grid = 32;

// Whether a segment's name begins here. A damaged byte or two of the name belong to the segment
// that has it, and not to the one before; bytes of pixels agree with it this far once in 10^8.
bool is_name(Bytes bytes) {
    constexpr std::string_view names[] = {"ZISRAW", "DELETED"};
    return std::ranges::any_of(names, [&](std::string_view name) {
        std::size_t const n = std::min(name.size(), bytes.size());
        index equal = 0;
        for (std::size_t i = 0; i < n; ++i)
            equal += bytes[i] == static_cast<std::byte>(name[i]) ? 1 : 0;
        return equal + 2 >= std::ssize(name);
    });
}

// Room that a writer took and did not come to use, or a part of the file that was lost: nothing
// but zeros, more of them than a directory without entries has (252), or a segment as padding.
Result<bool> is_empty(Source const& source, std::uint64_t at) {
    constexpr std::uint64_t enough = 512;
    if (at > source.size() || source.size() - at < enough) return false;
    std::array<std::byte, enough> bytes;
    SLUICE_CHECK(source.read(at, bytes));
    return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

// Printable, whatever is there.
std::string name_of(Segment const& s) {
    bool const text = std::ranges::all_of(s.id, [](char c) { return c >= ' ' && c <= '~'; });
    return text ? s.id : "without a name";
}

}  // namespace

Status check_end(Source const& source, std::uint64_t offset, std::uint64_t end, bool recovering,
                 Bytes known) {
    for (std::uint64_t const at : {end, (end + segment_grid - 1) / segment_grid * segment_grid}) {
        if (at == source.size()) return {};
        if (at > source.size()) break;
        std::array<std::byte, 8> name;
        std::span const some(name.data(), std::min<std::size_t>(8, source.size() - at));
        std::uint64_t const from = at - offset;
        if (from + some.size() <= known.size())
            std::memcpy(some.data(), known.data() + from, some.size());
        else
            SLUICE_CHECK(source.read(at, some));
        if (is_name(some)) return {};
        if (end % segment_grid == 0) break;
    }
    if (recovering) {
        SLUICE_TRY(bool const empty, is_empty(source, end));
        if (empty) return {};
    }
    return damaged(
        source, offset,
        fmt::format("no segment begins at byte {}, where this one ends (bytes are missing in it, "
                    "or were inserted, or its length is damaged); copy the file again{}",
                    end, recovering ? "" : ", or read it all the same with --trust-directory"));
}

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
                                 name_of(s), allocated, room),
                     source.name(), offset};
    s.allocated = static_cast<std::uint64_t>(allocated);
    s.used_known = used > 0 && used <= allocated;
    s.used = s.used_known ? static_cast<std::uint64_t>(used) : s.allocated;
    return s;
}

Result<Segment> read_segment(Source const& source, std::uint64_t offset, std::string_view id) {
    SLUICE_TRY(Segment s, read_segment(source, offset));
    if (s.id != id) {
        return damaged(source, offset,
                       fmt::format("no {} here (found '{}'); the file's index is wrong, try "
                                   "--recover",
                                   id, name_of(s)));
    }
    return s;
}

}  // namespace sluice::czi
