// Configurations: what they say, and what is wrong with bad ones.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

#include "domain/proton/config/keys.h"
#include "sluice/proton_config.h"
#include "sluice/proton_guards.h"
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

// mm of water along a column.
double water_along(Config const& c, index column) {
    Physics const physics(c.water);
    double sum = 0;
    for (index k = 0; k < c.phantom.planes; ++k)
        sum += physics.relative_stopping_power(c.phantom.at(k, column), 100) * c.phantom.dz;
    return sum;
}

double stopping_of(Config const& c, char const* name) {
    return Physics(c.water).relative_stopping_power(material(name).value(), 100);
}

TEST(Media, EdgesWithinPlanesMakeMixtures) {
    auto const c = parse_config(water_only + medium("cortical_bone", 10.3, 20), "x.toml");
    ASSERT_TRUE(c) << c.error().text();
    ASSERT_TRUE(find(*c, "medium_mixed"));
    EXPECT_EQ(find(*c, "medium_mixed")->severity, Severity::note);
    EXPECT_EQ(find(*c, "medium_mixed")->value, 1);
    EXPECT_EQ(c->phantom.at(9, 20).name, "water");
    EXPECT_EQ(c->phantom.at(10, 20).name, "30 % water, 70 % cortical_bone");
    EXPECT_EQ(c->phantom.at(11, 20).name, "cortical_bone");
    EXPECT_EQ(c->phantom.at(20, 20).name, "water");
    double const bone = stopping_of(*c, "cortical_bone");
    EXPECT_NEAR(water_along(*c, 20), 160 + 9.7 * (bone - 1), 1e-4);
    Material const mixture = c->phantom.at(10, 20), whole = material("cortical_bone").value();
    EXPECT_NEAR(mixture.density, 0.3 + 0.7 * whole.density, 1e-6);
    EXPECT_NEAR(mixture.scattering, 0.3 + 0.7 * whole.scattering, 1e-6);
    EXPECT_NEAR(mixture.nuclear, 0.3 + 0.7 * whole.nuclear, 1e-6);
    // A slab that is thinner than a plane.
    auto const thin = parse_config(water_only + medium("cortical_bone", 10.6, 10.9), "x.toml");
    ASSERT_TRUE(thin) << thin.error().text();
    EXPECT_NEAR(water_along(*thin, 20), 160 + 0.3 * (bone - 1), 1e-4);
    auto const even = parse_config(water_only + medium("cortical_bone", 10, 20), "x.toml");
    EXPECT_TRUE(even && even->guards.empty());
}

// Whatever the energy: the stopping power of a mixture is the mean of its parts'.
TEST(Media, MixturesSlowDownAsTheirParts) {
    for (char const* const water : {"icru90", "pstar"}) {
        auto const c = parse_config(
            water_only + medium("aluminium", 10.25, 20) + "[physics]\nwater = \"" + water + "\"\n",
            "x.toml");
        ASSERT_TRUE(c) << c.error().text();
        Physics const physics(c->water);
        Material const aluminium = material("aluminium").value();
        for (double const energy : {5.0, 30.0, 70.0, 230.0})
            EXPECT_NEAR(physics.relative_stopping_power(c->phantom.at(10, 20), energy),
                        0.25 + 0.75 * physics.relative_stopping_power(aluminium, energy), 1e-6)
                << water << " " << energy;
    }
}

// Slabs of air, each in a plane of its own; and slabs that share a plane, later ones over earlier
// ones.
TEST(Media, ManyWithinPlanesHaveTheWaterTheySay) {
    std::string text = water_only;
    for (int k = 0; k < 19; ++k) text += medium("air", 2 * k + 0.5, 2 * k + 1);
    auto const c = parse_config(text, "x.toml");
    ASSERT_TRUE(c) << c.error().text();
    double const air = stopping_of(*c, "air"), bone = stopping_of(*c, "cortical_bone");
    EXPECT_NEAR(water_along(*c, 20), 160 - 9.5 * (1 - air), 1e-4);
    EXPECT_EQ(c->phantom.materials.size(), 3u);  // and one mixture for all
    EXPECT_TRUE(std::ranges::all_of(c->guards,
                                    [](Guard const& g) { return g.severity == Severity::note; }));

    auto const over =
        parse_config(water_only + medium("air", 10.1, 10.6) + medium("cortical_bone", 10.3, 10.5) +
                         medium("air", 30.2, 40) + medium("water", 25, 39.7),
                     "x.toml");
    ASSERT_TRUE(over) << over.error().text();
    EXPECT_NEAR(water_along(*over, 20), 160 - 0.6 * (1 - air) + 0.2 * (bone - 1), 1e-4);
    EXPECT_EQ(over->phantom.at(30, 20).name, "water");
}

// Sides across the beam lie between columns, and what moves is told.
TEST(Media, SidesThatMoveAreTold) {
    std::string const bone = medium("cortical_bone", 10, 20);
    auto const c = parse_config(water_only + bone + "left = \"5.3 mm\"\n", "x.toml");
    ASSERT_TRUE(c) << c.error().text();
    ASSERT_TRUE(find(*c, "medium_edges"));
    auto const& g = *find(*c, "medium_edges");
    EXPECT_NEAR(g.value, 0.2, 1e-9);
    EXPECT_NE(sentence(g).find("mm across instead of 5.3 to 20"), std::string::npos) << g.text;
    auto const narrow =
        parse_config(water_only + bone + "left = \"5.55 mm\"\nright = \"5.6 mm\"\n", "x.toml");
    ASSERT_FALSE(narrow);
    EXPECT_NE(narrow.error().text().find("is so thin that no column"), std::string::npos);
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
