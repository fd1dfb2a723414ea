// Where a joint fit begins: its pictures, its disks and their heights.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/crystal/fit/render.h"
#include "domain/crystal/refine/joint_fit.h"

namespace sluice::crystal {
namespace {

// A disk of which less is seen moves nothing.
constexpr double least_visible = 0.05;
constexpr std::size_t most_places = 400;

}  // namespace

JointRefiner::Fit::Fit(JointRefiner const& refiner, Room& room, Padded const& pattern,
                       stem4d::LatticeBasis const& start)
    : kernels_(*refiner.kernels_),
      tables_(*refiner.tables_),
      points_(refiner.points_),
      room_(room),
      pattern_(pattern) {
    out_.at = start;
    make_pictures();
    choose_places();
    begin_backgrounds();
    begin_heights();
}

void JointRefiner::Fit::make_pictures() {
    index const margin = tables_.side(), pitch = pattern_.pitch;
    index const size = pitch * (pattern_.rows + 2 * margin), first = margin * pitch + margin;
    for (AlignedFloats& picture : room_.pictures_)
        if (picture.size() != size) picture = AlignedFloats(size);
    auto const at = [&](std::size_t i) { return room_.pictures_[i].data() + first; };
    pictures_ = {.lambda = at(0), .weights = at(1), .rests = at(2), .slopes = {}, .pitch = pitch};
    for (std::size_t a = 0; a < 6; ++a) pictures_.slopes[a] = at(3 + a);
    if (pattern_.shape || room_.plane_[0].size() == size) return;
    for (AlignedFloats& part : room_.plane_) part = AlignedFloats(size);
    for (index i = 0; i < size; ++i) {
        index const row = i / pitch - margin;
        room_.plane_[0].data()[i] = 1;
        room_.plane_[1].data()[i] =
            2 * static_cast<float>(row) / static_cast<float>(pattern_.rows) - 1;
        room_.plane_[2].data()[i] =
            2 * static_cast<float>(i % pitch - margin) / static_cast<float>(pattern_.cols) - 1;
    }
}

// The part of the template on good pixels.
double JointRefiner::Fit::visible(index row, index col) const {
    float const* const table = tables_.at(Tables::phases / 2, Tables::phases / 2);
    index const side = tables_.side();
    double seen = 0, all = 0;
    for (index i = 0; i < side * side; ++i) {
        auto const t = static_cast<double>(table[i]);
        index const r = row + i / side, c = col + i % side;
        all += t;
        seen += t * static_cast<double>(pattern_.weights[r * pattern_.pitch + c]);
    }
    return seen / all;
}

void JointRefiner::Fit::choose_places() {
    room_.places_.clear();
    // A crop that leaves its margin in a few steps is none of this pattern's.
    double const reach = static_cast<double>(tables_.side()) / 2 - 5;
    std::array const shape{static_cast<double>(pattern_.rows), static_cast<double>(pattern_.cols)};
    for (LatticePoint const& point : points_near(out_.at, points_, shape, reach, most_places)) {
        Phase const p = phase_at(tables_, point.row, point.col);
        if (visible(p.row, p.col) < least_visible) continue;
        room_.places_.push_back({.h = point.h, .k = point.k, .row = p.row, .col = p.col});
    }
    // Neighbours side by side keep the matrix narrow.
    std::ranges::sort(room_.places_, {}, [](Place const& p) { return std::pair(p.h, p.k); });
    index const n = unknowns() + 3, side = tables_.side();
    index const floats = heights() * 2 * side * side + 64;
    if (room_.own_.size() < floats) room_.own_ = AlignedFloats(floats);
    if (room_.weighted_.empty()) room_.weighted_ = AlignedFloats(2 * side * side + 64);
    room_.matrix_.resize(static_cast<std::size_t>((n + 4) * (n + 8)));
    room_.right_.resize(static_cast<std::size_t>(n));
    room_.first_.resize(static_cast<std::size_t>(n));
}

// A shape is scaled to a quarter of the counts; the first step makes that right.
void JointRefiner::Fit::begin_backgrounds() {
    index const margin = tables_.side(), first = margin * pattern_.pitch + margin;
    double counts = 0, shape = 0;
    for (index r = 0; r < pattern_.rows; ++r)
        for (index c = 0; c < pattern_.cols; ++c) {
            index const i = r * pattern_.pitch + c;
            auto const w = static_cast<double>(pattern_.weights[i]);
            counts += w * static_cast<double>(pattern_.counts[i]);
            shape += w * (pattern_.shape ? static_cast<double>(pattern_.shape[i]) : 1);
        }
    double const part = std::max(counts, 1.0) / std::max(shape, 1e-9) / 4;
    room_.backgrounds_.clear();
    if (pattern_.shape) {
        room_.backgrounds_.push_back({pattern_.shape, part});
    } else {
        for (AlignedFloats const& plane : room_.plane_)
            room_.backgrounds_.push_back({plane.data() + first, 0});
        room_.backgrounds_[0].part = part;
    }
    pitch_ = (unknowns() + 3) / 4 * 4;
}

// What is around a centre belongs to one disk, where disks overlap as far as that.
void JointRefiner::Fit::begin_heights() {
    constexpr index reach = 1;
    Room::Background const& background = room_.backgrounds_[0];
    for (Place& p : room_.places_) {
        auto const [row, col] = place_of(p);
        auto const r = std::clamp<index>(std::lround(row), reach, pattern_.rows - 1 - reach),
                   c = std::clamp<index>(std::lround(col), reach, pattern_.cols - 1 - reach);
        double counts = 0, weight = 0;
        for (index y = r - reach; y <= r + reach; ++y)
            for (index x = c - reach; x <= c + reach; ++x) {
                auto const w = static_cast<double>(pattern_.weights[y * pattern_.pitch + x]);
                counts += w * static_cast<double>(pattern_.counts[y * pattern_.pitch + x]);
                weight += w;
            }
        double const under =
            background.part * static_cast<double>(background.shape[r * pattern_.pitch + c]);
        double const mean = weight > 0 ? counts / weight : under;
        p.height = static_cast<float>(std::max(mean - under, 0.1 * under));
    }
}

}  // namespace sluice::crystal
