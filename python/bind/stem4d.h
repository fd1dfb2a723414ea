// What stem4d's structs are in Python: dictionaries, whose keys are the names of the fields.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <vector>

#include "bind/arrays.h"
#include "bind/errors.h"
#include "sluice/stem4d.h"

namespace sluice::python {

/// (row, col, radius, quality)
using DiskNumbers = std::tuple<double, double, double, std::optional<double>>;

inline std::optional<DiskNumbers> numbers_of(std::optional<stem4d::Disk> const& d) {
    if (!d) return {};
    return DiskNumbers{d->center.row, d->center.col, d->radius, d->quality};
}
inline std::optional<stem4d::Disk> disk_of(std::optional<DiskNumbers> const& d) {
    if (!d) return {};
    auto const& [row, col, radius, quality] = *d;
    return stem4d::Disk{{row, col}, radius, quality};
}

/// The scan points that are chosen; raises where their shape is not that of the scan.
std::span<std::uint8_t const> taken(Scan const& scan,
                                    std::optional<Dense<std::uint8_t, 2>> const& take);

/// Scans as files of other formats.
void add_stem4d_convert(nb::module_& m);
void add_stem4d_tables(nb::module_& m);

nb::dict dict_of(stem4d::VirtualImages images);
nb::dict dict_of(stem4d::CenterOfMass com);
nb::dict dict_of(stem4d::DiffractionPattern pattern);
nb::dict dict_of(stem4d::PhaseContrast phase);
nb::dict dict_of(stem4d::Rotation const& rotation);
/// The units of maps, by the names of their fields.
nb::dict units_of(std::initializer_list<std::pair<char const*, ScanMap const&>> maps);
/// Products that were not asked for are None.
nb::dict dict_of(stem4d::Products products, bool images, bool center_of_mass);

}  // namespace sluice::python
