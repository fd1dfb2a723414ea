// What a user hears of a detector that was armed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/live/command.h"

namespace sluice::cli {

/// Of a scan that has ended. Why its hook failed is kept for the exit status.
void report_control(LiveCommand& command, stem4d::LiveScan const& live, JobReport& report);

}  // namespace sluice::cli
