// MCsquare's beam models as machines.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "domain/proton/machine/files.h"

namespace sluice::proton {
namespace {

constexpr std::string_view head = R"(--UPenn beam model (double gaussian)--
# of nobody's gantry

Nozzle exit to Isocenter distance
420.0

SMX to Isocenter distance
2000

SMY to Isocenter distance
2500.0 # mm

Range Shifter parameters
RS_ID = RS_1
RS_type = binary
RS_material = 64 # PMMA
RS_density = 1.19
RS_WET = 41.5

Range Shifter parameters
RS_ID = RS_2
RS_type = binary

)";
constexpr std::string_view count = "Beam parameters\n2 energies\n\n";
constexpr std::string_view columns =
    "NominalEnergy\tMeanEnergy\tEnergySpread\tProtonsMU\tWeight1\tSpotSize1x\tDivergence1x\t"
    "Correlation1x\tSpotSize1y\tDivergence1y\tCorrelation1y\tWeight2\tSpotSize2x\tDivergence2x\t"
    "Correlation2x\tSpotSize2y\tDivergence2y\tCorrelation2y\n";
constexpr std::string_view lines =
    "100.0\t101\t1.0\t1e8\t0.9\t4\t0.003\t0.5\t4.5\t0.002\t-0.4\t0.1\t9\t0.006\t0.7\t8\t0.005\t0\n"
    "200 200.5 +0.5 2e8 1 3 0.002 0.3 3.5 0.002 0.2 0 0 0 0 0 0 0\n";

std::string whole() {
    return fmt::format("{}{}{}{}", head, count, columns, lines);
}
std::string problem(std::string const& text) {
    auto const m = machine_of_bdl(text, "gantry.txt");
    return m ? "none" : m.error().text();
}
std::string problem(std::string_view part, std::string_view into) {
    std::string text = whole();
    auto const at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return problem(text.replace(at, part.size(), into));
}
void expect_has(std::string const& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas no: " << part;
}

TEST(MachineBdl, EveryColumnIsInItsUnit) {
    Machine const m = parse_machine(whole(), "/models/gantry.txt").value();
    EXPECT_EQ(m.name, "gantry");
    EXPECT_EQ(m.plane, 420);
    EXPECT_EQ(m.source, (std::array{2000.0, 2500.0}));
    EXPECT_FALSE(m.air_included);
    ASSERT_EQ(m.shifters.size(), 1u);
    EXPECT_EQ(m.shifters[0].name, "RS_1");
    EXPECT_EQ(m.shifters[0].water, 41.5);
    ASSERT_EQ(m.energies.size(), 2u);
    MachineEnergy const& e = m.energies[0];
    EXPECT_EQ(e.nominal, 100);
    EXPECT_EQ(e.mean, 101);
    // Percent of the nominal energy.
    EXPECT_EQ(e.spread, 1);
    EXPECT_EQ(e.protons_per_mu, 1e8);
    ASSERT_EQ(e.spots.size(), 2u);
    EXPECT_EQ(e.spots[0].weight, 0.9);
    EXPECT_EQ(e.spots[0].sigma, (std::array{4.0, 4.5}));
    EXPECT_EQ(e.spots[0].divergence, (std::array{0.003, 0.002}));
    EXPECT_DOUBLE_EQ(e.spots[0].covariance[0], 0.5 * 4 * 0.003);
    EXPECT_DOUBLE_EQ(e.spots[0].covariance[1], -0.4 * 4.5 * 0.002);
    EXPECT_EQ(e.spots[1].weight, 0.1);
    EXPECT_EQ(e.spots[1].sigma, (std::array{9.0, 8.0}));
    // A second one of no weight is none.
    EXPECT_EQ(m.energies[1].spots.size(), 1u);
    ASSERT_EQ(m.notes.size(), 2u);
    expect_has(m.notes[0], "'RS_2' is left out");
    expect_has(m.notes[1], "percent of the nominal energy");
}

// MCsquare draws places and angles with the covariance correlation * sigma * divergence and lets
// protons fly to x + angle * z: the same here by drawing, and by the drift of the moments.
TEST(MachineBdl, ACorrelationAboveZeroWidensTheBeam) {
    SpotGaussian const g = parse_machine(whole(), "m").value().energies[0].spots[0];
    double const correlation = 0.5, z = 420;
    double sum = 0, count_of = 0;
    // All pairs of quantiles of two independent normal numbers.
    constexpr int steps = 200;
    std::vector<double> normal;
    for (int i = 0; i < steps; ++i) {
        double const part = (i + 0.5) / steps;
        double low = -6, high = 6;
        for (int k = 0; k < 60; ++k) {
            double const middle = (low + high) / 2;
            (0.5 * std::erfc(-middle / std::sqrt(2)) < part ? low : high) = middle;
        }
        normal.push_back(low);
    }
    for (double const a : normal)
        for (double const b : normal) {
            double const x = 4 * a;
            double const angle =
                0.003 * (correlation * a + std::sqrt(1 - correlation * correlation) * b);
            sum += (x + angle * z) * (x + angle * z);
            ++count_of;
        }
    double const moments = g.sigma[0] * g.sigma[0] + 2 * g.covariance[0] * z +
                           g.divergence[0] * g.divergence[0] * z * z;
    EXPECT_NEAR(sum / count_of / moments, 1, 0.01);
    EXPECT_GT(moments, 4 * 4 + 0.003 * 0.003 * z * z);
}

TEST(MachineBdl, WhatIsNoUtf8IsLatin1) {
    std::string text = whole();
    text.replace(text.find("RS_1"), 4, "Pl\xe4ttchen");
    EXPECT_EQ(parse_machine(text, "m").value().shifters[0].name, "Pl\u00e4ttchen");
}

TEST(MachineBdl, OneGaussianNeedsNoSecondColumns) {
    std::string const one(columns.substr(0, columns.find("\tWeight2")));
    Machine const m =
        parse_machine(fmt::format("{}{}\n100 101 1 1e8 2 4 0.003 0 4 0.003 0\n", head, one), "m")
            .value();
    EXPECT_EQ(m.energies[0].spots[0].weight, 1);
    expect_has(m.notes[1], "divided by their sum");
}

TEST(MachineBdl, WhatIsWrongHasItsLine) {
    EXPECT_EQ(problem(whole()), "none");
    expect_has(problem("Nozzle exit to Isocenter distance\n420.0\n", ""),
               "gantry.txt: 'Nozzle exit to Isocenter distance' is missing");
    expect_has(problem("SMX to Isocenter distance\n2000\n", ""), "'SMX to Isocenter distance' is");
    expect_has(problem("SMY to", "SMX to"), "line 10: 'SMX to Isocenter distance' is there twice");
    expect_has(problem("\n420.0\n", "\nfar\n"), "line 5: 'far' is not a number");
    expect_has(problem("\n420.0\n", "\n2100\n"), "spots 2100 mm above the isocentre");
    expect_has(problem("\n420.0\n", "\n1e999\n"), "line 5: '1e999' is not a number");
    expect_has(problem("RS_ID = RS_1\n", ""), "a range shifter without RS_ID");
    expect_has(problem("RS_ID = RS_2\nRS_type = binary", "RS_ID = RS_1\nRS_WET = 3"),
               "range shifter 'RS_1' is there twice");
    expect_has(problem("RS_WET = 41.5", "RS_WET = -1"), "RS_WET of -1 mm");
    expect_has(problem("RS_WET = 41.5", "RS_WET = 1\nRS_WET = 2"), "RS_WET is there twice");
    expect_has(problem("2 energies", "3 energies"), "says that it has 3 energies, and has 2");
    expect_has(problem("2 energies", "1e300 energies"), "says that it has 1e+300 energies");
    expect_has(problem("MeanEnergy", "MeanEnergie"),
               "line 27: there is no column 'MeanEnergie'; "
               "did you mean 'MeanEnergy'?");
    expect_has(problem("MeanEnergy\t", ""), "column MeanEnergy is missing");
    expect_has(problem("SpotSize2y\t", ""), "column SpotSize2y is missing");
    expect_has(problem("MeanEnergy", "NominalEnergy"), "two columns NominalEnergy");
    expect_has(problem("100.0\t101\t", "100.0\t"), "line 28: 17 numbers for 18 columns");
    expect_has(problem("100.0\t101\t", "100.0\tnan\t"), "'nan' is not a number for MeanEnergy");
    expect_has(problem("100.0\t101\t", "200\t101\t"), "line 29: 200 MeV is there twice");
    expect_has(problem("100.0\t101\t", "210\t101\t"), "line 29: 200 MeV follows 210 MeV");
    expect_has(problem("\t4\t0.003", "\t-4\t0.003"), "line 28: a sigma of -4 mm in x");
    expect_has(problem("\t0.5\t4.5", "\t1.5\t4.5"), "line 28: a correlation of 1.5");
    expect_has(problem("\t0.9\t4", "\t-0.9\t4"), "line 28: weights of -0.9 and 0.1");
    expect_has(problem(std::string(head)), "has no table of energies that begins with Nominal");
    expect_has(problem(fmt::format("{}{}", head, columns)), "has no energy");
    expect_has(problem(whole() + std::string(columns)), "'NominalEnergy' is not a number");
    expect_has(problem("Nozzle exit to Isocenter distance"), "has no number");
}

}  // namespace
}  // namespace sluice::proton
