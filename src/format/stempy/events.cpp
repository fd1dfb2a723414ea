// stempy 1 has a list for each frame that was measured, and the point of each; since version 3
// there are as many lists for every point.
// SPDX-License-Identifier: Apache-2.0
#include "format/stempy/events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "format/hdf5/object/raw.h"
#include "format/hdf5/object/value.h"
#include "format/raw/flat_scan.h"

namespace sluice::stempy {
namespace {

using hdf5::Cursor;
using hdf5::object::Elements;
using hdf5::object::Object;

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 31;
constexpr std::uint64_t most_small = 1 << 22;
constexpr double most_points = 1 << 20;  // along a side of a scan

Error wrong(Object const& at, std::string what) {
    return {Code::corrupt, std::move(what) + "; the file is damaged or of another kind", at.file()};
}

Result<Object> needed(Object const& root, std::string_view path) {
    SLUICE_TRY(auto const o, root.find(path));
    if (o && o->is_dataset()) return *o;
    return wrong(root, fmt::format("there is no dataset {}", path));
}

// Attributes Nx and Ny.
Result<ScanGrid> sides_of(Object const& o) {
    ScanGrid sides{};
    for (std::size_t i = 0; i < 2; ++i) {
        SLUICE_TRY(auto const n, hdf5::object::attribute_number(o, i == 0 ? "Nx" : "Ny"));
        if (!n || !(*n >= 1) || *n > most_points || *n != std::floor(*n))
            return wrong(o, fmt::format("{} has no whole numbers Nx and Ny", o.path()));
        sides[i] = static_cast<index>(*n);
    }
    return sides;
}

Result<std::vector<List>> read_lists(Object const& frames, int& hit_bytes) {
    SLUICE_TRY(Elements const e, hdf5::object::read_elements(frames, most_bytes));
    bool const whole = e.type.kind == hdf5::object::TypeClass::variable && e.type.list_of_counts;
    if (!whole || (e.type.list_bytes != 4 && e.type.list_bytes != 8))
        return Error{Code::unsupported,
                     fmt::format("{} holds {}; lists of whole numbers of 4 or 8 bytes are read",
                                 frames.path(), e.type.name()),
                     frames.file()};
    hit_bytes = static_cast<int>(e.type.list_bytes);
    std::vector<List> lists;
    lists.reserve(static_cast<std::size_t>(e.count()));
    for (std::size_t i = 0; i + e.type.size <= e.bytes.size(); i += e.type.size) {
        Cursor c(Bytes(e.bytes).subspan(i, e.type.size));
        List l;
        l.hits = c.number(4);
        l.collection = take_address(c, frames.source());
        l.number = c.number(4);
        if (!c.ok()) return wrong(frames, fmt::format("an element of {} is short", frames.path()));
        if (!frames.source().defined(l.collection) || l.collection == 0) l.hits = 0;
        lists.push_back(l);
    }
    return lists;
}

// The point of each list.
Result<std::vector<std::uint64_t>> read_points(Object const& positions, std::uint64_t lists,
                                               std::uint64_t points) {
    std::vector<std::uint64_t> of(static_cast<std::size_t>(lists));
    SLUICE_TRY(Elements const e, hdf5::object::read_elements(positions, most_bytes));
    if (e.count() != lists) {
        if (lists == 0 || lists % points != 0)
            return wrong(positions, fmt::format("{} lists of hits do not fit {} points of the scan",
                                                lists, points));
        for (std::size_t i = 0; i < of.size(); ++i) of[i] = i / (lists / points);
        return of;
    }
    SLUICE_CHECK(e.type.check_number());
    for (std::size_t i = 0; i < of.size(); ++i) {
        auto const p = hdf5::object::count_of(e.type, e.bytes.data() + i * e.type.size);
        if (!p || *p >= points)
            return wrong(positions, fmt::format("list {} is of a point outside of the {} of the "
                                                "scan",
                                                i, points));
        of[i] = *p;
    }
    return of;
}

// Brings the lists into the order of their points.
void sort_lists(std::vector<List> const& lists, std::vector<std::uint64_t> const& points,
                Events& e) {
    auto const count = static_cast<std::size_t>(e.scan[0] * e.scan[1]);
    e.first.assign(count + 1, 0);
    for (auto const p : points) ++e.first[p + 1];
    for (std::size_t p = 0; p < count; ++p) {
        auto const here = static_cast<index>(e.first[p + 1]);
        if (here == 0) add_run(e.empty, {static_cast<index>(p), 1});
        e.most_together = std::max(e.most_together, here);
    }
    std::partial_sum(e.first.begin(), e.first.end(), e.first.begin());
    std::vector<std::uint64_t> next(e.first.begin(), e.first.end() - 1);
    e.lists.resize(lists.size());
    for (std::size_t i = 0; i < lists.size(); ++i) e.lists[next[points[i]]++] = lists[i];
}

}  // namespace

Result<Events> read_events(Object const& root) {
    SLUICE_TRY(Object const frames, needed(root, "/electron_events/frames"));
    SLUICE_TRY(Object const positions, needed(root, "/electron_events/scan_positions"));
    SLUICE_TRY(ScanGrid const frame, sides_of(frames));
    SLUICE_TRY(ScanGrid const scan, sides_of(positions));
    Events e;
    // stempy calls a frame's rows Nx, and a scan's columns.
    e.rows = frame[0], e.cols = frame[1];
    e.scan = {scan[1], scan[0]};
    SLUICE_CHECK(check_frame(e.rows, e.cols));
    SLUICE_TRY(auto const lists, read_lists(frames, e.hit_bytes));
    auto const points = static_cast<std::uint64_t>(e.scan[0] * e.scan[1]);
    // A shape costs nothing to write, and a point here takes memory.
    if (points > most_small && points / 16 > lists.size())
        return wrong(root,
                     fmt::format("{} lists of hits for {} points of a scan", lists.size(), points));
    SLUICE_TRY(auto const of, read_points(positions, lists.size(), points));
    sort_lists(lists, of, e);
    return e;
}

}  // namespace sluice::stempy
