// Libraries of zones: what they hold, what they refuse, what they cost.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/library/library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "domain/orientation/library/cells.h"
#include "domain/orientation/match/test_crystals.h"

namespace sluice::orient {
namespace {

using stem4d::LibraryOptions;
using stem4d::OrientationLibrary;
using stem4d::UnitCell;

Result<OrientationLibrary> build(std::vector<UnitCell> const& cells, LibraryOptions const& o) {
    return OrientationLibrary::build(cells, o);
}
std::string refusal(std::vector<UnitCell> const& cells, LibraryOptions const& o) {
    auto const library = build(cells, o);
    return library ? std::string() : library.error().message;
}

TEST(OrientationLibrary, SaysWhatItNeeds) {
    UnitCell const gold = test::gold().cell();
    EXPECT_NE(refusal({}, {.kilovolts = 300}).find("has no phase"), std::string::npos);
    EXPECT_NE(refusal({gold}, {}).find("give kilovolts"), std::string::npos);
    EXPECT_NE(refusal({gold}, {.kilovolts = -3}).find("kilovolts"), std::string::npos);
    EXPECT_NE(refusal({gold, gold}, {.kilovolts = 300}).find("two phases have the name gold"),
              std::string::npos);
    EXPECT_NE(refusal({gold}, {.kilovolts = 300, .most_frequency = 0.1}).find("no reflection"),
              std::string::npos);
    EXPECT_NE(refusal({gold}, {.kilovolts = 300, .zone_step = 0}).find("zone_step"),
              std::string::npos);
    UnitCell empty = gold;
    empty.atoms.clear();
    EXPECT_NE(refusal({empty}, {.kilovolts = 300}), "");
}

TEST(OrientationLibrary, PatternsAreThoseOfPlainLoops) {
    test::TrueCrystal const gold = test::gold();
    auto const library = build({gold.cell()}, {.kilovolts = 300, .zone_step = 10}).value();
    test::Matrix const truth = test::bunge(21, 47, 83);
    // Without noise, in the order of their counts.
    test::Patterns patterns({.most_frequency = 1.5, .counts = 1e8, .place_error = 0}, 1, 1);
    patterns.add({{&gold, truth}});
    auto const seen = patterns.vectors();
    auto const spots = library.pattern(0, stem4d::orientation_of({21, 47, 83})).value();
    ASSERT_GT(spots.size(), 10U);
    EXPECT_EQ(spots.front().intensity, 1);
    double const brightest = std::max_element(seen.intensity.begin() + 1, seen.intensity.end())[0];
    for (auto const& spot : spots) {
        double nearest = 1e9, intensity = 0;
        for (std::size_t j = 0; j < seen.row.size(); ++j) {
            double const away = std::hypot(200 + spot.row / 0.01 - seen.row[j],
                                           200 + spot.col / 0.01 - seen.col[j]);
            if (away < nearest) nearest = away, intensity = seen.intensity[j] / brightest;
        }
        EXPECT_LT(nearest, 0.01);
        // Other form factors, which differ by some per cent.
        EXPECT_NEAR(intensity / spot.intensity, 1, 0.2);
    }
    EXPECT_FALSE(library.pattern(1, {}));
}

TEST(OrientationLibrary, APrecessingBeamShowsMore) {
    UnitCell const cell = test::gold().cell();
    auto const still = build({cell}, {.kilovolts = 300, .zone_step = 10}).value();
    auto const moving =
        build({cell}, {.kilovolts = 300, .zone_step = 10, .precession_mrad = 30}).value();
    stem4d::Orientation const g = stem4d::orientation_of({10, 20, 30});
    EXPECT_GT(moving.pattern(0, g)->size(), still.pattern(0, g)->size() + 2);
}

// The envelope's average over the cone against a fine sum.
TEST(Ewald, EnvelopesAreAveragesOverTheCone) {
    Ewald const ewald(300, 0.02, 20);
    for (double const s : {0.0, 0.01, -0.03, 0.05})
        for (double const across : {0.3, 1.0, 1.5}) {
            double sum = 0, up = 0;
            constexpr int n = 10000;
            for (int i = 0; i < n; ++i) {
                double const shift = 0.02 * across * std::cos(2 * std::numbers::pi * i / n);
                sum += std::exp(-(s + shift) * (s + shift) / (2 * 0.02 * 0.02)) / n;
                up += std::exp(-(s + 1e-5 + shift) * (s + 1e-5 + shift) / (2 * 0.02 * 0.02)) / n;
            }
            auto const [value, slope] = ewald.envelope_slope(s, across);
            EXPECT_NEAR(value, sum, 1e-4);
            EXPECT_NEAR(slope, (up - sum) / 1e-5, 0.05);
        }
}

TEST(Ewald, SlabsAreAveragesOverTheCone) {
    for (double const cone : {0.0, 20.0}) {
        Ewald const ewald(300, 0.004, cone, 1, Envelope::slab);
        for (double const s : {0.0, 0.01, -0.03, 0.05})
            for (double const across : {0.3, 1.0, 1.5}) {
                double sum = 0, up = 0;
                constexpr int n = 10000;
                auto const part = [](double x) { return 1 / (1 + x * x / (0.004 * 0.004)) / n; };
                for (int i = 0; i < n; ++i) {
                    double const turn = 2 * std::numbers::pi * i / n;
                    double const shift = cone / 1000 * across * std::cos(turn);
                    sum += part(s + shift);
                    up += part(s + 1e-6 + shift);
                }
                auto const [value, slope] = ewald.envelope_slope(s, across);
                EXPECT_NEAR(value, sum, 1e-5);
                EXPECT_NEAR(slope, (up - sum) / 1e-6, 0.1);
            }
    }
}

TEST(Ewald, HeightsAreWhereTheExcitationIs) {
    Ewald const ewald(200, 0.02, 0);
    for (double const s : {0.0, 0.03, -0.05}) {
        double const f = 1.2, z = ewald.height(s, f);
        EXPECT_NEAR(ewald.excitation({std::sqrt(f * f - z * z), 0, z}), s, 1e-12);
    }
}

TEST(OrientationLibrary, CellsHoldEveryZoneOnce) {
    UnitCell const cell = test::titanium().cell();
    auto const library = build({cell}, {.kilovolts = 200}).value();
    auto const& state = library.state();
    index zones = 0, tiles = 0;
    for (Cell const& c : state.cells) {
        EXPECT_EQ(c.first_zone, zones);
        EXPECT_EQ(c.first_tile, tiles);
        EXPECT_LT(c.zones, 60);
        zones += c.zones, tiles += c.tiles();
    }
    EXPECT_EQ(zones, library.zones());
    EXPECT_EQ(zones, library.zones(0));
    // A twelfth of a hemisphere at a degree.
    EXPECT_NEAR(static_cast<double>(zones), 20626.0 / 12, 600);
    EXPECT_EQ(state.fine.size(), tiles * state.tile_floats());
}

// Five phases at one degree, two of them of low symmetry: less than a gigabyte.
TEST(OrientationLibrary, TellsItsCost) {
    auto const of = [](char const* name, char const* cell, char const* group, char const* atoms) {
        return stem4d::parse_cif(std::string("data_") + name + "\n" + cell +
                                 "\n_symmetry_space_group_name_H-M '" + group +
                                 "'\nloop_\n_atom_site_label\n_atom_site_type_symbol\n"
                                 "_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n" +
                                 atoms)
            .value();
    };
    auto const zirconia = of(
        "zirconia",
        "_cell_length_a 5.15\n_cell_length_b 5.212\n_cell_length_c 5.317\n_cell_angle_alpha 90\n"
        "_cell_angle_beta 99.23\n_cell_angle_gamma 90",
        "P 1 21/c 1", "Zr1 Zr .2754 .0395 .2083\nO1 O .07 .3317 .3447\nO2 O .4496 .7569 .4792\n");
    std::vector<UnitCell> const cells{test::gold().cell(), test::titanium().cell(),
                                      test::austenite().cell(), test::ferrite().cell(), zirconia};
    auto const library = build(cells, {.kilovolts = 300}).value();
    EXPECT_LT(library.bytes(), 1'000'000'000U);
    EXPECT_GT(library.bytes(), static_cast<std::uint64_t>(library.state().fine.size()) * 4);
    EXPECT_GT(library.build_seconds(), 0);
    EXPECT_TRUE(std::ranges::any_of(library.notes(), [](std::string const& n) {
        return n.starts_with("zirconia: Laue class 2/m");
    }));
}

TEST(OrientationLibrary, ItCanBeStopped) {
    UnitCell const cell = test::gold().cell();
    auto const library =
        OrientationLibrary::build(std::span(&cell, 1), {.kilovolts = 300},
                                  {.progress = [](std::uint64_t, std::uint64_t) { return false; }});
    ASSERT_FALSE(library);
    EXPECT_EQ(library.error().code, Code::cancelled);
}

}  // namespace
}  // namespace sluice::orient
