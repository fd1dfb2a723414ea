// JointRefiner: the lattice of a pattern whose disks overlap, in one fit of all of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "domain/crystal/fit/crops.h"
#include "domain/crystal/refine/joint_kernels.h"
#include "domain/crystal/refine/points.h"
#include "domain/crystal/refine/refined.h"

namespace sluice::crystal {

/// Unknowns are the six numbers of the lattice, the height of each disk, and one background, or
/// three of a plane. Fisher's matrix is that of the whole pattern, so that neighbours that share
/// pixels share what these say.
class JointRefiner {
  public:
    /// `points`: as KnownLattice has them.
    JointRefiner(JointKernels const& kernels, Tables const& tables,
                 std::span<std::array<int, 2> const> points)
        : kernels_(&kernels), tables_(&tables), points_(points) {}

    /// What one worker needs.
    class Room {
      private:
        friend JointRefiner;
        struct Place {
            double h, k;
            float height = 0;
            index row = 0, col = 0;  ///< of its crop
            bool held = false;       ///< its height is as low as it may be, and is no unknown
        };
        struct Background {
            float const* shape;
            double part;
        };
        AlignedFloats pictures_[9], plane_[3], own_, weighted_;
        std::vector<Place> places_;
        std::vector<Background> backgrounds_;
        std::vector<double> matrix_, right_;
        std::vector<index> first_;
    };

    /// As Refined, but that disks lie where the lattice says, and misfit is Pearson's chi2 of the
    /// pattern's pixels over the degrees of freedom.
    Refined operator()(Room& room, Padded const& pattern, stem4d::LatticeBasis const& start) const;

  private:
    class Fit;

    JointKernels const* kernels_;
    Tables const* tables_;
    std::span<std::array<int, 2> const> points_;
};

}  // namespace sluice::crystal
