// Machines: what a beam line makes of a planned spot, energy by energy.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/proton_base_data.h"
#include "sluice/result.h"

// Lengths are mm, energies MeV, angles radians.
namespace sluice::proton {

/// A Gaussian of places and angles on the plane where a machine's spots are told, x and y.
struct SpotGaussian {
    double weight = 1;  ///< part of the protons
    std::array<double, 2> sigma{};
    std::array<double, 2> divergence{};  ///< standard deviations of the angles
    std::array<double, 2> covariance{};  ///< of place and angle, mm; positive where it widens

    bool operator==(SpotGaussian const&) const = default;
};

struct MachineEnergy {
    double nominal = 0;         ///< what plans call it
    double mean = 0;            ///< of the protons, at the plane of the spots
    double spread = 0;          ///< standard deviation
    double protons_per_mu = 0;  ///< 0: not told
    std::vector<SpotGaussian> spots = {};
    /// Depth doses in water, if the file has them: else they are marched. Then `depth` is empty.
    BaseEnergy kernel = {};
};

/// A range shifter that plans name.
struct MachineShifter {
    std::string name;
    double water = 0;  ///< as much water stops as much
};

struct Machine {
    std::string name;
    std::array<double, 2> source{};  ///< from the virtual sources of x and y to the isocentre
    double plane = 0;                ///< from the isocentre up to the plane of the spots
    bool air_included = false;       ///< moments and kernels already know of the air behind it
    /// Of this air, mm that the kernels have before their water: where the patient begins farther
    /// behind the plane, as much water as the rest of the air is comes before it.
    double kernel_air = 0;
    std::vector<MachineEnergy> energies = {};  ///< ascending by nominal energy
    std::vector<MachineShifter> shifters = {};
    std::vector<std::string> notes = {};  ///< what was assumed, fitted or left out: sentences
};

/// A TOML file (docs/formats/machine.md), matRad's base data (.mat) or a beam model of MCsquare.
Result<Machine> read_machine(std::string const& path);
Result<Machine> parse_machine(std::string_view text, std::string const& name);

/// A nominal energy of the table, or between two: moments go linearly with the energy, kernels by
/// their range. Fails outside the table, by more than a thousandth of the energy.
struct MachineSetting {
    MachineEnergy energy;
    bool interpolated = false;
};
Result<MachineSetting> setting_of(Machine const& machine, double nominal);

}  // namespace sluice::proton
