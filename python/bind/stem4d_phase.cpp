// Phase contrast: what fields of centres of mass say.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/choices.h"
#include "bind/core.h"
#include "bind/stem4d.h"
#include "bind/work.h"
#include "domain/stem4d/words.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using Field = Dense<double, 2>;

nb::tuple tuple_of(stem4d::VectorField f) {
    return nb::make_tuple(to_numpy(std::move(f.row)), to_numpy(std::move(f.col)));
}

stem4d::Rotation rotation_of(double degrees, bool transpose) {
    return {.degrees = degrees, .transpose = transpose};
}

// A function of the two components, without the GIL.
template <class F>
auto of_field(Field const& row, Field const& col, F&& f) {
    Array<double> const r = to_array<double, 2>(row), c = to_array<double, 2>(col);
    return work(nb::none(), [&](Telling&) { return f(r, c); });
}

nb::dict phase_contrast(Field const& sum, Field const& row, Field const& col,
                        std::pair<double, double> reference, Field const& magnitude,
                        std::optional<std::pair<double, bool>> rotation, bool periodic,
                        std::string const& descan) {
    stem4d::CenterOfMass com{.sum = {to_array<double, 2>(sum)},
                             .row = {to_array<double, 2>(row)},
                             .col = {to_array<double, 2>(col)},
                             .reference = {reference.first, reference.second},
                             .magnitude = {to_array<double, 2>(magnitude)},
                             .notes = {}};
    stem4d::PhaseOptions options{.periodic = periodic,
                                 .descan = choice<stem4d::Descan>("descan", descan)};
    if (rotation) options.rotation = rotation_of(rotation->first, rotation->second);
    stem4d::PhaseContrast p =
        work(nb::none(), [&](Telling&) { return stem4d::phase_contrast(com, options); });
    return dict_of(std::move(p));
}

}  // namespace

nb::dict dict_of(stem4d::PhaseContrast p) {
    nb::dict out;
    out["units"] = units_of({{"row", p.row},
                             {"col", p.col},
                             {"magnitude", p.magnitude},
                             {"divergence", p.divergence},
                             {"curl", p.curl},
                             {"icom", p.icom}});
    out["rotation"] = dict_of(p.rotation);
    out["row"] = to_numpy(std::move(p.row));
    out["col"] = to_numpy(std::move(p.col));
    out["magnitude"] = to_numpy(std::move(p.magnitude));
    out["divergence"] = to_numpy(std::move(p.divergence));
    out["curl"] = to_numpy(std::move(p.curl));
    out["icom"] = to_numpy(std::move(p.icom));
    out["notes"] = p.notes;
    return out;
}

void add_phase(nb::module_& m) {
    m.def(
        "find_rotation",
        [](Field const& row, Field const& col) {
            return dict_of(of_field(row, col, [](auto const& r, auto const& c) {
                return stem4d::find_rotation(r, c);
            }));
        },
        "row"_a, "col"_a);
    m.def(
        "rotate",
        [](Field const& row, Field const& col, double degrees, bool transpose) {
            return tuple_of(of_field(row, col, [&](auto const& r, auto const& c) {
                return stem4d::rotate(r, c, rotation_of(degrees, transpose));
            }));
        },
        "row"_a, "col"_a, "degrees"_a, "transpose"_a);
    m.def(
        "divergence",
        [](Field const& row, Field const& col) {
            return to_numpy(of_field(
                row, col, [](auto const& r, auto const& c) { return stem4d::divergence(r, c); }));
        },
        "row"_a, "col"_a);
    m.def(
        "curl",
        [](Field const& row, Field const& col) {
            return to_numpy(of_field(
                row, col, [](auto const& r, auto const& c) { return stem4d::curl(r, c); }));
        },
        "row"_a, "col"_a);
    m.def(
        "icom",
        [](Field const& row, Field const& col, bool periodic) {
            return to_numpy(of_field(row, col, [&](auto const& r, auto const& c) {
                return stem4d::icom(r, c, periodic);
            }));
        },
        "row"_a, "col"_a, "periodic"_a);
    m.def(
        "remove_descan",
        [](Field const& row, Field const& col) {
            return tuple_of(of_field(row, col, [](auto const& r, auto const& c) {
                return stem4d::remove_descan(r, c);
            }));
        },
        "row"_a, "col"_a);
    m.def("phase_contrast", phase_contrast, "sum"_a, "row"_a, "col"_a, "reference"_a, "magnitude"_a,
          "rotation"_a.none(), "periodic"_a, "descan"_a);
}

}  // namespace sluice::python
