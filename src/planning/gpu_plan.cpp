// Roofs of GPUs over a piece of work: what its memory, its arithmetic and its launches allow.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sluice/plan_devices.h"

namespace sluice {
namespace {

double usable(GpuModel const& gpu) {
    return gpu_share::most_memory * static_cast<double>(gpu.memory);
}

// GPUs that hold it: what is whole is on each.
int needed_of(GpuWork const& work, GpuModel const& gpu) {
    constexpr int most = 64;
    double const room = usable(gpu) - static_cast<double>(work.whole);
    if (room <= 0) return 0;
    double const n = std::ceil(static_cast<double>(work.shared) / room);
    return n <= most ? std::max(1, static_cast<int>(n)) : 0;
}

Interconnect const& pcie_of(GpuModel const& gpu) {
    auto const links = pcie_links();
    return links[static_cast<std::size_t>(std::clamp(gpu.pcie, 3, 5) - 3)];
}

Interconnect fastest_link(GpuModel const& gpu) {
    Interconnect const& pcie = pcie_of(gpu);
    if (gpu.nvlink_per_s > pcie.bytes_per_s) return {"NVLink", gpu.nvlink_per_s};
    return pcie;
}

SeveralGpus several_of(GpuWork const& work, GpuModel const& gpu, double alone_s, int n) {
    Interconnect const link = fastest_link(gpu);
    SeveralGpus s;
    s.gpus = n;
    s.link = link.name;
    double const meetings = std::max(1.0, work.exchanges);
    s.all_reduce_s = meetings * all_reduce_s(work.all_reduce, n, link.bytes_per_s);
    s.halo_s = meetings * halo_exchange_s(work.halo, n, link.bytes_per_s);
    // Launches are as many, each with a part of the numbers.
    double const launching = work.launches * gpu_share::launch_s;
    s.work_s = std::max(alone_s / n, launching) + s.all_reduce_s;
    s.efficiency = alone_s / (n * s.work_s);
    constexpr double least = 0.7;
    s.pays = s.efficiency >= least;
    return s;
}

}  // namespace

double all_reduce_s(std::uint64_t bytes, int gpus, double link_per_s) {
    if (gpus < 2 || bytes == 0) return 0;
    return 2.0 * (gpus - 1) / gpus * static_cast<double>(bytes) / (gpu_share::link * link_per_s) +
           2.0 * (gpus - 1) * gpu_share::exchange_s;
}

double halo_exchange_s(std::uint64_t bytes, int gpus, double link_per_s) {
    if (gpus < 2 || bytes == 0) return 0;
    // With two there is one neighbour.
    double const neighbours = gpus == 2 ? 1 : 2;
    return neighbours *
           (static_cast<double>(bytes) / (gpu_share::link * link_per_s) + gpu_share::exchange_s);
}

std::vector<GpuPlan> plan_gpus(GpuWork const& work, std::span<GpuModel const> gpus) {
    std::vector<GpuPlan> out;
    for (GpuModel const& gpu : gpus) {
        GpuPlan plan;
        plan.gpu = gpu;
        plan.needed = needed_of(work, gpu);
        plan.fits = plan.needed == 1;
        plan.transfer_s =
            static_cast<double>(work.up) / (gpu_share::link * pcie_of(gpu).bytes_per_s);
        if (work.bytes > 0) {
            double const memory = work.bytes / (gpu_share::bandwidth * gpu.memory_per_s);
            double const arithmetic = work.flop / (gpu_share::flop * gpu.flop_per_s);
            double const launching = work.launches * gpu_share::launch_s;
            double const s = std::max({memory, arithmetic, launching});
            plan.work_s = s;
            plan.bound = s == memory ? "memory" : s == arithmetic ? "arithmetic" : "launches";
            for (int const n : {2, 4, 8}) plan.several.push_back(several_of(work, gpu, s, n));
        }
        out.push_back(std::move(plan));
    }
    return out;
}

std::vector<std::string> plan_assumptions() {
    namespace g = gpu_share;
    return {
        fmt::format("work: the longest of bytes over {:.0f} % of the sheet's bandwidth, FLOP over "
                    "{:.0f} % of its float32, and {:.0f} microseconds a launch",
                    100 * g::bandwidth, 100 * g::flop, 1e6 * g::launch_s),
        fmt::format("copying: bytes over {:.0f} % of the card's PCIe, 16 lanes, pinned memory",
                    100 * g::link),
        fmt::format("fits: within {:.0f} % of its memory", 100 * g::most_memory),
        fmt::format("n GPUs: work / n and, each time they meet, 2 (n - 1) / n bytes over {:.0f} % "
                    "of the link (a ring's all-reduce) with {:.0f} microseconds a turn",
                    100 * g::link, 1e6 * g::exchange_s),
    };
}

}  // namespace sluice
