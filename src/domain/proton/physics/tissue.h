// Tissues of any density, for images that give only densities.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sluice/proton.h"

namespace sluice::proton {

/// The energy at which relative stopping powers of images hold, MeV.
constexpr double image_energy = 100;

/// A mixture by volume: `part` of it is b. `water` is the mean excitation energy of water, eV,
/// which materials without one of their own have.
Material mixed(Material const& a, Material const& b, double part, double water);

/// A mixture by volume of the two neighbours in density (g/cm3) among air, lung, adipose tissue,
/// muscle and cortical bone; `stopping`, at image_energy and relative to water, replaces its own.
Material tissue(Physics const& physics, std::string name, double density,
                std::optional<double> stopping = {});

/// The density of the tissue with this stopping power, g/cm3.
double tissue_density(Physics const& physics, double stopping);

}  // namespace sluice::proton
