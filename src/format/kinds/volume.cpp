// Volumes and doses: images in space, and the folders of `sluice proton run`; what of DICOM is
// about beams. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "format/dicom/mark.h"
#include "format/dicom/tags.h"
#include "format/kinds/kinds.h"

namespace sluice {
namespace {

constexpr std::uint64_t largest_report = 16 << 20;

bool is_volume(Look const& look) {
    if (look.is_folder()) return dicom::is_dicom_folder(look.path());
    for (char const* const ending : {".mhd", ".mha", ".nrrd", ".nhdr"})
        if (look.ending() == ending) return true;
    return look.begins("NRRD") || look.begins("ObjectType") || look.begins("NDims") ||
           dicom::class_of(look.head()).has_value();
}

bool is_of_class(Look const& look, std::string_view sop_class) {
    auto const found = dicom::class_of(look.head());
    return found && *found == sop_class;
}

bool is_plan(Look const& look) {
    return is_of_class(look, dicom::classes::ion_plan) ||
           is_of_class(look, dicom::classes::photon_plan);
}

bool is_structures(Look const& look) {
    return is_of_class(look, dicom::classes::structures);
}

bool has_all(nlohmann::json const& j, std::initializer_list<char const*> names) {
    return j.is_object() && std::ranges::all_of(names, [&](auto name) { return j.contains(name); });
}

// A report in a folder; nothing where there is none.
nlohmann::json report_in(Look const& look, char const* name) {
    if (!look.is_folder()) return {};
    auto const bytes = read_file(look.path() + "/" + name, largest_report);
    if (!bytes) return {};
    auto const* const text = reinterpret_cast<char const*>(bytes->data());
    return nlohmann::json::parse(text, text + bytes->size(), nullptr, false);
}

// The report has the grid of the dose.
bool is_dose(Look const& look) {
    auto const j = report_in(look, "report.json");
    return has_all(j, {"grid"}) && has_all(j["grid"], {"dz_mm", "dx_mm", "x0_mm"});
}

bool is_plan_dose(Look const& look) {
    return has_all(report_in(look, "dose.json"), {"plan", "ct", "beams", "dose"});
}

}  // namespace

constinit ContentKind const kinds::volume{
    "volume", "volume", "MetaImage, NRRD, NPY, DICOM CT series and RT dose",
    "`sluice info` and `sluice view` read it, and `sluice proton`", is_volume};
constinit ContentKind const kinds::plan{"plan", "plan of proton beams", "DICOM RT ion plan",
                                        "`sluice info` reads it", is_plan};
constinit ContentKind const kinds::structures{"structures", "set of structures",
                                              "DICOM RT structure set",
                                              "`sluice info`, `sluice view` and the commands of "
                                              "`sluice proton` read it",
                                              is_structures};
constinit ContentKind const kinds::dose{
    "dose", "dose of `sluice proton run`", "",
    "`sluice info` and `sluice view` read it, and the commands of `sluice proton` read its files",
    is_dose};
constinit ContentKind const kinds::plan_dose{
    "plan dose", "dose of `sluice proton dose`", "",
    "`sluice info` and `sluice view` read it, and the commands of `sluice proton` read its files",
    is_plan_dose};

}  // namespace sluice
