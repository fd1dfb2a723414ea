// Configurations: what they say, and what is wrong with bad ones.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

#include "domain/proton/config/keys.h"
#include "sluice/proton_config.h"
#include "sluice/proton_metrics.h"

namespace sluice::proton {
namespace {

std::string const good = R"([grid]
depth = "20 cm"
width = "60 mm"
dz = "1 mm"
dx = "1 mm"

[[beam]]
energy = "150 MeV"
energy_spread = "0.5 MeV"
sigma_x = "3 mm"
divergence = "2 mrad"
correlation = -0.5

[[medium]]
material = "cortical_bone"
from = "30 mm"
to = "5 cm"
left = "0 mm"

[physics]
water = "pstar"
nuclear = false
)";

std::string replaced(std::string text, std::string const& from, std::string const& to) {
    auto const at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(Config, SaysWhatItSays) {
    auto const c = parse_config(good, "x.toml");
    ASSERT_TRUE(c) << c.error().text();
    EXPECT_EQ(c->phantom.planes, 200);
    EXPECT_EQ(c->phantom.columns, 60);
    EXPECT_EQ(c->phantom.x0, -30);
    ASSERT_EQ(c->beams.size(), 1u);
    EXPECT_EQ(c->beams[0].energy, 150);
    EXPECT_DOUBLE_EQ(c->beams[0].covariance, -0.5 * 3 * 0.002);
    EXPECT_EQ(c->phantom.at(29, 40).name, "water");
    EXPECT_EQ(c->phantom.at(30, 30).name, "cortical_bone");
    EXPECT_EQ(c->phantom.at(30, 29).name, "water");
    EXPECT_EQ(c->phantom.at(50, 40).name, "water");
    EXPECT_EQ(c->water, WaterTable::pstar);
    EXPECT_FALSE(c->options.nuclear);
    EXPECT_TRUE(c->options.straggling);
    EXPECT_EQ(c->options.splitting, Splitting::strang);
}

TEST(Config, OnAnotherGrid) {
    std::string const path = ::testing::TempDir() + "regrid.toml";
    std::ofstream(path) << good;
    auto const c = read_config(path, {{2, 0.5, 4, 0.02}, 202, 64});
    ASSERT_TRUE(c) << c.error().text();
    EXPECT_EQ(c->phantom.planes, 101);
    EXPECT_EQ(c->phantom.columns, 16);
    EXPECT_EQ(c->phantom.x0, -32);
    // The bone is from 30 to 50 mm and from x = 0 on, wherever the cells are.
    EXPECT_EQ(c->phantom.at(14, 8).name, "water");
    EXPECT_EQ(c->phantom.at(15, 8).name, "cortical_bone");
    EXPECT_EQ(c->phantom.at(15, 7).name, "water");
    Steps const s = steps_of(*c);
    EXPECT_EQ(s.dz, 2);
    EXPECT_EQ(s.range, 0.5);
    EXPECT_EQ(s.dx, 4);
    EXPECT_EQ(s.angle, 0.02);
    // Rows are as far apart as planes, unless it says something else.
    EXPECT_EQ(steps_of(parse_config(good, "x.toml").value()).range, 1);
    double const nan = std::nan("");
    for (double const bad : {0.0, -1.0, nan, HUGE_VAL}) {
        EXPECT_FALSE(read_config(path, {{bad, 0.5, 4, 0.02}, 202, 64}));
        EXPECT_FALSE(read_config(path, {{2, 0.5, bad, 0.02}, 202, 64}));
        EXPECT_FALSE(read_config(path, {{2, 0.5, 4, 0.02}, bad, 64}));
        EXPECT_FALSE(read_config(path, {{2, 0.5, 4, 0.02}, 202, bad}));
    }
    EXPECT_FALSE(read_config("none.toml", {{2, 0.5, 4, 0.02}, 202, 64}));
}

TEST(Config, Schemes) {
    auto const first = parse_config(good + "scheme = \"first-order\"\n", "x.toml");
    ASSERT_TRUE(first) << first.error().text();
    EXPECT_EQ(first->options.splitting, Splitting::first_order);
    auto const strang = parse_config(good + "scheme = \"strang\"\n", "x.toml");
    ASSERT_TRUE(strang) << strang.error().text();
    EXPECT_EQ(strang->options.splitting, Splitting::strang);
    auto const other = parse_config(good + "scheme = \"Strang\"\n", "x.toml");
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("physics.scheme is 'Strang'"), std::string::npos);
    EXPECT_NE(other.error().message.find("line"), std::string::npos);
    EXPECT_FALSE(parse_config(good + "scheme = 2\n", "x.toml"));
}

TEST(Config, WrongOnesAreExplained) {
    struct Case {
        char const *from, *to, *message;
    };
    for (Case const& c : {
             Case{"sigma_x", "sigmax", "beam.sigma_x is missing"},
             Case{"energy_spread", "energy_spred",
                  "line 9: there is no key 'beam.energy_spred'; did "
                  "you mean 'energy_spread'?"},
             Case{"[physics]", "[phisics]", "did you mean 'physics'?"},
             Case{"\"150 MeV\"", "150", "beam.energy has no unit; write for example energy"},
             Case{"150 MeV", "150", "has no unit"},
             Case{"150 MeV", "150 mm", "units: MeV, keV, GeV"},
             Case{"150 MeV", "fast", "does not begin with a number"},
             Case{"150 MeV", "nan MeV", "does not begin with a number"},
             Case{"150 MeV", "190 MeV", "make it deeper"},
             Case{"-0.5", "-1.5", "give -1 to 1"},
             Case{"cortical_bone", "cortical_bon", "did you mean 'cortical_bone'?"},
             Case{"from = \"30 mm\"", "density = \"-1 g/cm3\"\nfrom = \"30 mm\"",
                  "of -1 g/cm3 is not possible; give 0 to 30"},
             Case{"from = \"30 mm\"", "density = \"31 g/cm3\"\nfrom = \"30 mm\"", "give 0 to 30"},
             Case{"from = \"30 mm\"", "density = \"inf g/cm3\"\nfrom = \"30 mm\"",
                  "does not begin with a number"},
             Case{"\"150 MeV\"", "\"-150 MeV\"", "give 1 to 300"},
             Case{"\"150 MeV\"", "\"0.9 MeV\"", "give 1 to 300"},
             Case{"\"3 mm\"", "\"-3 mm\"", "below 0"},
             Case{"\"2 mrad\"", "\"-2 mrad\"", "below 0"},
             Case{"from = \"30 mm\"", "from = \"300 mm\"", "lies outside of the phantom"},
             Case{"\"pstar\"", "\"nist\"", "give one of icru90, pstar"},
             Case{"[[beam]]", "[beam]", "begin each with [[beam]]"},
             Case{"dz = \"1 mm\"", "dz = \"0 mm\"", "in steps of 0 mm"},
             Case{"dz = \"1 mm\"", "dz = \"1 nm\"", "units: mm, cm, m, um"},
             Case{"dz = \"1 mm\"", "dz = \"0.001 um\"", "give at most 100000"},
             Case{"nuclear = false", "nuclear = 0", "physics.nuclear is '0'"},
             Case{"[grid]", "[grid", "is not TOML"},
         }) {
        auto const r = parse_config(replaced(good, c.from, c.to), "x.toml");
        ASSERT_FALSE(r) << c.to;
        EXPECT_EQ(r.error().file, "x.toml");
        EXPECT_NE(r.error().text().find(c.message), std::string::npos) << r.error().text();
    }
    EXPECT_FALSE(parse_config("", "x.toml"));
    EXPECT_FALSE(read_config("/there/is/none.toml"));
}

Guard const* find(Config const& c, std::string_view name) {
    auto const at = std::ranges::find(c.guards, name, &Guard::name);
    return at == c.guards.end() ? nullptr : &*at;
}

std::string medium(char const* material, double from, double to) {
    return "[[medium]]\nmaterial = \"" + std::string(material) + "\"\nfrom = \"" +
           std::to_string(from) + " mm\"\nto = \"" + std::to_string(to) + " mm\"\n";
}

std::string const water_only = R"([grid]
depth = "160 mm"
width = "40 mm"
dz = "1 mm"
[[beam]]
energy = "100 MeV"
sigma_x = "3 mm"
)";

