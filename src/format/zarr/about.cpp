// Attributes of arrays and groups: ours, HyperSpy's, xarray's.
// SPDX-License-Identifier: Apache-2.0
#include "format/zarr/about.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "format/calibration.h"
#include "format/described.h"
#include "format/hdf5/axis_units.h"
#include "zarr/group.h"
#include "zarr/place.h"
#include "zarr/text.h"

namespace sluice::zarr_scan {
namespace {

using json = nlohmann::ordered_json;

// No attributes are an empty object.
Result<json> attributes_of(std::string const& path) {
    if (!zarr::is_there(path + "/zarr.json") && !zarr::is_there(path + "/.zattrs"))
        return json::object();
    SLUICE_TRY(std::string const text, zarr::read_attributes(path));
    json j = json::parse(text, nullptr, false);
    return j.is_object() ? j : json::object();
}

std::string text_in(json const& j, char const* name) {
    auto const at = j.find(name);
    return at != j.end() && at->is_string() ? at->get<std::string>() : std::string();
}

std::optional<double> number_in(json const& j, char const* name) {
    auto const at = j.find(name);
    return at != j.end() && at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

Status take_hyperspy(std::string const& group, std::size_t rank, About& out) {
    for (std::size_t d = 0; d < rank; ++d) {
        std::string const path = fmt::format("{}/axis-{}", group, d);
        if (!zarr::is_node(path)) {
            out.axes.clear();
            out.steps.clear();
            return {};
        }
        SLUICE_TRY(json const axis, attributes_of(path));
        hdf5::AxisWords words{.name = text_in(axis, "name"), .unit = text_in(axis, "units")};
        if (auto const flag = axis.find("navigate"); flag != axis.end() && flag->is_boolean())
            words.navigate = flag->get<bool>();
        out.axes.push_back(std::move(words));
        out.steps.push_back(number_in(axis, "scale"));
    }
    std::string const tem = group + "/metadata/Acquisition_instrument/TEM";
    if (zarr::is_node(tem)) {
        SLUICE_TRY(json const microscope, attributes_of(tem));
        out.microscope = microscope.dump();
    }
    SLUICE_TRY(json const general, attributes_of(group + "/metadata/General"));
    if (auto title = text_in(general, "title"); !title.empty())
        out.metadata.push_back({"title", std::move(title), ""});
    return {};
}

// `dimension_names` of version 3, `_ARRAY_DIMENSIONS` of xarray.
Status take_names(std::string const& path, std::size_t rank, About& out) {
    json names;
    if (zarr::is_there(path + "/zarr.json")) {
        SLUICE_TRY(std::string const text, zarr::read_text(path + "/zarr.json"));
        json const j = json::parse(text, nullptr, false);
        if (j.is_object()) names = j.value("dimension_names", json());
    }
    SLUICE_TRY(json const own, attributes_of(path));
    if (!names.is_array()) names = own.value("_ARRAY_DIMENSIONS", json());
    if (!names.is_array() || names.size() != rank) return {};
    for (json const& n : names)
        out.axes.push_back({.name = n.is_string() ? n.get<std::string>() : std::string()});
    out.steps.resize(rank);
    return {};
}

struct Step {
    double value = 0;
    std::string unit = {};
};

// Of two axes that belong to each other; nothing where they say none, or differ.
std::optional<Step> common_step(About const& a, std::size_t one, std::size_t two, char const* what,
                                std::vector<std::string>& notes) {
    auto const of = [&](std::size_t d) -> std::optional<Step> {
        std::string const unit = hdf5::plain_word(a.axes[d].unit);
        if (!a.steps[d] || unit.empty() || unit == "px" || unit.starts_with("pixel") ||
            unit == "<undefined>" || unit == "none")
            return {};
        double const step = std::abs(*a.steps[d]);
        if (!(step > 0) || !std::isfinite(step)) return {};
        return Step{step, unit};
    };
    auto s = of(one);
    auto const t = of(two);
    if (!s || !t) return {};
    if (s->unit == t->unit && std::abs(s->value - t->value) <= 1e-3 * s->value) return s;
    notes.push_back(
        fmt::format("the axes of the {} differ in their steps ({:g} {} and {:g} {}), "
                    "which are left out",
                    what, s->value, s->unit, t->value, t->unit));
    return {};
}

void take_microscope(json const& tem, Dataset& d) {
    auto const positive = [&](char const* name, char const* what) {
        auto const v = number_in(tem, name);
        return v ? positive_or_noted(*v, what, name, d.notes) : 0;
    };
    d.energy_kv = positive("beam_energy", "energy");
    d.semiangle_mrad = positive("convergence_angle", "angle");
    d.camera_length_mm = positive("camera_length", "length");
}

}  // namespace

Result<About> about(std::string const& folder, std::string const& name, std::size_t rank) {
    About out;
    std::string const path = name.empty() ? folder : folder + "/" + name;
    auto const slash = path.rfind('/');
    std::string const group = name.empty() ? path : path.substr(0, slash);
    SLUICE_TRY(json const around, attributes_of(group));
    if (auto const ours = around.find("sluice_scan"); ours != around.end())
        out.description = ours->dump();
    SLUICE_CHECK(take_hyperspy(group, rank, out));
    if (out.axes.empty()) SLUICE_CHECK(take_names(path, rank, out));
    return out;
}

void take_about(About const& a, boxes::FrameAxes const& axes, Dataset& d) {
    for (MetaField const& field : a.metadata) d.metadata.push_back(field);
    if (!a.microscope.empty())
        if (json const tem = json::parse(a.microscope, nullptr, false); tem.is_object())
            take_microscope(tem, d);
    if (!a.axes.empty() && axes.scan.size() == 2)
        if (auto const s = common_step(a, axes.scan[0], axes.scan[1], "scan", d.notes)) {
            if (auto const nm = hdf5::nm_of(s->unit))
                d.scan_step_nm = s->value * *nm;
            else
                d.notes.push_back(
                    fmt::format("the step of the scan is in \"{}\", which is not one "
                                "of its units: give --scan-step-nm",
                                s->unit));
        }
    if (!a.axes.empty())
        if (auto const s = common_step(a, axes.row, axes.col, "detector", d.notes)) {
            if (auto const mrad = hdf5::mrad_of(s->unit))
                d.detector_step_mrad = s->value * *mrad;
            else if (auto const per_nm = hdf5::per_nm_of(s->unit))
                d.detector_step_per_nm = ten_digits(s->value * *per_nm);
            else
                d.notes.push_back(
                    fmt::format("the step of the detector is in \"{}\", which is not "
                                "one of its units: give --detector-step-mrad",
                                s->unit));
        }
    if (!a.description.empty()) take_description(a.description, d);
}

}  // namespace sluice::zarr_scan
