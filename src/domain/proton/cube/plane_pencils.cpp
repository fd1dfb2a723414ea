// Pencils through the planes of a slab: what they leave there, and how wide.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/plane_pencils.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace sluice::proton::cube {
namespace {

// Gaussians go so many standard deviations.
constexpr double reach = 4;
// What binning to coarse pixels and interpolating between them adds, in squares of these.
constexpr double coarse_blur = 1.0 / 12 + 1.0 / 6;
constexpr double least_coarse = 0.2;

/// One over the sum of exp(-a d^2) over all whole d.
double part_of_line(double a) {
    return std::sqrt(a / std::numbers::pi) /
           (1 + 2 * std::exp(-std::numbers::pi * std::numbers::pi / a));
}

int reach_of(float narrowest, index margin) {
    double const places = std::ceil(reach * std::sqrt(0.5 / static_cast<double>(narrowest)));
    return static_cast<int>(std::min(places, static_cast<double>(margin)));
}

void reach_rows(std::vector<int>& out, std::vector<float> const& weight,
                std::vector<float> const& x, std::vector<float> const& y, index rows,
                index columns, index margin) {
    out.assign(static_cast<std::size_t>(rows), -1);
    for (index r = 0; r < rows; ++r) {
        float least = 0;
        for (index c = 0; c < columns; ++c) {
            auto const i = static_cast<std::size_t>(r * columns + c);
            if (weight[i] == 0) continue;
            float const narrow = std::min(x[i], y[i]);
            if (least == 0 || narrow < least) least = narrow;
        }
        if (least > 0) out[static_cast<std::size_t>(r)] = reach_of(least, margin);
    }
}

}  // namespace

/// What is the same for all pencils of a plane.
struct PencilSteps::PlaneNumbers {
    double area = 0;                  ///< mm2 of a pixel in the plane
    std::array<double, 2> to_pixels{};  ///< mm2 there, in pixels squared
    std::array<double, 2> extra{};      ///< variance that spots have more than their pixels, the same
};

PencilSteps::PencilSteps(Fan const& fan, RaySlab const& rays, CubeOptions const& options)
    : fan_(fan),
      rays_(rays),
      options_(options),
      coarse_columns_(fan.columns / coarse_side),
      coarse_rows_(fan.rows / coarse_side) {}

void PencilSteps::clear(PlanePencils& p) const {
    auto const fine = static_cast<std::size_t>(fan_.rows * fan_.columns);
    auto const coarse = static_cast<std::size_t>(coarse_rows_ * coarse_columns_);
    for (std::size_t c = 0; c < 2; ++c) {
        p.weight[c].assign(c == 0 || options_.let ? fine : 0, 0.0F);
        p.narrow[c].assign(fine, 1.0F);
        p.coarse[c].assign(c == 0 || options_.let ? coarse : 0, 0.0F);
        p.coarse_narrow[c].assign(coarse, 0.0F);
    }
    p.wrong.assign(options_.error ? coarse : 0, 0.0F);
    p.wrong_narrow.assign(options_.error ? coarse : 0, 0.0F);
    p.any = false;
}

auto PencilSteps::numbers_of(PencilState const& s, index k) const -> PlaneNumbers {
    double const plane = static_cast<double>(rays_.first + k) + 0.5, z = fan_.z(plane);
    double const way = plane * fan_.step, square = fan_.pixel * fan_.pixel;
    PlaneNumbers n{.area = square};
    for (std::size_t a = 0; a < 2; ++a) {
        double const m = fan_.frame.spread(static_cast<int>(a), z);
        n.area *= m;
        n.to_pixels[a] = 1 / (m * m * square);
        double const spot = s.sheet->moments[a].at(way) * n.to_pixels[a];
        n.extra[a] = std::max(0.0, spot - s.least[a] / square);
    }
    return n;
}

