// MapFile: the datasets of an orientation map in HDF5, as save_orientations() lays them out.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/dataset.h"
#include "sluice/orientation_map.h"

namespace sluice::orient {

class MapFile {
  public:
    /// Errors: files of other kinds; a scan larger than its file.
    static Result<MapFile> open(std::string const& path);

    std::array<index, 2> scan_shape() const { return scan_shape_; }
    /// Reads [row][col][parts] into a column of rotations, numbers or reasons.
    template <class T>
    Status column(std::string const& name, index parts, std::vector<T>& out) const {
        out.resize(static_cast<std::size_t>(scan_shape_[0] * scan_shape_[1]));
        return column_bytes(name, parts, sizeof(T) / static_cast<std::size_t>(parts),
                            std::as_writable_bytes(std::span(out)));
    }
    /// Up to `most` rows of `cols` numbers; none where there is no such table.
    Result<std::vector<double>> rows(std::string const& name, index cols, std::size_t most) const;
    Result<std::string> text(std::string const& name) const;
    /// Texts numbered from 000 on.
    Result<std::vector<std::string>> texts(std::string const& name) const;
    /// How many things are in a group; 0: there is no such group.
    Result<std::size_t> members(std::string const& name) const;
    Result<Provenance> provenance() const;

    Error damaged(std::string const& name, std::string_view problem) const;

  private:
    MapFile(hdf5::object::Object root, hdf5::object::Object group)
        : root_(std::move(root)), group_(std::move(group)) {}
    Status find_shape();
    Status column_bytes(std::string const& name, index parts, std::size_t size,
                        std::span<std::byte> out) const;

    hdf5::object::Object root_, group_;
    std::array<index, 2> scan_shape_{};
};

}  // namespace sluice::orient
