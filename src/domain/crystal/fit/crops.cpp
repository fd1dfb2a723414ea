// Cuts crops out of patterns.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/fit/crops.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sluice::crystal {
namespace {

// The nearest phase, and how far the centre is from it, in pixels.
std::pair<index, double> phase_of(double centre, index first, index before) {
    double const at = (centre - static_cast<double>(first + before)) * Tables::phases;
    double const nearest = std::clamp(std::round(at), 0.0, double{Tables::phases});
    return {static_cast<index>(nearest), (at - nearest) / Tables::phases};
}

}  // namespace

CropRoom::CropRoom(Tables const& tables)
    : tables_(tables),
      counts_(tables.pixels()),
      weights_(tables.pixels()),
      shape_(tables.pixels()) {}

void CropRoom::cut(Padded const& pattern, double row, double col) {
    index const side = tables_.side();
    row_ = static_cast<index>(std::floor(row)) - tables_.before();
    col_ = static_cast<index>(std::floor(col)) - tables_.before();
    expects(row_ >= -side && col_ >= -side && row_ <= pattern.rows && col_ <= pattern.cols);
    with_shape_ = pattern.shape != nullptr;
    cut_ = true;
    auto const bytes = static_cast<std::size_t>(side) * sizeof(float);
    float seen = 0, all = 0;
    float const* const table = tables_.at(Tables::phases / 2, Tables::phases / 2);
    for (index r = 0; r < side; ++r) {
        index const from = (row_ + r) * pattern.pitch + col_, to = r * side;
        std::memcpy(counts_.data() + to, pattern.counts + from, bytes);
        if (with_shape_) std::memcpy(shape_.data() + to, pattern.shape + from, bytes);
        for (index c = 0; c < side; ++c) {
            float const w = tables_.inside()[to + c] * pattern.weights[from + c];
            weights_.data()[to + c] = w;
            seen += w * table[to + c];
            all += tables_.inside()[to + c] * table[to + c];
        }
    }
    visible_ = all > 0 ? static_cast<double>(seen / all) : 0;
}

bool CropRoom::holds(double row, double col) const {
    // Half a pixel from the middle is as far as the phases reach, and half a phase is what they
    // leave.
    double const reach = 0.5 + 0.5 / Tables::phases;
    auto const middle = [&](index first) {
        return static_cast<double>(first + tables_.before()) + 0.5;
    };
    return cut_ && std::abs(row - middle(row_)) <= reach && std::abs(col - middle(col_)) <= reach;
}

Crop CropRoom::at(double row, double col, Model& model) const {
    auto const [p, d_row] = phase_of(row, row_, tables_.before());
    auto const [q, d_col] = phase_of(col, col_, tables_.before());
    model.d_row = d_row;
    model.d_col = d_col;
    return {counts_.data(),   weights_.data(), with_shape_ ? shape_.data() : nullptr,
            tables_.at(p, q), tables_.rows(),  tables_.cols(),
            tables_.pixels()};
}

}  // namespace sluice::crystal
