// Options of detection with nothing left open.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/disks.h"

namespace sluice::crystal {

/// Decides what is 0 from the template alone; `why` gets a sentence for each. `detector_bin` is how
/// many detector pixels wide a pixel of the patterns is. Fails where an option makes no sense, and
/// where the template is too large.
Result<stem4d::DiskOptions> decided(stem4d::DiskOptions options, stem4d::ProbeTemplate const& probe,
                                    double detector_bin = 1,
                                    std::vector<std::string>* why = nullptr);

}  // namespace sluice::crystal
