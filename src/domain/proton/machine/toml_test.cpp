// Machines out of TOML files and lists: every key, and every reason to refuse one.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/file.h"
#include "sluice/proton_machine.h"

namespace sluice::proton {
namespace {

constexpr std::string_view top = R"(name = "Gantry 2"
source = ["2000 mm", "2.5 m"]
plane = "43 cm"

[[shifter]]
name = "RS40"
water = "41.5 mm"
)";
constexpr std::string_view at_100 = R"(
[[energy]]
nominal = "100 MeV"
mean = "100.3 MeV"
spread = "800 keV"
protons_per_mu = 1.02e8
sigma = ["4 mm", "5 mm"]
divergence = "3 mrad"
correlation = [0.5, -0.2]
)";
constexpr std::string_view at_120 = R"(
[[energy]]
nominal = "120 MeV"
spread = "0.9 MeV"
sigma = "3.5 mm"
divergence = "2.5 mrad"
second_weight = 0.1
second_sigma = "10 mm"
second_divergence = ["6 mrad", "7 mrad"]
second_correlation = 1
)";

std::string whole() {
    return fmt::format("{}{}{}", top, at_100, at_120);
}
std::string problem(std::string const& text) {
    auto const m = parse_machine(text, "m.toml");
    return m ? "none" : m.error().text();
}
/// Of the whole with one part of it changed.
std::string problem(std::string_view part, std::string_view into) {
    std::string text = whole();
    auto const at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return problem(text.replace(at, part.size(), into));
}
void expect_has(std::string const& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas no: " << part;
}

TEST(MachineToml, EveryKeyIsInItsUnit) {
    Machine const m = parse_machine(whole(), "m.toml").value();
    EXPECT_EQ(m.name, "Gantry 2");
    EXPECT_EQ(m.source, (std::array{2000.0, 2500.0}));
    EXPECT_EQ(m.plane, 430);
    EXPECT_FALSE(m.air_included);
    ASSERT_EQ(m.shifters.size(), 1u);
    EXPECT_EQ(m.shifters[0].name, "RS40");
    EXPECT_EQ(m.shifters[0].water, 41.5);
    ASSERT_EQ(m.energies.size(), 2u);
    MachineEnergy const& a = m.energies[0];
    EXPECT_EQ(a.nominal, 100);
    EXPECT_EQ(a.mean, 100.3);
    EXPECT_DOUBLE_EQ(a.spread, 0.8);
    EXPECT_EQ(a.protons_per_mu, 1.02e8);
    ASSERT_EQ(a.spots.size(), 1u);
    EXPECT_EQ(a.spots[0].weight, 1);
    EXPECT_EQ(a.spots[0].sigma, (std::array{4.0, 5.0}));
    EXPECT_EQ(a.spots[0].divergence, (std::array{0.003, 0.003}));
    EXPECT_DOUBLE_EQ(a.spots[0].covariance[0], 0.5 * 4 * 0.003);
    EXPECT_DOUBLE_EQ(a.spots[0].covariance[1], -0.2 * 5 * 0.003);
    EXPECT_TRUE(a.kernel.depth.empty());
    MachineEnergy const& b = m.energies[1];
    EXPECT_EQ(b.mean, 120);
    EXPECT_EQ(b.protons_per_mu, 0);
    ASSERT_EQ(b.spots.size(), 2u);
    EXPECT_DOUBLE_EQ(b.spots[0].weight, 0.9);
    EXPECT_EQ(b.spots[1].weight, 0.1);
    EXPECT_EQ(b.spots[1].sigma, (std::array{10.0, 10.0}));
    EXPECT_DOUBLE_EQ(b.spots[1].covariance[1], 10 * 0.007);
    ASSERT_EQ(m.notes.size(), 1u);
    EXPECT_EQ(m.notes[0], "Of 1 of 2 energies the file has no mean; the nominal energy is taken.");
    std::string included = "air_included = true\n" + whole();
    EXPECT_TRUE(parse_machine(included, "m").value().air_included);
}

