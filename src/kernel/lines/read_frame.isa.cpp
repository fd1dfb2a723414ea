// Reads a frame out of lines: a bit of each, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/lines/parts.h"
#if defined(__AVX512VPOPCNTDQ__)
#include "kernel/lines/bits_of_lines_avx512.h"
#else
#include "kernel/lines/bits_of_lines_generic.h"
#endif

namespace sluice::lines::SLUICE_ISA {

using planes::block_edge;

namespace {

// Those of a row of blocks, just before they are filled.
inline void clear_rows(planes::Grid grid, index row, double* out) {
    index const first = row * block_edge, left = grid.rows - first;
    index const rows = left < block_edge ? left : block_edge;
    std::memset(out + first * grid.cols, 0,
                sizeof(double) * static_cast<std::size_t>(rows * grid.cols));
}

}  // namespace

void read_rows(Unit unit, index frame, index row, index rows, double* out) {
    planes::Grid const grid = unit.grid;
    index const word = frame / 64, block_cols = grid.block_cols();
    int const bit = static_cast<int>(frame % 64);
    for (index block = row * block_cols; block < (row + rows) * block_cols; ++block) {
        if (block % block_cols == 0) clear_rows(grid, block / block_cols, out);
        Head const& head = unit.head(block);
        if (head.planes == 0) continue;
        std::uint64_t const* line = unit.lines(head) + word;
        double* const corner =
            out + block / block_cols * block_edge * grid.cols + block % block_cols * block_edge;
        for (int p = 0; p < head.planes; ++p) {
            auto const value = static_cast<double>(std::uint64_t{1} << p);
            // Most bits of most frames are zeros, and pixels over the detector's edge have none.
            for (std::uint64_t w = bits_of_lines(unit.map(head, p), line, bit); w != 0;
                 w &= w - 1) {
                index const pixel = __builtin_ctzll(w);
                corner[pixel / block_edge * grid.cols + pixel % block_edge] += value;
            }
        }
    }
}

}  // namespace sluice::lines::SLUICE_ISA
