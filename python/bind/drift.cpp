// Drift between images, jitter of their lines, and riCOM.
// SPDX-License-Identifier: Apache-2.0
#include "bind/drift.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include "bind/arrays.h"
#include "bind/core.h"
#include "bind/work.h"
#include "sluice/stem4d_drift.h"
#include "sluice/stem4d_ricom.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using Image = Dense<double, 2>;

nb::tuple tuple_of(stem4d::Point p) {
    return nb::make_tuple(p.row, p.col);
}

nb::dict dict_of(stem4d::ImageShift const& s) {
    nb::dict out;
    out["by"] = tuple_of(s.by);
    out["error"] = tuple_of(s.error);
    out["correlation"] = s.peak;
    out["significance"] = s.significance;
    out["needed"] = s.needed;
    out["other"] = s.other ? nb::object(tuple_of(*s.other)) : nb::none();
    out["why"] = s.why;
    return out;
}

nb::dict dict_of(stem4d::LineJitter const& j) {
    nb::dict out;
    out["rows"] = j.rows;
    out["rms"] = j.rms;
    out["error"] = j.error;
    out["turn"] = j.turn;
    out["turn_error"] = j.turn_error;
    out["why"] = j.why;
    return out;
}

nb::dict image_shift(Image const& reference, Image const& image, std::pair<double, double> expected,
                     double most_part) {
    Array<double> const a = to_array<double, 2>(reference), b = to_array<double, 2>(image);
    return dict_of(work(nb::none(), [&](Telling&) {
        return stem4d::find_image_shift(
            a, b, {.expected = {expected.first, expected.second}, .most_part = most_part});
    }));
}

nb::dict add_image(stem4d::DriftSeries& series, Image const& image) {
    Array<double> const a = to_array<double, 2>(image);
    stem4d::DriftStep const step = work(nb::none(), [&](Telling&) { return series.add(a); });
    nb::dict out;
    out["shift"] = dict_of(step.shift);
    out["against"] = step.against;
    out["jitter"] = dict_of(step.jitter);
    return out;
}

nb::tuple mean_of(stem4d::DriftSeries const& series) {
    stem4d::AlignedMean mean = series.mean();
    return nb::make_tuple(to_numpy(std::move(mean.values)), to_numpy(std::move(mean.images)),
                          mean.taken);
}

}  // namespace

void add_drift(nb::module_& m) {
    m.def("image_shift", image_shift, "reference"_a, "image"_a, "expected"_a, "most_part"_a);
    m.def(
        "line_jitter",
        [](Image const& image) {
            Array<double> const a = to_array<double, 2>(image);
            return dict_of(work(nb::none(), [&](Telling&) { return stem4d::find_line_jitter(a); }));
        },
        "image"_a);
    m.def(
        "ricom",
        [](Image const& row, Image const& col, index kernel) {
            Array<double> const r = to_array<double, 2>(row), c = to_array<double, 2>(col);
            return to_numpy(
                work(nb::none(), [&](Telling&) { return stem4d::ricom(r, c, kernel); }));
        },
        "row"_a, "col"_a, "kernel"_a);
    nb::class_<stem4d::DriftSeries>(m, "DriftSeries")
        .def(nb::init<>())
        .def("add", add_image, "image"_a)
        .def("mean", mean_of);
}

}  // namespace sluice::python
