// Distortion and pixel size against simulated powders and crystals.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "domain/crystal/calibrate/test_patterns.h"

namespace sluice::crystal::test {
namespace {

using stem4d::DistortionModel;
using stem4d::KnownRing;
using stem4d::UnitCell;

UnitCell cubic(double a, char letter) {
    std::string const text =
        std::string("data_c _symmetry_space_group_name_H-M '") + letter +
        " m -3 m' _cell_angle_alpha 90 _cell_angle_beta 90 _cell_angle_gamma 90" +
        " _cell_length_a " + std::to_string(a) + " _cell_length_b " + std::to_string(a) +
        " _cell_length_c " + std::to_string(a);
    return stem4d::parse_cif(text).value();
}

// Of f.c.c. up to (4 4 0), without our lists.
std::vector<double> fcc_radii(double a, double px_per_frequency) {
    std::vector<double> radii;
    for (double n : {3., 4., 8., 11., 12., 16., 19., 20., 24.})
        radii.push_back(std::sqrt(n) / a * px_per_frequency);
    return radii;
}

stem4d::OriginFit origins_of(stem4d::BraggVectors const& v) {
    return stem4d::fit_origins(stem4d::measure_origins(v).value()).value();
}

stem4d::LatticeFit lattice_of(stem4d::BraggVectors const& v) {
    return stem4d::fit_lattice(v, stem4d::find_basis(v).value()).value();
}

stem4d::BraggVectors powder(PatternPlan const& plan, std::vector<double> const& radii,
                            unsigned seed, int disks = 40) {
    Vectors draw(plan, seed);
    for (index p = 0; p < plan.scan[0] * plan.scan[1]; ++p)
        draw.add(ring_disks(radii, disks, draw));
    return draw.v;
}
stem4d::BraggVectors crystal(PatternPlan const& plan, std::array<double, 4> const& g,
                             unsigned seed) {
    Vectors draw(plan, seed);
    for (index p = 0; p < plan.scan[0] * plan.scan[1]; ++p) draw.add(lattice_disks(g, 100, draw));
    return draw.v;
}

bool told(std::vector<std::string> const& notes, std::string const& what) {
    return std::ranges::any_of(
        notes, [&](std::string const& n) { return n.find(what) != std::string::npos; });
}

TEST(Ellipse, RingsOfAnyRadiiShowIt) {
    double chi_ratio = 0, chi_angle = 0;
    constexpr int seeds = 12;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
        PatternPlan plan;
        plan.ellipse = {1.03, 0.98, 33};
        plan.sigma = 0.3;
        auto const v = powder(plan, {50, 90}, seed);
        auto const origins = origins_of(v);
        auto const rings = stem4d::find_rings(v, origins);
        ASSERT_EQ(rings.rings.size(), 2u);
        EXPECT_NEAR(rings.rough.ratio(), 1.03 / 0.98, 0.006);
        auto const fit = stem4d::fit_ellipse(v, origins, rings);
        ASSERT_TRUE(fit) << fit.error().text();
        EXPECT_NEAR(fit->distortion.ratio(), 1.03 / 0.98, 0.002);
        EXPECT_NEAR(fit->distortion.angle_degrees(), 33, 1);
        EXPECT_NEAR(fit->radii[0], 50 * std::sqrt(1.03 * 0.98), 0.05);
        chi_ratio +=
            std::pow((fit->distortion.ratio() - 1.03 / 0.98) / fit->distortion.ratio_error(), 2);
        chi_angle += std::pow(
            (fit->distortion.angle_degrees() - 33) / fit->distortion.angle_error_degrees(), 2);
    }
    EXPECT_NEAR(chi_ratio / seeds, 1, 0.8);
    EXPECT_NEAR(chi_angle / seeds, 1, 0.8);
}

TEST(Ellipse, TheCorrectionUndoesIt) {
    TrueEllipse const e{1.04, 0.97, 120};
    PatternPlan plan;
    plan.ellipse = e, plan.sigma = 0.02;
    auto const v = powder(plan, {60}, 3);
    auto const fit =
        stem4d::fit_ellipse(v, origins_of(v), stem4d::FoundRings{.rings = {{50, 70}}, .rough = {}});
    ASSERT_TRUE(fit);
    auto const [rr, rc, cc] = fit->distortion.correction();
    auto const [ir, ic, jc] = fit->distortion.inverse();
    EXPECT_NEAR(rr * cc - rc * rc, 1, 1e-12);
    EXPECT_NEAR(rr * ir + rc * ic, 1, 1e-12);
    EXPECT_NEAR(rr * ic + rc * jc, 0, 1e-12);
    auto const at = e.shown(30, 40);
    EXPECT_NEAR(std::hypot(rr * at[0] + rc * at[1], rc * at[0] + cc * at[1]),
                50 * std::sqrt(1.04 * 0.97), 0.02);
}

TEST(Ellipse, TooFewDirectionsAreSaid) {
    PatternPlan plan;
    Vectors draw(plan, 4);
    for (int p = 0; p < 64; ++p) draw.add({{60, 0, 1}, {-60, 0, 1}, {0, 60, 1}, {0, -60, 1}});
    auto const origins = origins_of(draw.v);
    stem4d::FoundRings const ring{.rings = {{50, 70}}, .rough = {}};
    auto const none = stem4d::fit_ellipse(draw.v, origins, ring);
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("too few directions"), std::string::npos);
    EXPECT_TRUE(stem4d::fit_ellipse(draw.v, origins, ring, DistortionModel::rectangular));
    EXPECT_FALSE(stem4d::fit_ellipse(draw.v, origins, {}));
    EXPECT_FALSE(stem4d::fit_ellipse(draw.v, origins, {.rings = {{70, 50}}, .rough = {}}));
    EXPECT_FALSE(stem4d::fit_ellipse(draw.v, origins, {.rings = {{NAN, NAN}}, .rough = {}}));
}

