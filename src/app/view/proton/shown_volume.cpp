// What an image is, as far as its file and its values tell.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/proton/shown_volume.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace sluice::app {
namespace {

// Air in a CT is below; other images have no such values.
constexpr float air = -200;
constexpr std::size_t longest_unit = 40;

char const* kind_of(ShownVolume const& v) {
    if (v.unit == "HU") return "ct";
    return v.range.least < 0 ? "other" : "dose";
}

char const* lies(Volume const& v) {
    return !is_straight(v.direction) ? "turned" : v.spacing.empty() ? "unknown" : "mm";
}

std::vector<std::string> notes_of(ShownVolume const& v) {
    std::vector<std::string> notes;
    if (!is_straight(v.volume.direction))
        notes.emplace_back(
            "The axes of this volume are mirrored or oblique in space. It is shown as it is "
            "stored, its planes are not those of the patient, and nothing is laid over it. "
            "Positions are lengths along the stored axes from the first element, not places.");
    if (v.volume.spacing.empty())
        notes.emplace_back(
            "The file does not tell the spacing. Positions are numbers of elements, not mm.");
    else if (v.volume.origin.empty() && is_straight(v.volume.direction))
        notes.emplace_back(
            "The file does not tell where the volume lies. Its first element is taken for 0 mm.");
    if (v.range.not_finite > 0)
        notes.push_back(fmt::format("{} of {} values are NaN or infinite. They are drawn in gray.",
                                    v.range.not_finite, v.volume.image.size()));
    if (v.assumed_hu)
        notes.emplace_back("Values below -200 are taken for air: the unit is taken for HU.");
    else if (v.unit.empty())
        notes.emplace_back("The file does not tell the unit of its values.");
    return notes;
}

Json number_or_null(double v) {
    return std::isfinite(v) ? Json(v) : Json(nullptr);
}

Json list_of(auto const& values, int count) {
    Json list = Json::array();
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) list.push_back(values[i]);
    return list;
}

}  // namespace

std::string unit_of(std::string const& content) {
    auto const comma = content.find(", ");
    if (comma == std::string::npos) return {};
    std::string const unit = content.substr(comma + 2, content.find(';', comma) - comma - 2);
    return unit.size() > longest_unit ? std::string() : unit;
}

ShownVolume shown(std::string path, std::string name, Volume volume) {
    ShownVolume v{{}, std::move(name), std::move(path), std::move(volume), {}, {}};
    v.range = proton::value_range(v.volume);
    for (float& value : v.volume.image.values)
        if (!std::isfinite(value)) value = std::numeric_limits<float>::quiet_NaN();
    v.unit = unit_of(v.volume.content);
    v.assumed_hu = v.unit.empty() && v.range.least <= air;
    if (v.assumed_hu) v.unit = "HU";
    v.of_a_run =
        v.volume.image.shape.size() == 2 && v.volume.content.find("; sluice ") != std::string::npos;
    v.notes = notes_of(v);
    return v;
}

Json describe(ShownVolume const& v) {
    proton::Lattice const l = proton::lattice_of(v.volume);
    return {{"id", v.id},
            {"name", v.name},
            {"path", v.path},
            {"kind", kind_of(v)},
            {"unit", v.unit},
            {"content", v.volume.content},
            {"depth", v.of_a_run},
            {"lies", lies(v.volume)},
            {"spaced", !v.volume.spacing.empty()},
            {"sides", list_of(l.sides, l.axes)},
            {"spacing", list_of(l.spacing, l.axes)},
            {"origin", list_of(l.origin, l.axes)},
            {"least", number_or_null(v.range.least)},
            {"most", number_or_null(v.range.most)},
            {"most_at", list_of(v.range.most_at, l.axes)},
            {"not_finite", v.range.not_finite},
            {"notes", v.notes}};
}

}  // namespace sluice::app
