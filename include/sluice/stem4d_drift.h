// Drift: how far images of repeated scans lie from each other, and lines of one image.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// How far what an image [row][col] shows lies from where a reference shows it, in scan points: the
/// image has at p + by what the reference has at p.
struct ImageShift {
    Point by = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
    Point error = by;  ///< one standard error of each, if noise is white
    /// Correlation coefficient of the points that overlap, at the nearest whole shift.
    double peak = 0;
    /// What the images have in common, in standard deviations of what noise has by chance.
    double significance = 0;
    double needed = 0;  ///< significance under which noise alone may be the reason
    /// Another shift that fits as well, as in a lattice; `by` is the one nearest to the expected.
    std::optional<Point> other = {};
    std::string why = {};  ///< why it cannot be told; empty: it can, else `by` is NaN

    bool known() const { return why.empty(); }
};

struct ShiftOptions {
    Point expected = {};      ///< of shifts that fit alike, the nearest is taken
    double most_part = 0.75;  ///< of the image's height and width: no shift is larger
};

/// By the correlation coefficient of what overlaps at each whole shift, and from there on by the
/// Fourier transforms of the overlap, without a grid. Points that are NaN take no part in the
/// first, and have their neighbours' mean in the second. Errors: images of different shapes, or
/// none.
Result<ImageShift> find_image_shift(Array<double> const& reference, Array<double> const& image,
                                    ShiftOptions const& options = {});

/// How rows of an image lie along themselves against the mean of the two beside them.
struct LineJitter {
    index rows = 0;    ///< that could be told
    double rms = 0;    ///< of the rows' own shifts, in points, without their errors' part
    double error = 0;  ///< one standard error of rms
    /// By how much odd rows lie further along than even ones, which serpentine scans do.
    double turn = 0, turn_error = 0;
    std::string why = {};  ///< why none of it can be told; empty: it can

    bool known() const { return why.empty(); }
};
/// What slants straight through three rows does not count. Shifts of up to 2 points are found.
Result<LineJitter> find_line_jitter(Array<double> const& image);

/// What the first image's points show in all images.
struct AlignedMean {
    Array<double> values;  ///< [row][col] mean; NaN where no image has a value
    Array<double> images;  ///< [row][col] how many
    index taken = 0;       ///< images that take part: those whose drift is known
};

/// Of an image of the series against the first one.
struct DriftStep {
    ImageShift shift;
    /// The image that it was compared with: 0, or the last one whose drift was known where the
    /// first tells nothing; that one's drift and error are added then.
    index against = 0;
    LineJitter jitter;
};

/// A sentence about image `number`, from 0, for reports.
std::string describe(DriftStep const& step, index number);

/// Images of scans that are repeated, one after the other. It keeps two images and a sum.
class DriftSeries {
  public:
    /// Errors: an image of another shape than the first.
    Result<DriftStep> add(Array<double> const& image);
    std::vector<DriftStep> const& steps() const { return steps_; }
    /// Between points by cubic convolution (Keys 1981, a = -1/2), whole shifts without. Points
    /// whose 16 neighbours are not all there, at edges as well, do not count.
    AlignedMean mean() const;

  private:
    Array<double> first_, last_, sum_, images_;
    index last_number_ = 0, taken_ = 0;
    std::vector<DriftStep> steps_;
};

}  // namespace sluice::stem4d
