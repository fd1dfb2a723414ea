// An examination as JSON: for `--json`, and for the page in the viewer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/json.h"
#include "sluice/doctor.h"

namespace sluice::doctor {

/// With the machine and its load at the time of the call.
bench::Json report_of(Examination const& found);

}  // namespace sluice::doctor
