// What a user hears of a recording.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/live/command.h"

namespace sluice::cli {

void warn_at_once(std::string const& text);

/// Of a scan that has ended. What its recording lacks is kept for the exit status.
void report_record(LiveCommand& command, stem4d::LiveScan const& live, JobReport& report);

}  // namespace sluice::cli
