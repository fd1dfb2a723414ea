// Polynomials over a scan. A direction of one point has no slope, and one of two no bend.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/calibrate/surface.h"

#include <algorithm>
#include <cmath>

namespace sluice::crystal {
namespace {

using stem4d::OriginSurface;

double scaled(double at, index points) {
    return points > 1 ? 2 * at / static_cast<double>(points - 1) - 1 : 0;
}

double bernstein(int order, int i, double t) {
    double choose = 1;
    for (int k = 1; k <= i; ++k) choose *= static_cast<double>(order - i + k) / k;
    return choose * std::pow(t, i) * std::pow(1 - t, order - i);
}

}  // namespace

Surface::Surface(OriginSurface surface, int order, std::array<index, 2> scan)
    : surface_(surface), scan_(scan) {
    int const wanted = surface == OriginSurface::bezier     ? order
                       : surface == OriginSurface::parabola ? 2
                       : surface == OriginSurface::plane    ? 1
                                                            : 0;
    for (std::size_t i = 0; i < 2; ++i)
        order_[i] = static_cast<int>(std::min<index>(wanted, std::max<index>(scan[i] - 1, 0)));
    size_ = functions(0, 0).size();
}

std::vector<double> Surface::functions(double scan_row, double scan_col) const {
    double const y = scaled(scan_row, scan_[0]), x = scaled(scan_col, scan_[1]);
    std::vector<double> f;
    for (int i = 0; i <= order_[0]; ++i)
        for (int j = 0; j <= order_[1]; ++j)
            if (surface_ == OriginSurface::bezier)
                f.push_back(bernstein(order_[0], i, (y + 1) / 2) *
                            bernstein(order_[1], j, (x + 1) / 2));
            else if (i + j <= std::max(order_[0], order_[1]))
                f.push_back(std::pow(y, i) * std::pow(x, j));
    return f;
}

}  // namespace sluice::crystal
