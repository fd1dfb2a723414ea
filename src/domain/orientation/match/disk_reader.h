// DiskReader: the disks of a pattern about the direct beam, in 1/ångström on the axes of the scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/orientation/library/library.h"
#include "sluice/crystal_calibration.h"

namespace sluice::orient {

/// x along columns and y along rows of the scan. Variances of 0 where a file says none.
struct PatternDisks {
    std::vector<float> x, y, intensity;
    std::vector<float> var_x, var_y, cov_xy;
    std::vector<float> intensity_error;  ///< one standard deviation; 0: not known
    std::vector<float> gone_x, gone_y;   ///< of disks that were dropped

    index size() const { return std::ssize(x); }
    void clear();
    /// Drops those that are marked.
    void drop(std::vector<std::uint8_t> const& marked);
};

class DiskReader {
  public:
    /// The vectors must outlive it. Errors: what the calibration lacks.
    static Result<DiskReader> make(stem4d::CalibratedVectors const& vectors,
                                   stem4d::OrientationLibrary::State const& library);

    /// Replaces `out` by the pattern's disks without the direct beam and without those beyond the
    /// library's reflections.
    void read(index pattern, PatternDisks& out) const;
    /// Where calibrated vectors have a place in 1/ångström, px.
    stem4d::Point place_of(double x, double y) const;
    /// Whether a disk could be at a place, in 1/ångström: within the rows and columns of the
    /// detector between which the scan has disks.
    bool could_be_at(double x, double y) const;
    /// Of a disk that is just found: two in a hundred are weaker. 0: there is none.
    double least_intensity() const { return least_intensity_; }

    /// Disks that lie beyond the library's reflections.
    index beyond() const { return beyond_; }
    index patterns() const { return vectors_->vectors.patterns(); }
    double pixel_size() const { return pixel_; }
    double least_frequency() const { return least_; }
    double most_frequency() const { return most_; }

  private:
    DiskReader() = default;

    stem4d::CalibratedVectors const* vectors_ = nullptr;
    stem4d::Point center_;
    double pixel_ = 0;
    double least_ = 0, most_ = 0;  // 1/ångström from the direct beam
    // (x, y) of (row, col) in pixels, times the pixel size.
    double x_row_ = 0, x_col_ = 0, y_row_ = 0, y_col_ = 0;
    std::array<double, 2> rows_{}, cols_{};  // the first and last with disks, px
    double least_intensity_ = 0;
    index beyond_ = 0;
};

}  // namespace sluice::orient
