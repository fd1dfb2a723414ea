// Calibrations in words and as JSON, and what `strain` does with one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/stem4d/job.h"
#include "sluice/crystal_calibration.h"

namespace sluice::cli {

/// What there is, each with its name.
std::vector<std::pair<std::string, std::string>> parts_of_calibration(
    stem4d::Calibration const& calibration);
/// In one line, for provenance.
std::string text_of_calibration(stem4d::Calibration const& calibration);
Json json_of_calibration(stem4d::Calibration const& calibration);

/// Loads a calibration and applies it to the vectors; its rotation goes to `strain` unless one was
/// given.
Result<stem4d::Calibration> calibrate_strain(std::string const& path, stem4d::BraggVectors& vectors,
                                             stem4d::StrainOptions& strain,
                                             std::vector<Verb::Given> const& given,
                                             JobReport& report);
Error no_theory();

/// What a file of a calibration holds, for `sluice info`: printed, or as JSON.
Status calibration_info(std::string const& path, Json* json);

}  // namespace sluice::cli