// Rays beside a pencil, as far as quadrature of a Gaussian by three points has them.
void PencilSteps::beside(PencilState& s, index k, index row, index column, double sigma,
                         double way) const {
    index const at = row * fan_.columns + column;
    float const* const plane =
        rays_.stopping.data() + k * fan_.rows * fan_.columns;
    double const far = std::numbers::sqrt3 * sigma;
    auto const own = static_cast<double>(plane[at]);
    for (int j = 0; j < 4; ++j) {
        double const off = j % 2 == 0 ? far : -far;
        bool const along_x = j < 2;
        index const sides = along_x ? fan_.columns : fan_.rows;
        double const place = std::clamp(static_cast<double>(along_x ? column : row) + off, 0.0,
                                        static_cast<double>(sides - 1));
        auto const low = std::min(static_cast<index>(place), sides - 2);
        double const part = place - static_cast<double>(low);
        index const step = along_x ? 1 : fan_.columns;
        float const* const line = plane + (along_x ? row * fan_.columns : column);
        double const there = static_cast<double>(line[low * step]) * (1 - part) +
                             static_cast<double>(line[(low + 1) * step]) * part;
        auto& sum = s.beside[static_cast<std::size_t>(j)][static_cast<std::size_t>(at)];
        sum += static_cast<float>((there - own) * way);
    }
}

bool PencilSteps::row_through(PlaneNumbers const& n, index k, index row, PencilState& s,
                              PlanePencils& to) const {
    DepthKernel const& kernel = *s.sheet->kernel;
    index const plane = k * fan_.rows * fan_.columns;
    bool goes_on = false;
    for (index x = 0; x < fan_.columns; ++x) {
        auto const i = static_cast<std::size_t>(row * fan_.columns + x);
        if (s.protons[i] == 0) continue;
        auto const ray = static_cast<std::size_t>(plane) + i;
        double const water = static_cast<double>(rays_.water[ray]) + s.sheet->water;
        if (water >= kernel.end()) continue;
        goes_on = true;
        double const way =
            fan_.step * fan_.stretch(fan_.u(static_cast<double>(x)), fan_.v(static_cast<double>(row)));
        double const more = static_cast<double>(rays_.stopping[ray]) * way;
        double const t = kernel.scattering(water + more / 2) *
                         static_cast<double>(rays_.scattering[ray]);
        double a0 = static_cast<double>(s.angle[i]), a1 = static_cast<double>(s.both[i]),
               a2 = static_cast<double>(s.place[i]);
        double const h = way / 2;
        double const middle = a2 + 2 * a1 * h + a0 * h * h + t * h * h * h / 3;
        double const scattered = middle * kernel.widening(water + more / 2);
        a2 += 2 * a1 * way + a0 * way * way + t * way * way * way / 3;
        a1 += a0 * way + t * way * way / 2;
        a0 += t * way;
        s.angle[i] = static_cast<float>(a0);
        s.both[i] = static_cast<float>(a1);
        s.place[i] = static_cast<float>(a2);
        DepthKernel::Mean const mean = kernel.mean(water, water + more);
        double const protons = static_cast<double>(s.protons[i]);
        double const fluence = protons * way / fan_.step / n.area;
        s.deposited[static_cast<std::size_t>(row / coarse_side)] +=
            protons * (mean.core + mean.halo) * more;
        double narrow[2], part = 1;
        for (std::size_t a = 0; a < 2; ++a) {
            narrow[a] =
                0.5 / (scattered * n.to_pixels[a] + n.extra[a] + own_sigma * own_sigma);
            part *= part_of_line(narrow[a]);
            to.narrow[a][i] = static_cast<float>(narrow[a]);
        }
        double trial = 0;
        if (options_.error) {
        beside(s, k, row, x, std::sqrt(scattered * n.to_pixels[0]), way);
        for (auto const& side : s.beside) {
            double const from = std::max(0.0, water + static_cast<double>(side[i]));
            trial += (kernel.mean(from, from + more).core - mean.core) / 6;
        }}
        to.weight[0][i] = static_cast<float>(fluence * (mean.core + 0*trial) * part);
        if (options_.let) to.weight[1][i] = static_cast<float>(fluence * mean.core_let * part);
        auto const block = static_cast<std::size_t>(row / coarse_side * coarse_columns_ +
                                                    x / coarse_side);
        constexpr double pixels = coarse_side * coarse_side;
        // Coarse pixels gather doses, and doses times variances, until all are in.
        double const halo = fluence * mean.halo / pixels;
        to.coarse[0][block] += static_cast<float>(halo);
        if (options_.let)
            to.coarse[1][block] += static_cast<float>(fluence * mean.halo_let / pixels);
        double const wide = kernel.halo_variance(water + more / 2);
        for (std::size_t a = 0; a < 2; ++a)
            to.coarse_narrow[a][block] +=
                static_cast<float>(halo * (wide * n.to_pixels[a] + n.extra[a]) / pixels);
        if (!options_.error) continue;
        double off = 0;
        for (auto const& side : s.beside) {
            auto const instead = static_cast<double>(side[i]);
            // Less than this changes nothing.
            if (std::abs(instead) < 0.1) continue;
            double const from = std::max(0.0, water + instead);
            off += (kernel.mean(from, from + more).core - mean.core) / 6;
        }
        if (off == 0) continue;
        double const wrong = fluence * std::abs(off) / pixels;
        to.wrong[block] += static_cast<float>(wrong);
        to.wrong_narrow[block] += static_cast<float>(wrong * 0.5 / narrow[0] / pixels);
    }
    return goes_on;
}

