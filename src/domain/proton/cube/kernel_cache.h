// Depth kernels: marched once for each energy, and kept.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/run.h"
#include "sluice/proton_base_data.h"

namespace sluice::proton::cube {

/// What a kernel is of.
struct KernelKey {
    double energy = 0, spread = 0;  ///< MeV
    WaterTable water = WaterTable::icru90;
    /// Behind so much water of range shifters protons fly so far through air, mm.
    double shifter = 0, gap = 0;

    auto operator<=>(KernelKey const&) const = default;
};

/// The folder of the user's caches; empty where there is none.
std::string usual_kernel_folder();

/// Whether the folder has a file of this kernel; whether it is whole shows when it is read.
bool has_kernel(std::string const& folder, KernelKey const& key);
/// What it takes to march kernels, so many at once: measured, and within a tenth or so.
double march_bytes(std::vector<KernelKey> const& keys, int threads);
/// A kernel for each key, out of the folder or marched on all threads, a key on each. What cannot
/// be written is not kept: `folder` empty keeps nothing.
Result<std::vector<BaseEnergy>> kernels(std::vector<KernelKey> const& keys,
                                        std::string const& folder, int threads, Run& run);

/// A kernel as bytes, which end in their digest; none of others or damaged ones.
std::string packed_kernel(KernelKey const& key, BaseEnergy const& kernel);
std::optional<BaseEnergy> unpacked_kernel(KernelKey const& key, std::string_view bytes);

}  // namespace sluice::proton::cube
