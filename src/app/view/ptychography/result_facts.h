// What pages are told of a finished result.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/ptychography/results.h"
#include "app/view/ptychography/told.h"

namespace sluice::app {

/// As a job that is done; of stages the iterations that were done.
MonitoredJob job_of(ShownResult const& result);
/// The job and the state (docs/protocol.md).
Json told_result(ShownResult const& result, std::uint64_t number);

}  // namespace sluice::app