bool PencilSteps::through(index block, PencilState& s, std::vector<PlanePencils>& planes) const {
    bool goes_on = false;
    for (index k = 0; k < rays_.count; ++k) {
        PlaneNumbers const n = numbers_of(s, k);
        PlanePencils& to = planes[static_cast<std::size_t>(k)];
        goes_on = false;
        for (index row = block * coarse_side; row < (block + 1) * coarse_side; ++row)
            goes_on |= row_through(n, k, row, s, to);
        if (!goes_on) return false;
        // Sums of variances become widths, and doses those of normal Gaussians.
        for (index x = 0; x < coarse_columns_; ++x) {
            auto const i = static_cast<std::size_t>(block * coarse_columns_ + x);
            auto const finish = [&](std::vector<float>& dose, std::vector<float>* let,
                                    std::span<std::vector<float>* const> sums, double add) {
                auto const d = static_cast<double>(dose[i]);
                double part = 1;
                for (std::vector<float>* sum : sums) {
                    double const variance =
                        d > 0 ? static_cast<double>((*sum)[i]) / d - coarse_blur + add : 1;
                    double const a = 0.5 / std::max(variance, least_coarse);
                    (*sum)[i] = static_cast<float>(a);
                    part *= part_of_line(a);
                }
                if (sums.size() == 1) part *= part;
                dose[i] = static_cast<float>(d * part);
                if (let) (*let)[i] = static_cast<float>(static_cast<double>((*let)[i]) * part);
            };
            std::vector<float>* const both[] = {&to.coarse_narrow[0], &to.coarse_narrow[1]};
            finish(to.coarse[0], options_.let ? &to.coarse[1] : nullptr, both, 0);
            std::vector<float>* const one[] = {&to.wrong_narrow};
            if (options_.error) finish(to.wrong, nullptr, one, 0);
        }
    }
    return goes_on;
}

void PencilSteps::reaches(PlanePencils& p, index margin, index coarse_margin) const {
    reach_rows(p.reach, p.weight[0], p.narrow[0], p.narrow[1], fan_.rows, fan_.columns, margin);
    reach_rows(p.coarse_reach, p.coarse[0], p.coarse_narrow[0], p.coarse_narrow[1], coarse_rows_,
               coarse_columns_, coarse_margin);
    if (options_.error)
        reach_rows(p.wrong_reach, p.wrong, p.wrong_narrow, p.wrong_narrow, coarse_rows_,
                   coarse_columns_, coarse_margin);
    p.any = std::ranges::any_of(p.reach, [](int r) { return r >= 0; }) ||
            std::ranges::any_of(p.coarse_reach, [](int r) { return r >= 0; });
}

}  // namespace sluice::proton::cube
