// Which GPUs a piece of work fits on, and roughly how long it takes there: by formulas alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sluice {

/// A GPU as the data sheet of its maker has it.
struct GpuModel {
    std::string name;
    std::uint64_t memory = 0;  ///< bytes
    double memory_per_s = 0;   ///< bytes a second
    double flop_per_s = 0;     ///< of float32, without tensor cores
    int pcie = 4;              ///< generation, of 16 lanes
    double nvlink_per_s = 0;   ///< bytes a second in one direction; 0: it has none
    std::string source = {};   ///< the data sheet
};

/// Those that are often found beside microscopes and in clusters.
std::span<GpuModel const> known_gpus();

/// A way between two GPUs, or to one.
struct Interconnect {
    std::string name;        ///< "PCIe 4 x16", "NVLink"
    double bytes_per_s = 0;  ///< in one direction, on paper
};
/// PCIe 4 and 5 of 16 lanes.
std::span<Interconnect const> pcie_links();

/// What a piece of work keeps on a GPU and does there. Bytes and FLOP are of all of it.
struct GpuWork {
    std::uint64_t shared = 0;  ///< bytes of which each of several GPUs has a part
    std::uint64_t whole = 0;   ///< bytes that each of them has
    std::uint64_t up = 0;      ///< bytes that are copied to it before it begins
    double bytes = 0;          ///< read and written; 0: no formula is known
    double flop = 0;
    double launches = 0;
    double exchanges = 0;          ///< how often several GPUs meet; 0: once, at the end
    std::uint64_t all_reduce = 0;  ///< bytes that all add up each time
    std::uint64_t halo = 0;        ///< bytes that two neighbours hand over instead
    std::string basis = {};        ///< the formula
};

/// Seconds of the work on several GPUs of a kind.
struct SeveralGpus {
    int gpus = 2;
    std::string link = {};
    double all_reduce_s = 0;  ///< of all exchanges
    double halo_s = 0;
    double work_s = 0;      ///< with the all-reduce
    double efficiency = 0;  ///< of one GPU's time, over as many times this one
    bool pays = false;      ///< at least 70 % as many times as fast
};

struct GpuPlan {
    GpuModel gpu;
    bool fits = false;                  ///< on one
    int needed = 0;                     ///< GPUs that hold it; 0: no number does
    double transfer_s = 0;              ///< to it, over its PCIe
    std::optional<double> work_s = {};  ///< on one that holds it, or would
    std::string bound = {};  ///< "memory", "arithmetic" or "launches": what takes longest
    std::vector<SeveralGpus> several = {};  ///< 2, 4 and 8, over its fastest link
};

/// What the formulas take for granted; the numbers are in the text of plan_assumptions().
namespace gpu_share {
inline constexpr double bandwidth = 0.6, flop = 0.25, link = 0.8;
inline constexpr double launch_s = 5e-6, exchange_s = 20e-6;
inline constexpr double most_memory = 0.9;  ///< the driver and other programs have the rest
}  // namespace gpu_share

/// One estimate for each GPU, in the order of the table. Nothing is measured, and no
/// GPU was at hand to compare them with.
std::vector<GpuPlan> plan_gpus(GpuWork const& work, std::span<GpuModel const> gpus = known_gpus());

/// 2 (n - 1) / n * bytes over a link, and as many turns: a ring of n GPUs.
double all_reduce_s(std::uint64_t bytes, int gpus, double link_per_s);
/// Both edges of a stripe, to two neighbours at the same time.
double halo_exchange_s(std::uint64_t bytes, int gpus, double link_per_s);

/// The assumptions, one a line.
std::vector<std::string> plan_assumptions();

}  // namespace sluice
