// Axes, the microscope and the rest, where HyperSpy has them. Source: files that RosettaSciIO 0.15
// wrote.
// SPDX-License-Identifier: Apache-2.0
#include "domain/conversion/hyperspy.h"

#include <fmt/format.h>

#include <filesystem>

#include "save/provenance.h"

namespace sluice::conversion {
namespace {

struct Axis {
    char const* name;
    index size;
    double scale;
    char const* unit;
    bool navigate;
};

Node axis_node(std::string const& group, int number, Axis const& axis) {
    bool const known = axis.scale > 0;
    return {fmt::format("{}/axis-{}", group, number),
            {{"_type", "UniformDataAxis"},
             {"name", axis.name},
             {"units", known ? axis.unit : "<undefined>"},
             {"navigate", axis.navigate},
             {"is_binned", false},
             {"size", std::int64_t{axis.size}},
             {"scale", known ? axis.scale : 1.0},
             {"offset", 0.0},
             {"index_in_array", std::int64_t{number}}}};
}

Node microscope_node(std::string const& group, Dataset const& d) {
    Node tem{group + "/metadata/Acquisition_instrument/TEM"};
    if (d.energy_kv > 0) tem.attributes.emplace_back("beam_energy", d.energy_kv);
    if (d.semiangle_mrad > 0) tem.attributes.emplace_back("convergence_angle", d.semiangle_mrad);
    if (d.camera_length_mm > 0) tem.attributes.emplace_back("camera_length", d.camera_length_mm);
    return tem;
}

}  // namespace

std::string hyperspy_group(Dataset const&) {
    return "Experiments/scan";
}

std::vector<Node> hyperspy_nodes(Dataset const& d, Provenance const& provenance) {
    std::string const group = hyperspy_group(d);
    bool const angle = d.detector_step_mrad > 0;
    double const detector = angle ? d.detector_step_mrad : d.detector_step_per_nm;
    char const* const unit = angle ? "mrad" : "1/nm";
    std::vector<Node> nodes = {
        {"", {{"file_format", "HyperSpy"}, {"file_format_version", "3.3"}}},
        {"Experiments"},
        {group, {{"name", "hyperspy"}, {"version", "2.0"}}},
        {group + "/attributes", {{"_lazy", false}, {"ragged", false}}},
        axis_node(group, 0, {"y", d.scan[0], d.scan_step_nm, "nm", true}),
        axis_node(group, 1, {"x", d.scan[1], d.scan_step_nm, "nm", true}),
        axis_node(group, 2, {"ky", d.rows, detector, unit, false}),
        axis_node(group, 3, {"kx", d.cols, detector, unit, false}),
        {group + "/learning_results"},
        {group + "/metadata"},
        {group + "/metadata/General",
         {{"title", std::filesystem::path(d.path).filename().string()}}},
        {group + "/metadata/Signal", {{"signal_type", "electron_diffraction"}}},
        {group + "/metadata/Acquisition_instrument"},
        microscope_node(group, d),
        {group + "/original_metadata"}};
    for (auto const& [name, value] : save::tidy(provenance).fields)
        nodes.back().attributes.emplace_back(name, value);
    return nodes;
}

}  // namespace sluice::conversion
