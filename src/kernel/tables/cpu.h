// What answers from tables are made of, built per instruction set: sums of whole numbers that are
// kept in few bytes, and centres of mass.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"
#include "kernel/planes/kernels.h"

namespace sluice::tables {

/// Whole numbers of 1, 2, 4 or 8 bytes each; of 0 bytes: all are zeros.
struct Numbers {
    std::byte const* first;
    std::size_t width;
};

/// The smallest and the largest of some numbers, and how many they are; none: 65535 and -1.
struct Range {
    std::int32_t least = 65535, most = -1;
    std::int32_t count = 0;
};

/// Where centres of mass go: pixel (row, col) of the array lies at origin + bin * (row, col).
struct Centers {
    double row_origin, col_origin, bin;
    double *sum, *row, *col;              ///< [frame]; NaN where a frame has no counts
    double row_total = 0, col_total = 0;  ///< of all that are not NaN
    index count = 0;                      ///< those
};

struct CpuKernels {
    /// sums[i] += numbers[i], or -=; modulo 2^64.
    void (*add)(Numbers numbers, std::uint64_t* sums, std::size_t count);
    void (*take)(Numbers numbers, std::uint64_t* sums, std::size_t count);
    /// out[i] = the sum of plus[][i] less that of minus[][i], where all that is added up and the
    /// result are below 2^31.
    void (*difference)(Numbers const (&plus)[2], Numbers const (&minus)[2], double* out,
                       std::size_t count);
    /// Of the numbers for which `leave_out` is 0.
    Range (*range)(std::uint16_t const* numbers, std::uint8_t const* leave_out, std::size_t count);
    /// Totals are eight partial sums of a fixed order.
    void (*centers)(planes::Moment const* moments, std::size_t count, Centers& out);
};

CpuKernels const& cpu_kernels(Isa isa);

namespace baseline {
CpuKernels cpu_kernels();
}
namespace avx2 {
CpuKernels cpu_kernels();
}
namespace avx512 {
CpuKernels cpu_kernels();
}

}  // namespace sluice::tables
