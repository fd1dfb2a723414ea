// Dose far beside a beam, and what carries it there.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>

#include "sluice/proton.h"
#include "sluice/proton_metrics.h"
#include "test_data.h"

namespace sluice::proton {
namespace {

Physics const& physics() {
    static Physics const p(WaterTable::icru90);
    return p;
}

constexpr double own = 1;  // sigma of the beam, mm

MarchResult pencil(double energy, double spread, double depth, double dz = 1, double dx = 1) {
    Phantom p;
    p.materials = {material("water").value()};
    p.dz = dz;
    p.dx = dx;
    p.planes = static_cast<index>(std::ceil(depth / dz));
    p.columns = static_cast<index>(240 / dx);
    p.x0 = -120;
    Beam const b{.energy = energy, .energy_spread = spread, .sigma_x = own};
    return march(physics(), p, b).value();
}

// What lies farther from the axis than that, of a plane's profile, which is the dose's integral
// over y: by Abel's inversion, 2 * integral of -P'(x) sqrt(x^2 - r^2).
double outside(MarchResult const& r, index plane, double radius) {
    auto const at = [&](index x) {
        return r.deposit[static_cast<std::size_t>(plane * r.columns + x)] / r.dx;
    };
    double sum = 0;
    for (index x = 1; x < r.columns; ++x) {
        double const edge = std::abs(r.x0 + static_cast<double>(x) * r.dx);
        if (edge <= radius) continue;
        double const falls =
            r.x0 + static_cast<double>(x) * r.dx > 0 ? at(x - 1) - at(x) : at(x) - at(x - 1);
        sum += falls * std::sqrt(edge * edge - radius * radius);
    }
    return sum;
}

double gaussian_outside(double radius, double sigma) {
    double const s2 = sigma * sigma + own * own;
    return std::exp(-radius * radius / (2 * s2));
}

// Between 20 and 40 mm from the axis, from 0.3 of the range on, where the ring has 1.5 to 4 % of
// the plane's dose. Of fast secondary protons the scale of their angles is fitted to this, and
// their energy to depth doses; elastic protons and those from hydrogen have no fitted number. At
// 126 MeV and below it is farther out than 1.8 of the wide Gaussian's sigma, and what is there has
// hardly a say in TOPAS' fit.
TEST(Halo, RingBesideTopas) {
    std::ifstream file(SLUICE_TEST_DATA "/proton/topas_halo.txt");
    std::string line;
    MarchResult r;
    double peak = 0, ours = 0, theirs = 0;
    int beams = 0, depths = 0;
    auto const whole = [&] {
        if (beams > 0) {
            EXPECT_NEAR(ours / theirs, 1, 0.055) << beams;
        }
        ours = theirs = 0;
    };
    while (std::getline(file, line)) {
        std::istringstream words(line);
        if (line.starts_with("#")) continue;
        if (line.starts_with("beam")) {
            whole();
            std::string beam;
            double energy = 0, spread = 0;
            words >> beam >> energy >> spread >> peak;
            r = pencil(energy, spread, peak);
            ++beams;
            continue;
        }
        double depth = 0, narrow = 0, wide = 0, part = 0, dose = 0;
        words >> depth >> narrow >> wide >> part >> dose;
        auto const plane = static_cast<index>(depth);
        double const ring = outside(r, plane, 20) - outside(r, plane, 40);
        double const want =
            dose / 10 *
            ((1 - part) * (gaussian_outside(20, narrow) - gaussian_outside(40, narrow)) +
             part * (gaussian_outside(20, wide) - gaussian_outside(40, wide)));
        RecordProperty("beam_" + std::to_string(beams) + "_at_" + std::to_string(plane),
                       std::to_string(ring / want));
        EXPECT_NEAR(ring / want, 1, 0.1) << beams << " at " << depth;
        ++depths;
        ours += ring;
        theirs += want;
    }
    whole();
    EXPECT_EQ(beams, 4);
    EXPECT_EQ(depths, 28);
}

// Early protons become secondary ones, and these leave the middle: its standard deviation is that
// of scattering.
TEST(Halo, MiddleIsThatOfScattering) {
    Phantom p;
    p.materials = {material("water").value()};
    p.dz = 1;
    p.dx = 0.5;
    p.planes = 330;
    p.columns = 240;
    p.x0 = -60;
    Beam const b{.energy = 230, .sigma_x = 4};
    MarchOptions o;
    auto const with = march(physics(), p, b, o).value();
    o.nuclear = false;
    auto const without = march(physics(), p, b, o).value();
    double const range = physics().range(230);
    for (double const part : {0.3, 0.6, 0.9}) {
        auto const k = static_cast<std::size_t>(part * range);
        double const sigma = two_gaussians(with)[k].sigma, beam = core_sigma(without)[k];
        EXPECT_NEAR(sigma, beam, 0.025 * beam) << part;
    }
}

// Whatever the planes' and the columns' steps.
TEST(Halo, StepsDoNotMatter) {
    auto const coarse = pencil(150, 0.5, 156, 1, 2), fine = pencil(150, 0.5, 156, 0.5, 0.5);
    for (double const depth : {60.0, 100.0, 140.0}) {
        auto const of = [&](MarchResult const& r) {
            auto const k = static_cast<index>(depth / r.dz);
            return (outside(r, k, 20) - outside(r, k, 40)) / r.dz;
        };
        EXPECT_NEAR(of(coarse), of(fine), 0.08 * of(fine)) << depth;
    }
}

TEST(Halo, TwoGaussiansAreFound) {
    MarchResult r;
    r.planes = 3;
    r.columns = 400;
    r.dx = 0.5;
    r.dz = 1;
    r.x0 = -100;
    r.deposit.resize(1200);
    auto const part = [&](index x, double sigma) {
        double const from = r.x0 + static_cast<double>(x) * r.dx - 0.3;
        auto const below = [&](double v) { return std::erfc(-v / sigma / std::sqrt(2)) / 2; };
        return below(from + r.dx) - below(from);
    };
    // The last plane is empty.
    for (index x = 0; x < r.columns; ++x) {
        r.deposit[static_cast<std::size_t>(x)] = 7 * (0.9 * part(x, 4) + 0.1 * part(x, 15));
        r.deposit[static_cast<std::size_t>(x + 400)] = part(x, 3);
    }
    auto const found = two_gaussians(r);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_NEAR(found[0].sigma, 4, 0.02);
    EXPECT_NEAR(found[0].halo_sigma, 15, 0.1);
    EXPECT_NEAR(found[0].halo_weight, 0.1, 0.001);
    EXPECT_NEAR(found[1].sigma, 3, 0.01);
    EXPECT_TRUE(std::isnan(found[1].halo_sigma));
    EXPECT_EQ(found[1].halo_weight, 0);
    EXPECT_TRUE(std::isnan(found[2].sigma));
    EXPECT_EQ(found[2].halo_weight, 0);
}

// A phantom cuts the halo off: what is beyond it is in no sum, and the fit must not take it for a
// fall to nothing (sigma jumped by up to 11 % from one plane to the next before).
TEST(Halo, TwoGaussiansDoNotDependOnTheEdge) {
    for (double edge = 35; edge < 75; edge += 1.3) {
        MarchResult r;
        r.planes = 1;
        r.dx = 0.5;
        r.dz = 1;
        r.columns = static_cast<index>(2 * edge / r.dx);
        r.x0 = -edge - 0.1;
        r.deposit.resize(static_cast<std::size_t>(r.columns));
        auto const part = [&](index x, double sigma) {
            double const from = r.x0 + static_cast<double>(x) * r.dx;
            auto const below = [&](double v) { return std::erfc(-v / sigma / std::sqrt(2)) / 2; };
            return below(from + r.dx) - below(from);
        };
        for (index x = 0; x < r.columns; ++x)
            r.deposit[static_cast<std::size_t>(x)] = 0.84 * part(x, 6.8) + 0.16 * part(x, 21);
        TwoGaussians const found = two_gaussians(r)[0];
        EXPECT_NEAR(found.sigma, 6.8, 0.03) << edge;
        EXPECT_NEAR(found.halo_sigma, 21, 0.3) << edge;
        EXPECT_NEAR(found.halo_weight, 0.16, 0.003) << edge;
    }
}

// A material that protons with hydrogen are not known in, and a beam beside the phantom's edge.
TEST(Halo, LeavesAtEdgesAndIsBooked) {
    Phantom p;
    p.materials = {material("water").value(), material("air").value(), *material("cortical_bone")};
    p.dz = 0.7;
    p.dx = 0.5;
    p.planes = 160;
    p.columns = 40;
    p.x0 = -2;
    p.map.assign(static_cast<std::size_t>(p.planes * p.columns), 0);
    for (index k = 20; k < 120; ++k)
        for (index x = 0; x < 20; ++x)
            p.map[static_cast<std::size_t>(k * p.columns + x)] = x < 8 ? 1 : 2;
    MarchOptions o;
    o.precision = Precision::f64;
    auto const r = march(physics(), p, {.energy = 110, .sigma_x = 1, .angle = 0.1}, o).value();
    EXPECT_LT(r.worst_weight, 1e-12);
    EXPECT_LT(r.worst_energy, 1e-12);
    double const sum = std::accumulate(r.deposit.begin(), r.deposit.end(), 0.0);
    Ledger const& l = r.ledger;
    EXPECT_NEAR(sum, l.stopped.energy + l.local + l.secondary, 1e-9 * sum);
    for (double const d : r.deposit) EXPECT_GE(d, 0);
    EXPECT_GT(l.left.energy, 0);
    EXPECT_GT(l.right.energy, 0);
}

}  // namespace
}  // namespace sluice::proton
