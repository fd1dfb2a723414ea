// Reconstructions by launches, on any device that has a queue.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// What stem4d::ptychography() is on devices with memory of their own; of others only the tests ask
/// it. The same bits on every device.
Result<stem4d::PtychographyResult> reconstruct_by_launches(
    stem4d::Patterns patterns, stem4d::PtychographyOptions const& options);

}  // namespace sluice::ptycho
