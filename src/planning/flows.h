// What takes longest: the disk, decoding, the work, or the way to a GPU.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "planning/measure.h"

namespace sluice::planning {

/// What is known of the times of work on a scan.
struct FlowTimes {
    double stored_bytes = 0;   ///< that are read from the files, all passes together
    double cached_load_s = 0;  ///< loading where the system's cache has the files; 0: not measured
    double work_s = 0;         ///< what comes after loading
    std::string work = {};     ///< its name
    int threads = 1;           ///< that read
    std::uint64_t up = 0;      ///< bytes to a GPU; 0: none is of use
};

/// Reads some of the largest file past the system's cache and out of it, half a second each.
Result<std::vector<PlanFlow>> disk_flows(std::vector<std::string> const& files, double stored_bytes,
                                         Progress const& progress);

/// Adds decoding, the work and PCIe to what disk_flows() found.
void add_flows(std::vector<PlanFlow>& flows, FlowTimes const& times);

/// "nothing cached: the disk takes longest, 12 s of 15 s one after the other" ...
std::vector<std::string> bottlenecks_of(std::vector<PlanFlow> const& flows);

}  // namespace sluice::planning
