// Reads a frame block by block: a bit of each line.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/lines/read_frame.h"

#include <algorithm>
#include <bit>

namespace sluice::lines {

using planes::block_edge;

void read_frame(Unit unit, index frame, double* out) {
    planes::Grid const grid = unit.grid;
    index const word = frame / 64, block_cols = grid.block_cols();
    std::fill_n(out, grid.rows * grid.cols, 0.0);
    for (index block = 0; block < grid.blocks(); ++block) {
        Head const& head = unit.head(block);
        if (head.planes == 0) continue;
        std::uint64_t const* line = unit.lines(head) + word;
        std::uint32_t values[block_edge * block_edge] = {};
        for (int p = 0; p < head.planes; ++p)
            for (std::uint64_t map = unit.map(head, p); map != 0; map &= map - 1) {
                values[std::countr_zero(map)] |= static_cast<std::uint32_t>(*line >> frame % 64 & 1)
                                                 << p;
                line += line_words;
            }
        index const row = block / block_cols * block_edge, col = block % block_cols * block_edge;
        index const rows = std::min(block_edge, grid.rows - row);
        index const cols = std::min(block_edge, grid.cols - col);
        for (index r = 0; r < rows; ++r)
            for (index c = 0; c < cols; ++c)
                out[(row + r) * grid.cols + col + c] = values[r * block_edge + c];
    }
}

}  // namespace sluice::lines
