// Sums and moments of detectors over each frame of a scan whose planes are turned by frames. They
// take milliseconds, and tell no progress.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "domain/stem4d/compiled.h"
#include "scan/scan_tables.h"
#include "store/resident.h"

namespace sluice::stem4d {

/// [detector][frame]; none where the scan has no lines, or a detector has weights. With `tables`,
/// a detector near one that was counted lately counts the pixels that differ.
std::optional<std::vector<double>> sums_from_lines(store::Resident const* frames,
                                                   ScanTables* tables,
                                                   std::span<Compiled const> detectors,
                                                   Options const& options);

/// Sum, row and column of each frame, in the same way.
std::optional<std::vector<double>> moments_from_lines(store::Resident const* frames,
                                                      ScanTables* tables, Compiled const& mask,
                                                      Options const& options);

/// [block * 64 + bit] over chosen frames, [tile]: bit f of a mask is frame f of the tile.
std::optional<std::vector<std::uint64_t>> pattern_from_lines(store::Resident const* frames,
                                                             std::span<std::uint16_t const> masks,
                                                             Options const& options);

}  // namespace sluice::stem4d
