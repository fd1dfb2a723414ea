// Opening a CZI file: its header, its directory and its XML.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "format/czi/layout.h"

namespace sluice::czi {
namespace {

constexpr std::size_t directory_head = 128;

Result<Header> read_header(Source const& source) {
    std::array<std::byte, 80> b;
    constexpr std::string_view magic = "ZISRAWFILE";
    std::span const begin(b.data(), std::min<std::size_t>(magic.size(), source.size()));
    SLUICE_CHECK(source.read(0, begin));
    if (std::memcmp(begin.data(), magic.data(), begin.size()) != 0 || begin.empty())
        return Error{
            Code::unsupported,
            "is not a CZI file (it does not begin with ZISRAWFILE); CZI files end in .czi and "
            "come from ZEISS microscopes",
            source.name(), 0};
    if (source.size() < segment_header + 512)
        return Error{Code::truncated,
                     fmt::format("is too short for a CZI file ({} bytes, its header alone has "
                                 "544); copy it again",
                                 source.size()),
                     source.name()};
    SLUICE_TRY(Segment const segment, read_segment(source, 0, "ZISRAWFILE"));
    SLUICE_CHECK(source.read(segment.content(), b));
    Header h;
    h.major = load_le<std::int32_t>(b.data());
    h.minor = load_le<std::int32_t>(b.data() + 4);
    std::memcpy(h.primary_guid.data(), b.data() + 16, 16);
    std::memcpy(h.guid.data(), b.data() + 32, 16);
    h.file_part = load_le<std::int32_t>(b.data() + 48);
    h.directory = load_le<std::uint64_t>(b.data() + 52);
    h.metadata = load_le<std::uint64_t>(b.data() + 60);
    h.update_pending = load_le<std::int32_t>(b.data() + 68) != 0;
    h.attachments = load_le<std::uint64_t>(b.data() + 72);
    return h;
}

// A file whose tiles lie elsewhere can be looked at, but those tiles cannot be read.
void note_parts(File const& file, std::vector<std::string>& notes) {
    Header const& h = file.header();
    auto const elsewhere =
        std::count_if(file.entries().begin(), file.entries().end(),
                      [&](Entry const& e) { return e.file_part != h.file_part; });
    if (h.file_part > 0)
        notes.push_back(
            fmt::format("this is part {} of a set of files; the first part, without a "
                        "number in its name, has the metadata",
                        h.file_part));
    if (elsewhere > 0)
        notes.push_back(
            fmt::format("{} of {} tiles are in other files of the set ('Name (1).czi' "
                        "...); open those to read them",
                        elsewhere, file.entries().size()));
}

}  // namespace

Result<std::vector<Entry>> read_directory(Source const& source, std::uint64_t at) {
    if (at == 0)
        return damaged(source, segment_header + 52,
                       "has no directory of its tiles (the writer did not finish); try --recover");
    SLUICE_TRY(Segment const s, read_segment(source, at, "ZISRAWDIRECTORY"));
    if (s.used < directory_head)
        return damaged(source, at, "the directory is cut off; try --recover");
    std::vector<std::byte> bytes(s.used);
    SLUICE_CHECK(source.read(s.content(), bytes));
    auto const count = load_le<std::int32_t>(bytes.data());
    std::uint64_t const room = (s.used - directory_head) / least_entry;
    if (count < 0 || static_cast<std::uint64_t>(count) > room)
        return damaged(source, s.content(),
                       fmt::format("the directory says that it has {} entries (there is room for "
                                   "{}); try --recover",
                                   count, room));
    std::vector<Entry> entries(static_cast<std::size_t>(count));
    std::size_t at_entry = directory_head;
    for (Entry& e : entries) {
        SLUICE_TRY(std::size_t const length,
                   parse_entry(Bytes(bytes).subspan(at_entry), s.content() + at_entry, source, e));
        at_entry += length;
    }
    // A smaller count would leave out tiles without a word.
    std::size_t const left = bytes.size() - at_entry;
    bool const entry = left >= least_entry && std::memcmp(bytes.data() + at_entry, "DV", 2) == 0;
    if (entry || (s.used_known && left >= least_entry))
        return damaged(source, s.content(),
                       fmt::format("the directory says that it has {} entries ({} bytes follow "
                                   "them, where it should end); try --recover",
                                   count, left));
    return entries;
}

Result<File> File::open(std::shared_ptr<Source const> source, SlideOpenOptions options) {
    File f;
    f.source_ = std::move(source);
    f.options_ = options;
    SLUICE_TRY(f.header_, read_header(*f.source_));
    if (options.recover) {
        SLUICE_TRY(f.entries_, recover_entries(*f.source_, f.header_, f.notes_));
    } else {
        if (f.header_.update_pending)
            return Error{Code::incomplete,
                         "is still being written, or its writer did not finish (the header says "
                         "'update pending'); wait until it is done, or read what there is with "
                         "--recover",
                         f.source_->name(), segment_header + 68};
        SLUICE_TRY(f.entries_, read_directory(*f.source_, f.header_.directory));
        SLUICE_CHECK(f.compare_some());
    }
    note_parts(f, f.notes_);
    return f;
}

Result<std::string> File::xml() const {
    if (header_.metadata == 0) return std::string();
    SLUICE_TRY(Segment const s, read_segment(*source_, header_.metadata, "ZISRAWMETADATA"));
    std::array<std::byte, 8> b;
    SLUICE_CHECK(source_->read(s.content(), b));
    auto const size = load_le<std::int32_t>(b.data());
    if (s.allocated < 256 || size < 0 || static_cast<std::uint64_t>(size) > s.allocated - 256)
        return damaged(*source_, s.content(),
                       fmt::format("the metadata says that its XML has {} bytes (its segment has "
                                   "{})",
                                   size, s.allocated));
    if (!options_.trust_directory)
        SLUICE_CHECK(check_end(*source_, s.offset, s.next(), options_.recover));
    std::string text(static_cast<std::size_t>(size), '\0');
    SLUICE_CHECK(source_->read(s.content() + 256, std::as_writable_bytes(std::span(text))));
    text.resize(text.find_last_not_of(std::string_view("\0 \n\r\t", 5)) + 1);
    return text;
}

}  // namespace sluice::czi
