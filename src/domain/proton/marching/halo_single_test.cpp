// Bundles beside single protons that fly step by step.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "domain/proton/marching/grid.h"
#include "domain/proton/marching/halo.h"
#include "sluice/proton.h"

namespace sluice::proton::marching {
namespace {

constexpr index planes = 165, columns = 240;
constexpr index last = 150;                   // of the planes with collisions
constexpr double energy = 150, middle = 0.5;  // MeV, mm

Physics const& physics() {
    static Physics const p(WaterTable::icru90);
    return p;
}

Phantom water() {
    Phantom p;
    p.materials = {material("water").value()};
    p.dz = p.dx = 1;
    p.planes = planes;
    p.columns = columns;
    p.x0 = -120;
    return p;
}

MarchResult empty() {
    MarchResult r;
    r.planes = planes;
    r.columns = columns;
    r.dz = r.dx = 1;
    r.x0 = -120;
    r.deposit.resize(static_cast<std::size_t>(planes * columns));
    return r;
}

// Where the beam's protons are.
double energy_at(double depth) {
    return physics().energy(physics().range(energy) - depth);
}

// A collision in each plane, as in a beam: one alone sends its bundles along as many lines.
MarchResult bundles(bool with_hydrogen) {
    Phantom const p = water();
    MarchResult r = empty();
    Halo halo(physics(), p, {.energy = energy, .sigma_x = 1}, true);
    for (index plane = 0; plane < planes; ++plane) {
        halo.fly(plane, r);
        double const now = energy_at(static_cast<double>(plane) + 0.5);
        if (plane < last)
            halo.collide(plane, 120, now, with_hydrogen ? 0 : now, with_hydrogen ? now : 0, r);
        halo.finish(plane, r);
    }
    return r;
}

struct Single {
    double x, z, slope, across, range, weight;
};

class Singles {
  public:
    MarchResult result = empty();

    double normal() { return normal_(draw_); }
    double uniform() { return uniform_(draw_); }
    // Straight on in steps; what it loses lies where it is.
    void fly(Single s) {
        double const step = 0.25;
        while (s.range > 0 && s.z < planes) {
            double const path = std::sqrt(1 + s.slope * s.slope + s.across * s.across);
            double const way = std::min(step * path, s.range);
            double const before = physics().energy(s.range);
            double const turn =
                std::sqrt(physics().scattering_power({}, std::max(before, 1.0)) * way);
            s.range -= way;
            leave(s.x + s.slope * step / 2, s.z + step / 2,
                  s.weight * (before - physics().energy(s.range)));
            s.x += s.slope * step;
            s.z += step;
            s.slope += turn * normal() * (1 + s.slope * s.slope);
            s.across += turn * normal() * (1 + s.across * s.across);
        }
    }

  private:
    std::mt19937_64 draw_{17};
    std::normal_distribution<double> normal_;
    std::uniform_real_distribution<double> uniform_;

    void leave(double x, double z, double lost) {
        auto const k = static_cast<index>(z), i = static_cast<index>(std::floor(x + 120));
        if (i < 0 || i >= columns || k >= planes) return;
        result.deposit[static_cast<std::size_t>(k * columns + i)] += lost;
    }
};

double in(MarchResult const& r, index first, index past, double from, double to) {
    double sum = 0;
    for (index k = first; k < past; ++k)
        for (index x = 0; x < columns; ++x) {
            double const beside = std::abs(r.x0 + static_cast<double>(x) + 0.5 - middle);
            if (beside >= from && beside < to)
                sum += r.deposit[static_cast<std::size_t>(k * columns + x)];
        }
    return sum;
}

// In boxes that have a hundredth of the energy or more.
void compare(MarchResult const& found, MarchResult const& wanted, double most) {
    double const all = in(wanted, 0, planes, 0, 120);
    int boxes = 0;
    for (index k = 0; k < 160; k += 20)
        for (auto const& [from, to] :
             {std::pair(0.0, 5.0), {5.0, 10.0}, {10.0, 20.0}, {20.0, 40.0}, {40.0, 80.0}}) {
            double const box = in(wanted, k, k + 20, from, to);
            if (box < 0.01 * all) continue;
            ++boxes;
            EXPECT_NEAR(in(found, k, k + 20, from, to) / box, 1, most)
                << k << " mm deep, " << from << " to " << to << " mm beside";
        }
    EXPECT_GT(boxes, 12);
    EXPECT_NEAR(in(found, 0, planes, 0, 120), all, 0.01 * all);
}

TEST(HaloSingle, OfElasticCollisionsWithNuclei) {
    Singles singles;
    constexpr int count = 20000;
    double const spread = range_straggling(physics(), energy);
    for (int i = 0; i < count; ++i) {
        double const born = last * singles.uniform(), now = energy_at(born);
        double const wide = physics().elastic_angle(now), recoil = physics().elastic_recoil(now);
        double const a = singles.normal(), b = singles.normal();
        double const left = now - recoil * (a * a + b * b) / 2;
        singles.fly({middle, born, std::tan(wide * a), std::tan(wide * b),
                     physics().range(left) + spread * singles.normal(), double(last) / count});
    }
    compare(bundles(false), singles.result, 0.06);
}

TEST(HaloSingle, OfCollisionsWithHydrogen) {
    Singles singles;
    constexpr int count = 20000;
    for (int i = 0; i < count; ++i) {
        double const born = last * singles.uniform(), now = energy_at(born);
        double const part = singles.uniform(), around = 2 * std::numbers::pi * singles.uniform();
        // A proton of each pair: both are alike, and have the energy together.
        double const tangent = std::sqrt(1 / part - 1);
        singles.fly({middle, born, tangent * std::cos(around), tangent * std::sin(around),
                     physics().range(now * part), 2.0 * last / count});
    }
    compare(bundles(true), singles.result, 0.13);
}

}  // namespace
}  // namespace sluice::proton::marching
