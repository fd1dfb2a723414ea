// Which parts of ptychography devices support, and whether they have the memory for it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/queue.h"
#include "domain/ptychography/remote/arrays.h"
#include "domain/ptychography/remote/remote_patterns.h"

namespace sluice::ptycho::remote {

/// Fails where options need something that only processors support, and names it.
Status check_known(stem4d::PtychographyOptions const& options);

/// Of a stage, with so many numbers of waves at one time at most; at least one pattern's.
Sizes sizes_of(stem4d::Patterns const& patterns, stem4d::PtychographyOptions const& options,
               stem4d::PtychographyStage const& stage, ptycho::Canvas const& canvas,
               index most_waves);

/// Numbers of waves that all of a device are busy with.
constexpr index usual_waves = index{1} << 22;

/// Bytes that stages take at most beside the patterns.
Result<std::uint64_t> planned(stem4d::Patterns const& patterns,
                              stem4d::PtychographyOptions const& options,
                              index most_waves = usual_waves);

/// Waves at one time: fewer where there is less memory than for the usual ones. Fails where that
/// does not help.
Result<index> waves_that_fit(Queue& queue, stem4d::Patterns const& patterns,
                             stem4d::PtychographyOptions const& options);

}  // namespace sluice::ptycho::remote
