// What the files that bind slides share: what is to be read and how, and what reading did.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bind/errors.h"
#include "sluice/slide_stack.h"

namespace sluice::python {

using Corners = std::optional<std::array<index, 4>>;  // x, y, width, height
using Plane = std::array<std::int32_t, slide::dimension_count>;

/// threads, background, fill_bad, reduction, reduced, TileCache or None, Trace or None
using Reading = std::tuple<int, double, std::optional<double>, int, bool, nb::object, nb::object>;

slide::Selection region_of(Plane const& plane, std::optional<std::int32_t> scene,
                           Corners const& rect);

/// Where a read tells what it did.
struct Told {
    slide::ReadOptions options;
    slide::Stats stats = {};
    std::vector<slide::BadTile> bad = {};

    explicit Told(Reading const& reading);
    Told(Told const&) = delete;
    /// {"stats", "bad", "notes"} of what was read.
    nb::dict dict(slide::Stack const& stack) const;
};

/// Pixels and what reading them did: {"values", "axes", "stats", "bad", "notes"}.
nb::dict dict_of(slide::Stack stack, Told const& told);
nb::dict dict_of(slide::Stats const& stats);
nb::tuple tuple_of(slide::Rect const& rect);

/// A number of threads, or the error that there is no such number.
int checked_threads(int threads);
/// Raises Unsupported, with `what` only CZI files have, where a slide is of another format.
void check_czi(slide::Slide const& slide, char const* what);

void add_slide_file(nb::module_& m);
void add_slide_convert(nb::module_& m);
void add_slide_profile(nb::module_& m);

}  // namespace sluice::python
