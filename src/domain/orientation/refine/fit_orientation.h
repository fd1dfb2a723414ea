// FitOrientation: turns a crystal until its reflections explain the disks of a pattern.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/orientation/refine/fit_rules.h"

namespace sluice::orient {

/// Robust least squares in three angles and the scale of the intensities: places with their
/// covariances, roots of intensities, and reflections without a disk where one would be seen. One
/// for each worker.
class FitOrientation {
  public:
    FitOrientation(stem4d::OrientationLibrary::State const& library, DiskReader const& reader,
                   FitRules const& rules)
        : library_(library), reader_(reader), rules_(rules) {}

    Fitted operator()(PatternDisks const& disks, Start const& start);

    /// Of the last fit: disks that are explained.
    std::vector<std::uint8_t> const& explained() const { return explained_; }
    /// Of the last fit: what its disks miss theory by.
    std::vector<Miss> misses() const;

  private:
    struct Near {
        Vector3 g;  // of the crystal
        double strength;
        Vector3 q{};                                  // of the sample
        double excitation = 0, model = 0, slope = 0;  // root of the intensity, and by q's z
        index disk = -1;
    };
    void gather();
    void predict();
    void assign(double variance, double tolerance);
    void scale_intensities();
    double step(double variance);
    bool is_missing(Near const& n) const;
    double root_variance(double root, double own) const;
    void judge(Fitted& out);
    std::array<double, 6> covariance() const;

    stem4d::OrientationLibrary::State const& library_;
    DiskReader const& reader_;
    FitRules rules_;
    PatternDisks const* disks_ = nullptr;
    index phase_ = 0;
    Frame frame_{};
    double scale_ = 1;      // of the roots of intensities
    double root_seen_ = 0;  // of the weakest disk that is found
    std::vector<Near> near_;
    std::vector<index> reflection_;                 // [disk] in near_; -1: none
    std::vector<double> root_, root_own_variance_;  // [disk]
    std::vector<std::uint8_t> explained_;
    std::array<double, 10> fisher_{};  // lower triangle: three angles, logarithm of the scale
};

}  // namespace sluice::orient
