// Results of proton beams as CSV tables.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/proton.h"

namespace sluice::proton {

/// Depth dose, lateral sigmas and what is known of the protons, a line per plane; per proton.
std::string curves_table(MarchResult const& r);
/// Parts of all protons and all energy that are in each channel at the end of each plane.
std::string ledger_table(MarchResult const& r);
/// A line per depth and bin of energy; per proton.
std::string spectra_table(MarchResult const& r);

}  // namespace sluice::proton
