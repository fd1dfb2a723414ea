// Pencils through the planes of a slab: what they leave there, and how wide.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/plane_pencils.h"

#include <algorithm>
#include <cmath>

namespace sluice::proton::cube {
namespace {

// Of a pencil that is split: four sides along x and y, which have its variance as a Gaussian has.
constexpr double side_part = 1.0 / 6, middle_part = 1 - 4 * side_part;
// What sides have to have met instead, mm of water, and how far pencils have to have scattered,
// pixels squared, to be split.
constexpr double least_instead = 0.3, least_scattered = 0.5;

double side_distance(double scattered) {
    return std::sqrt(3 * split_part * scattered);
}

}  // namespace

/// What is the same for all pencils of a plane.
struct PencilSteps::PlaneNumbers {
    double area = 0;                    ///< mm2 of a pixel in the plane
    std::array<double, 2> to_pixels{};  ///< mm2 there, in pixels squared
    std::array<double, 2> extra{};  ///< variance that spots have more than their pixels, the same
};

/// A pencil in a plane.
struct PencilSteps::Step {
    index row = 0, column = 0;
    std::size_t pixel = 0;
    double protons = 0, fluence = 0;    ///< fluence: a mm2
    double way = 0;                     ///< mm
    double water = 0, more = 0;         ///< mm of water before the plane, and in it
    std::array<double, 2> scattered{};  ///< pixels squared
    std::array<double, 2> variance{};   ///< with what the spot has, and a pencil's own
    double instead[4] = {};             ///< mm of water: what sides have met more
    DepthKernel::Mean middle = {}, sides[4] = {};
    bool differs = false;  ///< sides met something else
    bool split = false;    ///< and are so far away that they are pencils of their own
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
    for (std::size_t side = 0; side < 2; ++side) {
        p.changed[side].assign(options_.error ? coarse : 0, 0.0F);
        p.changed_narrow[side].assign(options_.error ? coarse : 0, 0.0F);
    }
    p.aside.resize(static_cast<std::size_t>(coarse_rows_));
    for (auto& block : p.aside) block.clear();
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

// Fermi's and Eyges's moments over the plane; the width is that of its middle. No: nothing is left.
bool PencilSteps::advance(PlaneNumbers const& n, index k, PencilState& s, Step& step) const {
    DepthKernel const& kernel = *s.sheet->kernel;
    auto const i = step.pixel;
    auto const ray = static_cast<std::size_t>(k * fan_.rows * fan_.columns) + i;
    step.protons = static_cast<double>(s.protons[i]);
    step.water = static_cast<double>(rays_.water[ray]) + s.sheet->water;
    double nearest = step.water;
    bool const looked = s.looked[static_cast<std::size_t>(step.row / coarse_side)] != 0;
    for (std::size_t j = 0; j < 4 && looked; ++j) {
        step.instead[j] = static_cast<double>(s.beside[j][i]);
        nearest = std::min(nearest, step.water + step.instead[j]);
    }
    if (nearest >= kernel.end()) return false;
    step.way = fan_.step * fan_.stretch(fan_.u(static_cast<double>(step.column)),
                                        fan_.v(static_cast<double>(step.row)));
    step.more = static_cast<double>(rays_.stopping[ray]) * step.way;
    // Where a pencil's middle has stopped, those that go on scatter as they do.
    double const here = step.water + step.more / 2;
    double const depth = here < kernel.range() ? here : std::max(nearest, 0.0);
    double const t = kernel.scattering(depth) * static_cast<double>(rays_.scattering[ray]);
    double a0 = static_cast<double>(s.angle[i]), a1 = static_cast<double>(s.both[i]),
           a2 = static_cast<double>(s.place[i]);
    double const way = step.way, h = way / 2;
    double const middle = a2 + 2 * a1 * h + a0 * h * h + t * h * h * h / 3;
    double const scattered = middle * kernel.widening(here);
    a2 += 2 * a1 * way + a0 * way * way + t * way * way * way / 3;
    a1 += a0 * way + t * way * way / 2;
    a0 += t * way;
    s.angle[i] = static_cast<float>(a0);
    s.both[i] = static_cast<float>(a1);
    s.place[i] = static_cast<float>(a2);
    step.fluence = step.protons * way / fan_.step / n.area;
    for (std::size_t a = 0; a < 2; ++a) {
        step.scattered[a] = scattered * n.to_pixels[a];
        step.variance[a] = step.scattered[a] + n.extra[a] + own_sigma * own_sigma;
    }
    return true;
}

// Rays beside a pencil, as far as its parts go.
void PencilSteps::look_beside(PencilState& s, index k, Step& step) const {
    index const at = step.row * fan_.columns + step.column;
    float const* const plane = rays_.stopping.data() + k * fan_.rows * fan_.columns;
    auto const own = static_cast<double>(plane[at]);
    for (int j = 0; j < 4; ++j) {
        bool const along_x = j < 2;
        double const far = side_distance(step.scattered[along_x ? 0 : 1]);
        double const off = j % 2 == 0 ? far : -far;
        index const sides = along_x ? fan_.columns : fan_.rows;
        double const place = std::clamp(static_cast<double>(along_x ? step.column : step.row) + off,
                                        0.0, static_cast<double>(sides - 1));
        auto const low = std::min(static_cast<index>(place), sides - 2);
        double const part = place - static_cast<double>(low);
        index const stride = along_x ? 1 : fan_.columns;
        float const* const line = plane + (along_x ? step.row * fan_.columns : step.column);
        double const there = static_cast<double>(line[low * stride]) * (1 - part) +
                             static_cast<double>(line[(low + 1) * stride]) * part;
        // Half of the plane's counts for its middle.
        double const more = (there - own) * step.way;
        auto& sum = s.beside[static_cast<std::size_t>(j)][step.pixel];
        step.instead[j] += more / 2;
        sum += static_cast<float>(more);
    }
}

// What the middle and the sides leave. Whether there is anything.
bool PencilSteps::take_parts(PencilState const& s, Step& step) const {
    DepthKernel const& kernel = *s.sheet->kernel;
    auto const at = [&](double instead) {
        double const from = std::max(0.0, step.water + instead);
        return from < kernel.end() ? kernel.mean(from, from + step.more) : DepthKernel::Mean{};
    };
    step.middle = at(0);
    // Pencils whose parts met the same, or would not leave their pixels, stay whole.
    double most = 0;
    for (double const i : step.instead) most = std::max(most, std::abs(i));
    double const narrowest = std::min(step.scattered[0], step.scattered[1]);
    step.differs = most > least_instead;
    step.split = step.differs && narrowest > least_scattered;
    bool any = step.middle.core + step.middle.halo > 0;
    for (int j = 0; j < 4 && step.differs; ++j) {
        step.sides[j] = at(step.instead[j]);
        any = any || step.sides[j].core > 0;
    }
    return any;
}

void PencilSteps::leave(Step const& step, PlanePencils& to) const {
    double const part = step.split ? middle_part : 1;
    double normal = step.fluence * part;
    for (std::size_t a = 0; a < 2; ++a) {
        double const narrower = step.split ? split_part * step.scattered[a] : 0;
        double const narrow = 0.5 / (step.variance[a] - narrower);
        normal *= part_of_line(narrow);
        to.narrow[a][step.pixel] = static_cast<float>(narrow);
    }
    to.weight[0][step.pixel] = static_cast<float>(normal * step.middle.core);
    if (options_.let) to.weight[1][step.pixel] = static_cast<float>(normal * step.middle.core_let);
}

// Between the two pixels where it is; what that adds to its width is taken off.
void PencilSteps::leave_aside(Step const& step, int side, PlanePencils& to) const {
    std::size_t const along = side < 2 ? 0 : 1;
    double const far = side_distance(step.scattered[along]);
    double const place =
        static_cast<double>(along == 0 ? step.column : step.row) + (side % 2 == 0 ? far : -far);
    index const sides = along == 0 ? fan_.columns : fan_.rows;
    double const inside = std::clamp(place, 0.0, static_cast<double>(sides - 1));
    auto const low = std::min(static_cast<index>(inside), sides - 2);
    double const part = inside - static_cast<double>(low);
    std::array<float, 2> variance{};
    for (std::size_t a = 0; a < 2; ++a) {
        double const shared = a == along ? part * (1 - part) : 0;
        variance[a] =
            static_cast<float>(step.variance[a] - split_part * step.scattered[a] - shared);
    }
    auto& list = to.aside[static_cast<std::size_t>(step.row / coarse_side)];
    for (int k = 0; k < 2; ++k) {
        double const weight = step.fluence * side_part * (k == 0 ? 1 - part : part);
        if (weight == 0) continue;
        index const pixel =
            along == 0 ? step.row * fan_.columns + low + k : (low + k) * fan_.columns + step.column;
        list.push_back({pixel, static_cast<float>(weight * step.sides[side].core),
                        static_cast<float>(weight * step.sides[side].core_let), variance});
    }
}

// Coarse pixels gather doses, and doses times variances, until all are in.
void PencilSteps::leave_coarse(PlaneNumbers const& n, DepthKernel const& kernel, Step const& step,
                               PlanePencils& to) const {
    auto const block = static_cast<std::size_t>(step.row / coarse_side * coarse_columns_ +
                                                step.column / coarse_side);
    constexpr double pixels = coarse_side * coarse_side;
    double const halo = step.fluence * step.middle.halo / pixels;
    to.coarse[0][block] += static_cast<float>(halo);
    if (options_.let)
        to.coarse[1][block] += static_cast<float>(step.fluence * step.middle.halo_let / pixels);
    double const wide = kernel.halo_variance(step.water + step.more / 2);
    for (std::size_t a = 0; a < 2; ++a)
        to.coarse_narrow[a][block] +=
            static_cast<float>(halo * (wide * n.to_pixels[a] + n.extra[a]) / pixels);
    if (options_.error && step.differs) leave_change(step, block, to);
}

// What a pencil leaves in parts, less what it would leave as a whole; its sides are counted where
// they are put. One that stays whole though its sides met something else has them in its place.
void PencilSteps::leave_change(Step const& step, std::size_t block, PlanePencils& to) const {
    constexpr double pixels = coarse_side * coarse_side;
    double const all = step.fluence * step.middle.core / pixels;
    double variance = (step.variance[0] + step.variance[1]) / 2, stays = middle_part * all;
    to.changed[1][block] += static_cast<float>(all);
    to.changed_narrow[1][block] += static_cast<float>(all * variance / pixels);
    if (step.split)
        variance -= split_part * (step.scattered[0] + step.scattered[1]) / 2;
    else
        for (DepthKernel::Mean const& side : step.sides)
            stays += side_part * step.fluence * side.core / pixels;
    to.changed[0][block] += static_cast<float>(stays);
    to.changed_narrow[0][block] += static_cast<float>(stays * variance / pixels);
}

bool PencilSteps::through(index block, PencilState& s, std::vector<PlanePencils>& planes) const {
    DepthKernel const& kernel = *s.sheet->kernel;
    bool goes_on = false;
    for (index k = 0; k < rays_.count; ++k) {
        PlaneNumbers const n = numbers_of(s, k);
        PlanePencils& to = planes[static_cast<std::size_t>(k)];
        goes_on = false;
        bool const uniform = rays_.uniform[static_cast<std::size_t>(k)] != 0;
        if (!uniform) s.looked[static_cast<std::size_t>(block)] = 1;
        for (index row = block * coarse_side; row < (block + 1) * coarse_side; ++row)
            for (index x = 0; x < fan_.columns; ++x) {
                Step step{.row = row, .column = x};
                step.pixel = static_cast<std::size_t>(row * fan_.columns + x);
                if (s.protons[step.pixel] == 0 || !advance(n, k, s, step)) continue;
                goes_on = true;
                if (!uniform) look_beside(s, k, step);
                if (!take_parts(s, step)) continue;
                double left = step.middle.core + step.middle.halo;
                leave(step, to);
                for (int j = 0; j < 4 && step.split; ++j) {
                    leave_aside(step, j, to);
                    left += (step.sides[j].core - step.middle.core) * side_part;
                }
                leave_coarse(n, kernel, step, to);
                s.deposited[static_cast<std::size_t>(block)] += step.protons * left * step.more;
            }
        if (!goes_on) return false;
        finish_coarse(block, to);
    }
    return goes_on;
}

}  // namespace sluice::proton::cube
