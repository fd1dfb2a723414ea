// Attachments: pictures of the label and the slide, time stamps, and what else a writer adds.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "format/czi/layout.h"

namespace sluice::czi {
namespace {

constexpr std::size_t directory_head = 256, entry_size = 128;

std::string text_of(std::byte const* p, std::size_t size) {
    auto const* const text = reinterpret_cast<char const*>(p);
    return {text, std::find(text, text + size, '\0')};
}

// The length is 4 bytes by some descriptions and 8 by others; what follows 4 is reserved, mostly 0.
std::optional<std::uint64_t> data_size(std::byte const* p, std::uint64_t room) {
    auto const wide = load_le<std::uint64_t>(p);
    if (wide <= room) return wide;
    auto const narrow = load_le<std::uint32_t>(p);
    if (narrow > 0 && narrow <= room) return narrow;
    return std::nullopt;
}

// What the segment itself says of an attachment: its length in use, and a copy of the entry.
std::string problem_of(Segment const& s, std::uint64_t size, std::byte const* entry,
                       std::byte const* copy) {
    if (s.used_known && s.used != attachment_head + size)
        return fmt::format("the attachment has {} bytes (its segment has {} in use)", size, s.used);
    // From the kind of its content on; positions and numbers of parts come before.
    if (std::memcmp(entry + 40, copy + 40, entry_size - 40) != 0)
        return "the attachment has another name in its segment than in the directory";
    return {};
}

}  // namespace

Result<std::vector<Attachment>> File::attachments() const {
    std::vector<Attachment> all;
    if (header_.attachments == 0) return all;
    SLUICE_TRY(Segment const s, read_segment(*source_, header_.attachments, "ZISRAWATTDIR"));
    if (s.allocated < directory_head)
        return damaged(*source_, s.offset, "the directory of attachments is cut off");
    std::array<std::byte, 4> b;
    SLUICE_CHECK(source_->read(s.content(), b));
    auto const count = load_le<std::int32_t>(b.data());
    std::uint64_t const room = s.used < directory_head ? 0 : (s.used - directory_head) / entry_size;
    bool const fewer = s.used_known && count >= 0 && static_cast<std::uint64_t>(count) < room;
    if (count < 0 || static_cast<std::uint64_t>(count) > room || fewer)
        return damaged(
            *source_, s.content(),
            fmt::format("says that there are {} attachments (there is room for {})", count, room));
    std::vector<std::byte> entries(static_cast<std::size_t>(count) * entry_size);
    SLUICE_CHECK(source_->read(s.content() + directory_head, entries));
    for (std::size_t i = 0; i < entries.size(); i += entry_size) {
        std::byte const* const p = entries.data() + i;
        Attachment a;
        a.content_type = text_of(p + 40, 8);
        a.name = text_of(p + 48, 80);
        SLUICE_TRY(Segment const segment,
                   read_segment(*source_, load_le<std::uint64_t>(p + 12), "ZISRAWATTACH"));
        std::array<std::byte, 16 + entry_size> size;
        std::uint64_t const space =
            segment.allocated < attachment_head ? 0 : segment.allocated - attachment_head;
        SLUICE_CHECK(
            source_->read(segment.content(), std::span(size).first(space == 0 ? 8 : size.size())));
        std::optional<std::uint64_t> const bytes = data_size(size.data(), space);
        if (!bytes)
            return damaged(*source_, segment.content(),
                           fmt::format("the attachment '{}' is longer than its segment", a.name));
        a.data = segment.content() + attachment_head;
        a.data_size = *bytes;
        if (space > 0) a.problem = problem_of(segment, *bytes, p, size.data() + 16);
        if (a.problem.empty() && !options_.trust_directory)
            if (Status s_end =
                    check_end(*source_, segment.offset, segment.next(), options_.recover);
                !s_end)
                a.problem = s_end.error().message;
        all.push_back(std::move(a));
    }
    return all;
}

Result<std::vector<std::byte>> File::read(Attachment const& attachment) const {
    if (attachment.data > source_->size() ||
        attachment.data_size > source_->size() - attachment.data)
        return damaged(*source_, attachment.data, "the attachment ends after the file");
    if (!attachment.problem.empty())
        return damaged(*source_, attachment.data,
                       attachment.problem + "; one of the two is damaged, copy the file again");
    std::vector<std::byte> bytes(attachment.data_size);
    SLUICE_CHECK(source_->read(attachment.data, bytes));
    return bytes;
}

Result<std::vector<double>> parse_time_stamps(Bytes data) {
    if (data.size() < 8) return Error{Code::corrupt, "the time stamps are cut off"};
    auto const count = load_le<std::int32_t>(data.data() + 4);
    if (count < 0 || static_cast<std::uint64_t>(count) > (data.size() - 8) / 8)
        return Error{Code::corrupt, fmt::format("says that there are {} time stamps (there is room "
                                                "for {})",
                                                count, (data.size() - 8) / 8)};
    std::vector<double> stamps(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < stamps.size(); ++i)
        stamps[i] = std::bit_cast<double>(load_le<std::uint64_t>(data.data() + 8 + 8 * i));
    return stamps;
}

}  // namespace sluice::czi
