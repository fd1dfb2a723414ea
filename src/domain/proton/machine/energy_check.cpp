// What an energy of a machine may be.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/machine/energy.h"

namespace sluice::proton {
namespace {

constexpr double highest_energy = 1000, widest = 1000, steepest = 1, most_protons = 1e18;
constexpr char axis_name[] = {'x', 'y'};

Status check_gaussian(SpotGaussian const& g) {
    if (!(g.weight >= 0 && g.weight <= 1))
        return bad_energy(fmt::format("a Gaussian of weight {}; give 0 to 1", g.weight));
    for (std::size_t i = 0; i < 2; ++i) {
        double const s = g.sigma[i], d = g.divergence[i], c = g.covariance[i];
        if (!(s >= 0 && s <= widest))
            return bad_energy(
                fmt::format("a sigma of {} mm in {}; give 0 to {}", s, axis_name[i], widest));
        if (!(d >= 0 && d <= steepest))
            return bad_energy(fmt::format("a divergence of {} rad in {}; give 0 to {}", d,
                                          axis_name[i], steepest));
        constexpr double rounding = 1e-9;
        if (!(std::abs(c) <= s * d * (1 + rounding)))
            return bad_energy(fmt::format(
                "a covariance of {} mm in {} (sigma and divergence allow {:g}); correct it", c,
                axis_name[i], s * d));
    }
    return {};
}

Status check_column(std::vector<double> const& values, std::string_view name, double most) {
    for (double const v : values)
        if (!(v >= 0 && v <= most))
            return bad_energy(fmt::format("a {} of {}; give 0 to {:g}", name, v, most));
    return {};
}

Status check_kernel(BaseEnergy const& k) {
    std::size_t const n = k.depth.size();
    if (n == 0) return {};
    if (n < 2 || n > 100'000) return bad_energy(fmt::format("{} depths; give 2 to 100000", n));
    for (std::size_t i = 0; i < n; ++i)
        if (!(k.depth[i] >= 0 && k.depth[i] < 1e5) || (i > 0 && k.depth[i] <= k.depth[i - 1]))
            return bad_energy(fmt::format("a depth of {} mm at place {}; depths ascend from 0",
                                          k.depth[i], i + 1));
    for (auto const* const column : {&k.dose, &k.sigma, &k.halo_sigma, &k.halo_weight})
        if (column->size() != n)
            return bad_energy(fmt::format("{} depths and {} values beside them; give as many", n,
                                          column->size()));
    if (!k.let.empty() && k.let.size() != n)
        return bad_energy(fmt::format("{} depths and {} LET; give as many", n, k.let.size()));
    SLUICE_CHECK(check_column(k.dose, "dose", 1e9));
    SLUICE_CHECK(check_column(k.sigma, "width", 1e6));
    SLUICE_CHECK(check_column(k.halo_sigma, "halo's width", 1e6));
    SLUICE_CHECK(check_column(k.halo_weight, "halo's weight", 1));
    SLUICE_CHECK(check_column(k.let, "LET", 1e6));
    if (!(*std::ranges::max_element(k.dose) > 0)) return bad_energy("a dose of 0 in all depths");
    if (!(k.peak > 0 && k.range > 0))
        return bad_energy(
            fmt::format("a peak at {} mm and a range of {} mm; both are above 0", k.peak, k.range));
    return {};
}

}  // namespace

Status check_energy(MachineEnergy const& e) {
    if (!(e.nominal > 0 && e.nominal <= highest_energy))
        return bad_energy(fmt::format("a nominal energy of {} MeV; give more than 0, at most {}",
                                      e.nominal, highest_energy));
    if (!(e.mean >= 1 && e.mean <= highest_energy))
        return bad_energy(
            fmt::format("a mean energy of {} MeV; give 1 to {}", e.mean, highest_energy));
    if (!(e.spread >= 0 && e.spread < e.mean / 3))
        return bad_energy(fmt::format("a spread of {} MeV at {} MeV; give 0 or more, below a third",
                                      e.spread, e.mean));
    if (!(e.protons_per_mu >= 0 && e.protons_per_mu <= most_protons))
        return bad_energy(
            fmt::format("{} protons per MU; give 0 to {:g}", e.protons_per_mu, most_protons));
    if (e.spots.empty() || e.spots.size() > 2)
        return bad_energy(fmt::format("{} Gaussians; give one or two", e.spots.size()));
    double sum = 0;
    for (SpotGaussian const& g : e.spots) {
        SLUICE_CHECK(check_gaussian(g));
        sum += g.weight;
    }
    if (!(std::abs(sum - 1) < 1e-6))
        return bad_energy(fmt::format("weights that sum to {}; they sum to 1", sum));
    return check_kernel(e.kernel);
}

Status check_order(std::vector<MachineEnergy> const& before, MachineEnergy const& next) {
    if (before.size() >= most_energies)
        return bad_energy(fmt::format("more than {} energies", most_energies));
    if (before.empty()) return {};
    MachineEnergy const& last = before.back();
    if (last.nominal == next.nominal)
        return bad_energy(fmt::format("{} MeV is there twice; leave one out", next.nominal));
    if (last.nominal > next.nominal)
        return bad_energy(
            fmt::format("{} MeV follows {} MeV; energies ascend", next.nominal, last.nominal));
    if (last.mean >= next.mean)
        return bad_energy(fmt::format("a mean energy of {} MeV follows one of {} MeV; they ascend",
                                      next.mean, last.mean));
    if (!next.kernel.depth.empty() && last.kernel.range >= next.kernel.range)
        return bad_energy(
            fmt::format("a range of {:g} mm at {} MeV follows one of {:g} mm; "
                        "ranges ascend",
                        next.kernel.range, next.nominal, last.kernel.range));
    return {};
}

}  // namespace sluice::proton
