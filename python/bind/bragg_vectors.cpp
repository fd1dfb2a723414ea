// Bragg vectors: their columns as arrays that share the memory, their files and their map.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/bragg_vectors.h"

#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/core.h"
#include "bind/work.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using stem4d::BraggVectors;
using stem4d::DiskReason;
using Fields = std::vector<std::pair<std::string, std::string>>;
using Sides = std::array<index, 2>;

struct NamedColumn {
    char const* name;
    std::vector<float> BraggVectors::*values;
};
constexpr NamedColumn columns[] = {
    {"row", &BraggVectors::row},
    {"col", &BraggVectors::col},
    {"intensity", &BraggVectors::intensity},
    {"background", &BraggVectors::background},
    {"var_row", &BraggVectors::var_row},
    {"var_col", &BraggVectors::var_col},
    {"cov_row_col", &BraggVectors::cov_row_col},
    {"intensity_error", &BraggVectors::intensity_error},
    {"score", &BraggVectors::score},
};

// Nobody may write there: functions read the vectors without the GIL.
template <class T>
nb::object seen(std::vector<T> const& values, std::vector<index> const& shape, nb::handle owner) {
    return shared_array<T const>(values.data(), shape, owner);
}

std::vector<DiskReason> reasons_of(Dense<std::uint8_t, 1> const& from) {
    std::vector<DiskReason> out;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (from.data()[i] > static_cast<std::uint8_t>(DiskReason::off_detector))
            raise({Code::invalid_argument,
                   fmt::format("a reason of {} (they are 0 to {}); stem4d.DISK_REASONS names them",
                               from.data()[i], static_cast<int>(DiskReason::off_detector))});
        out.push_back(static_cast<DiskReason>(from.data()[i]));
    }
    return out;
}

BraggVectors made(Sides scan, Sides detector, Dense<std::int64_t, 1> const& first,
                  Dense<std::uint8_t, 1> const& reason, std::vector<Dense<float, 1>> const& given) {
    BraggVectors v;
    v.scan_shape = scan;
    v.detector_shape = detector;
    v.first.assign(first.data(), first.data() + first.size());
    v.reason = reasons_of(reason);
    if (given.size() != std::size(columns))
        raise({Code::invalid_argument,
               fmt::format("{} columns (vectors have {}); give each one of these", given.size(),
                           std::size(columns))});
    for (std::size_t i = 0; i < given.size(); ++i)
        (v.*columns[i].values).assign(given[i].data(), given[i].data() + given[i].size());
    unwrap(check_vectors(v));
    return v;
}

}  // namespace

void add_bragg_vectors(nb::module_& m) {
    auto type = nb::class_<BraggVectors>(m, "BraggVectors")
                    .def_ro("scan_shape", &BraggVectors::scan_shape)
                    .def_ro("detector_shape", &BraggVectors::detector_shape)
                    .def_prop_ro("first",
                                 [](nb::handle self) {
                                     auto const& v = nb::cast<BraggVectors const&>(self);
                                     return seen(v.first, {std::ssize(v.first)}, self);
                                 })
                    .def_prop_ro("reason", [](nb::handle self) {
                        auto const& v = nb::cast<BraggVectors const&>(self);
                        auto const* const data =
                            reinterpret_cast<std::uint8_t const*>(v.reason.data());
                        return shared_array<std::uint8_t const>(
                            data, {v.scan_shape[0], v.scan_shape[1]}, self);
                    });
    for (NamedColumn const& c : columns)
        type.def_prop_ro(c.name, [values = c.values](nb::handle self) {
            auto const& v = nb::cast<BraggVectors const&>(self);
            return seen(v.*values, {v.size()}, self);
        });
    m.def("make_vectors", made, "scan_shape"_a, "detector_shape"_a, "first"_a.noconvert(),
          "reason"_a.noconvert(), "columns"_a.noconvert());
    m.def("disk_reasons", [] {
        std::vector<std::string> names;
        for (int r = 0; r <= static_cast<int>(DiskReason::off_detector); ++r)
            names.emplace_back(name_of(static_cast<DiskReason>(r)));
        return names;
    });
    m.def(
        "vector_map",
        [](BraggVectors const& v, int sampling, bool weighted) {
            return to_numpy(
                work(nb::none(), [&](Telling&) { return vector_map(v, sampling, weighted); }));
        },
        "vectors"_a, "sampling"_a, "weighted"_a);
    m.def(
        "save_vectors",
        [](std::string const& path, BraggVectors const& v, Fields const& fields) {
            Provenance const provenance{fields};
            work(nb::none(), [&](Telling&) { return save_vectors(path, v, provenance); });
        },
        "path"_a, "vectors"_a, "provenance"_a);
    m.def(
        "load_vectors",
        [](std::string const& path, std::string const& node) {
            return work(nb::none(), [&](Telling&) { return stem4d::load_vectors(path, node); });
        },
        "path"_a, "node"_a);
}

}  // namespace sluice::python
