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
    std::uint64_t const room = (s.allocated - directory_head) / entry_size;
    if (count < 0 || static_cast<std::uint64_t>(count) > room)
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
        std::array<std::byte, 8> size;
        std::uint64_t const space =
            segment.allocated < attachment_head ? 0 : segment.allocated - attachment_head;
        SLUICE_CHECK(source_->read(segment.content(), size));
        std::optional<std::uint64_t> const bytes = data_size(size.data(), space);
        if (!bytes)
            return damaged(*source_, segment.content(),
                           fmt::format("the attachment '{}' is longer than its segment", a.name));
        a.data = segment.content() + attachment_head;
        a.data_size = *bytes;
        all.push_back(std::move(a));
    }
    return all;
}

Result<std::vector<std::byte>> File::read(Attachment const& attachment) const {
    if (attachment.data > source_->size() ||
        attachment.data_size > source_->size() - attachment.data)
        return damaged(*source_, attachment.data, "the attachment ends after the file");
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
