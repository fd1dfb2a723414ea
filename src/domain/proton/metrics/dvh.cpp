// Dose volume histograms.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "sluice/proton_metrics.h"

namespace sluice::proton {

Result<Dvh> dvh(std::span<float const> dose, std::span<float const> mask) {
    auto const bad = [](std::string text) {
        return Error{Code::invalid_argument, std::move(text)};
    };
    if (dose.size() != mask.size())
        return bad(
            fmt::format("a structure of {} pixels for a dose of {}; give one of the same shape",
                        mask.size(), dose.size()));
    std::vector<std::size_t> order;
    Dvh out;
    double sum = 0;
    for (std::size_t i = 0; i < mask.size(); ++i) {
        if (!(mask[i] >= 0 && mask[i] <= 1))
            return bad(
                fmt::format("pixel {} of the structure is {}; give 0 to 1, the part of the pixel "
                            "that counts",
                            i, mask[i]));
        if (mask[i] == 0) continue;
        if (!std::isfinite(dose[i]))
            return bad(fmt::format("pixel {} in the structure has a dose of {}", i, dose[i]));
        order.push_back(i);
        out.area += static_cast<double>(mask[i]);
        sum += static_cast<double>(mask[i]) * static_cast<double>(dose[i]);
    }
    if (order.empty()) return bad("the structure is empty; give pixels above 0");
    std::ranges::sort(order, std::greater{}, [&](std::size_t i) { return dose[i]; });
    double area = 0;
    for (std::size_t const i : order) {
        area += static_cast<double>(mask[i]);
        out.dose.push_back(static_cast<double>(dose[i]));
        out.part.push_back(area / out.area);
    }
    // The whole structure, whatever the sum was rounded to.
    out.part.back() = 1;
    out.most = out.dose.front();
    out.least = out.dose.back();
    out.mean = sum / out.area;
    return out;
}

double Dvh::coverage(double wanted) const {
    // Sums of parts are exact to some digits only.
    auto const at = std::ranges::lower_bound(part, wanted - 1e-9);
    return dose[std::min(static_cast<std::size_t>(at - part.begin()), dose.size() - 1)];
}

double Dvh::volume(double wanted) const {
    auto const past = std::ranges::upper_bound(dose, wanted, std::greater{});
    return past == dose.begin() ? 0 : part[static_cast<std::size_t>(past - dose.begin()) - 1];
}

}  // namespace sluice::proton
