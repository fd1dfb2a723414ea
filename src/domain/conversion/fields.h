// The table of how scans are converted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/stem4d_convert.h"

namespace sluice::stem4d {

config::Fields<ScanConvertOptions> convert_fields();

}  // namespace sluice::stem4d
