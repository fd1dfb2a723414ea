// RemoteWork: the iterations of a stage on a device, where object and probe stay between them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/remote/remote_patterns.h"
#include "domain/ptychography/stage_work.h"

namespace sluice::ptycho::remote {

/// What a reconstruction has on the device.
struct OnDevice {
    RemotePatterns* patterns = nullptr;
    index most_waves = 0;  ///< numbers of waves at one time
};

/// Begins with the job's state. Only errors and the probe come back for each iteration; the object
/// does on request.
Result<std::unique_ptr<StageWork<float>>> make_work(OnDevice const& there,
                                                    stem4d::PtychographyOptions const& options,
                                                    Job<float> const& job);

}  // namespace sluice::ptycho::remote
