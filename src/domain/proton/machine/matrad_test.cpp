// matRad's base data as machines: our own, and files with all that theirs have.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "base/file.h"
#include "save/mat.h"
#include "sluice/proton_base_data.h"
#include "sluice/proton_machine.h"

namespace sluice::proton {
namespace {

using save::mat_column;
using save::mat_number;
using save::mat_row;
using save::mat_rows;
using save::MatStructure;
using save::MatValue;

constexpr double source = 10000, plane = 500;

MatValue one(MatStructure fields) {
    return std::vector<MatStructure>{std::move(fields)};
}
bool replace(MatStructure& s, std::string const& name, MatValue const& value) {
    for (auto& f : s)
        if (f.name == name) return (f.value = value), true;
    return false;
}
void set(MatStructure& s, std::string const& name, MatValue const& value) {
    if (!replace(s, name, value)) s.push_back({name, value});
}
void remove(MatStructure& s, std::string const& name) {
    std::erase_if(s, [&](auto const& f) { return f.name == name; });
}

/// What a file is made of, to be changed before it is.
struct Parts {
    MatStructure meta = {{"radiationMode", std::string("protons")},
                         {"machine", std::string("test")},
                         {"SAD", mat_number(source)},
                         {"BAMStoIsoDist", mat_number(plane)},
                         {"LUT_bxWidthminFWHM", mat_rows({{1, 20}, {8, 8}})}};
    MatStructure focus = {
        {"dist", mat_rows({{9500, 10000, 10500, 11000}, {9500, 10000, 10500, 11000}})},
        {"SisFWHMAtIso", mat_row({7, 9})},
        {"emittance", mat_number(1)}};
    MatStructure spectrum = {{"mean", mat_number(99.5)}, {"sigma", mat_number(0.5)}};
    MatStructure energy = {{"energy", mat_number(100)},
                           {"peakPos", mat_number(30)},
                           {"offset", mat_number(0)},
                           {"depths", mat_column({0, 10, 20, 30, 40, 50})},
                           {"Z", mat_column({5, 6, 8, 20, 10, 0})},
                           {"sigma1", mat_column({0, 0.1, 0.2, 0.4, 0.5, 0.6})},
                           {"sigma2", mat_column({5, 6, 7, 8, 9, 9})},
                           {"weight", mat_column({0.1, 0.1, 0.1, 0.1, 0.1, 0})},
                           {"LET", mat_column({1, 1.5, 2, 5, 10, 12})}};
    std::function<void(MatStructure&)> second = [](MatStructure& e) {
        replace(e, "energy", mat_number(120));
        replace(e, "peakPos", mat_number(40));
        replace(e, "Z", mat_column({5, 6, 7, 8, 20, 0}));
    };

