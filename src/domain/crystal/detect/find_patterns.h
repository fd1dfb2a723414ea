// The disks of all patterns of a scan, as they come out of the fold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "domain/crystal/detect/found.h"
#include "sluice/disks.h"

namespace sluice::crystal {

/// [frame]
Result<std::vector<FoundPattern>> find_patterns(Scan const& scan, stem4d::DiskSetup const& setup,
                                                stem4d::Options const& run);

/// An error of a setup that knows no lattice.
Status check_knows(stem4d::DiskSetup const& setup);
/// What refine_lattice() makes of them.
Result<stem4d::KnownDisks> known_disks(std::span<FoundPattern const> found, Scan const& scan,
                                       stem4d::DiskSetup const& setup,
                                       stem4d::LatticeOptions const& options,
                                       stem4d::Options const& run);

}  // namespace sluice::crystal
