// Writing lists of points.
// SPDX-License-Identifier: Apache-2.0
#include "save/hdf5_lists.h"

#include <algorithm>

namespace sluice::save {
namespace {

// libhdf5 keeps lists in blocks of at least this size, each with a head. An element of the dataset
// has 16 bytes.
constexpr std::uint64_t heap_block = 4096, heap_head = 16, element_bytes = 16;

bool agree(Hdf5PointLists const& l) {
    auto const& f = l.first;
    if (l.shape[0] < 1 || l.shape[1] < 1 || l.fields.empty()) return false;
    if (std::ssize(f) != l.shape[0] * l.shape[1] + 1) return false;
    if (f.front() != 0 || !std::ranges::is_sorted(f)) return false;
    return std::ranges::all_of(
        l.fields, [&](auto const& field) { return std::ssize(field.second) == f.back(); });
}

/// The points of a row of the grid as compounds, and its lists as libhdf5 takes them.
class Row {
  public:
    explicit Row(Hdf5PointLists const& lists) : lists_(lists) {}

    hvl_t const* fill(index row) {
        index const cols = lists_.shape[1];
        auto const first = lists_.first.subspan(static_cast<std::size_t>(row * cols),
                                                static_cast<std::size_t>(cols) + 1);
        std::size_t const fields = lists_.fields.size();
        auto const begin = static_cast<std::size_t>(first.front());
        auto const points = static_cast<std::size_t>(first.back()) - begin;
        values_.resize(points * fields);
        for (std::size_t f = 0; f < fields; ++f)
            for (std::size_t p = 0; p < points; ++p)
                values_[p * fields + f] = static_cast<double>(lists_.fields[f].second[begin + p]);
        cells_.clear();
        for (std::size_t c = 0; c + 1 < first.size(); ++c) {
            std::size_t const at = (static_cast<std::size_t>(first[c]) - begin) * fields;
            cells_.push_back(
                {static_cast<std::size_t>(first[c + 1] - first[c]), values_.data() + at});
        }
        return cells_.data();
    }

  private:
    Hdf5PointLists const& lists_;
    std::vector<double> values_ = {};
    std::vector<hvl_t> cells_ = {};
};

/// The same type is on the disk and in memory but for the byte order.
hid_t list_type(Hdf5PointLists const& lists, hid_t number) {
    constexpr std::size_t bytes = sizeof(double);
    Handle const entry(H5Tcreate(H5T_COMPOUND, lists.fields.size() * bytes), H5Tclose);
    std::size_t at = 0;
    for (auto const& [name, values] : lists.fields) {
        if (H5Tinsert(entry, name.c_str(), at, number) < 0) return -1;
        at += bytes;
    }
    return H5Tvlen_create(entry);
}

}  // namespace

bool write_lists(hid_t file, hid_t links, Hdf5PointLists const& lists) {
    expects(agree(lists));
    Handle const stored(list_type(lists, H5T_IEEE_F64LE), H5Tclose);
    Handle const held(list_type(lists, H5T_NATIVE_DOUBLE), H5Tclose);
    hsize_t const sides[] = {static_cast<hsize_t>(lists.shape[0]),
                             static_cast<hsize_t>(lists.shape[1])};
    Handle const space(H5Screate_simple(2, sides, nullptr), H5Sclose);
    Handle const dataset(
        H5Dcreate2(file, lists.name.c_str(), stored, space, links, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
    hsize_t const along[] = {1, sides[1]};
    Handle const line(H5Screate_simple(2, along, nullptr), H5Sclose);
    if (stored < 0 || held < 0 || dataset < 0 || line < 0) return false;
    Row row(lists);
    for (index r = 0; r < lists.shape[0]; ++r) {
        hsize_t const start[] = {static_cast<hsize_t>(r), 0};
        if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, along, nullptr) < 0 ||
            H5Dwrite(dataset, held, line, space, H5P_DEFAULT, row.fill(r)) < 0)
            return false;
    }
    return true;
}

// A block may be little more than half full, since a list lies in one.
std::uint64_t room_for(Hdf5PointLists const& lists) {
    auto const cells = static_cast<std::uint64_t>(lists.shape[0] * lists.shape[1]);
    auto const points = static_cast<std::uint64_t>(lists.first.empty() ? 0 : lists.first.back());
    std::uint64_t const bytes = points * lists.fields.size() * sizeof(double);
    return cells * element_bytes + 2 * (bytes + cells * 2 * heap_head) + heap_block;
}

}  // namespace sluice::save
