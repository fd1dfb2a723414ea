// Where the parts of a sub-block are, and whether it and the directory say the same.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <mutex>

#include "device/workers.h"
#include "format/czi/layout.h"
#include "sluice/device.h"

namespace sluice::czi {
namespace {

// So many heads are read in a few milliseconds where the file is in memory, and in up to half a
// minute where it is on a disk that turns.
constexpr std::size_t all_compared = 4096;
// Threads are woken for more heads than this.
constexpr index few_heads = 64;

bool is_sub_block(Bytes head) {
    return head.size() >= sub_block_read && std::memcmp(head.data(), "ZISRAWSUBBLOCK\0", 16) == 0;
}

std::size_t fixed_size(std::int32_t dimensions) {
    return std::max(sub_block_head,
                    16 + entry_head + entry_dimension * static_cast<std::size_t>(dimensions));
}

// Errors of entries advise --recover, which does not help where the tile's own is the damaged one.
std::string without_advice(std::string const& message) {
    return message.substr(0, message.rfind(';'));
}

template <class T>
void compare(std::string& text, std::string_view what, T directory, T own) {
    if (directory == own || !text.empty()) return;
    text = fmt::format("{} {} in the directory and {} in the tile", what, directory, own);
}

std::string number(std::int32_t value) {
    return value == none ? "absent" : fmt::format("{}", value);
}

std::vector<Entry const*> pointers(std::vector<Entry> const& entries) {
    std::vector<Entry const*> out;
    for (Entry const& e : entries) out.push_back(&e);
    return out;
}

// The entries with the smallest and largest number of each kind: one that is wrong among the
// others can hide, one that stretches the slide cannot.
std::vector<Entry const*> outermost(std::vector<Entry> const& entries) {
    std::vector<Entry const*> out;
    auto const add = [&](auto const& value) {
        auto const [low, high] = std::minmax_element(
            entries.begin(), entries.end(),
            [&](Entry const& a, Entry const& b) { return value(a) < value(b); });
        out.push_back(&*low);
        out.push_back(&*high);
    };
    add([](Entry const& e) { return e.rect.x; });
    add([](Entry const& e) { return e.rect.y; });
    add([](Entry const& e) { return e.rect.x + e.rect.width; });
    add([](Entry const& e) { return e.rect.y + e.rect.height; });
    add([](Entry const& e) { return e.scene; });
    for (std::size_t d = 0; d < dimension_count; ++d)
        add([d](Entry const& e) { return index{e.start[d]} + e.size[d]; });
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

// The sizes of a sub-block's parts, which fill its segment.
Result<TilePlace> parts_of(Source const& source, Entry const& entry, Bytes b) {
    std::byte const* const p = b.data() + segment_header;
    auto const allocated = load_le<std::int64_t>(b.data() + 16);
    auto const used = load_le<std::int64_t>(b.data() + 24);
    auto const metadata = load_le<std::int32_t>(p);
    auto const attachment = load_le<std::int32_t>(p + 4);
    auto const data = load_le<std::int64_t>(p + 8);
    auto const dimensions = load_le<std::int32_t>(p + 16 + 28);
    if (dimensions < 0 || dimensions > max_dimensions)
        return damaged(source, entry.offset + segment_header + 44,
                       fmt::format("a tile of {} dimensions (2 to {} are possible)", dimensions,
                                   max_dimensions));
    std::uint64_t const fixed = fixed_size(dimensions);
    std::uint64_t const begin = entry.offset + segment_header + fixed, size = source.size();
    // Each part alone is compared first, so that no sum overflows.
    std::uint64_t const room = begin <= size ? size - begin : 0;
    bool const positive = metadata >= 0 && attachment >= 0 && data >= 0;
    std::uint64_t sum = 0;
    if (positive && static_cast<std::uint64_t>(data) <= room)
        sum = static_cast<std::uint64_t>(metadata) + static_cast<std::uint64_t>(attachment) +
              static_cast<std::uint64_t>(data);
    if (begin > size || !positive || static_cast<std::uint64_t>(data) > room || sum > room)
        return Error{Code::truncated,
                     fmt::format("a tile says that it has {} bytes of pixels, {} of metadata and "
                                 "{} of attachments ({} follow in the file); it is damaged or "
                                 "the file is cut off",
                                 data, metadata, attachment, room),
                     source.name(), entry.offset};
    // Old writers leave UsedSize 0; all others know it to the byte.
    std::uint64_t const need = fixed + sum;
    bool const fits = allocated >= 0 && need <= static_cast<std::uint64_t>(allocated) &&
                      (used == 0 || need == static_cast<std::uint64_t>(used));
    if (!fits)
        return damaged(source, entry.offset,
                       fmt::format("a tile of {} bytes of pixels, {} of metadata and {} of "
                                   "attachments needs {} (its segment has {} of {} in use); one of "
                                   "these numbers is damaged, copy the file again",
                                   data, metadata, attachment, need, used, allocated));
    TilePlace s;
    s.metadata = begin;
    s.metadata_size = static_cast<std::uint64_t>(metadata);
    s.data = begin + s.metadata_size;
    s.data_size = static_cast<std::uint64_t>(data);
    s.attachment = s.data + s.data_size;
    s.attachment_size = static_cast<std::uint64_t>(attachment);
    return s;
}

}  // namespace

std::string difference(Entry const& d, Entry const& own) {
    std::string text;
    compare(text, "X is", d.rect.x, own.rect.x);
    compare(text, "Y is", d.rect.y, own.rect.y);
    compare(text, "the width is", d.rect.width, own.rect.width);
    compare(text, "the height is", d.rect.height, own.rect.height);
    compare(text, "the stored width is", d.stored_width, own.stored_width);
    compare(text, "the stored height is", d.stored_height, own.stored_height);
    compare(text, "the pixel type is", static_cast<int>(d.pixel_type),
            static_cast<int>(own.pixel_type));
    compare(text, "the compression is", static_cast<int>(d.compression),
            static_cast<int>(own.compression));
    compare(text, "S is", number(d.scene), number(own.scene));
    compare(text, "M is", number(d.m), number(own.m));
    bool several = false;
    for (std::size_t i = 0; i < d.start.size(); ++i) {
        std::string_view const letter = dimension_letters.substr(i, 1);
        compare(text, fmt::format("{} is", letter), d.start[i], own.start[i]);
        compare(text, fmt::format("the number of {} is", letter), d.size[i], own.size[i]);
        several |= d.size[i] > 1;
    }
    // Which dimension runs fastest matters only where there are several planes.
    if (several)
        compare(text, "the order is", std::string_view(d.order.data()),
                std::string_view(own.order.data()));
    return text;
}

Result<std::string> difference(Source const& source, Entry const& entry, Bytes head) {
    std::size_t const at = segment_header + 16;
    auto const dimensions = load_le<std::int32_t>(head.data() + at + 28);
    std::vector<std::byte> longer;
    if (dimensions > 0 && dimensions <= max_dimensions) {
        std::size_t const whole =
            at + entry_head + entry_dimension * static_cast<std::size_t>(dimensions);
        if (head.size() < whole && source.size() - entry.offset >= whole) {
            longer.resize(whole);
            SLUICE_CHECK(source.read(entry.offset, longer));
            head = longer;
        }
    }
    Entry own;
    auto const parsed = parse_entry(head.subspan(at), entry.offset + at, source, own);
    if (!parsed)
        return fmt::format("the tile's own cannot be read: {}",
                           without_advice(parsed.error().message));
    return difference(entry, own);
}

Error differs(Source const& source, Entry const& entry, std::string_view difference) {
    return damaged(source, entry.offset,
                   fmt::format("the directory and the tile itself describe it differently ({}); "
                               "one of them is damaged: copy the file again, or read it with "
                               "--recover as the tiles say, or with --trust-directory",
                               difference));
}

// Empty where the tile is as the entry says. A missing tile is an error when it is read.
Result<std::string> File::compare(Entry const& e) const {
    std::array<std::byte, sub_block_read> head;
    if (e.file_part != header_.file_part || e.offset > source_->size() ||
        source_->size() - e.offset < head.size())
        return std::string();
    SLUICE_CHECK(source_->read(e.offset, head));
    if (!is_sub_block(head)) return std::string();
    return difference(*source_, e, head);
}

Status File::compare(std::vector<Entry const*> const& entries) const {
    std::mutex mutex;
    std::optional<Error> first;
    index first_at = 0, different = 0;
    std::atomic<bool> stop = false;
    auto const one = [&](index i, int) {
        if (stop) return;
        Entry const& e = *entries[static_cast<std::size_t>(i)];
        Result<std::string> const what = compare(e);
        if (what && what->empty()) return;
        std::lock_guard const lock(mutex);
        if (what)
            ++different;
        else
            stop = true;
        // Of several, the first of the file, whatever thread came first.
        if (first && first_at < i) return;
        first = what ? differs(*source_, e, *what) : what.error();
        first_at = i;
    };
    parallel_for(std::ssize(entries), Device::cpu(0).threads(), few_heads, one);
    if (different > 1)
        first->message += fmt::format(" ({} tiles of {})", different, entries_.size());
    if (first) return *std::move(first);
    return {};
}

Status File::compare_some() const {
    if (!compares()) return {};
    return entries_.size() <= all_compared ? compare(pointers(entries_))
                                           : compare(outermost(entries_));
}

Status File::compare_all() const {
    if (!compares() || entries_.size() <= all_compared) return {};
    {
        std::lock_guard const lock(compared_->mutex);
        if (compared_->all) return *compared_->all;
    }
    // Not under the lock, which a caller inside of the workers would wait for while it keeps them.
    Status result = compare(pointers(entries_));
    std::lock_guard const lock(compared_->mutex);
    compared_->all = result;
    return result;
}

Result<TilePlace> File::locate(Entry const& entry) const {
    std::array<std::byte, sub_block_read> head;
    return locate(entry, head);
}

Result<TilePlace> File::locate(Entry const& entry, std::span<std::byte> head) const {
    expects(head.size() >= sub_block_read);
    if (entry.file_part != header_.file_part)
        return Error{Code::unsupported,
                     fmt::format("a tile is in part {} of a set of files (this is part {}); open "
                                 "the file 'Name ({}).czi' of the set",
                                 entry.file_part, header_.file_part, entry.file_part),
                     source_->name(), entry.entry_offset};
    std::uint64_t const size = source_->size();
    if (entry.offset > size || size - entry.offset < sub_block_read)
        return damaged(*source_, entry.entry_offset,
                       fmt::format("a tile should be at byte {} (the file has {}); the file is cut "
                                   "off, copy it again",
                                   entry.offset, size));
    std::span<std::byte> const b =
        head.first(std::min<std::uint64_t>(head.size(), size - entry.offset));
    SLUICE_CHECK(source_->read(entry.offset, b));
    if (!is_sub_block(b))
        return damaged(*source_, entry.offset,
                       "no tile here, where the directory says that one is; try --recover");
    SLUICE_TRY(TilePlace const parts, parts_of(*source_, entry, b));
    if (!options_.trust_directory)
        SLUICE_CHECK(
            check_end(*source_, entry.offset,
                      entry.offset + segment_header + load_le<std::uint64_t>(b.data() + 16),
                      options_.recover, b));
    if (compares()) {
        SLUICE_TRY(std::string const what, difference(*source_, entry, b));
        if (!what.empty()) return differs(*source_, entry, what);
    }
    return parts;
}

}  // namespace sluice::czi
