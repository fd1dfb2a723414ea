// Depth doses of matRad's base data.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "domain/proton/machine/kernel.h"
#include "domain/proton/machine/matrad.h"

namespace sluice::proton {
namespace {

// Two Gaussians, or one whose second has no weight.
Status read_widths(MatRecord const& record, BaseEnergy& k) {
    if (record.find("sigma1")) {
        SLUICE_TRY(k.sigma, record.numbers("sigma1"));
        SLUICE_TRY(k.halo_sigma, record.numbers("sigma2"));
        SLUICE_TRY(k.halo_weight, record.numbers("weight"));
        return {};
    }
    if (!record.find("sigma"))
        return record.wrong("",
                            "has neither sigma nor sigma1, sigma2 and weight; other kinds of "
                            "widths are not read");
    SLUICE_TRY(k.sigma, record.numbers("sigma"));
    k.halo_sigma = k.sigma;
    k.halo_weight.assign(k.sigma.size(), 0);
    return {};
}

// Depths begin at the surface: what lies before it is cut off there, and what is missing is held.
void begin_at_surface(BaseEnergy& k, MatFacts& facts) {
    if (k.depth.front() == 0) return;
    auto const first = std::ranges::lower_bound(k.depth, 0.0) - k.depth.begin();
    if (first == std::ssize(k.depth)) return;
    facts.late += first == 0;
    bool const cut = first > 0 && k.depth[static_cast<std::size_t>(first)] > 0;
    double const part = cut ? -k.depth[static_cast<std::size_t>(first - 1)] /
                                  (k.depth[static_cast<std::size_t>(first)] -
                                   k.depth[static_cast<std::size_t>(first - 1)])
                            : 0;
    for (auto* const v : {&k.dose, &k.sigma, &k.halo_sigma, &k.halo_weight, &k.let, &k.depth}) {
        if (v->empty()) continue;
        double const at = v == &k.depth ? 0
                          : cut         ? (*v)[static_cast<std::size_t>(first - 1)] * (1 - part) +
                                      (*v)[static_cast<std::size_t>(first)] * part
                                : v->front();
        v->erase(v->begin(), v->begin() + first);
        if (cut || first == 0) v->insert(v->begin(), at);
    }
}

}  // namespace

Status read_kernel(MatRecord const& record, MachineEnergy& e, MatFacts& facts) {
    BaseEnergy& k = e.kernel;
    k.energy = e.mean;
    k.energy_spread = e.spread;
    SLUICE_TRY(k.depth, record.numbers("depths"));
    SLUICE_TRY(k.dose, record.numbers("Z"));
    SLUICE_CHECK(read_widths(record, k));
    if (record.find("LET")) {
        SLUICE_TRY(k.let, record.numbers("LET"));
    } else {
        ++facts.without_let;
    }
    SLUICE_TRY(double const offset, record.number_or("offset", 0));
    SLUICE_TRY(double const peak, record.number("peakPos"));
    k.peak = peak + offset;
    std::size_t const n = k.depth.size();
    for (auto const* const v : {&k.dose, &k.sigma, &k.halo_sigma, &k.halo_weight})
        if (v->size() != n)
            return record.wrong("", fmt::format("has {} depths and {} values beside them; give as "
                                                "many",
                                                n, v->size()));
    if (!k.let.empty() && k.let.size() != n)
        return record.wrong("",
                            fmt::format("has {} depths and {} LET; give as many", n, k.let.size()));
    for (double& d : k.depth) d += offset;
    if (!std::ranges::is_sorted(k.depth) || n < 2)
        return record.wrong("depths", "are no two depths that ascend; correct them");
    begin_at_surface(k, facts);
    auto const range = range_of(k);
    if (!range) return record.wrong("Z", "does not fall to 80 % behind its peak; give more depths");
    k.range = *range;
    return {};
}

}  // namespace sluice::proton
