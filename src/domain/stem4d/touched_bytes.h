// How many bytes of the store an analysis has to look at; for benchmarks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// Entries, totals and planes of a resident scan that the detector's image needs, in bytes.
Result<std::uint64_t> touched_bytes(Scan const& scan, Detector const& detector, Disk const& disk);

}  // namespace sluice::stem4d
