// Simulated patterns of Bragg disks with their truth and their Cramer-Rao bounds; they share no
// code with what is tested.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "sluice/disks.h"

namespace sluice::crystal {

struct TrueDisk {
    double row, col, height;
};

struct SceneOptions {
    index side = 256;
    double radius = 8, edge_width = 1, pitch = 25, decades = 3;
    std::size_t most = 76;
    double counts = 2e5;           ///< of a pattern
    double background_part = 0.1;  ///< of the counts
    bool fringes = false;          ///< in every disk but the central one
    unsigned seed = 1;
};

/// A crystal: what all its patterns share is the background and the lattice.
class Scene {
  public:
    explicit Scene(SceneOptions const& options);

    /// Pattern number `n`: its lattice is strained and shifted, its heights vary.
    struct Pattern {
        std::vector<TrueDisk> disks;
        Array<double> mean;  ///< the expected counts
    };
    Pattern pattern(unsigned n) const;
    /// Counts that are drawn for it.
    static Array<double> draw(Pattern const& pattern, unsigned seed);

    /// The background, in counts per pixel: [row][col].
    Array<double> const& background() const { return background_; }
    SceneOptions const& options() const { return options_; }
    stem4d::DiskSetup setup() const;

    /// The bound on the position's covariance where height and background are unknown, and the
    /// height over its own bound. Pixels within `radius` of the disk are looked at.
    struct Bound {
        double var_row, var_col, cov, snr;
    };
    Bound bound(Pattern const& pattern, TrueDisk const& disk, double radius) const;

    /// The bound on the covariance of the lattice (origin, a, b; row and col of each), where all
    /// heights and the background are unknown and disks may share pixels: [6][6].
    std::array<double, 36> joint_bound(Pattern const& pattern) const;
    /// The indices of a pattern's disks, in its order.
    std::vector<std::array<double, 2>> const& indices() const { return indices_; }

  private:
    double edge(double row, double col) const;
    template <class Work>  // work(pixel, row, col relative to the disk)
    void each_near(TrueDisk const& disk, double radius, Work const& work) const;

    SceneOptions options_;
    std::vector<std::array<double, 2>> lattice_, indices_;
    Array<double> background_;
};

/// What comes out of many patterns, for disks of a range of signal to noise.
struct Score {
    index disks = 0;
    double over_bound = 0;  ///< rms of the error over its bound
    double chi2 = 0;        ///< mean of error^2 over the reported variance, for each axis
};

/// Disks that were found within 3 pixels of true ones, sorted by what is between the limits.
class Judge {
  public:
    explicit Judge(std::vector<double> limits)
        : limits_(std::move(limits)), sums_(limits_.size()) {}
    void add(Scene const& scene, Scene::Pattern const& truth, stem4d::BraggVectors const& found,
             double radius);
    /// Of signal to noise from limit i to the next one.
    Score score(std::size_t i) const;
    index extra() const { return extra_; }  ///< disks without a true one

  private:
    struct Sums {
        double count = 0, ratio = 0, chi2 = 0;
    };
    std::vector<double> limits_;
    std::vector<Sums> sums_;
    index extra_ = 0;
};

}  // namespace sluice::crystal
