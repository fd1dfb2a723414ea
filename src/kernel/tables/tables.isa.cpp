// Answers from tables, for one instruction set: loops that the compiler turns into vectors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <limits>

#include "kernel/tables/cpu.h"

namespace sluice::tables::SLUICE_ISA {
namespace {

template <class F>
[[gnu::always_inline]] inline void with_type(Numbers numbers, F const& f) {
    switch (numbers.width) {
        case 1:
            return f(reinterpret_cast<std::uint8_t const*>(numbers.first));
        case 2:
            return f(reinterpret_cast<std::uint16_t const*>(numbers.first));
        case 4:
            return f(reinterpret_cast<std::uint32_t const*>(numbers.first));
        case 8:
            return f(reinterpret_cast<std::uint64_t const*>(numbers.first));
        default:
            return;
    }
}

void add(Numbers numbers, std::uint64_t* sums, std::size_t count) {
    with_type(numbers, [&](auto const* from) {
        for (std::size_t i = 0; i < count; ++i) sums[i] += from[i];
    });
}

void take(Numbers numbers, std::uint64_t* sums, std::size_t count) {
    with_type(numbers, [&](auto const* from) {
        for (std::size_t i = 0; i < count; ++i) sums[i] -= from[i];
    });
}

constexpr std::size_t piece = 1024;  // of sums, in the first-level cache

void difference(Numbers const (&plus)[2], Numbers const (&minus)[2], double* out,
                std::size_t count) {
    alignas(64) std::uint32_t sums[piece];
    for (std::size_t at = 0; at < count; at += piece) {
        std::size_t const n = std::min(piece, count - at);
        for (std::size_t i = 0; i < n; ++i) sums[i] = 0;
        for (Numbers const& numbers : plus)
            with_type(numbers, [&](auto const* from) {
                for (std::size_t i = 0; i < n; ++i)
                    sums[i] += static_cast<std::uint32_t>(from[at + i]);
            });
        for (Numbers const& numbers : minus)
            with_type(numbers, [&](auto const* from) {
                for (std::size_t i = 0; i < n; ++i)
                    sums[i] -= static_cast<std::uint32_t>(from[at + i]);
            });
        // Processors turn signed numbers of 32 bits into doubles at once.
        for (std::size_t i = 0; i < n; ++i) out[at + i] = static_cast<std::int32_t>(sums[i]);
    }
}

Range range(std::uint16_t const* numbers, std::uint8_t const* leave_out, std::size_t count) {
    Range r;
    for (std::size_t i = 0; i < count; ++i) {
        std::int32_t const n = numbers[i], counts = leave_out[i] == 0;
        r.least = std::min(r.least, counts ? n : 65535);
        r.most = std::max(r.most, counts ? n : -1);
        r.count += counts;
    }
    return r;
}

constexpr std::size_t lanes = 8;

typedef double Lanes __attribute__((vector_size(8 * lanes)));

struct Totals {
    Lanes row = {}, col = {}, count = {};
};

// The first `n` of eight frames; the others are as frames without counts.
[[gnu::always_inline]] inline void center(planes::Moment const* m, Centers const& out,
                                          std::size_t at, std::size_t n, Totals& totals) {
    double sums[lanes] = {}, rows[lanes] = {}, cols[lanes] = {};
    for (std::size_t k = 0; k < n; ++k) sums[k] = static_cast<double>(m[k].sum);
    for (std::size_t k = 0; k < n; ++k) rows[k] = static_cast<double>(m[k].row);
    for (std::size_t k = 0; k < n; ++k) cols[k] = static_cast<double>(m[k].col);
    Lanes sum, row, col;
    std::memcpy(&sum, sums, sizeof sum);
    std::memcpy(&row, rows, sizeof row);
    std::memcpy(&col, cols, sizeof col);
    Lanes const none = {}, nan = none + std::numeric_limits<double>::quiet_NaN();
    auto const some = sum > none;
    row = out.row_origin + out.bin * (row / sum);
    col = out.col_origin + out.bin * (col / sum);
    totals.row += some ? row : none;
    totals.col += some ? col : none;
    totals.count += some ? none + 1.0 : none;
    row = some ? row : nan;
    col = some ? col : nan;
    std::memcpy(out.sum + at, &sum, n * sizeof(double));
    std::memcpy(out.row + at, &row, n * sizeof(double));
    std::memcpy(out.col + at, &col, n * sizeof(double));
}

void centers(planes::Moment const* moments, std::size_t count, Centers& out) {
    Totals totals;
    Centers const to = out;  // a copy, which no pointer points to
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) center(moments + i, to, i, lanes, totals);
    center(moments + i, to, i, count - i, totals);
    for (std::size_t k = 0; k < lanes; ++k) {
        out.row_total += totals.row[k], out.col_total += totals.col[k];
        out.count += static_cast<index>(totals.count[k]);
    }
}

}  // namespace

CpuKernels cpu_kernels() {
    return {add, take, difference, range, centers};
}

}  // namespace sluice::tables::SLUICE_ISA
