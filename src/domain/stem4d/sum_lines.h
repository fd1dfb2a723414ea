// Sums of detectors over each frame of a scan whose planes are turned by frames.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "domain/stem4d/compiled.h"
#include "store/resident.h"

namespace sluice::stem4d {

/// [detector][frame]; none where the scan has no lines, or a detector has weights.
std::optional<std::vector<double>> sums_from_lines(store::Resident const* frames,
                                                   std::span<Compiled const> detectors,
                                                   Options const& options);

}  // namespace sluice::stem4d
