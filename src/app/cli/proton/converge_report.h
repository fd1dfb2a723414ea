// The report of a study of convergence.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/cli/shell/outputs.h"
#include "figure/drawing.h"
#include "sluice/proton_converge.h"

namespace sluice::cli {

/// A study, what was wanted of it, and the grid that it recommends, marched.
struct ConvergeReport {
    std::string config;
    proton::Steps base;
    proton::PerQuantity<double> wanted = {};  ///< mm; of the dose as a part
    proton::Convergence study;
    proton::GridRun checked;
};

Json to_json(ConvergeReport const& report);
void print(ConvergeReport const& report);
/// Quantities that fail to converge by more than a tenth of the wanted accuracy.
std::vector<std::string> warnings(ConvergeReport const& report);
/// A line per grid.
Status save_table(std::string const& path, ConvergeReport const& report);
/// Cells against error as a part of what is wanted, a plot per quantity and a line per step.
figure::Drawing converge_picture(ConvergeReport const& report);

}  // namespace sluice::cli
