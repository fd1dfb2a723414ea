// Scan: a dataset with what is read of it decided.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/scan.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/choices.h"
#include "bind/core.h"
#include "bind/device.h"
#include "bind/work.h"
#include "sluice/scan_values.h"
#include "store/words.h"

namespace sluice::python {
namespace {

using namespace nb::literals;

using Corners = std::optional<std::array<index, 4>>;  // row, col, rows, cols

std::optional<Region> region_of(Corners const& c) {
    if (!c) return {};
    return Region{(*c)[0], (*c)[1], (*c)[2], (*c)[3]};
}

Scan load(Dataset const& dataset, Corners scan_region, Corners detector_region, index det_bin,
          index scan_bin, index scan_step, std::string const& bin_mode, std::string const& bin_edge,
          bool pixel_mask, bool as_stored, std::optional<Dense<std::uint8_t, 2>> user_mask,
          bool hot_pixels, double detector_step_mrad, std::string const& layout,
          std::string const& tables, std::string const& tables_file, std::string const& residency,
          std::uint64_t memory, index share, std::string const& device, int threads,
          nb::object progress) {
    LoadOptions options{.scan_region = region_of(scan_region),
                        .detector_region = region_of(detector_region),
                        .det_bin = det_bin,
                        .scan_bin = scan_bin,
                        .scan_step = scan_step,
                        .bin_mode = choice<BinMode>("bin_mode", bin_mode),
                        .bin_edge = choice<BinEdge>("bin_edge", bin_edge),
                        .pixel_mask = pixel_mask,
                        .as_stored = as_stored,
                        .detector_step_mrad = detector_step_mrad,
                        .hot_pixels = hot_pixels,
                        .layout = choice<Layout>("layout", layout),
                        .residency = choice<Residency>("residency", residency),
                        .tables = choice<Tables>("tables", tables),
                        .tables_file = tables_file,
                        .memory = memory,
                        .share = share,
                        .device = device_named(device, threads).host(threads)};
    if (user_mask) options.user_mask = to_array<std::uint8_t, 2>(*user_mask);
    Dataset copy = dataset;
    Scan scan = work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return Scan::load(std::move(copy), options);
    });
    return scan;
}

nb::tuple frames_of(Scan const& scan, Dense<index, 1> frames, Corners const& part,
                    nb::object progress) {
    Region const all{0, 0, scan.detector_shape()[0], scan.detector_shape()[1]};
    Region const region = region_of(part).value_or(all);
    Loose out = Loose::make({static_cast<index>(frames.size()), std::max<index>(0, region.rows),
                             std::max<index>(0, region.cols)},
                            scan.dtype());
    std::vector<std::string> notes;
    work(progress, [&](Telling& telling) {
        return read_frames(scan, {frames.data(), frames.size()}, region, out.span(),
                           telling.progress(), &notes);
    });
    return nb::make_tuple(to_numpy(std::move(out)), notes);
}

nb::object bad_pixels(Scan const& scan) {
    return to_numpy(scan.bad_pixels(), {scan.detector_shape()[0], scan.detector_shape()[1]});
}

nb::dict memory_of(Scan const& scan) {
    Memory const m = scan.memory();
    nb::dict out;
    out["resident"] = m.resident;
    out["planes"] = m.planes;
    out["source"] = m.source;
    out["tables"] = m.tables;
    out["float32"] = m.float32;
    return out;
}

}  // namespace

void add_scan(nb::module_& m) {
    nb::class_<Scan>(m, "Scan")
        .def_prop_ro("dataset", [](Scan const& s) { return Dataset(s.dataset()); })
        .def_prop_ro("scan_shape", &Scan::scan_shape)
        .def_prop_ro("detector_shape", &Scan::detector_shape)
        .def_prop_ro("dtype", [](Scan const& s) { return std::string(name_of(s.dtype())); })
        .def_prop_ro("resident", &Scan::resident)
        .def_prop_ro("layout", &Scan::layout)
        .def_prop_ro("memory", memory_of)
        .def_prop_ro("notes", &Scan::notes)
        .def_prop_ro("warnings", &Scan::warnings)
        .def_prop_ro("tables_notes", &Scan::tables_notes)
        .def_prop_ro("bad_pixels", bad_pixels)
        .def_prop_ro("scan_step_nm", &Scan::scan_step_nm)
        .def_prop_ro("detector_step_mrad", [](Scan const& s) { return s.detector_step_mrad(); })
        .def("frames", frames_of, "frames"_a, "part"_a.none(), "progress"_a.none());
    m.def("load", load, "dataset"_a, "scan_region"_a.none(), "detector_region"_a.none(),
          "det_bin"_a, "scan_bin"_a, "scan_step"_a, "bin_mode"_a, "bin_edge"_a, "pixel_mask"_a,
          "as_stored"_a, "user_mask"_a.none(), "hot_pixels"_a, "detector_step_mrad"_a, "layout"_a,
          "tables"_a, "tables_file"_a, "residency"_a, "memory"_a, "share"_a, "device"_a,
          "threads"_a, "progress"_a.none());
}

}  // namespace sluice::python
