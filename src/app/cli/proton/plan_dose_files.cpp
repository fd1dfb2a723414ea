// The files of a plan's dose.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton/plan_dose_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/version.h"
#include "figure/field.h"
#include "format/dicom/mark.h"
#include "sluice/dicom.h"
#include "sluice/proton_run.h"
#include "sluice/save.h"

namespace sluice::cli {
namespace {

// Only DICOM knows whose it is.
std::string if_dicom(std::string const& path) {
    std::error_code none;
    if (std::filesystem::is_directory(path, none)) return path;
    return dicom::class_of(path) ? path : std::string();
}

std::string comment_of(proton::PlanDose const& d) {
    std::string text = fmt::format("sluice {} ({}); {}", version, commit, d.dose.content);
    for (std::string const& w : warnings(d.guards)) text += "; warning: " + w;
    return text;
}

figure::Drawing axial(proton::PlanDose const& d) {
    HighestDose const most = highest_dose(d);
    Volume const& v = d.dose;
    index const rows = v.image.shape[1], columns = v.image.shape[2];
    float const* const first = v.image.values.data() + most.plane * rows * columns;
    figure::Field f{fmt::format("dose in % of {:.4g} Gy, in the plane of that, z = {:.1f} mm",
                                most.dose, most.place[2]),
                    "x, mm", "to the front (-y), mm", rows, columns};
    // The patient's front is above.
    for (index r = rows; r-- > 0;)
        f.values.insert(f.values.end(), first + r * columns, first + (r + 1) * columns);
    for (double& x : f.values) x *= most.dose > 0 ? 100 / most.dose : 0;
    double const left = v.origin[0] - v.spacing[0] / 2;
    f.x = {left, left + v.spacing[0] * static_cast<double>(columns)};
    double const top = v.origin[1] - v.spacing[1] / 2;
    f.y = {-top - v.spacing[1] * static_cast<double>(rows), -top};
    f.unit = "%";
    f.limits = {{0, 100}};
    constexpr figure::Rgb colours[] = {
        {90, 140, 255}, {100, 220, 120}, {245, 235, 90}, {255, 255, 255}};
    std::size_t n = 0;
    for (int const percent : {20, 50, 80, 95})
        f.contours.push_back({double(percent), fmt::format("{} %", percent), colours[n++]});
    double const ratio = (f.y.high - f.y.low) / (f.x.high - f.x.low);
    return figure::draw_field(f, static_cast<index>(std::clamp(ratio * 730.0, 240.0, 1200.0)) + 90,
                              900);
}

}  // namespace

Result<DicomReference> whose_dose(std::string const& ct, std::string const& plan) {
    return dicom_reference(if_dicom(ct), if_dicom(plan));
}

HighestDose highest_dose(proton::PlanDose const& d) {
    auto const& values = d.dose.image.values;
    auto const most = std::ranges::max_element(values);
    index const at = most - values.begin(),
                in_plane = d.dose.image.shape[1] * d.dose.image.shape[2];
    return {static_cast<double>(*most), place_of_element(d.dose, at), at / in_plane};
}

Result<std::vector<std::string>> save_plan_dose(PlanDoseFiles const& how, std::string const& ct,
                                                std::string const& plan,
                                                proton::PlanDose const& d) {
    Provenance provenance = provenance_of(how.sources);
    for (std::string const& note : d.notes) provenance.add("assumption", note);
    for (std::string const& w : warnings(d.guards)) provenance.add("warning", w);
    std::vector<std::string> names;
    auto const save = [&](std::string const& name, Volume const& v) -> Status {
        if (v.image.values.empty()) return {};
        for (std::string const& format : how.formats) {
            // RT dose holds Gy only, and here those of the whole plan.
            if (format == "dcm" && name != "dose") continue;
            std::string const file = name + "." + format, path = how.folder + "/" + file;
            if (format == "dcm") {
                SLUICE_TRY(DicomReference const whose, whose_dose(ct, plan));
                SLUICE_CHECK(save_dicom_dose(
                    path, v, whose,
                    {.description = "Sluice " + v.content, .comment = comment_of(d)}));
            }
            if (format == "nrrd") SLUICE_CHECK(save_nrrd(path, v, provenance));
            if (format == "mha") SLUICE_CHECK(save_metaimage(path, v));
            if (format == "npy") SLUICE_CHECK(save_npy(path, v.image));
            names.push_back(file);
        }
        return {};
    };
    SLUICE_CHECK(save("dose", d.dose));
    SLUICE_CHECK(save("let", d.let));
    SLUICE_CHECK(save("error", d.error));
    for (proton::BeamDose const& b : d.beams)
        SLUICE_CHECK(save(fmt::format("beam_{}", b.number), b.dose));
    SLUICE_CHECK(how.pictures.save(how.folder + "/dose", axial(d), provenance));
    for (std::string const& n : how.pictures.names("dose")) names.push_back(n);
    return names;
}

}  // namespace sluice::cli
