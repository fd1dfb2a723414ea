// Vectors out of EMD 1.0 files of py4DSTEM and of ours.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "domain/crystal/vectors/emd_node.h"
#include "domain/crystal/vectors/files.h"
#include "format/hdf5/object/value.h"

namespace sluice::crystal {
namespace {

using hdf5::object::Lists;
using hdf5::object::Member;

/// A number of any type as float; most files have float64 of this machine's byte order.
float number_at(Member const& m, std::byte const* entry) {
    std::byte const* const p = entry + m.offset;
    if (m.type.plain() && m.type.kind == hdf5::object::TypeClass::real && m.type.size == 8 &&
        !m.type.big_endian) {
        double v = 0;
        std::memcpy(&v, p, sizeof v);
        return static_cast<float>(v);
    }
    return static_cast<float>(hdf5::object::number_of(m.type, p));
}

Status read_lists(EmdNode const& node, BraggVectors& v) {
    Lists const& lists = node.lists;
    std::array<Member const*, common_columns> members{};
    for (std::size_t i = 0; i < common_columns; ++i)
        members[i] = lists.compound().find(std::array{"qx", "qy", "intensity"}[i]);
    if (std::ranges::count(members, nullptr) > 0)
        return Error{
            Code::unsupported,
            fmt::format("the vectors of {} have no qx, qy and intensity (py4DSTEM's fields); "
                        "write them with py4DSTEM 0.14 or with save_vectors()",
                        node.object.path()),
            node.object.file()};
    v.first.assign(1, 0);
    for (std::uint64_t const n : lists.counts())
        v.first.push_back(v.first.back() + static_cast<index>(n));
    for (Column const& c : std::span(columns).first(common_columns))
        (v.*c.values).resize(static_cast<std::size_t>(lists.total()));
    return lists.read([&](std::uint64_t list, Bytes entries) {
        auto at = static_cast<std::size_t>(v.first[list]);
        for (std::size_t i = 0; i < entries.size(); i += lists.compound().size, ++at)
            for (std::size_t c = 0; c < common_columns; ++c)
                (v.*columns[c].values)[at] = number_at(*members[c], entries.data() + i);
    });
}

/// Puts the disks of a pattern, which are from `from` to `to`, in order.
void sort_disks(BraggVectors& v, std::size_t from, std::size_t to) {
    // What has no intensity comes last.
    auto const key = [&](std::size_t i) {
        return std::isnan(v.intensity[i]) ? -INFINITY : v.intensity[i];
    };
    auto const brighter = [&](std::size_t a, std::size_t b) { return key(a) > key(b); };
    std::vector<std::size_t> order(to - from);
    std::iota(order.begin(), order.end(), from);
    if (std::ranges::is_sorted(order, brighter)) return;
    std::ranges::stable_sort(order, brighter);
    for (Column const& c : std::span(columns).first(common_columns)) {
        auto& values = v.*c.values;
        std::vector<float> moved;
        for (std::size_t const i : order) moved.push_back(values[i]);
        std::ranges::copy(moved, values.begin() + static_cast<std::ptrdiff_t>(from));
    }
}

/// Of files of other programs: what they do not tell, and the order of disks.
void fill_up(BraggVectors& v) {
    for (Column const& c : std::span(columns).subspan(common_columns))
        (v.*c.values).assign(v.row.size(), NAN);
    for (std::size_t p = 0; p + 1 < v.first.size(); ++p) {
        bool const some = v.first[p] < v.first[p + 1];
        v.reason.push_back(some ? DiskReason::found : DiskReason::no_candidate);
        sort_disks(v, static_cast<std::size_t>(v.first[p]),
                   static_cast<std::size_t>(v.first[p + 1]));
    }
}

Error damaged(EmdNode const& node, std::string_view what) {
    return {
        Code::corrupt,
        fmt::format("the vectors of {} {} (the file was changed, or damaged); copy it again, or "
                    "save the vectors again",
                    node.object.path(), what),
        node.object.file()};
}

Status read_own(EmdNode const& node, hdf5::object::Object const& group, BraggVectors& v) {
    for (Column const& c : std::span(columns).subspan(common_columns)) {
        (v.*c.values).resize(v.row.size());
        SLUICE_TRY(bool const read, read_floats(group, c.name, v.*c.values));
        if (!read) return damaged(node, fmt::format("have no column {} of their length", c.name));
    }
    SLUICE_TRY(auto const reasons, group.find("reason"));
    std::vector<std::uint32_t> numbers;
    if (reasons) {
        SLUICE_TRY(auto found,
                   hdf5::object::read_image(*reasons, v.scan_shape[0], v.scan_shape[1]));
        if (found) numbers = *std::move(found);
    }
    if (std::ssize(numbers) != v.patterns()) return damaged(node, "have no reasons");
    for (std::uint32_t const n : numbers) {
        if (n > static_cast<std::uint32_t>(last_reason))
            return damaged(node, fmt::format("have a reason {} of no meaning", n));
        v.reason.push_back(static_cast<DiskReason>(n));
    }
    SLUICE_TRY(auto const digest, hdf5::object::read_text(group, "digest"));
    if (digest != fmt::format("{:016x}", digest_of(v)))
        return damaged(node, "do not have the digest of their numbers");
    return {};
}

}  // namespace

Result<BraggVectors> load_emd(std::string const& path, std::string const& name) {
    SLUICE_TRY(EmdNode const node, open_emd(path, name));
    BraggVectors v;
    v.scan_shape = node.scan_shape;
    v.detector_shape = node.detector_shape;
    SLUICE_CHECK(read_lists(node, v));
    SLUICE_TRY(auto const own, node.object.find(own_group));
    SLUICE_TRY(auto const mark, hdf5::object::attribute_text(node.object, own_mark));
    if (own.has_value() != mark.has_value())
        return damaged(node, "lack the columns that were saved with them");
    if (own) {
        SLUICE_CHECK(read_own(node, *own, v));
    } else {
        fill_up(v);
    }
    SLUICE_CHECK(check_read(v, path));
    return v;
}

}  // namespace sluice::crystal
