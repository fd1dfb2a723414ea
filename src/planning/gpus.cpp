// GPUs, each row by the data sheet that it names: memory, its bandwidth, float32 without tensor
// cores, PCIe and NVLink. There are no prices: they change, and the sheets do not.
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "sluice/plan_devices.h"

namespace sluice {
namespace {

GpuModel gpu(char const* name, double gigabytes, double gigabytes_per_s, double teraflop, int pcie,
             double nvlink_gb, char const* source) {
    return {name,
            static_cast<std::uint64_t>(gigabytes * 1e9),
            gigabytes_per_s * 1e9,
            teraflop * 1e12,
            pcie,
            nvlink_gb * 1e9,
            source};
}

}  // namespace

std::span<GpuModel const> known_gpus() {
    // NVLink on sheets counts both directions; here is one. Makers' gigabytes are taken as 1e9
    // bytes, which is a little less than some of them have.
    static std::array const table{
        gpu("NVIDIA T4", 16, 320, 8.1, 3, 0, "NVIDIA T4 data sheet, 2019"),
        gpu("NVIDIA V100 SXM2 32 GB", 32, 900, 15.7, 3, 150, "NVIDIA V100 data sheet, 2020"),
        gpu("NVIDIA L4", 24, 300, 30.3, 4, 0, "NVIDIA L4 data sheet, 2023"),
        gpu("GeForce RTX 3060 12 GB", 12, 360, 12.7, 4, 0,
            "NVIDIA Ampere GA10x whitepaper (GA106), 2021"),
        gpu("GeForce RTX 3090", 24, 936, 35.6, 4, 56, "NVIDIA Ampere GA102 whitepaper, 2021"),
        gpu("NVIDIA RTX A6000", 48, 768, 38.7, 4, 56, "NVIDIA RTX A6000 data sheet, 2021"),
        gpu("GeForce RTX 4070 Laptop", 8, 256, 15.6, 4, 0,
            "NVIDIA, page of GeForce laptops, 2023; FLOP/s depend on the laptop's power"),
        gpu("GeForce RTX 4090", 24, 1008, 82.6, 4, 0, "NVIDIA Ada GPU architecture, 2023"),
        gpu("NVIDIA RTX 6000 Ada", 48, 960, 91.1, 4, 0, "NVIDIA RTX 6000 Ada data sheet, 2023"),
        gpu("NVIDIA L40S", 48, 864, 91.6, 4, 0, "NVIDIA L40S data sheet, 2023"),
        gpu("GeForce RTX 5090", 32, 1792, 104.8, 5, 0,
            "NVIDIA RTX Blackwell GPU architecture, 2025"),
        gpu("NVIDIA RTX PRO 6000 Blackwell", 96, 1792, 125, 5, 0,
            "NVIDIA RTX PRO 6000 Blackwell Workstation data sheet, 2025"),
        gpu("NVIDIA A100 PCIe 40 GB", 40, 1555, 19.5, 4, 300, "NVIDIA A100 data sheet, 2020"),
        gpu("NVIDIA A100 SXM 80 GB", 80, 2039, 19.5, 4, 300, "NVIDIA A100 data sheet, 2021"),
        gpu("NVIDIA H100 PCIe", 80, 2000, 51, 5, 300, "NVIDIA H100 data sheet, 2023"),
        gpu("NVIDIA H100 SXM", 80, 3350, 67, 5, 450, "NVIDIA H100 data sheet, 2023"),
        gpu("NVIDIA H200 SXM", 141, 4800, 67, 5, 450, "NVIDIA H200 data sheet, 2024"),
    };
    return table;
}

std::span<Interconnect const> pcie_links() {
    // 16 and 32 GT/s a lane, 16 lanes, 128 of 130 bits (PCI-SIG, revisions 3.0 to 5.0).
    static std::array<Interconnect, 3> const links{
        {{"PCIe 3 x16", 15.75e9}, {"PCIe 4 x16", 31.5e9}, {"PCIe 5 x16", 63.0e9}}};
    return links;
}

}  // namespace sluice
