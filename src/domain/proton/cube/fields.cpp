// The tables of a plan's dose.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/fields.h"

#include <fmt/format.h>

#include "domain/proton/words.h"

namespace sluice::proton {
namespace {

using config::custom_field;
using config::Dimension;
using config::field;
using config::quantity_field;
using config::Shown;

// "NAME=HU": names of structures may hold anything, so that the last sign counts.
Status read_override(Shown const& shown, std::string_view text, std::vector<TissueOverride>& into) {
    auto const at = text.rfind('=');
    double hu = 0;
    if (at == std::string_view::npos || at == 0)
        return Error{Code::invalid_argument,
                     fmt::format("{} '{}' is not a structure and its HU; give NAME=HU, as in "
                                 "\"Implant=3000\"",
                                 shown.name, text)};
    SLUICE_CHECK(config::read_value(shown, text.substr(at + 1), hu));
    into.push_back({std::string(text.substr(0, at)), hu});
    return {};
}

std::string override_text(std::vector<TissueOverride> const& all) {
    std::string text;
    for (TissueOverride const& o : all)
        text += fmt::format("{}{}={}", text.empty() ? "" : ",", o.structure, o.hu);
    return text;
}

constexpr config::Field<PatientOptions> of_patient[] = {
    field<&PatientOptions::table>(
        "table", "a file of HU and relative stopping power; without it matRad's default"),
    field<&PatientOptions::density_table>("density_table",
                                          "a file of HU and density, g/cm3; without it MCsquare's"),
    field<&PatientOptions::quantity>("quantity", "what the image holds"),
    field<&PatientOptions::external>(
        "external",
        "the structure outside of which there is air; without it that of the type "
        "EXTERNAL"),
    field<&PatientOptions::whole_image>("whole_image", "what lies outside of EXTERNAL counts, too"),
    custom_field<&PatientOptions::overrides, read_override, override_text>(
        "override",
        "a structure is taken as tissue of these HU, as in \"Implant=3000\"; later "
        "ones win")
        .listed(';'),
    field<&PatientOptions::water>("water", "stopping powers: icru90 (I = 78 eV) or pstar (75 eV)"),
};

constexpr config::Field<DoseOptions> of_dose[] = {
    field<&DoseOptions::engine>(
        "engine", "pencils, or march: slices of the march, exact across x only, to judge by"),
    field<&DoseOptions::to>("dose_to", "what gets the dose: water, or the voxel's own medium"),
    field<&DoseOptions::let>("let", "do not average LET"),
    field<&DoseOptions::error>("error", "do not predict the error"),
    field<&DoseOptions::each_beam>("each_beam", "the dose of each beam alone, too"),
    quantity_field<&DoseOptions::spacing, Dimension::length>(
        "spacing", "of the dose's voxels, for all axes or for x, y and z; without it the CT's"),
    quantity_field<&DoseOptions::pixel, Dimension::length>(
        "pixel", "of the fluence at the isocentre; narrow spots make it smaller"),
    quantity_field<&DoseOptions::step, Dimension::length>("step", "of depth"),
    field<&DoseOptions::accuracy>(
        "accuracy", "in % of the highest dose: a larger predicted error is warned about",
        config::between(0.01, 100)),
    field<&DoseOptions::protons_per_mu>("protons_per_mu", "where no machine tells, as in 1e8",
                                        config::between(0, 1e15)),
    quantity_field<&DoseOptions::energy_spread, Dimension::energy>(
        "energy_spread", "standard deviation of the energies, instead of the machine's"),
    field<&DoseOptions::single_fraction>("single_fraction",
                                         "the dose of one fraction instead of all"),
    field<&DoseOptions::kernels>(
        "kernels", "a folder that keeps depth kernels; without it that of the user's caches"),
    field<&DoseOptions::keep_kernels>("keep_kernels", "neither read nor keep depth kernels"),
};

constexpr config::Field<PlanDefaults> of_plan[] = {
    quantity_field<&PlanDefaults::source, Dimension::length>(
        "source", "from the virtual sources of x and y to the isocentre, where the plan is silent"),
    quantity_field<&PlanDefaults::fwhm, Dimension::length>(
        "fwhm", "of spots in air at the isocentre, x and y, where the plan is silent"),
    quantity_field<&PlanDefaults::shifter_water, Dimension::length>(
        "shifter_water", "water that stops as much as a range shifter, where the plan is silent"),
    quantity_field<&PlanDefaults::shifter_distance, Dimension::length>(
        "shifter_distance",
        "from the isocentre to a range shifter's downstream side, where the plan is silent"),
    field<&PlanDefaults::patient_position>("patient_position",
                                           "HFS, HFP, FFS or FFP, where the plan is silent"),
};

constexpr config::Field<TargetOptions> of_target[] = {
    quantity_field<&TargetOptions::isocentre, Dimension::length>(
        "isocentre", "x, y and z; without it the target's centre of volume"),
    field<&TargetOptions::dose>("dose", "Gy of one fraction, by all beams together",
                                config::between(1e-9, 1e6)),
    field<&TargetOptions::fractions>("fractions", "how many are planned", config::between(1, 1000)),
    quantity_field<&TargetOptions::margin, Dimension::length>(
        "margin", "by which the target is grown to all sides"),
    quantity_field<&TargetOptions::spacing, Dimension::length>(
        "spacing", "of spots, in the plane of the isocentre"),
    quantity_field<&TargetOptions::layer_spacing, Dimension::length>(
        "layer_spacing", "of the layers' ranges, in water"),
    field<&TargetOptions::patient_position>("patient_position", "HFS, HFP, FFS or FFP"),
    field<&TargetOptions::kernels>(
        "kernels", "a folder that keeps depth kernels; without it that of the user's caches"),
    field<&TargetOptions::keep_kernels>("keep_kernels", "neither read nor keep depth kernels"),
};

}  // namespace

config::Fields<TargetOptions> target_fields() {
    return of_target;
}

config::Fields<PatientOptions> patient_fields() {
    return of_patient;
}

config::Fields<DoseOptions> dose_fields() {
    return of_dose;
}

config::Fields<PlanDefaults> plan_default_fields() {
    return of_plan;
}

}  // namespace sluice::proton
