// Base data: what dose engines of pencil beams need of protons in water, energy by energy.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/progress.h"
#include "sluice/proton_guards.h"

namespace sluice::proton {

/// One energy in water of 1 g/cm3; the vectors go together, depth by depth.
struct BaseEnergy {
    double energy = 0, energy_spread = 0;  ///< mean and standard deviation, MeV
    double peak = 0;                       ///< depth of the highest dose, mm
    double range = 0;                      ///< R80, mm
    std::vector<double> depth;             ///< mm, from 0 on
    std::vector<double> dose;              ///< integrated over the plane, MeV cm2/g a proton
    /// Standard deviations that water adds (in square) to the beam's own, mm: of the beam and of
    /// the halo of nuclear reactions, with the halo's part of the dose.
    std::vector<double> sigma, halo_sigma, halo_weight;
    std::vector<double> let;         ///< dose-averaged, of all protons, keV/um
    std::vector<Guard> guards = {};  ///< what its march gets wrong; none refuses
};

struct BaseDataOptions {
    double step = 0.5;         ///< of depth, mm
    double energy_spread = 0;  ///< MeV
    /// After so much water protons fly so far through nothing, mm, as behind a range shifter. The
    /// depths of the result leave that way out.
    double gap_after = 0, gap = 0;
    int threads = 0;         ///< 0: one per processor
    Progress progress = {};  ///< as MarchOptions' own
};

/// `count` energies whose ranges are equally far apart, in MeV.
Result<std::vector<double>> base_energies(Physics const& physics, double from, double to,
                                          index count);
Result<BaseEnergy> base_energy(Physics const& physics, double energy,
                               BaseDataOptions const& options = {});

/// As matRad has them (`machine` of protons_NAME.mat, two Gaussians): the beam is parallel and
/// `spot_sigma` (mm) wide in air. The file's name has to be as matRad's are.
Status save_base_data(std::string const& path, std::vector<BaseEnergy> const& data,
                      double spot_sigma, std::string const& description);

}  // namespace sluice::proton
