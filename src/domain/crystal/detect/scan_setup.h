// A setup in the pixels that a scan was loaded with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/detect/finder.h"
#include "sluice/scan.h"

namespace sluice::crystal {

/// `setup` has lengths in pixels of the full detector; `bad` must outlive the result.
Result<FinderSetup> setup_for(Scan const& scan, stem4d::DiskSetup const& setup,
                              std::span<std::uint8_t const> bad);

}  // namespace sluice::crystal