TEST(PixelSize, APowderOfAluminiumTellsItWithItsEllipse) {
    double chi2 = 0;
    for (unsigned seed = 1; seed <= 6; ++seed) {
        PatternPlan plan;
        plan.ellipse = {1.02, 1 / 1.02, 70};
        plan.sigma = 0.2;
        auto const v = powder(plan, fcc_radii(4.0495, 90), seed);
        auto const known = stem4d::known_rings(cubic(4.0495, 'F'), 1.6).value();
        auto const fit = stem4d::match_rings(v, origins_of(v), known);
        ASSERT_TRUE(fit) << fit.error().text();
        EXPECT_NEAR(fit->pixel_size * 90, 1, 1e-3);
        EXPECT_NEAR(fit->distortion.ratio(), 1.02 * 1.02, 2e-3);
        EXPECT_GE(fit->rings.size(), 6u);
        EXPECT_EQ(fit->rings.front().name, "(1 1 1)");
        EXPECT_TRUE(fit->alternatives.empty());
        chi2 += std::pow((fit->pixel_size - 1 / 90.) / fit->error, 2) / 6;
    }
    EXPECT_LT(chi2, 2.5);
}

// Another crystal's rings never become a size without a word.
TEST(PixelSize, TheRingsOfAnotherCrystalAreRefusedOrDoubted) {
    for (double const a : {3.1, 5.43, 7.3, 9.9})
        for (char const letter : {'P', 'I'}) {
            PatternPlan plan;
            plan.sigma = 0.15;
            auto const v = powder(plan, fcc_radii(4.0495, 90), 5);
            auto const known = stem4d::known_rings(cubic(a, letter), 1.6).value();
            auto const fit = stem4d::match_rings(v, origins_of(v), known);
            bool told = !fit || !fit->alternatives.empty();
            if (fit)
                for (std::string const& note : fit->notes)
                    told |= note.starts_with("doubtful") || note.find("not seen") != note.npos ||
                            note.find("are none of") != note.npos;
            EXPECT_TRUE(told) << a << letter << " " << fit->pixel_size * 90;
        }
}

// The innermost ring is displaced, as a halo does it: alone it would be off by 2 %.
TEST(PixelSize, SeveralRingsOutvoteAnInnermostOneThatIsOff) {
    PatternPlan plan;
    plan.sigma = 0.15;
    auto radii = fcc_radii(4.0495, 90);
    radii[0] *= 1.02;
    auto const v = powder(plan, radii, 5);
    auto const known = stem4d::known_rings(cubic(4.0495, 'F'), 1.6).value();
    auto const fit = stem4d::match_rings(v, origins_of(v), known);
    ASSERT_TRUE(fit) << fit.error().text();
    EXPECT_NEAR(fit->pixel_size * 90, 1, 1.5e-3);
}

