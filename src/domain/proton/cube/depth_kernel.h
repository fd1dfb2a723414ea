// What a proton of an energy leaves in water, as sums over depth.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "sluice/proton_base_data.h"

namespace sluice::proton::cube {

/// Tables over depth in water, equally far apart from 0 on.
class DepthKernel {
  public:
    /// `gap`: after so much water (first) the protons of `base` flew so far (second) through
    /// nothing.
    DepthKernel(Physics const& physics, BaseEnergy const& base, std::array<double, 2> gap = {});
    /// Fails for curves that are no kernel: of other lengths, not finite, or wider than any beam.
    static Status check(BaseEnergy const& base);

    /// Means over a step from one depth to another: dose (Gy mm2 a proton), of which the halo's,
    /// and both times LET.
    struct Mean {
        double core = 0, halo = 0, core_let = 0, halo_let = 0;
    };
    Mean mean(double from, double past) const;
    /// What is left before a depth, MeV a proton.
    double energy_before(double depth) const;
    /// By what the variance of Fermi and Eyges is multiplied to be that of the kernel in water.
    double widening(double depth) const { return at(widening_, depth); }
    double halo_variance(double depth) const { return at(halo_variance_, depth); }  ///< mm2
    /// Variance of the angle per mm of water with so much behind it.
    double scattering(double depth) const { return at(scattering_, depth); }
    /// Behind it nothing is left, mm of water.
    double end() const { return end_; }
    /// All that it leaves, MeV a proton.
    double energy() const { return energy_; }
    double range() const { return range_; }

  private:
    double step_ = 0.2, end_ = 0, energy_ = 0, range_ = 0;
    std::vector<double> core_, halo_, core_let_, halo_let_;  // sums up to each depth
    std::vector<double> widening_, halo_variance_, scattering_;

    double at(std::vector<double> const& table, double depth) const;
    void tabulate(BaseEnergy const& base);
    void widen(Physics const& physics, BaseEnergy const& base, std::array<double, 2> gap);
};

}  // namespace sluice::proton::cube
