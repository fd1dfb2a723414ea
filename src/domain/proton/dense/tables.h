// What a step does to each energy, angle and material of the dense mode.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/proton_dense.h"

namespace sluice::proton::dense {

/// Where the protons of an energy are after a step's slowing down in one material: in up to three
/// energies, none of them higher, and stopped protons in none.
struct Loss {
    int count = 0;
    index to[3] = {};
    double part[3] = {};
    double stops = 0;    ///< part that stops
    double nuclear = 0;  ///< part that is lost to reactions, of oxygen and others
    double energy = 0;   ///< MeV that one deposits by slowing down, of those that do not react
};

struct Tables {
    index energies = 0, angles = 0, planes = 0, columns = 0;
    bool ring = false;                ///< the last angle's neighbour is the first
    double step = 0, dz = 0, dx = 0;  ///< mm
    std::vector<double> energy, angle;
    std::vector<double> cosine, sine;  ///< [angle]
    std::vector<char> allowed;         ///< [angle]
    std::vector<double> path;          ///< [energy]: mm; less than the step for those that stop
    std::vector<double> diffusion;   ///< [energy]: part that a step scatters to each side, in water
    std::vector<int> passes;         ///< [energy]: it is done in so many
    std::vector<double> variance;    ///< [energy]: of the angle, that a step of water adds
    std::vector<double> scattering;  ///< [plane][column]: relative to water; empty: `alone`
    double alone = 1;                ///< or the mean of all
    std::vector<Material> materials;
    std::vector<std::uint16_t> map;  ///< [plane][column] of materials; empty: the first everywhere
    std::vector<Loss> losses;        ///< [material][energy]

    /// From this energy on, one pass of scattering is enough. (Those that stop within a step
    /// scatter over less than it, so that the lowest may need fewer than those above.)
    index rows_ahead() const {
        index n = energies;
        while (n > 0 && passes[static_cast<std::size_t>(n - 1)] <= 1) --n;
        return n;
    }
    int most_passes() const;
    index plane() const { return planes * columns; }
    index cells() const { return energies * angles * plane(); }
    Loss const& loss(std::size_t material, index i) const {
        return losses[material * static_cast<std::size_t>(energies) + static_cast<std::size_t>(i)];
    }
};

Result<Tables> make_tables(Physics const& physics, Phantom const& phantom, Beam const& beam,
                           DenseOptions options);

/// What is left of the beam's range at the middle of the first plane, mm of water.
double range_inside(Physics const& physics, Phantom const& phantom, Beam const& beam);

/// Where a plane's weight lands after a step, in places of z and x from where it was; `forward` is
/// the part of a path that is not out of the plane.
struct Landing {
    double z = 0, x = 0;
};
Landing landing(Tables const& tables, index energy, index angle, double forward);

/// Weights of the energies or angles on both sides of a place, which keep it as their mean.
struct Between {
    index low = 0;
    double high_part = 0;  ///< of low + 1
};
Between between(std::vector<double> const& nodes, double value);

}  // namespace sluice::proton::dense