// [001] shows (200), (220), (400), ...: read as (111) the first of them would make it 15 % wrong.
TEST(PixelSize, AluminiumAlong001DoesNotTake200For111) {
    PatternPlan const plan;
    double const g = 2 / 4.0495 * 60;
    auto const v = crystal(plan, {g * 0.96, g * 0.28, -g * 0.28, g * 0.96}, 6);
    auto const lattice = lattice_of(v);
    auto const known = stem4d::known_rings(cubic(4.0495, 'F'), 2.5).value();
    auto const rings = stem4d::match_rings(lattice, v, known);
    ASSERT_TRUE(rings) << rings.error().text();
    EXPECT_NEAR(rings->pixel_size * 60, 1, 1e-3);
    EXPECT_EQ(rings->rings.front().name, "(2 0 0)");
    auto const zone = stem4d::match_lattice(lattice, cubic(4.0495, 'F'));
    ASSERT_TRUE(zone) << zone.error().text();
    EXPECT_NEAR(zone->pixel_size * 60, 1, 1e-3);
    EXPECT_LT(std::abs(zone->pixel_size - 1 / 60.), 5 * zone->error);
    EXPECT_NEAR(zone->rings[0].frequency, 2 / 4.0495, 1e-12);
    // The same by spacings alone.
    std::vector const spacings{2.338,  2.0248, 1.4317, 1.2210, 1.1690,
                               1.0124, 0.9290, 0.9055, 0.8266};
    auto const listed = stem4d::match_rings(lattice, v, stem4d::known_rings(spacings));
    ASSERT_TRUE(listed) << listed.error().text();
    EXPECT_NEAR(listed->pixel_size * 60, 1, 1e-3);
}

// Along [010] of a monoclinic cell the lattice is oblique: a* and c* at 180 - beta.
TEST(PixelSize, MonoclinicLatticesTellPixelSizeAndRectangularPixels) {
    UnitCell cell;
    cell.a = 5.15, cell.b = 5.2, cell.c = 7.4, cell.beta = 104;
    double const s = std::sin(cell.beta * 3.14159265358979323846 / 180);
    double const a = 150 / (cell.a * s), c = 150 / (cell.c * s),
                 angle = 76 * 3.14159265358979323846 / 180;
    PatternPlan plan;
    plan.ellipse = {1.01, 0.99, 0};  // rows are shown longer
    double const t = 0.4;
    auto const v = crystal(
        plan, {a * std::cos(t), a * std::sin(t), c * std::cos(t + angle), c * std::sin(t + angle)},
        7);
    auto const lattice = lattice_of(v);
    auto const fit = stem4d::match_lattice(lattice, cell, {.zone = stem4d::Indices{0, 1, 0}});
    ASSERT_TRUE(fit) << fit.error().text();
    EXPECT_NEAR(fit->pixel_size * 150 * std::sqrt(1.01 * 0.99), 1, 1e-3);
    EXPECT_NEAR(fit->distortion.ratio(), 1.01 / 0.99, 1e-3);
    EXPECT_NEAR(fit->pixel_sizes()[0] * 150 * 1.01, 1, 1e-3);
    EXPECT_NEAR(fit->pixel_sizes()[1] * 150 * 0.99, 1, 1e-3);
    ASSERT_TRUE(fit->lattice);
    // Without the zone's name it is found, or told as one of several.
    auto const open = stem4d::match_lattice(lattice, cell);
    ASSERT_TRUE(open) << open.error().text();
    bool found = std::abs(open->pixel_size * 150 - 1) < 2e-3;
    for (auto const& other : open->alternatives)
        found |= std::abs(other.pixel_size * 150 - 1) < 0.02;
    EXPECT_TRUE(found);
}

TEST(PixelSize, AWrongVoltageIsSaidByItsFactor) {
    PatternPlan const plan;
    double const g = 2 / 4.0495 * 60;
    auto const v = crystal(plan, {g, 0, 0, g}, 8);
    // The microscope ran at 300 kV and the file says 200 kV: it divides angles by 2.508 pm.
    double const stated = 1 / 60. * 1.9687 / 2.5079;
    auto const fit = stem4d::match_lattice(lattice_of(v), cubic(4.0495, 'F'), {.stated = stated});
    ASSERT_TRUE(fit) << fit.error().text();
    EXPECT_NEAR(fit->pixel_size * 60, 1, 1e-3);
    EXPECT_TRUE(told(fit->notes, "common factor 1.27"));
    EXPECT_TRUE(told(fit->notes, "300 kV that is stated as 200 kV"));
    auto const right =
        stem4d::match_lattice(lattice_of(v), cubic(4.0495, 'F'), {.stated = 1 / 60.});
    ASSERT_TRUE(right);
    EXPECT_TRUE(told(right->notes, "agrees"));
}