    // At the source side sigma 4 mm, divergence 2 mrad, covariance 3e-3 mm; the first focus is 1.
    Parts() {
        std::vector<double> wide;
        for (double const z : {0.0, 500.0, 1000.0, 1500.0})
            wide.push_back(std::sqrt(16 + 2 * 3e-3 * z + 4e-6 * z * z));
        set(focus, "sigma", mat_rows({{1, 1, 1, 1}, wide}));
    }
};

std::string write(Parts const& p) {
    std::string const path =
        testing::TempDir() + "/protons_test_" + std::to_string(getpid()) + ".mat";
    MatStructure first = p.energy;
    first.push_back({"initFocus", one(p.focus)});
    if (!p.spectrum.empty()) first.push_back({"energySpectrum", one(p.spectrum)});
    MatStructure other = first;
    p.second(other);
    MatStructure spectrum = p.spectrum;
    if (!spectrum.empty()) {
        set(spectrum, "mean", mat_number(119));
        set(other, "energySpectrum", one(spectrum));
    }
    std::vector<MatStructure> const data{first, other};
    EXPECT_TRUE(save::save_mat(path, {"machine", one({{"meta", one(p.meta)}, {"data", data}})}));
    return path;
}

Machine machine_with(std::function<void(Parts&)> const& change) {
    Parts p;
    change(p);
    std::string const path = write(p);
    Machine m = read_machine(path).value();
    std::filesystem::remove(path);
    return m;
}
std::string problem(std::function<void(Parts&)> const& change) {
    Parts p;
    change(p);
    std::string const path = write(p);
    auto const m = read_machine(path);
    std::filesystem::remove(path);
    return m ? "none" : m.error().text();
}
void expect_has(std::string const& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas no: " << part;
}
std::string notes_of(Machine const& m) {
    std::string all;
    for (std::string const& n : m.notes) all += n + "\n";
    return all;
}

TEST(MachineMatRad, EverythingIsWhereMatRadHasIt) {
    Machine const m = machine_with([](Parts&) {});
    EXPECT_EQ(m.name, "test");
    EXPECT_EQ(m.source, (std::array{source, source}));
    EXPECT_EQ(m.plane, plane);
    EXPECT_TRUE(m.air_included);
    EXPECT_EQ(m.kernel_air, 0);
    ASSERT_EQ(m.energies.size(), 2u);
    MachineEnergy const& e = m.energies[0];
    EXPECT_EQ(e.nominal, 100);
    EXPECT_EQ(e.mean, 99.5);
    EXPECT_DOUBLE_EQ(e.spread, 0.4975);
    EXPECT_EQ(e.protons_per_mu, 0);
    ASSERT_EQ(e.spots.size(), 1u);
    // The second focus: the first is narrower than 8 mm.
    EXPECT_NEAR(e.spots[0].sigma[0], 4, 1e-9);
    EXPECT_NEAR(e.spots[0].divergence[1], 2e-3, 1e-9);
    EXPECT_NEAR(e.spots[0].covariance[0], 3e-3, 1e-9);
    BaseEnergy const& k = e.kernel;
    EXPECT_EQ(k.energy, 99.5);
    EXPECT_EQ(k.depth, (std::vector<double>{0, 10, 20, 30, 40, 50}));
    EXPECT_EQ(k.dose, (std::vector<double>{5, 6, 8, 20, 10, 0}));
    EXPECT_EQ(k.sigma[3], 0.4);
    EXPECT_EQ(k.halo_sigma[0], 5);
    EXPECT_EQ(k.halo_weight[5], 0);
    EXPECT_EQ(k.let[4], 10);
    EXPECT_EQ(k.peak, 30);
    EXPECT_DOUBLE_EQ(k.range, 34);
    std::string const notes = notes_of(m);
    expect_has(notes,
               "500 mm above the isocentre to 500 mm below the isocentre, became moments "
               "500 mm above the isocentre, and are the same.");
    expect_has(notes, "Each energy has 2 widths; the first one is taken that is wider than 8 mm");
    expect_has(notes, "The emittances for Monte Carlo codes are not used");
    expect_has(notes, "does not say how many protons a monitor unit is");
}

TEST(MachineMatRad, WhatIsMissingIsSaid) {
    Machine const m = machine_with([](Parts& p) {
        p.spectrum.clear();
        remove(p.energy, "LET");
        for (char const* const name : {"sigma1", "sigma2", "weight"}) remove(p.energy, name);
        set(p.energy, "sigma", mat_column({0, 0.1, 0.2, 0.4, 0.5, 0.6}));
        set(p.meta, "fitAirOffset", mat_number(420));
        set(p.focus, "dist", mat_row({9500, 9800, 10100, 10500}));
        set(p.focus, "sigma", mat_rows({{4, 4, 5, 6}, {4, 4, 5, 6}}));
    });
    EXPECT_EQ(m.kernel_air, 420);
    EXPECT_EQ(m.energies[0].mean, 100);
    EXPECT_EQ(m.energies[0].spread, 0);
    EXPECT_TRUE(m.energies[0].kernel.let.empty());
    EXPECT_EQ(m.energies[0].kernel.halo_weight, std::vector<double>(6, 0));
    std::string const notes = notes_of(m);
    expect_has(notes, "Of 2 energies the file has no spectrum");
    expect_has(notes, "Of 2 energies the file has no LET.");
    expect_has(notes, "The depth doses have 420 mm of air before their water");
    expect_has(notes, "differ from them by up to 0.");
}

TEST(MachineMatRad, DepthsBeginAtTheSurface) {
    BaseEnergy const cut =
        machine_with([](Parts& p) { set(p.energy, "offset", mat_number(-5)); }).energies[0].kernel;
    EXPECT_EQ(cut.depth, (std::vector<double>{0, 5, 15, 25, 35, 45}));
    EXPECT_EQ(cut.dose, (std::vector<double>{5.5, 6, 8, 20, 10, 0}));
    EXPECT_EQ(cut.peak, 25);
    BaseEnergy const exact =
        machine_with([](Parts& p) { set(p.energy, "offset", mat_number(-10)); }).energies[0].kernel;
    EXPECT_EQ(exact.depth, (std::vector<double>{0, 10, 20, 30, 40}));
    EXPECT_EQ(exact.dose.front(), 6);
    Machine const late = machine_with([](Parts& p) { set(p.energy, "offset", mat_number(2)); });
    EXPECT_EQ(late.energies[0].kernel.depth, (std::vector<double>{0, 2, 12, 22, 32, 42, 52}));
    EXPECT_EQ(late.energies[0].kernel.dose[0], 5);
    expect_has(notes_of(late), "The depth doses of 2 energies begin behind the surface");
}

TEST(MachineMatRad, OurOwnFilesComeBack) {
    Physics const physics(WaterTable::icru90);
    std::vector<BaseEnergy> const data{base_energy(physics, 70, {.energy_spread = 0.5}).value(),
                                       base_energy(physics, 74, {.energy_spread = 0.5}).value()};
    std::string const path =
        testing::TempDir() + "/protons_own" + std::to_string(getpid()) + ".mat";
    ASSERT_TRUE(save_base_data(path, data, 4, ""));
    Machine const m = read_machine(path).value();
    std::filesystem::remove(path);
    ASSERT_EQ(m.energies.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        MachineEnergy const& e = m.energies[i];
        EXPECT_EQ(e.nominal, data[i].energy);
        EXPECT_NEAR(e.spread, 0.5, 1e-12);
        EXPECT_EQ(e.spots[0].sigma, (std::array{4.0, 4.0}));
        EXPECT_EQ(e.spots[0].divergence, (std::array{0.0, 0.0}));
        EXPECT_EQ(e.kernel.dose, data[i].dose);
        EXPECT_EQ(e.kernel.let, data[i].let);
        EXPECT_EQ(e.kernel.halo_weight, data[i].halo_weight);
        EXPECT_NEAR(e.kernel.range, data[i].range, 0.05);
    }
}

TEST(MachineMatRad, WhatIsWrongIsNamed) {
    EXPECT_EQ(problem([](Parts&) {}), "none");
    auto const meta = [](std::string const& name, std::optional<MatValue> value) {
        return problem([&](Parts& p) { value ? set(p.meta, name, *value) : remove(p.meta, name); });
    };
    auto const focus = [](std::string const& name, std::optional<MatValue> value) {
        return problem(
            [&](Parts& p) { value ? set(p.focus, name, *value) : remove(p.focus, name); });
    };
    auto const energy = [](std::string const& name, std::optional<MatValue> value) {
        return problem(
            [&](Parts& p) { value ? set(p.energy, name, *value) : remove(p.energy, name); });
    };
    expect_has(meta("radiationMode", std::string("carbon")), "is a machine of 'carbon'");
    expect_has(meta("SAD", {}), "machine.meta.SAD is missing");
    expect_has(meta("SAD", mat_number(NAN)), "machine.meta.SAD is not one number");
    expect_has(meta("SAD", std::string("far")), "machine.meta.SAD is not numbers");
    expect_has(meta("SAD", mat_number(100)), "spots 500 mm above the isocentre");
    expect_has(meta("BAMStoIsoDist", {}), "machine.meta.BAMStoIsoDist is missing");
    expect_has(meta("LUT_bxWidthminFWHM", mat_row({1, 2, 3})), "is not two rows");
    expect_has(focus("SisFWHMAtIso", mat_row({7, 8})), "has no width above the 8 mm");
    expect_has(focus("dist", {}), "machine.data(1).initFocus.dist is missing");
    expect_has(focus("dist", mat_row({9500, 10000, 10500})), "has 4 widths for 3 distances");
    expect_has(focus("dist", mat_row({9500, 9500, 10500, 11000})), "has 9500 mm at place 2");
    expect_has(focus("sigma", mat_rows({{1, 1, 1, 1}, {1, -1, 2, 3}})), "has -1 mm at place 2");
    expect_has(focus("sigma", mat_rows({{1, 1, 1, 1}, {1, NAN, 2, 3}})), "has nan mm at place 2");
    expect_has(energy("energy", mat_number(120)), "machine.data(2) is wrong: 120 MeV is there");
    expect_has(energy("energy", mat_number(130)), "120 MeV follows 130 MeV; energies ascend");
    expect_has(energy("energy", {}), "machine.data(1).energy is missing");
    expect_has(energy("Z", {}), "machine.data(1).Z is missing");
    expect_has(energy("Z", mat_column({1, 2})), "has 6 depths and 2 values");
    expect_has(energy("Z", mat_column({1, 2, 3, 4, 5, 6})), "does not fall to 80 %");
    expect_has(energy("Z", mat_column({1, 2, 3, NAN, 5, 0})), "a dose of nan");
    expect_has(energy("Z", mat_column({0, 0, 0, 0, 0, 0})), "a dose of 0 in all depths");
    expect_has(energy("depths", mat_column({0, 10, 10, 30, 40, 50})), "depths ascend from 0");
    expect_has(energy("depths", mat_column({0, 20, 10, 30, 40, 50})), "no two depths that ascend");
    expect_has(energy("depths", mat_column({0, NAN, 10, 30, 40, 50})), "depths");
    expect_has(energy("weight", mat_column({2, 0, 0, 0, 0, 0})), "a halo's weight of 2");
    expect_has(energy("sigma1", mat_column({-1, 0, 0, 0, 0, 0})), "a width of -1");
    expect_has(energy("sigma1", {}), "has neither sigma nor sigma1, sigma2 and weight");
    expect_has(energy("offset", mat_number(-100)), "depths");
    expect_has(energy("LET", mat_column({1})), "has 6 depths and 1 LET");
    expect_has(problem([](Parts& p) { set(p.spectrum, "sigma", mat_number(-1)); }), "a spread of");
    expect_has(problem([](Parts& p) {
                   p.second = [](MatStructure& e) { set(e, "energy", mat_number(120)); };
               }),
               "ranges ascend");
}

}  // namespace
}  // namespace sluice::proton
