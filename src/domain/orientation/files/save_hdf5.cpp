// Orientation maps as HDF5.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "domain/orientation/files/columns.h"
#include "domain/orientation/files/formats.h"
#include "format/kinds/orientations.h"
#include "sluice/save.h"

namespace sluice::orient {
namespace {

using stem4d::CrystalPhase;
using stem4d::OrientationMap;

template <class T>
constexpr DType type_of() {
    if constexpr (std::is_enum_v<T>) {
        static_assert(sizeof(T) == 1);
        return DType::u8;
    } else if constexpr (std::is_same_v<T, std::int32_t>) {
        return DType::i32;
    } else if constexpr (std::is_same_v<T, float>) {
        return DType::f32;
    } else {
        // Quaternions and covariances: rows of numbers.
        static_assert(sizeof(T) % sizeof(double) == 0);
        return DType::f64;
    }
}

class Entries {
  public:
    explicit Entries(OrientationMap const& map) : map_(map) {}

    std::vector<Hdf5Entry> all() {
        entries_.emplace_back(Hdf5Attribute{"", "kind", std::string(orientations_kind)});
        entries_.emplace_back(Hdf5Attribute{std::string(map_group), "version", std::int64_t{1}});
        columns("", map_);
        for (std::size_t i = 0; i < map_.overlapping.size(); ++i)
            columns(fmt::format("{}/{}/", overlapping_group, i), map_.overlapping[i]);
        numbers("step_nm", "nm", {map_.step_nm}, {});
        if (map_.kilovolts > 0) numbers("kilovolts", "kV", {map_.kilovolts}, {});
        if (std::isfinite(map_.common_factor))
            numbers("common_factor", "", {map_.common_factor, map_.common_factor_error}, {2});
        texts("notes", map_.notes);
        text("digest", fmt::format("{:016x}", digest_of(map_)));
        for (std::size_t i = 0; i < map_.phases.size(); ++i)
            phase(fmt::format("phases/{}/", i), map_.phases[i]);
        return std::move(entries_);
    }

  private:
    std::string path(std::string const& name) const {
        return fmt::format("{}/{}", map_group, name);
    }
    void add(std::string const& name, std::string unit, DType dtype, std::vector<index> shape,
             Bytes bytes) {
        entries_.emplace_back(
            hdf5_dataset(path(name), std::move(unit), {dtype, std::move(shape), bytes}));
    }
    void text(std::string const& name, std::string value) {
        entries_.emplace_back(Hdf5Text{path(name), std::move(value)});
    }
    void texts(std::string const& name, std::vector<std::string> const& all) {
        for (std::size_t i = 0; i < all.size(); ++i) text(fmt::format("{}/{:03}", name, i), all[i]);
    }
    void columns(std::string const& at, OrientationMap const& map) {
        each_column(map, [&](char const* name, char const* unit, index parts, auto const& column) {
            std::vector<index> shape{map.scan_shape[0], map.scan_shape[1]};
            if (parts > 1) shape.push_back(parts);
            using Value = typename std::remove_cvref_t<decltype(column)>::value_type;
            add(at + name, unit, type_of<Value>(), std::move(shape),
                std::as_bytes(std::span(column)));
        });
    }
    // They live until the file is written.
    void numbers(std::string const& name, std::string unit, std::vector<double> values,
                 std::vector<index> shape) {
        kept_.push_back(std::make_unique<std::vector<double>>(std::move(values)));
        add(name, std::move(unit), DType::f64, std::move(shape),
            std::as_bytes(std::span(*kept_.back())));
    }
    // Tables without rows are left out.
    void rows(std::string const& name, std::vector<double> values, index cols) {
        if (values.empty()) return;
        index const n = std::ssize(values) / cols;
        numbers(name, "", std::move(values), {n, cols});
    }

    void phase(std::string const& at, CrystalPhase const& phase) {
        text(at + "name", phase.name);
        text(at + "cell_name", phase.cell.name);
        text(at + "laue_class", std::string(name_of(phase.symmetry.laue)));
        auto const lengths = lengths_and_angles(phase.cell);
        numbers(at + "cell", "Angstrom, degrees", {lengths.begin(), lengths.end()}, {6});
        // number, x, y, z, occupancy, B; and [3][3] of a turn before its shift.
        rows(at + "atoms", numbers_of(phase.cell.atoms), atom_numbers);
        rows(at + "operations", numbers_of(phase.cell.operations), operation_numbers);
        texts(at + "cell_notes", phase.cell.notes);
    }

    OrientationMap const& map_;
    std::vector<Hdf5Entry> entries_ = {};
    std::vector<std::unique_ptr<std::vector<double>>> kept_ = {};
};

}  // namespace

Status save_hdf5_map(std::string const& path, OrientationMap const& map) {
    Entries entries(map);
    return save_hdf5(path, entries.all(), map.provenance);
}

}  // namespace sluice::orient
