// Assigned: the disks of one pattern, which lattice point each belongs to, and which take part.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <vector>

#include "domain/crystal/lattice/normal6.h"

namespace sluice::crystal {

/// Which disks take part.
struct Limits {
    static constexpr double none = std::numeric_limits<double>::infinity();
    double distance = none;     ///< px from the lattice point
    double mahalanobis = none;  ///< squared, of the rest in standard deviations
    double reach = none;        ///< px from the origin
    /// Squared, of the rest in standard deviations where all disks have `spread2` px^2 more.
    double blurred = none, spread2 = 0;
};

/// Memory for one pattern after the other.
class Assigned {
  public:
    /// Takes the disks of a pattern. sigma_sys^2 is added to their variances; `equal`: it is their
    /// only variance. Disks whose covariance is none never take part.
    void take(stem4d::BraggVectors const& vectors, index pattern, double variance, bool equal);
    /// Finds the lattice point of each disk, and how far away it is.
    void place_on(stem4d::LatticeBasis const& lattice);
    /// Chooses who takes part. Whether they, or their lattice points, are others than before.
    bool choose(Limits const& limits);

    Normal6 normal() const;
    /// The same with equal weights: no disk outweighs the others, which may be the ones that agree.
    Normal6 equal_normal() const;
    index size() const { return static_cast<index>(disks_.size()); }
    index used() const { return used_; }
    /// Of those that take part: the sum of squares in standard deviations, and in px.
    double chi2() const;
    double squares() const;
    /// The medians of the squares in standard deviations, and in px.
    double median();
    double median_square();
    /// The lattice points of those that take part.
    void points(std::vector<std::array<int, 2>>& into) const;
    stem4d::Point place(index disk) const {
        Disk const& d = disks_[static_cast<std::size_t>(disk)];
        return {d.row, d.col};
    }

  private:
    struct Disk {
        double row, col;
        Weight2 weight;
        double variance;  // the mean over directions
        bool weighs;
        bool used = false;
        double h = 0, k = 0;
        double rest_row = 0, rest_col = 0, mahalanobis = 0;
        double from_point2 = 0, from_origin2 = 0;  // squares of distances in px
    };
    std::vector<Disk> disks_;
    std::vector<double> sorted_;

    double median_of(double Disk::*member);
    index used_ = 0;
    bool moved_ = false;  // one that takes part has another lattice point than when it was chosen
};

}  // namespace sluice::crystal
