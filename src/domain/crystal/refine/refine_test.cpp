// Tests of known lattices: the accuracy of the lattice over its Cramer-Rao bound, and patterns that
// do not bear out what is known.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "domain/crystal/detect/decide.h"
#include "domain/crystal/detect/finder.h"
#include "domain/crystal/lattice/normal6.h"
#include "domain/crystal/test_scene.h"

namespace sluice::crystal {
namespace {

using stem4d::DiskMode;
using stem4d::LatticeBasis;

struct Ratios {
    double over_bound = 0;  // rms of the errors of a and b over their bounds
    double chi2 = 0;        // mean of error^2 over the reported variance
    int fitted = 0;
};

struct Way {
    DiskMode mode = DiskMode::isolated;
    bool known = true;
    double off = 0;  // px by which the origin is off at the start
    bool model_variance = false;
};

Ratios ratios_of(Scene const& scene, Way const& way, int patterns, double fit_radius = 11.9) {
    auto setup = scene.setup();
    setup.options.mode = way.mode;
    double const p = scene.options().pitch;
    double const middle = static_cast<double>(scene.options().side - 1) / 2 + way.off;
    LatticeBasis const basis{{middle, middle}, {1.012 * p, 0.084 * p}, {-0.124 * p, 0.984 * p}};
    if (way.known) setup.lattice = {.basis = basis};
    Ratios out;
    double bound2 = 0, chi2 = 0;
    for (int n = 0; n < patterns; ++n) {
        auto const truth = scene.pattern(static_cast<unsigned>(n));
        auto const drawn = Scene::draw(truth, 77U + static_cast<unsigned>(n));
        auto const found = stem4d::find_disks(drawn, {}, setup);
        EXPECT_TRUE(found);
        auto const fit = stem4d::fit_lattice(*found, basis, {.model_variance = way.model_variance});
        EXPECT_TRUE(fit);
        if (fit->reason[0] != stem4d::LatticeReason::fitted) continue;
        ++out.fitted;
        // Indices by rounding: strain is half a percent.
        Normal6 all, exact;
        for (TrueDisk const& d : truth.disks) {
            auto const bound = scene.bound(truth, d, fit_radius);
            double const det = bound.var_row * bound.var_col - bound.cov * bound.cov;
            auto const& o = truth.disks[0];
            double const y = d.row - o.row, x = d.col - o.col,
                         area = basis.a.row * basis.b.col - basis.a.col * basis.b.row;
            double const h = std::round((y * basis.b.col - x * basis.b.row) / area),
                         k = std::round((x * basis.a.row - y * basis.a.col) / area);
            all.add({bound.var_col / det, -bound.cov / det, bound.var_row / det}, h, k, 0, 0);
            exact.add({1, 0, 1}, h, k, d.row, d.col);
        }
        std::array<double, 6> lattice{}, none{};
        std::array<double, 36> unused{}, bound{};
        EXPECT_TRUE(exact.solve(lattice, unused));
        EXPECT_TRUE(all.solve(none, bound));
        for (std::size_t i = 2; i < 6; ++i) {
            double const error = fit->values.values[i] - lattice[i];
            bound2 += error * error / bound[7 * i];
            chi2 += error * error / fit->covariance.values[7 * i];
        }
    }
    out.over_bound = std::sqrt(bound2 / (4 * out.fitted));
    out.chi2 = chi2 / (4 * out.fitted);
    return out;
}

TEST(KnownLattices, ReachTheBoundAtEveryDose) {
    for (double const counts : {2e5, 2e4, 2e3}) {
        SCOPED_TRACE(counts);
        Ratios const r = ratios_of(Scene({.counts = counts}), {}, 120);
        EXPECT_EQ(r.fitted, 120);
        EXPECT_LT(r.over_bound, counts < 1e4 ? 1.2 : 1.1);
        EXPECT_NEAR(r.chi2, 1, 0.2);
    }
}

TEST(KnownLattices, AreFoundFromFourPixelsOff) {
    Scene const scene({.counts = 2e4});
    Ratios const near = ratios_of(scene, {}, 30), far = ratios_of(scene, {.off = 2.8}, 30);
    EXPECT_NEAR(far.over_bound, near.over_bound, 0.02);
}

// Single weak disks are lost below their threshold; together they still say something.
TEST(KnownLattices, SayMoreThanSearchedDisksAtLowDoses) {
    Scene const scene({.counts = 2e3});
    EXPECT_LT(1.2 * ratios_of(scene, {}, 60).over_bound,
              ratios_of(scene, {.known = false}, 60).over_bound);
}

TEST(KnownLattices, DisksMayTouchOrHaveFringes) {
    Scene const tight(
        {.side = 128, .radius = 8, .pitch = 17.5, .most = 41, .counts = 2e4, .seed = 2});
    Ratios const beside = ratios_of(tight, {.mode = DiskMode::touching}, 60);
    EXPECT_LT(beside.over_bound, 1.15);
    EXPECT_NEAR(beside.chi2, 1, 0.25);
    Scene const fringes({.counts = 2e5, .fringes = true});
    Ratios const edges =
        ratios_of(fringes, {.mode = DiskMode::fringes, .model_variance = true}, 40);
    EXPECT_LT(edges.over_bound, 1.9);
}

stem4d::DiskOptions decided_options(stem4d::DiskSetup const& setup) {
    auto options = decided(setup.options, setup.probe).value();
    options.background = setup.background;
    return options;
}

// Disks at 1.2 radii: each pixel is of two or three.
Ratios of_overlaps(Scene const& scene, int patterns) {
    auto setup = scene.setup();
    setup.options.mode = DiskMode::overlapping;
    auto const n = static_cast<double>(scene.options().side);
    double const p = scene.options().pitch, middle = (n - 1) / 2;
    LatticeBasis const basis{{middle, middle}, {1.012 * p, 0.084 * p}, {-0.124 * p, 0.984 * p}};
    std::vector<std::array<int, 2>> points;
    for (auto const& [h, k] : scene.indices())
        points.push_back({static_cast<int>(h), static_cast<int>(k)});
    std::ranges::sort(points);
    Finder const finder =
        Finder::make(
            {.probe = setup.probe,
             .options = decided_options(setup),
             .shape = {scene.options().side, scene.options().side},
             .lattice = stem4d::KnownLattice{.basis = basis, .points = points, .most_misfit = 9}},
            Device::cpu())
            .value();
    Finder::Room room(finder);
    Ratios out;
    double bound2 = 0, chi2 = 0;
    for (int i = 0; i < patterns; ++i) {
        auto const truth = scene.pattern(static_cast<unsigned>(i));
        finder.put(room, 0, Scene::draw(truth, 55U + static_cast<unsigned>(i)).values.data());
        FoundPattern found[1];
        finder.find(room, found);
        if (!found[0].lattice) continue;
        ++out.fitted;
        Normal6 exact;
        for (std::size_t j = 0; j < truth.disks.size(); ++j)
            exact.add({1, 0, 1}, scene.indices()[j][0], scene.indices()[j][1], truth.disks[j].row,
                      truth.disks[j].col);
        std::array<double, 6> lattice{};
        std::array<double, 36> unused{};
        EXPECT_TRUE(exact.solve(lattice, unused));
        auto const bound = scene.joint_bound(truth);
        LatticeBasis const& l = found[0].lattice->at;
        double const values[6] = {l.origin.row, l.origin.col, l.a.row, l.a.col, l.b.row, l.b.col};
        for (std::size_t a = 2; a < 6; ++a) {
            double const error = values[a] - lattice[a];
            bound2 += error * error / bound[7 * a];
            chi2 += error * error / found[0].lattice->covariance[7 * a];
        }
    }
    out.over_bound = std::sqrt(bound2 / (4 * out.fitted));
    out.chi2 = chi2 / (4 * out.fitted);
    return out;
}

TEST(KnownLattices, OverlapsAreFittedAtOnce) {
    for (double const counts : {2e5, 2e4}) {
        SCOPED_TRACE(counts);
        Scene const scene({.pitch = 9.9, .decades = 2, .counts = counts, .seed = 5});
        Ratios const r = of_overlaps(scene, 24);
        EXPECT_EQ(r.fitted, 24);
        EXPECT_LT(r.over_bound, 1.15);
        EXPECT_NEAR(r.chi2, 1, 0.3);
    }
}

}  // namespace
}  // namespace sluice::crystal
