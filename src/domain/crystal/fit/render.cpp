// The model of a disk on the pixels of an image.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/fit/render.h"

#include <cmath>

namespace sluice::crystal {

Phase phase_at(Tables const& tables, double row, double col) {
    auto const split = [](double at, index& first, double& rest) {
        double const whole = std::floor(at), phase = std::round((at - whole) * Tables::phases);
        first = static_cast<index>(whole);
        rest = at - whole - phase / Tables::phases;
        return static_cast<index>(phase);
    };
    Phase p{};
    index const a = split(row, p.row, p.d_row), b = split(col, p.col, p.d_col);
    p.table = tables.at(a, b);
    p.row -= tables.before();
    p.col -= tables.before();
    return p;
}

void add_disk(Tables const& tables, DiskState const& disk, double times, float* image,
              index pitch) {
    Phase const p = phase_at(tables, disk.row, disk.col);
    index const side = tables.side(), pixels = tables.pixels();
    auto const height = static_cast<float>(times * disk.model.height);
    float const by_row = height * static_cast<float>(p.d_row),
                by_col = height * static_cast<float>(p.d_col);
    for (index r = 0; r < side; ++r) {
        float* const to = image + (p.row + r) * pitch + p.col;
        float const* const t = p.table + r * side;
        for (index c = 0; c < side; ++c)
            to[c] += height * t[c] + by_row * t[pixels + c] + by_col * t[2 * pixels + c];
    }
}

}  // namespace sluice::crystal
