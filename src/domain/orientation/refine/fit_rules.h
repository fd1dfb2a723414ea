// FitRules: what is known of the errors of disks before an orientation is fitted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/orientation/match/candidates.h"
#include "domain/orientation/match/disk_reader.h"

namespace sluice::orient {

/// What disks miss theory by, beside their own errors.
struct ErrorModel {
    double place_variance = 0;    ///< in each direction, (1/ångström)^2
    double root_variance = 0;     ///< of the root of an intensity
    double intensity_part = 0;    ///< of the root of an intensity: the rest of its error
    double excitation_sigma = 0;  ///< 1/ångström, of the fit
    double wavelength_factor = 1;
    Envelope envelope = Envelope::gaussian;
};

struct FitRules {
    FitRules(stem4d::OrientationLibrary::State const& library, DiskReader const& reader,
             double tolerance, bool refine, ErrorModel const& errors);
    void set_errors(ErrorModel const& model);
    /// The sphere of the errors, with an envelope so many times as wide.
    Ewald ewald_of(double times) const;

    stem4d::OrientationLibrary::State const& library;
    DiskReader const& reader;
    double tolerance;  ///< 1/ångström within which a disk is a reflection's
    bool refine;
    ErrorModel errors;
    Ewald ewald;
    std::vector<Heights> heights = {};  ///< [phase] with room for turns of `margin`
    std::vector<std::vector<stem4d::Orientation>> alike = {};  ///< [phase] turns of look_alikes()

    static constexpr double margin = 0.05;  ///< radian
};

/// An orientation and how it explains the disks of a pattern.
struct Fitted {
    index phase = -1;
    stem4d::Orientation orientation;
    std::array<double, 6> covariance{};  ///< as in OrientationMap
    /// The logarithm of how much likelier the disks are by this orientation than by chance, disk by
    /// disk, less what the reflections cost that have no disk.
    double log_odds = 0;
    double residual = 0, explained = 0;  ///< as in OrientationMap
    index disks = 0;                     ///< that reflections explain
    index missing = 0;                   ///< reflections that should have a disk
    index visible = 0;                   ///< reflections that would show
    double stretch = 0;                  ///< by how much the disks lie farther out than theory, - 1
    double stretch_variance = 0;
    /// Squares over their variances, and how many: of places (two a disk) and of intensities.
    double place_chi2 = 0, intensity_chi2 = 0;
    double place_squares = 0;  ///< of the explained disks' misses, (1/ångström)^2
};

/// What a disk misses theory by.
struct Miss {
    double square, own_variance;  ///< of the place, (1/ångström)^2; own: of one direction
    double root, own_root_variance, model;  ///< of the root of the intensity; what it should be
};

}  // namespace sluice::orient
