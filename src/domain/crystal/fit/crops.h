// A pattern with a margin, and the crops that are cut out of it about disks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/fit/fit_kernels.h"
#include "domain/crystal/probe/tables.h"

namespace sluice::crystal {

/// Rows of `pitch` floats. Pointers are to pixel (0, 0); as many pixels as a crop's side lie around
/// the frame, where weights are 0.
struct Padded {
    float const* counts = nullptr;
    float const* weights = nullptr;  ///< 1, or 0 where a pixel is bad
    float const* shape = nullptr;    ///< of the background; null: a plane
    float const* near = nullptr;     ///< counts of other disks; null: none
    index pitch = 0, rows = 0, cols = 0;
    bool all_good = false;  ///< all weights of the frame are 1
};

/// What of a disk is looked at: all of it, or its edge, whose height varies around it.
enum class Part : std::uint8_t { whole, edge };

/// One worker's crop; it is cut anew where the centre leaves its middle pixel.
class CropRoom {
  public:
    CropRoom(Tables const& tables, FitKernels const& kernels);

    /// The crop about a centre, which lies within the frame or half a crop beyond.
    void cut(Padded const& pattern, double row, double col, Part part = Part::whole);
    /// Whether the crop is of this part and about this centre, give or take half a phase.
    bool holds(double row, double col, Part part = Part::whole) const;
    /// The next centre needs a crop of its own, since the pattern or its neighbours are others.
    void forget() { cut_ = false; }
    /// What is to be summed up, with the template at the nearest phase; the rest goes to the model.
    Crop at(double row, double col, Model& model) const;

    /// The weight of the template's visible part over that of the whole one: 0 ... 1.
    double visible() const { return visible_; }
    /// The template's mean over what is looked at.
    double mean_of_table() const { return mean_; }
    double first_row() const { return static_cast<double>(row_); }
    double first_col() const { return static_cast<double>(col_); }

  private:
    Tables const& tables_;
    FitKernels const& kernels_;
    std::array<CutSums, 2> all_{};  // of each part, where no pixel is bad
    AlignedFloats counts_, weights_, shape_, near_;
    bool with_weights_ = false, with_shape_ = false, with_near_ = false, cut_ = false;
    Part part_ = Part::whole;
    index row_ = 0, col_ = 0;
    double visible_ = 1, mean_ = 0;
};

}  // namespace sluice::crystal
