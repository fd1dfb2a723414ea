// Files of sums beside scans.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/stem4d_tables.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/device.h"
#include "bind/stem4d.h"
#include "bind/work.h"

namespace sluice::python {
namespace {

using namespace nb::literals;

nb::dict tables(Scan const& scan, std::string const& path,
                std::optional<std::array<double, 2>> center, std::string const& device, int threads,
                nb::object progress) {
    stem4d::TablesOptions options{.out = path,
                                  .device = device_named(device, threads).host(threads)};
    if (center) options.center = stem4d::Point{(*center)[0], (*center)[1]};
    stem4d::TablesMade const made = work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return stem4d::tables(scan, options);
    });
    nb::dict out;
    out["file"] = made.file;
    out["bytes"] = made.bytes;
    out["center"] =
        made.center ? nb::object(nb::make_tuple(made.center->row, made.center->col)) : nb::none();
    out["patterns"] = made.patterns;
    out["notes"] = made.notes;
    return out;
}

}  // namespace

void add_stem4d_tables(nb::module_& m) {
    m.def("stem4d_tables", tables, "scan"_a, "path"_a, "center"_a.none(), "device"_a, "threads"_a,
          "progress"_a.none());
}

}  // namespace sluice::python
