// Makes the tables of a template.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/probe/tables.h"

#include <cmath>

namespace sluice::crystal {
namespace {

void fill_table(stem4d::ProbeTemplate const& probe, index side, index bin, double row, double col,
                float* table) {
    index const n = side * side;
    auto const width = static_cast<double>(bin);
    for (index i = 0; i < n; ++i) {
        index const r = i / side, c = i % side;
        auto const t = mean_over_bin(probe, width * (static_cast<double>(r) - row),
                                     width * (static_cast<double>(c) - col), bin);
        table[i] = static_cast<float>(t[0]);
        // A disk that moves down has at a pixel what it had above that.
        table[n + i] = static_cast<float>(-width * t[1]);
        table[2 * n + i] = static_cast<float>(-width * t[2]);
    }
}

constexpr double ring_within = 2.2;  // pixels: simulations of fringes gave it

// A mean over pixels makes an edge softer: variances add up. That of the edge's slope is 0.2056
// times its width squared, that of a row of pixels a twelfth of bin^2 - 1.
double edge_in_bins(double width, double bin) {
    return std::sqrt(width * width + (bin * bin - 1) / (12 * 0.2056)) / bin;
}

}  // namespace

index crop_side(double fit_radius) {
    return static_cast<index>(std::ceil((2 * fit_radius + 0.1) / 8)) * 8;
}

Tables::Tables(stem4d::ProbeTemplate const& probe, double fit_radius, index bin)
    : side_(crop_side(fit_radius)),
      fit_radius_(fit_radius),
      edge_width_(edge_in_bins(edge_width_of(probe), static_cast<double>(bin))),
      tables_((phases + 1) * (phases + 1) * 3 * side_ * side_),
      masks_(2 * side_ * side_) {
    auto const first = static_cast<double>(before());
    for (index p = 0; p <= phases; ++p)
        for (index q = 0; q <= phases; ++q)
            fill_table(probe, side_, bin, first + static_cast<double>(p) / phases,
                       first + static_cast<double>(q) / phases,
                       tables_.data() + (p * (phases + 1) + q) * 3 * pixels());
    for (index i = 0; i < pixels(); ++i) sum_ += static_cast<double>(at(0, 0)[i]);
    fill_masks(probe.radius / static_cast<double>(bin) - ring_within);
    pack_tables();
    fill_places();
}

void Tables::fill_masks(double hollow) {
    double const middle = static_cast<double>(before()) + 0.5;
    for (index i = 0; i < pixels(); ++i) {
        index const row = i / side_, col = i % side_;
        double const away =
            std::hypot(static_cast<double>(row) - middle, static_cast<double>(col) - middle);
        masks_.data()[i] = away <= fit_radius_ ? 1.0F : 0.0F;
        masks_.data()[pixels() + i] = away > hollow ? masks_.data()[i] : 0.0F;
    }
}

void Tables::pack_tables() {
    spans_ = crop_spans(inside(), side_);
    packed_pixels_ = pixels_of(spans_);
    index const planes = (phases + 1) * (phases + 1) * 3;
    packed_ = AlignedFloats(planes * packed_pixels_);
    for (index i = 0; i < planes; ++i)
        pack(spans_, tables_.data() + i * pixels(), side_, packed_.data() + i * packed_pixels_);
    packed_masks_ = AlignedFloats(2 * packed_pixels_);
    for (index i = 0; i < 2; ++i)
        pack(spans_, masks_.data() + i * pixels(), side_,
             packed_masks_.data() + i * packed_pixels_);
}

void Tables::fill_places() {
    index const n = packed_pixels_;
    around_ = AlignedFloats(4 * n);
    places_ = AlignedFloats(2 * n);
    double const middle = static_cast<double>(before()) + 0.5,
                 half = static_cast<double>(side_) / 2;
    for (CropSpan const& s : spans_)
        for (index i = 0; i < s.count; ++i) {
            index const at = s.at + i;
            double const row = static_cast<double>(s.row) - middle,
                         col = static_cast<double>(s.col + i) - middle,
                         angle = std::atan2(col, row);
            for (index k = 0; k < 2; ++k) {
                double const turns = static_cast<double>(k + 1) * angle;
                around_.data()[2 * k * n + at] = static_cast<float>(std::cos(turns));
                around_.data()[(2 * k + 1) * n + at] = static_cast<float>(std::sin(turns));
            }
            places_.data()[at] = static_cast<float>(row / half);
            places_.data()[n + at] = static_cast<float>(col / half);
        }
}

std::array<double, 3> mean_over_bin(stem4d::ProbeTemplate const& probe, double row, double col,
                                    index bin) {
    if (bin == 1) return probe.value_and_slopes(row, col);
    std::array<double, 3> sum{};
    double const first = static_cast<double>(1 - bin) / 2;
    for (index i = 0; i < bin; ++i)
        for (index j = 0; j < bin; ++j) {
            auto const t = probe.value_and_slopes(row + first + static_cast<double>(i),
                                                  col + first + static_cast<double>(j));
            for (std::size_t k = 0; k < 3; ++k) sum[k] += t[k] / static_cast<double>(bin * bin);
        }
    return sum;
}

double edge_width_of(stem4d::ProbeTemplate const& probe) {
    if (probe.profile.empty()) return probe.edge_width;
    double steepest = 0;
    for (int i = -4; i <= 4; ++i) {
        double const r = probe.radius + i * probe.profile_step / 2;
        if (r > 0) steepest = std::max(steepest, -probe.value_and_slopes(r, 0)[1]);
    }
    return steepest > 0 ? 1 / steepest : probe.radius;
}

}  // namespace sluice::crystal
