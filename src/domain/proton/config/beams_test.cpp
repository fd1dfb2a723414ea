// Lists, sweeps and spread-out peaks of configurations.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/beams.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "sluice/proton_config.h"

namespace sluice::proton {
namespace {

constexpr char grid[] = "[grid]\ndepth = \"30 cm\"\nwidth = \"60 mm\"\n";

Result<Config> config(std::string const& text) {
    return parse_config(grid + text, "x.toml", "/there");
}

std::string message(std::string const& text) {
    auto const c = config(text);
    return c ? std::string() : c.error().text();
}

std::string list_message(std::string const& text) {
    auto const b = parse_beam_list(text, "b.csv");
    return b ? std::string() : b.error().text();
}

TEST(BeamList, NumbersAreThoseOfTheUnits) {
    auto const b = parse_beam_list(
        "# from the machine\r\n"
        "energy_GeV, sigma_x_cm, angle_deg,divergence_mrad,correlation,weight,x_mm\r\n"
        "\r\n"
        "0.15,0.3,90,2,-0.5,4,-7\r\n"
        "0.1,0.4,0,0,0,1,0",
        "b.csv");
    ASSERT_TRUE(b) << b.error().text();
    ASSERT_EQ(b->size(), 2u);
    Beam const& f = b->front();
    EXPECT_DOUBLE_EQ(f.energy, 150);
    EXPECT_DOUBLE_EQ(f.sigma_x, 3);
    EXPECT_DOUBLE_EQ(f.angle, std::numbers::pi / 2);
    EXPECT_DOUBLE_EQ(f.divergence, 0.002);
    EXPECT_DOUBLE_EQ(f.covariance, -0.5 * 3 * 0.002);
    EXPECT_EQ(f.weight, 4);
    EXPECT_EQ(f.x, -7);
    EXPECT_EQ(f.energy_spread, 0);
    EXPECT_DOUBLE_EQ((*b)[1].energy, 100);
    // A missing value has the default of a table.
    EXPECT_EQ(parse_beam_list("energy_MeV,sigma_x_mm\n70,2\n", "b.csv").value()[0].weight, 1);
}

TEST(BeamList, WrongOnesAreExplained) {
    std::string const head = "energy_MeV,sigma_x_mm\n";
    struct Case {
        std::string text;
        char const* message;
    };
    for (Case const& c : {
             Case{"", "no header"},
             Case{"# nothing\n\n", "no header"},
             Case{head, "no beam follows the header"},
             Case{"energy_MeV,sigma_mm\n70,2\n",
                  "b.csv: line 1: there is no column 'sigma_mm'; did you mean 'sigma_x_mm'?"},
             Case{"energy,sigma_x_mm\n70,2\n", "did you mean 'energy_MeV'?"},
             Case{"energy_mm,sigma_x_mm\n70,2\n", "there is no column 'energy_mm'"},
             Case{"energy_MeV,energy_keV,sigma_x_mm\n70,2,3\n", "energy has two columns"},
             Case{"energy_MeV,weight\n70,2\n", "column sigma_x_mm is missing"},
             Case{head + "70\n", "line 2: 1 numbers for 2 columns"},
             Case{head + "70,2,3\n", "line 2: 3 numbers for 2 columns"},
             Case{head + "\n# a\n70,2\n70,two\n", "line 5: 'two' is not a number for sigma_x"},
             Case{head + "70,\n", "line 2: '' is not a number"},
             Case{head + "nan,2\n", "'nan' is not a number for energy"},
             Case{head + "inf,2\n", "'inf' is not a number for energy"},
             Case{head + "70,1e999\n", "is not a number"},
             Case{head + "70 MeV,2\n", "'70 MeV' is not a number"},
             Case{head + "-70,2\n", "line 2: an energy of -70 MeV; give 1 to 300"},
             Case{head + "70,-2\n", "sigma_x or divergence below 0"},
             Case{"energy_MeV,sigma_x_mm,weight\n70,2,0\n", "a weight of 0"},
             Case{"energy_MeV,sigma_x_mm,correlation\n70,2,-2\n", "give -1 to 1"},
         }) {
        EXPECT_NE(list_message(c.text).find(c.message), std::string::npos) << c.message << "\n"
                                                                           << list_message(c.text);
    }
    std::string many = head;
    for (int i = 0; i < 100001; ++i) many += "70,2\n";
    EXPECT_NE(list_message(many).find("more than 100000"), std::string::npos);
    EXPECT_FALSE(read_beam_list("/there/is/none.csv"));
}

TEST(BeamList, StandsBesideTheConfiguration) {
    std::string const folder = testing::TempDir();
    std::ofstream(folder + "/sluice_list.csv") << "energy_MeV,sigma_x_mm\n70,2\n80,2\n";
    std::ofstream(folder + "/sluice_list.toml") << grid << "[beams]\nfile = \"sluice_list.csv\"\n";
    auto const c = read_config(folder + "/sluice_list.toml");
    ASSERT_TRUE(c) << c.error().text();
    EXPECT_EQ(c->beams.size(), 2u);
    EXPECT_FALSE(c->sweep);
    auto const none = message("[beams]\nfile = \"is/none.csv\"\n");
    EXPECT_NE(none.find("/there/is/none.csv"), std::string::npos) << none;
    auto const text = parse_config(grid + std::string("[beams]\nfile = \"b.csv\"\n"), "x.toml");
    ASSERT_FALSE(text);
    EXPECT_NE(text.error().message.find("write it into a file"), std::string::npos);
    EXPECT_NE(message("[beams]\n").find("beams.file is missing"), std::string::npos);
    EXPECT_NE(message("[beams]\nfil = \"x\"\n"), "");
}

TEST(Sweep, HasAllCombinations) {
    auto const c = config(
        "[sweep]\nenergy = {from = \"70 MeV\", to = \"200 MeV\", count = 3}\n"
        "sigma_x = [\"2 mm\", \"0.4 cm\"]\nx = \"3 mm\"\nweight = 2\n");
    ASSERT_TRUE(c) << c.error().text();
    EXPECT_TRUE(c->sweep);
    ASSERT_EQ(c->beams.size(), 6u);
    double const energies[] = {70, 70, 135, 135, 200, 200};
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_DOUBLE_EQ(c->beams[i].energy, energies[i]);
        EXPECT_DOUBLE_EQ(c->beams[i].sigma_x, i % 2 == 0 ? 2 : 4);
        EXPECT_EQ(c->beams[i].x, 3);
        EXPECT_EQ(c->beams[i].weight, 2);
    }
}

TEST(Sweep, WrongOnesAreExplained) {
    std::string const sigma = "sigma_x = \"2 mm\"\n";
    auto const energy = [&](std::string const& text) {
        return message("[sweep]\nsigma_x = \"2 mm\"\nenergy = " + text + "\n");
    };
    struct Case {
        char const *energy, *message;
    };
    for (Case const& c : {
             Case{"70", "line 6: sweep.energy has no unit"},
             Case{"[]", "empty list"},
             Case{"[\"70 MeV\", 80]", "has no unit"},
             Case{"\"70 mm\"", "units: MeV, keV, GeV"},
             Case{"{from = \"70 MeV\", to = \"80 MeV\"}", "sweep.energy.count is missing"},
             Case{"{from = \"70 MeV\", to = \"80 MeV\", count = 1}", "whole number from 2"},
             Case{"{from = \"70 MeV\", to = \"80 MeV\", count = 2.5}", "whole number from 2"},
             Case{"{from = \"70 MeV\", to = \"80 MeV\", count = -3}", "whole number from 2"},
             Case{"{from = \"70 MeV\", to = \"80 MeV\", count = nan}", "whole number from 2"},
             Case{"{from = \"70 MeV\", to = \"80 MeV\", count = 1000000}", "whole number from 2"},
             Case{"{from = \"70 MeV\", to = \"80 MeV\", cout = 2, count = 2}", "did you mean"},
             Case{"{from = 70, to = \"80 MeV\", count = 2}", "has no unit"},
             Case{"{from = \"-70 MeV\", to = \"80 MeV\", count = 2}", "energy of -70 MeV"},
         })
        EXPECT_NE(energy(c.energy).find(c.message), std::string::npos) << energy(c.energy);
    EXPECT_NE(message("[sweep]\nenergy = \"70 MeV\"\n").find("sweep.sigma_x is missing"),
              std::string::npos);
    EXPECT_NE(message("[sweep]\nenergy = \"70 MeV\"\nsigma = \"2 mm\"\n" + sigma)
                  .find("did you mean 'sigma_x'?"),
              std::string::npos);
    std::string const wide =
        "{from = \"70 MeV\", to = \"80 MeV\", count = 1000}\n"
        "x = {from = \"0 mm\", to = \"1 mm\", count = 101}";
    EXPECT_NE(energy(wide).find("more than 100000 beams"), std::string::npos);
    EXPECT_NE(message("").find("beam is missing"), std::string::npos);
}

TEST(SobpConfig, BecomesBeams) {
    auto const c = config(
        "dz = \"1 mm\"\n[[sobp]]\nrange = \"10 cm\"\nmodulation = \"20 mm\"\n"
        "energy_spread = \"1 MeV\"\nsigma_x = \"4 mm\"\nweight = 3\n");
    ASSERT_TRUE(c) << c.error().text();
    ASSERT_EQ(c->sobps.size(), 1u);
    EXPECT_NEAR(c->sobps[0].range, 100, 0.1);
    EXPECT_LE(c->sobps[0].flatness, 0.02);
    EXPECT_EQ(c->beams.size(), c->sobps[0].beams.size());
    EXPECT_GT(c->beams.size(), 4u);
    for (Beam const& b : c->beams) EXPECT_EQ(b.energy_spread, 1);
}

TEST(SobpConfig, WrongOnesAreExplained) {
    std::string const good =
        "[[sobp]]\nrange = \"100 mm\"\nmodulation = \"20 mm\"\nsigma_x = \"4 mm\"\n";
    struct Case {
        char const *more, *message;
    };
    for (Case const& c : {
             Case{"layers = 1\n",
                  "line 8: sobp.layers is '1' (it has no such value) give a whole number from 2 "
                  "to 500"},
             Case{"layers = 2.5\n", "sobp.layers is '2.5'"},
             Case{"layers = nan\n", "sobp.layers is 'nan'"},
             Case{"layers = 4\nspacing = \"2 mm\"\n", "one of them"},
             Case{"energy = \"100 MeV\"\n", "there is no key 'sobp.energy'"},
             Case{"weight = 0\n", "sobp has a weight of 0"},
             Case{"spacing = \"-2 mm\"\n", "layers every -2 mm"},
         })
        EXPECT_NE(message(good + c.more).find(c.message), std::string::npos)
            << message(good + c.more);
    EXPECT_NE(message("[[sobp]]\nrange = \"100 mm\"\nsigma_x = \"4 mm\"\n")
                  .find("sobp.modulation is missing"),
              std::string::npos);
    EXPECT_NE(message("[[sobp]]\nrange = \"299 mm\"\nmodulation = \"5 mm\"\nlayers = 2\n"
                      "sigma_x = \"4 mm\"\ndz = 3\n"),
              "");
}

}  // namespace
}  // namespace sluice::proton
