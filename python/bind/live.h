// The parts of what is live.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <vector>

#include "sluice/detector_control.h"

namespace sluice::python {

/// (name, before, after) of each.
nanobind::list changes_of(std::vector<DetectorChange> const& changes);
/// Of what sluice/_detector.py gives; none: the detector is left alone.
std::optional<ArmOptions> arm_options(std::optional<nanobind::dict> const& words);
void add_detector_control(nanobind::module_& m);
void add_simulated_detector(nanobind::module_& m);

}  // namespace sluice::python