TEST(MachineToml, WhatIsWrongHasItsLineAndKey) {
    EXPECT_EQ(problem(whole()), "none");
    expect_has(problem("nominal = \"100 MeV\"\n", ""), "line 9: energy.nominal is missing");
    expect_has(problem("spread = \"800 keV\"\n", ""), "energy.spread is missing");
    expect_has(problem("sigma = [\"4 mm\", \"5 mm\"]\n", ""), "energy.sigma is missing");
    expect_has(problem("divergence = \"3 mrad\"\n", ""), "energy.divergence is missing");
    expect_has(problem("source = [\"2000 mm\", \"2.5 m\"]\n", ""), "source is missing");
    expect_has(problem("plane = \"43 cm\"\n", ""), "plane is missing");
    expect_has(problem("name = \"Gantry 2\"\n", ""), "name is missing");
    expect_has(problem("\"100 MeV\"", "100"), "line 10: energy.nominal has no unit");
    expect_has(problem("\"100 MeV\"", "\"100 mm\""), "unit of another kind");
    expect_has(problem("\"100 MeV\"", "\"nan MeV\""), "does not begin with a number");
    expect_has(problem("\"100.3 MeV\"", "\"0 MeV\""), "a mean energy of 0 MeV");
    expect_has(problem("\"800 keV\"", "\"-1 keV\""), "line 9: energy: a spread of -0.001 MeV");
    expect_has(problem("\"4 mm\"", "\"-4 mm\""), "a sigma of -4 mm in x");
    expect_has(problem("\"5 mm\"", "\"5 mm\", \"6 mm\""), "sigma has 3 values");
    expect_has(problem("\"3 mrad\"", "\"-3 mrad\""), "a divergence of -0.003 rad in x");
    expect_has(problem("[0.5, -0.2]", "[0.5, -1.2]"), "a correlation of -1.2; give -1 to 1");
    expect_has(problem("[0.5, -0.2]", "nan"), "energy.correlation");
    expect_has(problem("1.02e8", "-1"), "energy.protons_per_mu");
    expect_has(problem("\"120 MeV\"", "\"90 MeV\""), "90 MeV follows 100 MeV; energies ascend");
    expect_has(problem("\"120 MeV\"", "\"100 MeV\""), "100 MeV is there twice");
    expect_has(problem("\"100.3 MeV\"", "\"130 MeV\""), "a mean energy of 120 MeV follows one of");
    expect_has(problem("second_weight = 0.1", "second_weight = 1.5"), "energy.second_weight");
    expect_has(problem("second_weight = 0.1\n", ""), "a second Gaussian without second_weight");
    expect_has(problem("second_sigma = \"10 mm\"\n", ""), "second_sigma is missing");
    expect_has(problem("protons_per_mu", "protons_per_MU"),
               "there is no key 'energy.protons_per_MU'; did you mean 'protons_per_mu'?");
    expect_has(problem("name = \"Gantry 2\"", "name = \"g\"\nsad = 1"), "there is no key 'sad'");
    expect_has(problem("\"41.5 mm\"", "\"0 mm\""), "shifter.water is 0 mm");
    expect_has(problem("\"43 cm\"", "\"3 m\""), "spots 3000 mm above the isocentre");
    expect_has(problem("\"43 cm\"", "\"-1 mm\""), "spots -1 mm above the isocentre");
    expect_has(problem("\"2000 mm\"", "\"0 mm\""), "a source 0 mm from the isocentre");
    expect_has(problem("\"2.5 m\"", "\"2 m\", \"2 m\""), "source has 3 values");
    expect_has(problem(std::string(top)), "energy is missing; begin each with [[energy]]");
    expect_has(problem(""), "is missing");
    expect_has(problem("= ="), "is not TOML");
    expect_has(problem("\"Gantry 2\"", "'Gantr\xff 2'"), "m.toml: line 1: is not UTF-8");
    std::string const twice =
        fmt::format("{}[[shifter]]\nname = \"RS40\"\nwater = \"1 mm\"\n{}", top, at_100);
    expect_has(problem(twice), "shifter 'RS40' is there twice");
}

