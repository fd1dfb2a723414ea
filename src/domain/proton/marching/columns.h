// The materials of a plane as the kernels read them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "domain/proton/marching/cells.h"
#include "sluice/proton.h"

namespace sluice::proton::marching {

/// Numbers of one plane's columns; those behind the last, where nothing is, have the last one's.
template <class Real>
class PlaneColumns {
  public:
    PlaneColumns(Physics const& physics, Phantom const& phantom, double range_step, index stride);

    /// Makes them those of a plane.
    void choose(index plane);
    Columns<Real> kernel() const {
        return {shift_.data(), bend_.data(), straggling_.data(), nuclear_.data()};
    }
    /// Multiplies the straggling of all columns; from one for each choose().
    void scale_straggling(double factor);
    /// Scattering relative to water at the face before the plane, of gases or of all else: parts
    /// of the last one and of this.
    std::vector<double> scattering(bool gas, double before, double behind) const;
    /// Its mean over the sums of rows [low, high); of gases so much, [row].
    double mean_scattering(std::span<Real const> row_sums, std::span<double const> young, index low,
                           index high, index left, index right, double before, double behind) const;
    /// Whether the plane is of one material from one column to before another.
    bool uniform(index left, index right) const;
    /// The least and the most rows that a straight step takes.
    std::pair<double, double> shifts(std::span<Real const> bend, Window rows, Window columns) const;
    double most_electrons() const { return most_electrons_; }
    /// Energy of the plane's nuclear collisions, for whoever passes it on: [column].
    std::vector<double>& nuclear_energy() { return nuclear_energy_; }

  private:
    Phantom const& phantom_;
    index stride_;
    struct Numbers {
        double shift, bend, straggling, nuclear, scattering, gas;
    };
    std::vector<Numbers> materials_;
    index plane_ = -1;
    std::vector<Real> shift_, bend_, straggling_, nuclear_;
    std::vector<double> before_, behind_;          ///< scattering of what is no gas
    std::vector<double> gas_before_, gas_behind_;  ///< and of gases
    std::vector<double> nuclear_energy_;
    double most_electrons_ = 1;
    Numbers const& numbers(index plane, index x) const;
};

}  // namespace sluice::proton::marching
