// What a piece of work puts on a GPU, and does there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "planning/store_memory.h"
#include "sluice/plan_devices.h"

namespace sluice::planning {

/// Images of so many detectors, each of which looks at the scan once.
GpuWork gpu_images(LoadedScan const& scan, std::size_t detectors);

/// A reconstruction of patterns whose positions are known; `counts` bytes of counts. Fails where
/// the options need something that only processors support.
Result<GpuWork> gpu_ptychography(stem4d::Patterns const& patterns, std::uint64_t counts,
                                 stem4d::PtychographyOptions options);

/// So many passes of models with so many FLOP each.
GpuWork gpu_separation(std::span<music::ModelCost const> models, std::span<double const> passes);

}  // namespace sluice::planning
