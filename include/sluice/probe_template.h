// ProbeTemplate: the image of the probe in a diffraction pattern, as a continuous function.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// A disk about (0, 0), 1 inside and 0 far outside. Lengths are in pixels of the full detector.
struct ProbeTemplate {
    /// Of an edge T = 1 / (1 + exp(4 (r - R(phi)) / edge_width)); of a profile the half maximum.
    double radius = 0;
    double edge_width = 1;  ///< the distance over which an edge falls from 0.88 to 0.12
    /// R(phi) = radius (1 + sum over k of cos_k cos(k phi) + sin_k sin(k phi)), k = 2, 3, ...; phi
    /// turns from the row axis to the column axis. Empty: round.
    std::vector<std::array<double, 2>> harmonics = {};
    /// Values at r = 0, profile_step, ...; beyond the last it is 0. Empty: an edge.
    std::vector<double> profile = {};
    double profile_step = 0.25;
    std::string source = {};  ///< what it was made of, as a sentence

    /// The value at a place relative to the centre.
    double value(double row, double col) const;
    /// {value, d value / d row, d value / d col}
    std::array<double, 3> value_and_slopes(double row, double col) const;
    /// Beyond this distance from the centre the value is below 1e-3.
    double reach() const;
};

/// Errors: a radius or width that is not positive and finite.
Result<ProbeTemplate> synthetic_template(double radius, double edge_width = 1);

/// A template and how well it describes what it was fitted to.
struct FittedTemplate {
    ProbeTemplate probe;
    Disk disk;                                      ///< where it lies in the image
    double radius_error = 0, edge_width_error = 0;  ///< one standard deviation
    double residual = 0;             ///< rms of image - fit in and around the disk, over its height
    std::vector<std::string> notes;  ///< e.g. that the edge is too thin to be measured
};
struct TemplateOptions {
    int harmonics = 0;  ///< how many angular harmonics beside the circle, from k = 2 on
    /// Instead of an edge: the radial profile.
    bool profile = false;
};
/// Fits the direct disk of a vacuum pattern, or of the mean pattern, [row][col]; `bad` marks pixels
/// to ignore. Errors: find_disk()'s; a disk that the frame cuts.
Result<FittedTemplate> fit_template(Array<double> const& image,
                                    std::span<std::uint8_t const> bad = {},
                                    TemplateOptions const& options = {});
/// The same of a scan: on its mean pattern, or, of a scan in vacuum whose disk wanders, pooled over
/// its frames about the centre of each.
Result<FittedTemplate> fit_template(Scan const& scan, TemplateOptions const& options = {},
                                    Options const& run = {});

/// As JSON. Errors of loading: the file, the key, the reason.
Status save_template(std::string const& path, ProbeTemplate const& probe);
Result<ProbeTemplate> load_template(std::string const& path);

}  // namespace sluice::stem4d
