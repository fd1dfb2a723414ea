// One energy of a machine: what files give it by, and what it may be.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "config/field.h"
#include "sluice/proton_machine.h"

namespace sluice::proton {

/// What an energy is given by in TOML files and lists: MeV, mm and radians. Of sigma, divergence
/// and correlation there is one for x and y, or one each.
struct EnergyKeys {
    double nominal = 0;
    std::optional<double> mean = {};
    double spread = 0, protons_per_mu = 0;
    std::vector<double> sigma = {}, divergence = {}, correlation = {};
    double second_weight = 0;
    std::vector<double> second_sigma = {}, second_divergence = {}, second_correlation = {};
};
/// Of [[energy]], and of the columns of lists.
config::Fields<EnergyKeys> energy_fields();

/// Errors say what is wrong with it, but not where it is.
Result<MachineEnergy> energy_of(EnergyKeys const& keys);

/// An error that does not say where it is.
Error bad_energy(std::string text);

/// Whether an energy can be one: its moments are those of some Gaussian, and its kernel is curves.
Status check_energy(MachineEnergy const& energy);
/// Whether it may follow those that are there, and no more than `most_energies`.
Status check_order(std::vector<MachineEnergy> const& before, MachineEnergy const& next);
inline constexpr std::size_t most_energies = 10'000;

/// The covariance of these; nothing where the correlation is none.
Result<double> covariance_of(double sigma, double divergence, double correlation);

}  // namespace sluice::proton