TEST(Media, EdgesThatMoveAreTold) {
    auto const c = parse_config(water_only + medium("cortical_bone", 10.3, 20), "x.toml");
    ASSERT_TRUE(c) << c.error().text();
    ASSERT_TRUE(find(*c, "medium_edges"));
    EXPECT_NEAR(find(*c, "medium_edges")->value, 0.3, 1e-9);
    EXPECT_EQ(find(*c, "medium_edges")->severity, Severity::warning);
    EXPECT_EQ(find(*c, "medium_edges")->wanted, "0.1 mm");
    auto const whole = parse_config(water_only + medium("cortical_bone", 10, 20), "x.toml");
    EXPECT_TRUE(whole && whole->guards.empty());
    // A slab without a cell's middle would be left out.
    auto const thin = parse_config(water_only + medium("cortical_bone", 10.6, 11.4), "x.toml");
    ASSERT_FALSE(thin);
    EXPECT_NE(thin.error().text().find("is so thin that no cell"), std::string::npos);
}

// Each slab of air becomes twice as thick: a warning of 0.5 mm each, and 9.5 mm of range.
TEST(Media, ManyThatMoveTogetherAreRefused) {
    std::string text = water_only;
    for (int k = 0; k < 19; ++k) text += medium("air", 2 * k + 0.5, 2 * k + 1);
    auto const c = parse_config(text, "x.toml");
    ASSERT_TRUE(c) << c.error().text();
    Guard const* const g = find(*c, "media_water");
    ASSERT_TRUE(g);
    EXPECT_NEAR(g->value, 9.5, 0.05);
    EXPECT_EQ(g->severity, Severity::refusal);
    EXPECT_EQ(g->wanted, "0.5 mm");
    EXPECT_NE(g->text.find("too little"), std::string::npos);
    EXPECT_FALSE(refuse(c->guards));
    auto const fine = parse_config(replaced(text, "dz = \"1 mm\"", "dz = \"0.5 mm\""), "x.toml");
    EXPECT_TRUE(fine && fine->guards.empty());
}

