// How long it takes to write maps of a scan and to draw them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "planning/subject.h"

namespace sluice::planning {

/// Writes one map of noise and its picture a few times into `folder`, and removes them.
Result<PlanTime> time_of_maps(std::array<index, 2> scan, int maps, std::string const& folder);

}  // namespace sluice::planning
