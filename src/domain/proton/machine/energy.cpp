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

}  // namespace

Error bad_energy(std::string text) {
    return {Code::invalid_argument, std::move(text)};
}

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

}  // namespace sluice::proton
