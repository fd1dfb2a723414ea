// The parts of what is live.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace sluice::python {

void add_simulated_detector(nanobind::module_& m);

}  // namespace sluice::python
