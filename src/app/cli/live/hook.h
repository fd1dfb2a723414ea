// run_hook(): the command that starts the scan engine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/detector_control.h"

namespace sluice::cli {

/// By /bin/sh, with what it prints on standard error. Killed with all that it started where go_on()
/// says no. Errors: it cannot be run, or its status is not 0.
Status run_hook(std::string const& command, ArmedScan const& scan, GoOn const& go_on);

}  // namespace sluice::cli
