// Tables: the template and its slopes on the pixels of a crop, at phases of an eighth of a pixel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/probe/aligned_floats.h"
#include "domain/crystal/probe/crop_spans.h"
#include "sluice/probe_template.h"

namespace sluice::crystal {

/// A crop has side() x side() pixels. The disk's centre lies between row before() and the next one,
/// and likewise of columns.
class Tables {
  public:
    /// Between two phases the template is linear: that moves a disk by 2e-4 px at most.
    static constexpr index phases = 8;

    /// Pixels farther than fit_radius from the crop's middle weigh nothing. A pixel has the mean of
    /// bin x bin detector pixels, of which the template speaks; all other lengths are in pixels.
    Tables(stem4d::ProbeTemplate const& probe, double fit_radius, index bin = 1);

    index side() const { return side_; }
    index pixels() const { return side_ * side_; }
    index before() const { return side_ / 2 - 1; }
    double fit_radius() const { return fit_radius_; }

    /// T, dT / d row and dT / d col of the disk's centre, one after the other, where the centre is
    /// (before() + row_phase / 8, before() + col_phase / 8). Phases are 0 ... 8.
    float const* at(index row_phase, index col_phase) const {
        return tables_.data() + (row_phase * (phases + 1) + col_phase) * 3 * pixels();
    }
    /// 1 within fit_radius of the crop's middle and 0 else.
    float const* inside() const { return masks_.data(); }
    /// inside() without the pixels nearer to the middle than the radius less 2.2 pixels: the edge
    /// from within, and what is around. There fringes inside a disk have little to say.
    float const* ring() const { return masks_.data() + pixels(); }

    /// The same of the pixels that are inside, packed: one span after the other.
    std::span<CropSpan const> spans() const { return spans_; }
    index packed_pixels() const { return packed_pixels_; }
    float const* packed_at(index row_phase, index col_phase) const {
        return packed_.data() + (row_phase * (phases + 1) + col_phase) * 3 * packed_pixels_;
    }
    float const* packed_inside() const { return packed_masks_.data(); }
    float const* packed_ring() const { return packed_masks_.data() + packed_pixels_; }
    /// cos phi, sin phi, cos 2 phi, sin 2 phi about the crop's middle; phi turns from the row axis
    /// to the column axis. Packed.
    float const* around() const { return around_.data(); }
    /// Distances from the crop's middle along rows and columns, over half the side. Packed.
    float const* rows() const { return places_.data(); }
    float const* cols() const { return places_.data() + packed_pixels_; }
    double sum() const { return sum_; }  ///< of T over a crop
    double edge_width() const { return edge_width_; }

  private:
    void fill_masks(double hollow);
    void pack_tables();
    void fill_places();

    index side_, packed_pixels_ = 0;
    double fit_radius_, sum_ = 0, edge_width_;
    AlignedFloats tables_, masks_;
    std::vector<CropSpan> spans_;
    AlignedFloats packed_, packed_masks_, around_, places_;
};

/// The crop's side for such a radius: a multiple of 8.
index crop_side(double fit_radius);

/// The template's mean over bin x bin detector pixels about a place, and the mean of its slopes.
std::array<double, 3> mean_over_bin(stem4d::ProbeTemplate const& probe, double row, double col,
                                    index bin);

/// The width of the edge that has the template's slope at its radius.
double edge_width_of(stem4d::ProbeTemplate const& probe);

}  // namespace sluice::crystal
