// What two files say of drift.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace sluice::python {

void add_drift(nanobind::module_& m);

}  // namespace sluice::python
