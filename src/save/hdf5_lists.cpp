// Writing lists of points.
// SPDX-License-Identifier: Apache-2.0
#include "save/hdf5_lists.h"

#include <algorithm>

namespace sluice::save {
namespace {

// libhdf5 keeps lists in blocks of at least this size, each with a head. An element of the dataset
// has 16 bytes.
constexpr std::uint64_t heap_block = 4096, heap_head = 16, element_bytes = 16;

// Of a row are written at once: a scan may have one row of a million points.
constexpr index most_lists = 4096;

bool agree(Hdf5PointLists const& l) {
    auto const& f = l.first;
    if (l.shape[0] < 1 || l.shape[1] < 1 || l.fields.empty()) return false;
    if (std::ssize(f) != l.shape[0] * l.shape[1] + 1) return false;
    if (f.front() != 0 || !std::ranges::is_sorted(f)) return false;
    return l.values || std::ranges::all_of(l.fields, [&](auto const& field) {
               return std::ssize(field.second) == f.back();
           });
}

/// The points of some lists as compounds, and these lists as libhdf5 takes them.
class Lists {
  public:
    explicit Lists(Hdf5PointLists const& lists) : lists_(lists) {}

    Result<hvl_t const*> fill(index list, index count) {
        auto const first = lists_.first.subspan(static_cast<std::size_t>(list),
                                                static_cast<std::size_t>(count) + 1);
        std::size_t const fields = lists_.fields.size();
        auto const points = static_cast<std::size_t>(first.back() - first.front());
        values_.resize(points * fields);
        for (std::size_t f = 0; f < fields; ++f) {
            SLUICE_TRY(auto const field, field_of(f, first.front(), first.back()));
            for (std::size_t p = 0; p < points; ++p)
                values_[p * fields + f] = static_cast<double>(field[p]);
        }
        cells_.clear();
        for (std::size_t c = 0; c + 1 < first.size(); ++c) {
            std::size_t const at = static_cast<std::size_t>(first[c] - first.front()) * fields;
            cells_.push_back(
                {static_cast<std::size_t>(first[c + 1] - first[c]), values_.data() + at});
        }
        return cells_.data();
    }

  private:
    Result<std::span<float const>> field_of(std::size_t field, index first, index last) const {
        if (lists_.values) return lists_.values(field, first, last);
        return lists_.fields[field].second.subspan(static_cast<std::size_t>(first),
                                                   static_cast<std::size_t>(last - first));
    }

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

Result<bool> write_lists(hid_t file, hid_t links, Hdf5PointLists const& lists) {
    expects(agree(lists));
    Handle const stored(list_type(lists, H5T_IEEE_F64LE), H5Tclose);
    Handle const held(list_type(lists, H5T_NATIVE_DOUBLE), H5Tclose);
    hsize_t const sides[] = {static_cast<hsize_t>(lists.shape[0]),
                             static_cast<hsize_t>(lists.shape[1])};
    Handle const space(H5Screate_simple(2, sides, nullptr), H5Sclose);
    Handle const how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    // The same lists are the same file whenever they are written.
    H5Pset_obj_track_times(how, false);
    Handle const dataset(
        H5Dcreate2(file, lists.name.c_str(), stored, space, links, how, H5P_DEFAULT), H5Dclose);
    if (stored < 0 || held < 0 || dataset < 0) return false;
    Lists some(lists);
    index const cols = lists.shape[1];
    for (index r = 0; r < lists.shape[0]; ++r)
        for (index c = 0; c < cols; c += most_lists) {
            index const n = std::min(most_lists, cols - c);
            SLUICE_TRY(hvl_t const* const cells, some.fill(r * cols + c, n));
            hsize_t const start[] = {static_cast<hsize_t>(r), static_cast<hsize_t>(c)};
            hsize_t const along[] = {1, static_cast<hsize_t>(n)};
            Handle const line(H5Screate_simple(2, along, nullptr), H5Sclose);
            if (line < 0 ||
                H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, along, nullptr) < 0 ||
                H5Dwrite(dataset, held, line, space, H5P_DEFAULT, cells) < 0)
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
