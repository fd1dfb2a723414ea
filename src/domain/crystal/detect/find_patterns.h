// The disks of all patterns of a scan, as they come out of the fold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/detect/found.h"
#include "sluice/disks.h"

namespace sluice::crystal {

/// [frame]
Result<std::vector<FoundPattern>> find_patterns(Scan const& scan, stem4d::DiskSetup const& setup,
                                                stem4d::Options const& run);

}  // namespace sluice::crystal
