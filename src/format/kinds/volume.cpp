// Volumes and doses: images in space, and the folders of `sluice proton run`.
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "format/kinds/kinds.h"

namespace sluice {
namespace {

constexpr std::uint64_t largest_report = 16 << 20;

bool is_volume(Look const& look) {
    if (look.is_folder()) return false;
    for (char const* const ending : {".mhd", ".mha", ".nrrd", ".nhdr"})
        if (look.ending() == ending) return true;
    return look.begins("NRRD") || look.begins("ObjectType") || look.begins("NDims");
}

// The report has the grid of the dose.
bool is_dose(Look const& look) {
    if (!look.is_folder()) return false;
    auto const bytes = read_file(look.path() + "/report.json", largest_report);
    if (!bytes) return false;
    auto const* const text = reinterpret_cast<char const*>(bytes->data());
    auto const j = nlohmann::json::parse(text, text + bytes->size(), nullptr, false);
    if (!j.is_object() || !j.contains("grid") || !j["grid"].is_object()) return false;
    auto const& grid = j["grid"];
    return grid.contains("dz_mm") && grid.contains("dx_mm") && grid.contains("x0_mm");
}

}  // namespace

constinit ContentKind const kinds::volume{
    "volume", "volume", "MetaImage, NRRD, NPY",
    "`sluice info` and `sluice view` read it, and `sluice proton`", is_volume};
constinit ContentKind const kinds::dose{
    "dose", "dose of `sluice proton run`", "",
    "`sluice info` and `sluice view` read it, and the commands of `sluice proton` read its files",
    is_dose};

}  // namespace sluice
