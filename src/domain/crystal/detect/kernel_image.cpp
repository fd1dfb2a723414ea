// Makes the kernel of the correlation.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/kernel_image.h"

#include <cmath>

#include "domain/crystal/probe/tables.h"

namespace sluice::crystal {
KernelImage kernel_image(stem4d::ProbeTemplate const& probe, double radius, index bin,
                         index detector_bin) {
    auto const width = static_cast<double>(bin);
    KernelImage k;
    k.reach = static_cast<index>(std::floor(radius / width));
    std::vector<char> inside;
    double sum = 0, count = 0;
    for (index r = -k.reach; r <= k.reach; ++r)
        for (index c = -k.reach; c <= k.reach; ++c) {
            double const row = width * static_cast<double>(r), col = width * static_cast<double>(c);
            inside.push_back(std::hypot(row, col) <= radius);
            auto const unit = static_cast<double>(detector_bin);
            k.values.push_back(
                inside.back() ? mean_over_bin(probe, row * unit, col * unit, bin * detector_bin)[0]
                              : 0);
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
