// The files of a plan's dose.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/cli/proton/picture_option.h"
#include "app/cli/shell/outputs.h"
#include "sluice/dicom.h"
#include "sluice/proton_dose.h"

namespace sluice::cli {

struct PlanDoseFiles {
    std::string folder;
    std::vector<std::string> formats = {"dcm", "nrrd"};
    PictureOption pictures;
    std::vector<std::string> sources = {};
};

struct HighestDose {
    double dose = 0;
    std::array<double, 3> place{};  ///< mm
    index plane = 0;                ///< its number along z
};
HighestDose highest_dose(proton::PlanDose const& dose);

/// Whose dose it is: of the CT and the plan, where these are DICOM. Fails where they are of
/// different patients.
Result<DicomReference> whose_dose(std::string const& ct, std::string const& plan);

/// Writes dose, let, error and doses of beams in each format, and a picture; the files' names. An
/// RT dose belongs to the CT's patient and to the plan, where these are DICOM.
Result<std::vector<std::string>> save_plan_dose(PlanDoseFiles const& how, std::string const& ct,
                                                std::string const& plan,
                                                proton::PlanDose const& dose);

}  // namespace sluice::cli
