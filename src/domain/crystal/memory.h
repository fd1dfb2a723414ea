// What disks, lattices and strain of a scan take in memory: one arithmetic for the work's own check
// and for plans of it. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::crystal {

/// Disks as a search leaves them, pattern by pattern.
std::uint64_t found_bytes(index patterns, index disks);
/// The columns of BraggVectors.
std::uint64_t column_bytes(index patterns, index disks);
/// A LatticeFit.
std::uint64_t lattice_bytes(index patterns);
/// StrainMaps.
std::uint64_t strain_bytes(index patterns);

/// An error where so many bytes are not free; `what` is its subject, as in "lattices of 9
/// patterns".
Status check_memory(std::uint64_t bytes, std::string_view what);

}  // namespace sluice::crystal
