// Finds the stretches of pixels that count.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/pixel_runs.h"

#include <cstring>

namespace sluice::stem4d {
namespace {

// The first column from `col` on of a row whose weight is not 0, or `cols`.
index next_weight(float const* row, index col, index cols) {
    constexpr float zeros[16] = {};
    while (col + 16 <= cols && std::memcmp(row + col, zeros, sizeof zeros) == 0) col += 16;
    while (col < cols && row[col] == 0) ++col;
    return col;
}

}  // namespace

std::vector<dense::Run> pixel_runs(std::span<float const> weights, planes::Grid grid) {
    std::vector<dense::Run> runs;
    for (index r = 0; r < grid.rows; ++r) {
        float const* const row = weights.data() + r * grid.cols;
        for (index c = next_weight(row, 0, grid.cols); c < grid.cols;) {
            index end = c;
            while (end < grid.cols && row[end] != 0) ++end;
            runs.push_back({static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(c),
                            static_cast<std::uint32_t>(end - c)});
            c = next_weight(row, end, grid.cols);
        }
    }
    return runs;
}

}  // namespace sluice::stem4d
