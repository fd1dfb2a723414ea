// One energy of a machine out of keys, with all that can be wrong about it.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/machine/energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sluice::proton {
namespace {

using config::Dimension;
using config::field;
using config::quantity_field;
using Keys = EnergyKeys;

constexpr config::Field<Keys> of_energy[] = {
    quantity_field<&Keys::nominal, Dimension::energy>("nominal", "what plans call it").required(),
    quantity_field<&Keys::mean, Dimension::energy>("mean", "of the protons; else the nominal one"),
    quantity_field<&Keys::spread, Dimension::energy>("spread", "standard deviation of the energy")
        .required(),
    field<&Keys::protons_per_mu>("protons_per_mu", "0: not told", config::not_negative),
    quantity_field<&Keys::sigma, Dimension::length>("sigma", "standard deviation of the spot")
        .required(),
    quantity_field<&Keys::divergence, Dimension::angle>("divergence",
                                                        "standard deviation of the angles")
        .required(),
    field<&Keys::correlation>("correlation", "of place and angle, -1 to 1; above 0: it widens"),
    field<&Keys::second_weight>("second_weight", "the part of a second Gaussian",
                                config::between(0, 1)),
    quantity_field<&Keys::second_sigma, Dimension::length>("second_sigma", "of the second one"),
    quantity_field<&Keys::second_divergence, Dimension::angle>("second_divergence",
                                                               "of the second one"),
    field<&Keys::second_correlation>("second_correlation", "of the second one"),
};

constexpr double highest_energy = 1000, widest = 1000, steepest = 1, most_protons = 1e18;
constexpr char axis_name[] = {'x', 'y'};

Error bad_energy(std::string text) {
    return {Code::invalid_argument, std::move(text)};
}

Result<std::array<double, 2>> of_both_axes(std::vector<double> const& given, std::string_view name,
                                           bool needed) {
    if (given.empty() && !needed) return std::array{0.0, 0.0};
    if (given.empty()) return bad_energy(fmt::format("{} is missing; give it", name));
    if (given.size() > 2)
        return bad_energy(
            fmt::format("{} has {} values; give one, or two of x and y", name, given.size()));
    return std::array{given.front(), given.back()};
}

Result<SpotGaussian> gaussian_of(double weight, std::vector<double> const& sigma,
                                 std::vector<double> const& divergence,
                                 std::vector<double> const& correlation, std::string const& which) {
    SpotGaussian g{.weight = weight};
    SLUICE_TRY(g.sigma, of_both_axes(sigma, which + "sigma", true));
    SLUICE_TRY(g.divergence, of_both_axes(divergence, which + "divergence", true));
    SLUICE_TRY(auto const both, of_both_axes(correlation, which + "correlation", false));
    for (std::size_t i = 0; i < 2; ++i) {
        SLUICE_TRY(g.covariance[i], covariance_of(g.sigma[i], g.divergence[i], both[i]));
    }
    return g;
}

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

config::Fields<EnergyKeys> energy_fields() {
    return of_energy;
}

Result<double> covariance_of(double sigma, double divergence, double correlation) {
    if (!(std::abs(correlation) <= 1))
        return bad_energy(fmt::format("a correlation of {}; give -1 to 1", correlation));
    return correlation * sigma * divergence;
}

Result<MachineEnergy> energy_of(EnergyKeys const& k) {
    MachineEnergy e{.nominal = k.nominal,
                    .mean = k.mean.value_or(k.nominal),
                    .spread = k.spread,
                    .protons_per_mu = k.protons_per_mu};
    SLUICE_TRY(e.spots.emplace_back(),
               gaussian_of(1 - k.second_weight, k.sigma, k.divergence, k.correlation, ""));
    bool const told =
        !(k.second_sigma.empty() && k.second_divergence.empty() && k.second_correlation.empty());
    if (told && k.second_weight == 0)
        return bad_energy(
            "a second Gaussian without second_weight; give it, or leave the others "
            "out");
    if (k.second_weight > 0) {
        SLUICE_TRY(e.spots.emplace_back(),
                   gaussian_of(k.second_weight, k.second_sigma, k.second_divergence,
                               k.second_correlation, "second_"));
    }
    SLUICE_CHECK(check_energy(e));
    return e;
}

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