TEST(PixelSize, WhatDoesNotMatchIsRefused) {
    PatternPlan const plan;
    auto const v = crystal(plan, {24, 2, -7, 31}, 9);
    auto const lattice = lattice_of(v);
    auto const zone =
        stem4d::match_lattice(lattice, cubic(4.0495, 'F'), {.zone = stem4d::Indices{0, 0, 1}});
    ASSERT_FALSE(zone);
    EXPECT_NE(zone.error().message.find("would be distorted"), std::string::npos);
    EXPECT_FALSE(
        stem4d::match_lattice(lattice, cubic(4.0495, 'F'), {.zone = stem4d::Indices{0, 0, 0}}));
    EXPECT_FALSE(stem4d::match_lattice(lattice, UnitCell{}));
    EXPECT_FALSE(stem4d::match_lattice(lattice, cubic(4.0495, 'F'), {.stated = NAN}));
    EXPECT_FALSE(stem4d::match_rings(lattice, v, std::vector<KnownRing>{}));
    EXPECT_FALSE(stem4d::match_rings(lattice, v, std::vector{KnownRing{NAN, ""}}));
    // Rings of no crystal.
    auto const noise = powder(plan, {31, 37, 44, 61, 83}, 10);
    auto const known = stem4d::known_rings(std::vector{2.0, 1.0});
    EXPECT_FALSE(stem4d::match_rings(noise, origins_of(noise), known));
    // One ring, of several.
    auto const one = powder(plan, {60}, 11);
    auto const some = stem4d::match_rings(one, origins_of(one), known);
    ASSERT_FALSE(some);
    EXPECT_NE(some.error().message.find("may be any"), std::string::npos);
    auto const alone =
        stem4d::match_rings(one, origins_of(one), stem4d::known_rings(std::vector{2.0}));
    ASSERT_TRUE(alone) << alone.error().text();
    EXPECT_NEAR(alone->pixel_size * 120, 1, 2e-3);
}

TEST(Calibrate, ItTellsLatticesFromRingsAndSaysWhatIsNotDetermined) {
    PatternPlan plan;
    plan.ellipse = {1.01, 0.99, 60};
    double const g = 2 / 4.0495 * 60;
    auto const one = crystal(plan, {g, 0, 0, g}, 12);
    auto const many = powder(plan, fcc_radii(4.0495, 60), 13);
    stem4d::CalibrateOptions options;
    auto const bare = stem4d::calibrate(one);
    ASSERT_TRUE(bare) << bare.error().text();
    EXPECT_EQ(bare->calibration.pixel_size, 0);
    EXPECT_FALSE(bare->calibration.distortion);
    EXPECT_TRUE(told(bare->calibration.notes, "the crystal is not known"));
    auto const ellipse = stem4d::calibrate(many);
    ASSERT_TRUE(ellipse) << ellipse.error().text();
    ASSERT_TRUE(ellipse->calibration.distortion);
    EXPECT_NEAR(ellipse->calibration.distortion->ratio(), 1.01 / 0.99, 2e-3);
    options.cell = cubic(4.0495, 'F');
    for (auto const* v : {&one, &many}) {
        auto const made = stem4d::calibrate(*v, options);
        ASSERT_TRUE(made) << made.error().text();
        EXPECT_NEAR(made->calibration.pixel_size * 60 * std::sqrt(1.01 * 0.99), 1, 1e-3);
        EXPECT_NEAR(made->calibration.distortion->angle_degrees(), 60, 2);
        EXPECT_EQ(made->calibration.lattice.has_value(), v == &one);
        auto const bins = stem4d::radial_histogram(*v, made->calibration);
        ASSERT_TRUE(bins);
        double sum = 0;
        for (double n : *bins) sum += n;
        EXPECT_EQ(sum, static_cast<double>(v->size()));
    }
    options.pattern = stem4d::CrystalPattern::lattice;
    EXPECT_FALSE(stem4d::calibrate(many, options));
    options.spacings = {2.0};
    EXPECT_FALSE(stem4d::calibrate(one, options));
    options.cell.reset(), options.spacings = {-2.0};
    EXPECT_FALSE(stem4d::calibrate(one, options));
}

TEST(Calibrate, ScansWithoutDisksAreRefused) {
    PatternPlan const plan;
    Vectors draw(plan, 14);
    draw.v.first.assign(65, 0);
    draw.v.reason.assign(64, stem4d::DiskReason::no_counts);
    auto const none = stem4d::calibrate(draw.v);
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("no disks"), std::string::npos);
}

}  // namespace
}  // namespace sluice::crystal::test