TEST(MachineToml, AListOfEnergiesLiesBesideTheFile) {
    std::string const folder = testing::TempDir() + "/sluice_machine_list";
    std::filesystem::create_directories(folder);
    std::string const text = fmt::format("{}[energies]\nfile = \"e.csv\"\n", top);
    std::string const path = folder + "/m.toml";
    ASSERT_TRUE(save_text(path, text));
    auto const with = [&](std::string_view lines) {
        EXPECT_TRUE(save_text(folder + "/e.csv", std::string(lines)));
        return read_machine(path);
    };
    auto const problem_of = [&](std::string_view lines) {
        auto const m = with(lines);
        return m ? "none" : m.error().text();
    };
    std::string const plain =
        "nominal_MeV,mean_MeV,spread_keV,protons_per_mu,sigma_x_mm,sigma_y_cm,divergence_mrad,"
        "correlation_x,correlation_y\n100,100.3,800,1.02e8,4,0.5,3,0.5,-0.2\n";
    Machine const m = with(plain).value();
    Machine const same = parse_machine(fmt::format("{}{}", top, at_100), "m").value();
    ASSERT_EQ(m.energies.size(), 1u);
    EXPECT_EQ(m.energies[0].spots, same.energies[0].spots);
    EXPECT_EQ(m.energies[0].mean, same.energies[0].mean);
    EXPECT_EQ(m.energies[0].spread, same.energies[0].spread);
    EXPECT_EQ(m.energies[0].protons_per_mu, same.energies[0].protons_per_mu);
    Machine const second =
        with(
            "nominal_MeV,spread_MeV,sigma_mm,divergence_rad,second_weight,second_sigma_mm,"
            "second_divergence_mrad\n70,0.5,4,0.003,0.2,9,5\n80,0.6,4,0.003,0.1,9,5\n")
            .value();
    EXPECT_EQ(second.energies[1].spots[1].weight, 0.1);
    EXPECT_EQ(second.energies[0].mean, 70);
    std::string const usual = "nominal_MeV,spread_MeV,sigma_mm,divergence_mrad\n";
    expect_has(problem_of(usual + "# a row\n70,1,,3\n"), "line 3: '' is not a number for sigma_mm");
    expect_has(problem_of(""), "line 0: no header");
    expect_has(problem_of(usual), "no energy follows the header");
    expect_has(problem_of("nominal_MeV,sigma_mm,divergence_mrad\n"),
               "column spread_MeV is missing");
    expect_has(problem_of("nominal,spread_MeV\n"), "did you mean 'nominal_MeV'?");
    expect_has(problem_of("nominal_MeV,nominal_keV\n"), "nominal has two columns");
    expect_has(problem_of("sigma_mm,sigma_x_mm\n"), "sigma has two columns");
    expect_has(problem_of("nominal_MeV,spread_MeV,sigma_x_mm,divergence_mrad\n"),
               "sigma has a column of one axis; give sigma_x and sigma_y, or one of both");
    expect_has(problem_of(usual + "70,1,4\n"), "line 2: 3 numbers for 4 columns");
    expect_has(problem_of(usual + "70,1,4,nan\n"), "'nan' is not a number");
    expect_has(problem_of(usual + "70,1,-4,3\n"), "line 2: a sigma of -4 mm in x");
    expect_has(problem_of(usual + "70,1,4,3\n70,1,4,3\n"), "line 3: 70 MeV is there twice");
    expect_has(problem_of(usual + "70,1,4,3\n60,1,4,3\n"), "line 3: 60 MeV follows 70 MeV");
    expect_has(problem(text), "line 8: energies.file 'e.csv' lies beside the machine's file");
    expect_has(problem(text + std::string(at_100)), "has [[energy]] and [energies]");
    std::filesystem::remove(folder + "/e.csv");
    expect_has(read_machine(path).error().text(), "e.csv");
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sluice::proton
