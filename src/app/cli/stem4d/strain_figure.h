// The figure of a strain map: four maps, and below each its standard error.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/stem4d/results.h"
#include "sluice/strain.h"

namespace sluice::cli {

/// `more`: other maps, in a third row.
figure::Drawing draw_strain(stem4d::StrainMaps const& maps, std::vector<ScanMap const*> const& more,
                            OutputOptions const& options, std::string const& heading);

}  // namespace sluice::cli