// What lies beside the surface's sigma is crossed deeper, where the beam is wider.
TEST(Media, TheBeamIsAsWideAsWhereItEnds) {
    std::string const beside = medium("cortical_bone", 40.4, 50) + "left = \"5 mm\"\n";
    auto const narrow = parse_config(replaced(water_only, "3 mm", "0.5 mm") + beside, "x.toml");
    EXPECT_TRUE(narrow && !find(*narrow, "media_water"));
    auto const wide = parse_config(
        replaced(water_only, "\"3 mm\"", "\"0.5 mm\"\ndivergence = \"60 mrad\"") + beside,
        "x.toml");
    ASSERT_TRUE(wide) << wide.error().text();
    ASSERT_TRUE(find(*wide, "media_water"));
    EXPECT_NEAR(find(*wide, "media_water")->value, 0.4 * 0.7, 0.05);
    // Of a point that diverges, too.
    auto const point = parse_config(
        replaced(water_only, "\"3 mm\"", "\"0 mm\"\ndivergence = \"60 mrad\"") + beside, "x.toml");
    EXPECT_TRUE(point && find(*point, "media_water"));
}

// Above another one and behind the range there is nothing to move.
TEST(Media, OnlyTheBeamsWayCounts) {
    std::string const bone = medium("cortical_bone", 99.4, 120);
    auto const behind = parse_config(water_only + bone, "x.toml");
    EXPECT_TRUE(behind && !find(*behind, "media_water"));
    auto const before = parse_config(replaced(water_only + bone, "100 MeV", "125 MeV"), "x.toml");
    ASSERT_TRUE(before) << before.error().text();
    ASSERT_TRUE(find(*before, "media_water"));
    EXPECT_NE(find(*before, "media_water")->text.find("too much"), std::string::npos);
    std::string const covered = medium("air", 10.4, 20) + medium("water", 9, 11);
    auto const under = parse_config(water_only + covered, "x.toml");
    EXPECT_TRUE(under && !find(*under, "media_water"));
}

TEST(Quantity, UnitsAreConverted) {
    EXPECT_DOUBLE_EQ(parse_quantity("2 cm", Dimension::length).value(), 20);
    EXPECT_DOUBLE_EQ(parse_quantity("2.5mm", Dimension::length).value(), 2.5);
    EXPECT_DOUBLE_EQ(parse_quantity("-90 deg", Dimension::angle).value(), -std::acos(0.0));
    EXPECT_DOUBLE_EQ(parse_quantity("1000 kg/m3", Dimension::density).value(), 1);
    EXPECT_FALSE(parse_quantity("", Dimension::length));
    EXPECT_FALSE(parse_quantity("1e999 mm", Dimension::length));
}

