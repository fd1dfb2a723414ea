// Finding what is in a file whose directory is missing or wrong, by walking its segments.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "base/plural.h"
#include "format/czi/layout.h"

namespace sluice::czi {
namespace {

// Segments begin at multiples of this.
constexpr std::uint64_t grid = 32;
// Names may be close together or a gigabyte apart: each next piece that is read is larger.
constexpr std::size_t first_window = 512, last_window = 1 << 20;

// The next place after `from` where the name of a segment stands, or the end of the file.
Result<std::uint64_t> next_name(Source const& source, std::uint64_t from) {
    std::vector<std::byte> buffer;
    std::size_t window = first_window;
    for (std::uint64_t at = (from / grid + 1) * grid; at < source.size(); at += buffer.size()) {
        buffer.resize(std::min<std::uint64_t>(window, source.size() - at));
        SLUICE_CHECK(source.read(at, buffer));
        for (std::size_t i = 0; i + 6 <= buffer.size(); i += grid)
            if (std::memcmp(buffer.data() + i, "ZISRAW", 6) == 0) return at + i;
        window = std::min(2 * window, last_window);
    }
    return source.size();
}

Result<Entry> entry_of(Source const& source, Segment const& s) {
    // What an entry can have at most, or what is left of the segment.
    std::array<std::byte, 16 + entry_head + entry_dimension * max_dimensions> b;
    std::size_t const n = std::min<std::uint64_t>(b.size(), s.allocated);
    if (n < 16 + entry_head) return damaged(source, s.offset, "the sub-block is cut off");
    SLUICE_CHECK(source.read(s.content(), std::span(b).first(n)));
    Entry e;
    SLUICE_TRY(std::size_t const length,
               parse_entry(std::span(b).first(n).subspan(16), s.content() + 16, source, e));
    (void)length;
    // The copy's own position is what the writer meant; where it lies is the true one.
    e.offset = s.offset;
    return e;
}

// Tiles that the directory, where it can be read, describes in another way than they themselves.
index described_otherwise(Source const& source, std::uint64_t directory,
                          std::vector<Entry> const& entries) {
    auto const listed = read_directory(source, directory);
    if (!listed) return 0;
    std::map<std::uint64_t, Entry const*> by_offset;
    for (Entry const& e : *listed) by_offset[e.offset] = &e;
    return std::count_if(entries.begin(), entries.end(), [&](Entry const& own) {
        auto const at = by_offset.find(own.offset);
        return at != by_offset.end() && !difference(*at->second, own).empty();
    });
}

}  // namespace

Result<std::vector<Entry>> recover_entries(Source const& source, Header& header,
                                           std::vector<std::string>& notes) {
    std::vector<Entry> entries;
    header.metadata = header.attachments = header.directory = 0;
    index skipped = 0, bad = 0;
    for (std::uint64_t at = 0; at + segment_header <= source.size();) {
        Result<Segment> const s = read_segment(source, at);
        bool const good = s && (s->id.starts_with("ZISRAW") || s->id == "DELETED");
        if (!good) {
            ++skipped;
            SLUICE_TRY(at, next_name(source, at));
            continue;
        }
        if (s->id == "ZISRAWMETADATA") header.metadata = at;
        if (s->id == "ZISRAWATTDIR") header.attachments = at;
        if (s->id == "ZISRAWDIRECTORY") header.directory = at;
        if (s->id == "ZISRAWSUBBLOCK") {
            Result<Entry> e = entry_of(source, *s);
            if (e)
                entries.push_back(*std::move(e));
            else
                ++bad;
        }
        // Writers that stop early leave segments of no length.
        at = std::max(s->next(), at + grid);
        at = (at + grid - 1) / grid * grid;
    }
    notes.push_back(fmt::format("found {} by walking the file", plural(entries.size(), "tile")));
    index const other = described_otherwise(source, header.directory, entries);
    if (other > 0)
        notes.push_back(
            fmt::format("the directory describes {} of them differently; the tiles' "
                        "own descriptions are used",
                        other));
    if (bad > 0)
        notes.push_back(fmt::format("left out {}", plural(bad, "tile with a damaged description",
                                                          "tiles with damaged descriptions")));
    if (skipped > 0)
        notes.push_back(
            fmt::format("skipped {}", plural(skipped, "stretch of bytes that is not a segment",
                                             "stretches of bytes that are not segments")));
    if (entries.empty())
        return damaged(source, 0,
                       "no tile was found by walking the file; there is nothing to read");
    return entries;
}

}  // namespace sluice::czi
