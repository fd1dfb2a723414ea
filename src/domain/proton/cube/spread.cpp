// The instruction set of the kernel, and its slow twin.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/spread.h"

#include "device/per_isa.h"

namespace sluice::proton::cube {
namespace {

SpreadKernels const slow{spread_slowly};

float gaussian(float a, index d) {
    Falling f(a);
    for (index i = 0; i < std::abs(d); ++i) f.next();
    return f.value;
}

// What the pencils of one row give to a place, `down` rows and `right` columns from row 0, column
// 0.
float of_row(Pencils const& p, int channel, index row, index down, index right) {
    float sum = 0;
    for (index d = -p.reach[row]; d <= p.reach[row]; ++d) {
        index const x = right - d;
        if (x < 0 || x >= p.columns) continue;
        index const at = row * p.line + x;
        sum += p.weight[channel][at] * gaussian(p.narrow[1][at], down - row) *
               gaussian(p.narrow[0][at], d);
    }
    return sum;
}

}  // namespace

void SpreadScratch::make_room(index columns, index reach) {
    auto const grow = [](std::vector<float>& v, index size) {
        if (std::ssize(v) < size) v.resize(static_cast<std::size_t>(size));
    };
    index const stride = columns + 2 * reach;
    grow(gaussians, 2 * stride * (reach + 1));
    grow(row, stride);
    grow(sum, stride);
}

SLUICE_PER_ISA(SpreadKernels, spread_kernels)

SpreadKernels const& spread_kernels(Device const& device) {
    return table_for(device, slow, static_cast<SpreadKernels const& (*)(Isa)>(spread_kernels));
}

void spread_slowly(Pencils const& p, SpreadScratch& /*scratch*/) {
    for (int c = 0; c < p.channels; ++c)
        for (index y = 0; y < p.rows + 2 * p.margin; ++y)
            for (index x = 0; x < p.out_line(); ++x)
                for (index row = 0; row < p.rows; ++row) {
                    index const away = std::abs(y - p.margin - row);
                    if (away > p.reach[row]) continue;
                    p.out[c][y * p.out_line() + x] += of_row(p, c, row, y - p.margin, x - p.margin);
                }
}

}  // namespace sluice::proton::cube
