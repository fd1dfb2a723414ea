// The rules of the format that a file breaks: its segments, its directory, its tiles.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_set>

#include "format/czi/layout.h"

namespace sluice::czi {
namespace {

using List = std::vector<Violation>;

void walk_segments(File const& file, List& out, std::unordered_set<std::uint64_t>& sub_blocks) {
    Source const& source = file.source();
    for (std::uint64_t at = 0; at < source.size();) {
        Result<Segment> const s = read_segment(source, at);
        if (!s) {
            out.push_back({"segments", s.error().message, at});
            return;
        }
        if (!s->id.starts_with("ZISRAW") && s->id != "DELETED") {
            out.push_back({"segments", "no segment begins here; the rest was not looked at", at});
            return;
        }
        if (at % 32 != 0)
            out.push_back(
                {"segments", fmt::format("{} does not begin at a multiple of 32", s->id), at});
        if (s->id == "ZISRAWSUBBLOCK") sub_blocks.insert(at);
        at = s->next();
    }
}

// The tile's own description against the directory's, also where the file was opened without.
void check_description(File const& file, Entry const& e, List& out) {
    std::array<std::byte, sub_block_read> head;
    if (!file.source().read(e.offset, head)) return;
    auto const what = difference(file.source(), e, head);
    if (what && !what->empty())
        out.push_back({"two descriptions",
                       "the directory and the tile itself describe it differently: " + *what,
                       e.offset});
    // What no pixel depends on may differ without harm.
    auto const position = load_le<std::uint64_t>(head.data() + segment_header + 16 + 6);
    if (position != e.offset && position != 0)
        out.push_back({"two descriptions",
                       fmt::format("the tile says that it is at byte {}", position), e.offset});
}

void check_entry(File const& file, Entry const& e, List& out) {
    Result<TilePlace> const s = file.locate(e);
    if (!s) {
        out.push_back({"sub-block", s.error().message, s.error().at.value_or(e.entry_offset)});
        return;
    }
    check_description(file, e, out);
    if (!known(e.pixel_type))
        out.push_back({"pixel type",
                       fmt::format("{} is not a pixel type", static_cast<int>(e.pixel_type)),
                       e.entry_offset + 2});
    if (name_of(e.compression).empty())
        out.push_back(
            {"compression",
             fmt::format("{} is not a known compression", static_cast<int>(e.compression)),
             e.entry_offset + 18});
    if (e.compression != Compression::none || !known(e.pixel_type)) return;
    std::uint64_t want =
        static_cast<std::uint64_t>(e.stored_width) * static_cast<std::uint64_t>(e.stored_height);
    bool counted = true;
    for (std::int32_t const n : e.size)
        counted = counted && !__builtin_mul_overflow(want, static_cast<std::uint64_t>(n), &want);
    auto const bytes = static_cast<std::uint64_t>(format_of(e.pixel_type).bytes);
    counted = counted && !__builtin_mul_overflow(want, bytes, &want);
    if (!counted)
        out.push_back({"data size", "a tile has more pixels than can be counted", e.entry_offset});
    else if (s->data_size != want)
        out.push_back({"data size",
                       fmt::format("a tile that is not compressed has {} bytes (its size needs {})",
                                   s->data_size, want),
                       e.offset});
}

bool is_level_0(Entry const& e) {
    return e.stored_width >= e.rect.width || e.stored_height >= e.rect.height;
}

void check_planes(File const& file, List& out) {
    using Key = std::tuple<PlaneIndex, std::int32_t, std::int32_t>;
    std::map<Key, Entry const*> seen;
    std::map<std::int32_t, PixelType> types;
    PlaneIndex low{}, high{};
    low.fill(INT_MAX);
    high.fill(INT_MIN);
    index without_m = 0;
    std::map<std::pair<PlaneIndex, std::int32_t>, index> tiles_of_plane;
    for (Entry const& e : file.entries()) {
        for (std::size_t d = 0; d < e.start.size(); ++d) {
            low[d] = std::min(low[d], e.start[d]);
            high[d] = std::max(high[d], e.start[d]);
        }
        if (!is_level_0(e)) continue;
        ++tiles_of_plane[{e.start, e.scene}];
        if (e.m == none) ++without_m;
        auto const [type, fresh] = types.try_emplace(e.start[slide::C], e.pixel_type);
        if (!fresh && type->second != e.pixel_type)
            out.push_back({"pixel type of a channel",
                           fmt::format("channel {} has tiles of {} and {}", e.start[slide::C],
                                       name_of(type->second), name_of(e.pixel_type)),
                           e.entry_offset});
        auto const [other, first] = seen.try_emplace({e.start, e.scene, e.m}, &e);
        if (!first && e.m != none)
            out.push_back({"duplicate tile",
                           fmt::format("M {} is there twice in the same plane and scene (the other "
                                       "is described at byte {})",
                                       e.m, other->second->entry_offset),
                           e.entry_offset});
    }
    bool const mosaic = std::any_of(tiles_of_plane.begin(), tiles_of_plane.end(),
                                    [](auto const& p) { return p.second > 1; });
    if (mosaic && without_m > 0)
        out.push_back({"M index",
                       fmt::format("{} tiles of a mosaic have no M; they are drawn in the order of "
                                   "the file, below those that have",
                                   without_m),
                       0});
    if (!file.entries().empty())
        for (std::size_t d = 0; d < low.size(); ++d)
            if (low[d] != 0)
                out.push_back({"indices from 0",
                               fmt::format("{} begins at {}", dimension_letters[d], low[d]), 0});
}

// Neighbours in a column of wells; a file of more is not of a microscope.
constexpr index most_compared = 1 << 20;

struct Bounds {
    index left = INT64_MAX, top = INT64_MAX, right = INT64_MIN, bottom = INT64_MIN;
    void add(Rect const& r) {
        left = std::min(left, r.x);
        top = std::min(top, r.y);
        right = std::max(right, r.x + r.width);
        bottom = std::max(bottom, r.y + r.height);
    }
    bool meets(Bounds const& b) const {
        return left < b.right && b.left < right && top < b.bottom && b.top < bottom;
    }
};

void check_scenes(File const& file, List& out) {
    std::map<std::int32_t, Bounds> scenes;
    for (Entry const& e : file.entries())
        if (e.scene != none && is_level_0(e)) scenes[e.scene].add(e.rect);
    using Scene = std::pair<std::int32_t, Bounds>;
    std::vector<Scene> from_left(scenes.begin(), scenes.end());
    std::stable_sort(from_left.begin(), from_left.end(),
                     [](Scene const& a, Scene const& b) { return a.second.left < b.second.left; });
    index compared = 0;
    for (auto a = from_left.begin(); a != from_left.end(); ++a)
        for (auto b = std::next(a); b != from_left.end() && b->second.left < a->second.right; ++b) {
            if (++compared > most_compared) return;
            if (a->second.meets(b->second))
                out.push_back(
                    {"scenes overlap",
                     fmt::format("the bounds of scenes {} and {} overlap",
                                 std::min(a->first, b->first), std::max(a->first, b->first)),
                     0});
        }
}

void check_metadata(File const& file, List& out) {
    std::uint64_t const at = file.header().metadata;
    auto const xml = file.xml();
    if (!xml) {
        out.push_back({"metadata", xml.error().message, xml.error().at.value_or(0)});
        return;
    }
    auto const parsed = parse_metadata(*xml);
    if (!parsed) {
        out.push_back({"metadata", parsed.error().message, at});
        return;
    }
    for (std::string& text : compare(*parsed, file.entries()))
        out.push_back({"metadata", std::move(text), at, true});
}

}  // namespace

Result<std::vector<Violation>> check(File const& file) {
    List out;
    if (file.header().update_pending)
        out.push_back({"update pending", "the writer did not finish", segment_header + 68});
    std::unordered_set<std::uint64_t> sub_blocks;
    walk_segments(file, out, sub_blocks);
    for (Entry const& e : file.entries()) {
        if (!sub_blocks.contains(e.offset))
            out.push_back({"directory",
                           fmt::format("points to byte {}, where no sub-block begins", e.offset),
                           e.entry_offset});
        check_entry(file, e, out);
    }
    std::unordered_set<std::uint64_t> listed;
    for (Entry const& e : file.entries()) listed.insert(e.offset);
    for (std::uint64_t const at : sub_blocks)
        if (!listed.contains(at))
            out.push_back({"directory", "a sub-block that is not in the directory", at});
    check_planes(file, out);
    check_scenes(file, out);
    if (auto const list = file.attachments(); !list)
        out.push_back({"attachments", list.error().message, list.error().at.value_or(0)});
    else
        for (Attachment const& a : *list)
            if (!a.problem.empty()) out.push_back({"attachments", a.problem, a.data});
    check_metadata(file, out);
    std::stable_sort(out.begin(), out.end(),
                     [](Violation const& a, Violation const& b) { return a.at < b.at; });
    return out;
}

}  // namespace sluice::czi
