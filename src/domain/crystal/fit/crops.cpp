// Cuts crops out of patterns.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/fit/crops.h"

#include <algorithm>
#include <cmath>

namespace sluice::crystal {
namespace {

// The nearest phase, and how far the centre is from it, in pixels.
std::pair<index, double> phase_of(double centre, index first, index before) {
    double const at = (centre - static_cast<double>(first + before)) * Tables::phases;
    double const nearest = std::clamp(std::round(at), 0.0, double{Tables::phases});
    return {static_cast<index>(nearest), (at - nearest) / Tables::phases};
}

// The template with its centre in the crop's middle.
float const* middle_of(Tables const& tables) {
    return tables.at(Tables::phases / 2, Tables::phases / 2);
}

float const* mask_of(Tables const& tables, Part part) {
    return part == Part::whole ? tables.inside() : tables.ring();
}

float const* packed_mask_of(Tables const& tables, Part part) {
    return part == Part::whole ? tables.packed_inside() : tables.packed_ring();
}

}  // namespace

CropRoom::CropRoom(Tables const& tables, FitKernels const& kernels)
    : tables_(tables),
      kernels_(kernels),
      counts_(tables.packed_pixels() + 8),
      weights_(tables.packed_pixels() + 8),
      shape_(tables.packed_pixels() + 8),
      near_(tables.packed_pixels() + 8) {
    // Behind the last span weights are 0, and lambda must not be.
    std::fill_n(shape_.data(), shape_.size(), 1.0F);
    AlignedFloats ones(tables.pixels());
    std::fill_n(ones.data(), ones.size(), 1.0F);
    // In floats and in the order of cut(): where all is visible, both are the same.
    for (Part const part : {Part::whole, Part::edge})
        all_[static_cast<std::size_t>(part)] =
            kernels.cut({ones.data(), ones.data(), nullptr, nullptr, mask_of(tables, part),
                         middle_of(tables), tables.side(), tables.side(), tables.spans(),
                         counts_.data(), weights_.data(), nullptr, nullptr});
}

void CropRoom::cut(Padded const& pattern, double row, double col, Part part) {
    index const side = tables_.side();
    row_ = static_cast<index>(std::floor(row)) - tables_.before();
    col_ = static_cast<index>(std::floor(col)) - tables_.before();
    expects(row_ >= -side && col_ >= -side && row_ <= pattern.rows && col_ <= pattern.cols);
    with_weights_ = !pattern.all_good || row_ < 0 || col_ < 0 || row_ + side > pattern.rows ||
                    col_ + side > pattern.cols;
    with_shape_ = pattern.shape != nullptr;
    with_near_ = pattern.near != nullptr;
    cut_ = true;
    part_ = part;
    index const first = row_ * pattern.pitch + col_;
    CutSums seen = kernels_.cut(
        {pattern.counts + first, with_weights_ ? pattern.weights + first : nullptr,
         with_shape_ ? pattern.shape + first : nullptr, with_near_ ? pattern.near + first : nullptr,
         mask_of(tables_, part), middle_of(tables_), pattern.pitch, side, tables_.spans(),
         counts_.data(), weights_.data(), shape_.data(), near_.data()});
    CutSums const& all = all_[static_cast<std::size_t>(part)];
    if (!with_weights_) seen = all;
    visible_ = seen.table / all.table;
    mean_ = seen.weights > 0 ? seen.table / seen.weights : 0;
}

bool CropRoom::holds(double row, double col, Part part) const {
    // Half a pixel from the middle is as far as the phases reach, and half a phase is what they
    // leave.
    double const reach = 0.5 + 0.5 / Tables::phases;
    auto const middle = [&](index first) {
        return static_cast<double>(first + tables_.before()) + 0.5;
    };
    return cut_ && part == part_ && std::abs(row - middle(row_)) <= reach &&
           std::abs(col - middle(col_)) <= reach;
}

Crop CropRoom::at(double row, double col, Model& model) const {
    auto const [p, d_row] = phase_of(row, row_, tables_.before());
    auto const [q, d_col] = phase_of(col, col_, tables_.before());
    model.d_row = d_row;
    model.d_col = d_col;
    return {counts_.data(),
            with_weights_ ? weights_.data() : packed_mask_of(tables_, part_),
            with_shape_ ? shape_.data() : nullptr,
            tables_.packed_at(p, q),
            tables_.rows(),
            tables_.cols(),
            with_near_ ? near_.data() : nullptr,
            part_ == Part::edge ? tables_.around() : nullptr,
            tables_.packed_pixels()};
}

}  // namespace sluice::crystal