TEST(Config, TheDenseModeHasATableOfItsOwn) {
    EXPECT_FALSE(parse_config(good, "x.toml")->dense);
    EXPECT_TRUE(parse_config(good + "[dense]\n", "x.toml")->dense);
    EXPECT_NEAR(parse_config(good + "[dense]\n", "x.toml")->dense->angle_window,
                std::numbers::pi / 9, 1e-12);
    EXPECT_EQ(parse_config(good + "[dense]\nbackward = \"cap\"\n", "x.toml")->dense->angle_window,
              std::numbers::pi);
    auto const c = parse_config(good +
                                    "[dense]\nenergies = 120\nspacing = \"uniform\"\n"
                                    "energy_max = \"200 MeV\"\nangles = 36\n"
                                    "angle_window = \"20 deg\"\nstep = \"1 mm\"\n"
                                    "backward = \"allow\"\nleast_cosine = -0.2\n",
                                "x.toml");
    ASSERT_TRUE(c) << c.error().text();
    EXPECT_EQ(c->dense->energies, 120);
    EXPECT_EQ(c->dense->spacing, EnergySpacing::uniform);
    EXPECT_EQ(c->dense->energy_max, 200);
    EXPECT_EQ(c->dense->angles, 36);
    EXPECT_NEAR(c->dense->angle_window, std::numbers::pi / 9, 1e-12);
    EXPECT_EQ(c->dense->backward, Backward::allow);
    EXPECT_EQ(c->dense->least_cosine, -0.2);
    auto const message = [&](std::string const& line) {
        auto const bad = parse_config(good + "[dense]\n" + line + "\n", "x.toml");
        return bad ? std::string() : bad.error().text();
    };
    EXPECT_NE(message("energies = 1.5").find("whole number"), std::string::npos);
    EXPECT_NE(message("energies = -1").find("whole number"), std::string::npos);
    EXPECT_NE(message("spacing = \"linear\"").find("give one of range"), std::string::npos);
    EXPECT_NE(message("backward = \"no\"").find("give one of reject"), std::string::npos);
    EXPECT_NE(message("angels = 3").find("did you mean 'angles'"), std::string::npos);
    EXPECT_NE(message("step = 1").find("has no unit"), std::string::npos);
}

TEST(Config, SpectraAreAskedForByDepth) {
    std::string const with = good + "[output]\nspectra = [\"5 cm\", \"0 mm\"]\n";
    auto const c = parse_config(with, "x.toml");
    ASSERT_TRUE(c) << c.error().text();
    EXPECT_EQ(c->options.spectra_at, (std::vector<double>{50, 0}));
    EXPECT_TRUE(parse_config(good, "x.toml")->options.spectra_at.empty());
    auto const message = [&](std::string const& list) {
        auto const bad = parse_config(replaced(with, "[\"5 cm\", \"0 mm\"]", list), "x.toml");
        return bad ? std::string() : bad.error().text();
    };
    EXPECT_EQ(message("\"5 cm\""), "");
    EXPECT_NE(message("5").find("has no unit"), std::string::npos);
    EXPECT_NE(message("[5]").find("has no unit"), std::string::npos);
    EXPECT_NE(message("[\"5 MeV\"]").find("output.spectra"), std::string::npos);
    EXPECT_NE(message("[\"-1 mm\"]").find("200 mm deep"), std::string::npos);
    EXPECT_NE(message("[\"21 cm\"]").find("200 mm deep"), std::string::npos);
    EXPECT_EQ(message("[]"), "");
}

// A beam that parts has directions as close as it needs, unless somebody says how close: behind
// half a metre of air it is one Gaussian, and no comb of rays.
TEST(Config, DirectionsAreAsCloseAsBeamsAsk) {
    auto const with = [](std::string const& grid, std::string const& beam) {
        return parse_config("[grid]\ndepth = \"600 mm\"\nwidth = \"60 mm\"\ndz = \"2 mm\"\n" +
                                grid +
                                "\n[[medium]]\nmaterial = \"air\"\nto = \"500 mm\"\n"
                                "[[beam]]\nenergy = \"100 MeV\"\nsigma_x = \"1.5 mm\"\n" +
                                beam,
                            "a.toml")
            .value();
    };
    constexpr double degree = 3.14159265358979 / 180;
    Config const usual = with("", "");
    EXPECT_NEAR(usual.options.angle_step, 0.5 * degree, 1e-9);
    EXPECT_TRUE(usual.assumed.empty());
    Config const given = with("angle_step = \"0.4 deg\"", "divergence = \"3 mrad\"");
    EXPECT_NEAR(given.options.angle_step, 0.4 * degree, 1e-9);
    Config const c = with("", "divergence = \"3 mrad\"");
    EXPECT_LT(c.options.angle_step, 0.2 * degree);
    ASSERT_EQ(c.assumed.size(), 1u);
    EXPECT_NE(c.assumed[0].find("deg apart"), std::string::npos) << c.assumed[0];

    MarchResult const r = march(Physics(c.water), c.phantom, c.beams[0], c.options).value();
    index const plane = 249;
    double const sigma = core_sigma(r)[static_cast<std::size_t>(plane)];
    EXPECT_NEAR(sigma, std::hypot(1.5, 0.003 * 499), 0.2);
    double top = 0;
    for (index x = 0; x < r.columns; ++x)
        top = std::max(top, r.deposit[static_cast<std::size_t>(plane * r.columns + x)]);
    for (index x = 0; x < r.columns; ++x) {
        double const at = r.x0 + (static_cast<double>(x) + 0.5) * r.dx;
        double const part = r.deposit[static_cast<std::size_t>(plane * r.columns + x)] / top;
        EXPECT_NEAR(part, std::exp(-at * at / (2 * sigma * sigma)), 0.01) << at;
    }
}

}  // namespace
}  // namespace sluice::proton
