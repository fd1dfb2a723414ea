// Images without holes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/fill_holes.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sluice::stem4d {
namespace {

std::optional<double> mean_about(Array<double> const& image, index at) {
    index const rows = image.shape[0], cols = image.shape[1];
    double sum = 0, count = 0;
    for (index r = std::max<index>(at / cols - 1, 0); r <= std::min(at / cols + 1, rows - 1); ++r)
        for (index c = std::max<index>(at % cols - 1, 0); c <= std::min(at % cols + 1, cols - 1);
             ++c) {
            double const v = image.values[static_cast<std::size_t>(r * cols + c)];
            if (std::isfinite(v)) sum += v, ++count;
        }
    return count > 0 ? std::optional(sum / count) : std::nullopt;
}

}  // namespace

Array<double> without_holes(Array<double> image) {
    std::vector<index> holes;
    for (index i = 0; i < image.size(); ++i)
        if (!std::isfinite(image.values[static_cast<std::size_t>(i)])) holes.push_back(i);
    if (std::ssize(holes) == image.size()) std::ranges::fill(image.values, 0.0), holes.clear();
    while (!holes.empty()) {
        std::vector<std::pair<index, double>> made;
        for (index const at : holes)
            if (auto const mean = mean_about(image, at)) made.emplace_back(at, *mean);
        for (auto const& [at, value] : made) image.values[static_cast<std::size_t>(at)] = value;
        std::erase_if(holes, [&](index at) {
            return std::isfinite(image.values[static_cast<std::size_t>(at)]);
        });
    }
    return image;
}

}  // namespace sluice::stem4d
