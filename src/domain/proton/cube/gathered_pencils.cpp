// The pencils of a plane, gathered from all rows: their widths, and how far they go.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/proton/cube/plane_pencils.h"

namespace sluice::proton::cube {
namespace {

// Gaussians go so many standard deviations.
constexpr double pencil_reach = 3.6;
// What binning to coarse pixels and interpolating between them adds, in squares of these.
constexpr double coarse_blur = 1.0 / 12 + 1.0 / 6;
constexpr double least_coarse = 0.2;

// A sum of doses times variances becomes the a of exp(-a d^2). The part that its middle has.
double to_narrow(float dose, float& sum, double blur = coarse_blur, double least = least_coarse) {
    auto const d = static_cast<double>(dose);
    double const variance = d > 0 ? static_cast<double>(sum) / d - blur : 1;
    double const narrow = 0.5 / std::max(variance, least);
    sum = static_cast<float>(narrow);
    return part_of_line(narrow);
}

// Both channels, if both are there.
void scale(std::array<std::vector<float>, 2>& channels, std::size_t i, double by) {
    for (std::vector<float>& v : channels)
        if (!v.empty()) v[i] = static_cast<float>(static_cast<double>(v[i]) * by);
}

void reach_rows(std::vector<int>& out, std::vector<float> const& weight,
                std::vector<float> const& x, std::vector<float> const& y, index rows, index columns,
                index margin) {
    out.assign(static_cast<std::size_t>(rows), -1);
    for (index r = 0; r < rows; ++r) {
        float least = 0;
        for (index c = 0; c < columns; ++c) {
            auto const i = static_cast<std::size_t>(r * columns + c);
            if (weight[i] == 0) continue;
            float const narrow = std::min(x[i], y[i]);
            if (least == 0 || narrow < least) least = narrow;
        }
        if (least == 0) continue;
        double const places = std::ceil(pencil_reach * std::sqrt(0.5 / static_cast<double>(least)));
        out[static_cast<std::size_t>(r)] =
            static_cast<int>(std::min(places, static_cast<double>(margin)));
    }
}

}  // namespace

// Sums of variances become widths, and doses those of normal Gaussians.
void PencilSteps::finish_coarse(index block, PlanePencils& to) const {
    for (index x = 0; x < coarse_columns_; ++x) {
        auto const i = static_cast<std::size_t>(block * coarse_columns_ + x);
        double part = 1;
        for (std::vector<float>& v : to.coarse_narrow) part *= to_narrow(to.coarse[0][i], v[i]);
        scale(to.coarse, i, part);
    }
}

// What sides gave is of other blocks, and known once all are through.
void PencilSteps::finish_changes(PlanePencils& p) const {
    if (!options_.error) return;
    constexpr float pixels = coarse_side * coarse_side;
    for (auto const& block : p.aside)
        for (Aside const& a : block) {
            index const row = a.pixel / fan_.columns, column = a.pixel % fan_.columns;
            auto const i = static_cast<std::size_t>(row / coarse_side * coarse_columns_ +
                                                    column / coarse_side);
            p.changed[0][i] += a.dose / pixels;
            p.changed_narrow[0][i] +=
                a.dose / pixels * (a.variance[0] + a.variance[1]) / 2 / pixels;
        }
    for (std::size_t side = 0; side < 2; ++side)
        for (std::size_t i = 0; i < p.changed[side].size(); ++i) {
            float& dose = p.changed[side][i];
            double const part = to_narrow(dose, p.changed_narrow[side][i]);
            dose =
                static_cast<float>((side == 0 ? 1 : -1) * static_cast<double>(dose) * part * part);
        }
}

// Where several meet, they are one with their mean variance.
void PencilSteps::gather(PlanePencils& p) const {
    if (std::ranges::all_of(p.aside, [](auto const& block) { return block.empty(); })) return;
    auto const pixels = static_cast<std::size_t>(fan_.rows * fan_.columns);
    auto const part = [&](std::size_t i) {
        return part_of_line(static_cast<double>(p.narrow[0][i])) *
               part_of_line(static_cast<double>(p.narrow[1][i]));
    };
    p.met.assign(pixels, 0);
    for (auto const& block : p.aside)
        for (Aside const& a : block) {
            auto const i = static_cast<std::size_t>(a.pixel);
            if (!p.met[i]) {
                p.met[i] = 1;
                // Normal Gaussians become doses again.
                scale(p.weight, i, 1 / part(i));
                for (auto& v : p.narrow) v[i] = p.weight[0][i] * 0.5F / v[i];
            }
            p.weight[0][i] += a.dose;
            if (options_.let) p.weight[1][i] += a.let;
            for (std::size_t c = 0; c < 2; ++c) p.narrow[c][i] += a.dose * a.variance[c];
        }
    for (std::size_t i = 0; i < pixels; ++i) {
        if (!p.met[i]) continue;
        double by = 1;
        for (auto& v : p.narrow) by *= to_narrow(p.weight[0][i], v[i], 0, own_sigma * own_sigma);
        scale(p.weight, i, by);
    }
}

void PencilSteps::reaches(PlanePencils& p, index margin, index coarse_margin) const {
    reach_rows(p.reach, p.weight[0], p.narrow[0], p.narrow[1], fan_.rows, fan_.columns, margin);
    reach_rows(p.coarse_reach, p.coarse[0], p.coarse_narrow[0], p.coarse_narrow[1], coarse_rows_,
               coarse_columns_, coarse_margin);
    for (std::size_t side = 0; side < 2 && options_.error; ++side)
        reach_rows(p.changed_reach[side], p.changed[side], p.changed_narrow[side],
                   p.changed_narrow[side], coarse_rows_, coarse_columns_, coarse_margin);
    // Gaussians of less than three standard deviations are missing something.
    double const least = 0.5 * std::pow(3 / static_cast<double>(margin), 2);
    p.all = p.cut = 0;
    for (std::size_t i = 0; i < p.weight[0].size(); ++i) {
        if (p.weight[0][i] == 0) continue;
        auto const x = static_cast<double>(p.narrow[0][i]), y = static_cast<double>(p.narrow[1][i]);
        double const dose = static_cast<double>(p.weight[0][i]) / std::sqrt(x * y);
        p.all += dose;
        if (std::min(x, y) < least) p.cut += dose;
    }
    p.any = std::ranges::any_of(p.reach, [](int r) { return r >= 0; }) ||
            std::ranges::any_of(p.coarse_reach, [](int r) { return r >= 0; });
}

}  // namespace sluice::proton::cube
