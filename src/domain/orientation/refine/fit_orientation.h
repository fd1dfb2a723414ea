// FitOrientation: turns a crystal until its reflections explain the disks of a pattern.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "domain/orientation/refine/fit_rules.h"

namespace sluice::orient {

/// A fit on its way.
struct Begun {
    index phase = -1;
    Frame frame{};
    double log_odds = 0;  ///< with errors as they are at this stage
};

/// Robust least squares in three angles and the scale of the intensities: places with their
/// covariances, roots of intensities, and reflections without a disk where one would be seen. One
/// for each worker.
class FitOrientation {
  public:
    explicit FitOrientation(FitRules const& rules) : rules_(rules), ewald_(rules.ewald) {}

    /// Some rounds with wide errors, which tell what is not worth more.
    Begun begin(PatternDisks const& disks, Start const& start);
    Fitted finish(PatternDisks const& disks, Begun const& begun);

    /// Of the last fit: disks that are explained.
    std::vector<std::uint8_t> const& explained() const { return explained_; }
    /// Of the last fit: where most counts lie in one plane of reflections, the crystal after half a
    /// turn about the plane's normal shows that plane just so.
    std::optional<Start> turned_about_plane() const;
    /// Of the last fit: what its disks miss theory by, as much larger as the fit made it smaller;
    /// none where too few disks are left to tell.
    std::vector<Miss> misses() const;

  private:
    struct Near {
        Vector3 g;  // of the crystal
        double strength;
        Vector3 q{};                                  // of the sample
        double excitation = 0, model = 0, slope = 0;  // root of the intensity, and by q's z
        index disk = -1;
    };
    void look_at(PatternDisks const& disks, index phase, Frame const& frame);
    void gather();
    void sharpen(int halvings);
    double round(double variance);
    void settle(double variance);
    void predict();
    index likeliest(double x, double y, double variance, double tolerance, double& most) const;
    void assign(double variance, double tolerance);
    void scale_intensities();
    double step(double variance);
    bool could_show(Near const& n) const;
    bool is_missing(Near const& n) const;
    double root_variance(double seen, double should, double own) const;
    void judge(double place_variance, Fitted& out);
    std::array<double, 6> covariance() const;

    FitRules const& rules_;
    PatternDisks const* disks_ = nullptr;
    index phase_ = 0;
    Frame frame_{};
    Ewald ewald_;
    double part_ = 0;                 // ErrorModel::intensity_part as it is at this stage
    double scale_ = 1;                // of the roots of intensities
    double fine_ = 0;                 // of the places
    double usual_root_variance_ = 0;  // of a disk
    double root_seen_ = 0;            // of the weakest disk that is found
    std::vector<Near> near_;
    std::vector<float> x_, y_;                      // of near_, in whole blocks
    std::vector<double> best_;                      // [near]
    std::vector<index> reflection_;                 // [disk] in near_; -1: none
    std::vector<double> root_, root_own_variance_;  // [disk]
    std::vector<std::uint8_t> explained_;
    std::array<double, 10> fisher_{};  // lower triangle: three angles, logarithm of the scale
};

}  // namespace sluice::orient
