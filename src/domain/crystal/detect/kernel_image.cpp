// Makes the kernel of the correlation.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/kernel_image.h"

#include <cmath>

namespace sluice::crystal {
namespace {

// The mean of the template over a bin about (row, col), in pixels.
double binned(stem4d::ProbeTemplate const& probe, double row, double col, index bin) {
    double sum = 0;
    double const first = static_cast<double>(1 - bin) / 2;
    for (index i = 0; i < bin; ++i)
        for (index j = 0; j < bin; ++j)
            sum += probe.value(row + first + static_cast<double>(i),
                               col + first + static_cast<double>(j));
    return sum / static_cast<double>(bin * bin);
}

}  // namespace

KernelImage kernel_image(stem4d::ProbeTemplate const& probe, double radius, index bin) {
    auto const width = static_cast<double>(bin);
    KernelImage k;
    k.reach = static_cast<index>(std::floor(radius / width));
    std::vector<char> inside;
    double sum = 0, count = 0;
    for (index r = -k.reach; r <= k.reach; ++r)
        for (index c = -k.reach; c <= k.reach; ++c) {
            double const row = width * static_cast<double>(r), col = width * static_cast<double>(c);
            inside.push_back(std::hypot(row, col) <= radius);
            k.values.push_back(inside.back() ? binned(probe, row, col, bin) : 0);
            sum += k.values.back();
            count += inside.back();
        }
    double const mean = sum / count;
    double norm = 0;
    for (double& v : k.values) norm += v * (v - mean);
    norm *= width * width;
    for (std::size_t i = 0; i < k.values.size(); ++i)
        k.values[i] = inside[i] ? (k.values[i] - mean) / norm : 0;
    return k;
}

}  // namespace sluice::crystal
