// Outlines cut from slabs, and histograms by the library.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/proton/answer_structures.h"

#include <fmt/format.h>

#include <algorithm>

#include "domain/proton/structures/outline.h"
#include "sluice/proton_structure_dvh.h"

namespace sluice::app {
namespace {

// Doses of a histogram's curve: a step is a four hundredth of the axis.
constexpr index curve_points = 401;

Result<ShownStructure const*> find(std::span<ShownStructure const> structures,
                                   std::string const& id) {
    auto const it = std::ranges::find(structures, id, &ShownStructure::id);
    if (it == structures.end())
        return Error{Code::not_found, fmt::format("there is no structure '{}' here", id)};
    if (!it->why.empty()) return Error{Code::invalid_argument, it->why};
    return &*it;
}

// Structures lie in the patient.
Status in_space(ShownVolume const& v) {
    if (v.volume.image.shape.size() == 3 && !v.volume.spacing.empty() &&
        is_straight(v.volume.direction))
        return {};
    return Error{Code::invalid_argument,
                 fmt::format("structures are not laid over {} (it is not known where it lies in "
                             "the patient)",
                             v.name)};
}

}  // namespace

Result<server::SharedMessage> answer_outlines(std::span<ShownStructure const> structures,
                                              ShownVolume const& onto, OutlinesRequest const& r,
                                              Json header) {
    SLUICE_CHECK(in_space(onto));
    auto const across = static_cast<std::size_t>(r.across), down = static_cast<std::size_t>(r.down);
    std::vector<double> points, lines;
    for (std::size_t i = 0; i < r.structures.size(); ++i) {
        SLUICE_TRY(ShownStructure const* const s, find(structures, r.structures[i]));
        for (auto const& line : proton::outline(s->stack, 3 - across - down, r.at)) {
            lines.insert(lines.end(), {static_cast<double>(i), static_cast<double>(line.size())});
            for (auto const& p : line) points.insert(points.end(), {p[across], p[down]});
        }
    }
    ArrayMessage message;
    message.add_doubles("lines", {std::ssize(lines) / 2, 2}, lines);
    message.add_doubles("points", {std::ssize(points) / 2, 2}, points);
    return message.finish(std::move(header));
}

Result<server::SharedMessage> answer_histogram(std::span<ShownStructure const> structures,
                                               ShownVolume const& volume, HistogramRequest const& r,
                                               Json header) {
    SLUICE_CHECK(in_space(volume));
    SLUICE_TRY(ShownStructure const* const s, find(structures, r.structure));
    SLUICE_TRY(proton::StructureDvh const d, proton::structure_dvh(volume.volume, s->structure));
    header["volume_cm3"] = d.volume_cm3;
    header["inside_cm3"] = d.inside_cm3;
    header["least"] = d.dvh.least;
    header["mean"] = d.dvh.mean;
    header["most"] = d.dvh.most;
    header["d98"] = d.dvh.coverage(0.98);
    header["d95"] = d.dvh.coverage(0.95);
    header["d50"] = d.dvh.coverage(0.5);
    header["d2"] = d.dvh.coverage(0.02);
    std::vector<double> doses, parts;
    for (index i = 0; i < curve_points; ++i) {
        double const dose = r.to * static_cast<double>(i) / static_cast<double>(curve_points - 1);
        doses.push_back(dose);
        parts.push_back(d.dvh.volume(dose));
    }
    ArrayMessage message;
    message.add_doubles("doses", {curve_points}, doses);
    message.add_doubles("parts", {curve_points}, parts);
    return message.finish(std::move(header));
}

}  // namespace sluice::app
