// Counts what the columns and maps of crystals take.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/memory.h"

#include <fmt/format.h>

#include "base/memory.h"
#include "domain/crystal/detect/found.h"
#include "sluice/strain.h"

namespace sluice::crystal {
namespace {

// What the allocator keeps beside each list of disks.
constexpr std::uint64_t beside_list = 16;

std::uint64_t times(index count, std::uint64_t bytes) {
    return static_cast<std::uint64_t>(count) * bytes;
}

}  // namespace

std::uint64_t found_bytes(index patterns, index disks) {
    return times(patterns, sizeof(FoundPattern) + beside_list) + times(disks, sizeof(FoundDisk));
}

std::uint64_t column_bytes(index patterns, index disks) {
    constexpr std::uint64_t columns = 9;
    return times(patterns, sizeof(index) + sizeof(stem4d::DiskReason)) +
           times(disks, columns * sizeof(float));
}

std::uint64_t lattice_bytes(index patterns) {
    // Values, their covariance and chi2; the disks used and left out.
    constexpr std::uint64_t numbers = 6 + 36 + 1, counts = 2;
    return times(patterns,
                 numbers * sizeof(double) + counts * sizeof(index) + sizeof(stem4d::LatticeReason));
}

std::uint64_t strain_bytes(index patterns) {
    constexpr std::uint64_t maps = 4, covariance = 16;
    std::uint64_t const map = 2 * sizeof(double) + sizeof(Missing);
    return times(patterns, maps * map + covariance * sizeof(double));
}

Status check_memory(std::uint64_t bytes, std::string_view what) {
    std::uint64_t const free = memory_available();
    if (bytes <= free) return {};
    return Error{
        Code::out_of_memory,
        fmt::format("{} take {:.1f} GB, and {:.1f} GB are free; work on a part of the scan "
                    "(--scan-region), or see `sluice plan`",
                    what, static_cast<double>(bytes) / 1e9, static_cast<double>(free) / 1e9)};
}

}  // namespace sluice::crystal
