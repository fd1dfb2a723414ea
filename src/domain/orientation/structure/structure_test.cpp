// Structure factors and axes against ASE and abTEM; symmetries of cells in any setting.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "domain/crystal/gemmi/tables.h"
#include "domain/orientation/rotation/test_symmetry.h"
#include "sluice/structure_factors.h"
#include "test_data.h"

namespace sluice::stem4d {
namespace {

struct Line {
    Indices hkl{};
    Vector3 g{};
    std::complex<double> f;
};
struct Known {
    std::string name, cif;
    std::size_t atoms = 0;
    double volume = 0;
    std::vector<Line> lines;
};

// A CIF as people write it: the name of the group, and no operations.
std::string cif_head(std::istringstream& line) {
    std::string cell[6], group;
    for (std::string& number : cell) line >> number;
    std::getline(line >> std::ws, group);
    return fmt::format(
        "data_x\n_cell_length_a {}\n_cell_length_b {}\n_cell_length_c {}\n"
        "_cell_angle_alpha {}\n_cell_angle_beta {}\n_cell_angle_gamma {}\n"
        "_symmetry_space_group_name_H-M '{}'\nloop_\n_atom_site_type_symbol\n"
        "_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n"
        "_atom_site_occupancy\n_atom_site_B_iso_or_equiv\n",
        cell[0], cell[1], cell[2], cell[3], cell[4], cell[5], group);
}

std::vector<Known> read_known() {
    std::ifstream file(SLUICE_TEST_DATA "/orientation/factors.txt");
    std::vector<Known> out;
    for (std::string text; std::getline(file, text);) {
        std::istringstream line(text);
        std::string word;
        line >> word;
        if (word == "crystal") {
            line >> out.emplace_back().name;
            out.back().cif = cif_head(line);
        } else if (word == "site") {
            out.back().cif += text.substr(5) + "\n";
        } else if (word == "atoms") {
            line >> out.back().atoms >> word >> out.back().volume;
        } else {
            Line& f = out.back().lines.emplace_back();
            double re = 0, im = 0;
            line >> f.hkl[0] >> f.hkl[1] >> f.hkl[2] >> f.g[0] >> f.g[1] >> f.g[2] >> re >> im;
            f.f = {re, im};
        }
    }
    EXPECT_EQ(out.size(), 12u);
    return out;
}

TEST(Structure, FactorsAxesAndAtomsAreThoseOfAseAndAbtem) {
    for (Known const& known : read_known()) {
        SCOPED_TRACE(known.name);
        auto const cell = parse_cif(known.cif);
        ASSERT_TRUE(cell) << cell.error().text();
        ASSERT_EQ(cell->atoms.size(), known.atoms);
        EXPECT_NEAR(volume_of(*cell), known.volume, 1e-5);
        auto const all = structure_factors(*cell, 2.5);
        ASSERT_TRUE(all) << all.error().text();
        std::map<Indices, StructureFactor> ours;
        for (StructureFactor const& f : *all) ours[f.hkl] = f;
        double top = 0;
        std::size_t absent = 0;
        for (Line const& line : known.lines) top = std::max(top, std::abs(line.f));
        for (Line const& line : known.lines) {
            auto const found = ours.find(line.hkl);
            if (found == ours.end()) {
                EXPECT_LT(std::abs(line.f), 1e-3 * top);
                ++absent;
                continue;
            }
            StructureFactor const& f = found->second;
            for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(f.g[i], line.g[i], 1e-6);
            EXPECT_NEAR(f.frequency, std::hypot(f.g[0], f.g[1], f.g[2]), 1e-9);
            // abTEM's Gaussians were fitted to the same atoms over a wider range.
            EXPECT_LT(std::abs(f.amplitude - line.f), 0.012 * std::abs(line.f) + 2e-3 * top)
                << line.hkl[0] << ' ' << line.hkl[1] << ' ' << line.hkl[2];
        }
        EXPECT_LT(absent, known.lines.size());
    }
}

TEST(Structure, ForbiddenReflectionsOfSiliconAreAbsent) {
    for (Known const& known : read_known()) {
        if (!known.name.starts_with("Si")) continue;
        auto const cell = parse_cif(known.cif);
        auto const all = structure_factors(*cell, 1);
        ASSERT_TRUE(all);
        double f111 = 0, f400 = 0;
        for (StructureFactor const& f : *all) {
            EXPECT_NE(f.hkl, (Indices{2, 0, 0}));
            EXPECT_NE(f.hkl, (Indices{2, 2, 2}));
            if (f.hkl == Indices{1, 1, 1}) f111 = std::abs(f.amplitude);
            if (f.hkl == Indices{4, 0, 0}) f400 = std::abs(f.amplitude);
        }
        // Eight atoms: 4 sqrt 2 f for odd indices, 8 f for 400.
        EXPECT_GT(f111, f400);
        EXPECT_GT(f400, 0);
    }
}

TEST(Structure, FormFactorsAreInAngstrom) {
    // f_e(0) of table 4.3.1.1 of the International Tables C, in ångström.
    for (auto const& [element, f0] :
         {std::pair{1, 0.529}, {6, 2.509}, {13, 5.889}, {26, 7.165}, {79, 10.573}}) {
        auto const f = crystal::FormFactor::of(element);
        ASSERT_TRUE(f);
        EXPECT_NEAR(f->at(0), f0, 0.01 * f0);
        EXPECT_LT(f->at(2), f->at(0) / 4);
    }
    EXPECT_FALSE(crystal::FormFactor::of(0));
    EXPECT_FALSE(crystal::FormFactor::of(99));
}

TEST(Structure, WhatIsMissingIsNamed) {
    UnitCell cell = orient::named_cell({4, 4, 4, 90, 90, 90}, "P m -3 m");
    cell.name = "nothing";
    auto const none = structure_factors(cell, 1);
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("'nothing' has no atoms"), std::string::npos);
    EXPECT_NE(none.error().message.find("CIF has no atoms"), std::string::npos);
    cell.atoms = {{.number = 101, .place = {}}};
    auto const heavy = structure_factors(cell, 1);
    ASSERT_FALSE(heavy);
    EXPECT_NE(heavy.error().message.find("element 101"), std::string::npos);
    cell.atoms[0].number = 6;
    EXPECT_TRUE(structure_factors(cell, 4));
    for (double q : {4.1, 0., -1., double{NAN}}) EXPECT_FALSE(structure_factors(cell, q)) << q;
}

TEST(Structure, OperationsThatAreNoGroupOrDoNotFitAreRefused) {
    UnitCell cell = orient::named_cell({4, 4, 4, 90, 90, 90}, "P m -3 m");
    EXPECT_EQ(cell.operations.size(), 48u);
    auto whole = symmetry_of(cell);
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->laue, LaueClass::cubic);
    UnitCell part = cell;
    part.operations.resize(5);
    EXPECT_FALSE(symmetry_of(part));
    UnitCell long_one = cell;
    long_one.c = 4.3;
    auto const bent = symmetry_of(long_one);
    ASSERT_FALSE(bent);
    EXPECT_NE(bent.error().message.find("do not leave"), std::string::npos);
    // What a file rounds is no other symmetry, and its rotations are exact.
    UnitCell rounded = cell;
    rounded.b = 4.003;
    auto const near = symmetry_of(rounded);
    ASSERT_TRUE(near);
    for (Orientation const& r : near->rotations)
        EXPECT_NEAR(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z, 1, 1e-12);
    UnitCell bare;
    bare.a = bare.b = bare.c = 4;
    EXPECT_EQ(symmetry_of(bare)->laue, LaueClass::triclinic);
}

// The primitive cell of a face-centred lattice: 60 degrees between its axes, and still cubic.
TEST(Structure, PrimitiveCellsKeepTheirClass) {
    UnitCell const f = orient::named_cell({4, 4, 4, 90, 90, 90}, "F m -3 m");
    UnitCell p = f;
    p.a = p.b = p.c = 4 / std::sqrt(2.);
    p.alpha = p.beta = p.gamma = 60;
    p.operations.clear();
    // With axes (0 1 1), (1 0 1), (1 1 0) / 2: P^-1 W P.
    constexpr int axes[3][3] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}};
    constexpr int back[3][3] = {{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}};
    for (SymmetryOperation const& o : f.operations) {
        SymmetryOperation out;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                int sum = 0;
                for (std::size_t k = 0; k < 3; ++k)
                    for (std::size_t l = 0; l < 3; ++l)
                        sum += back[i][k] * o.turn[k][l] * axes[l][j];
                out.turn[i][j] = sum / 2;
            }
        p.operations.push_back(out);
    }
    auto const s = symmetry_of(p);
    ASSERT_TRUE(s) << s.error().text();
    EXPECT_EQ(s->laue, LaueClass::cubic);
    EXPECT_EQ(s->rotations.size(), 24u);
    // 001 of the cube is where no axis of this cell is.
    Vector3 const pole = in_sector(s->frame[2], *s);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(pole[i], s->frame[2][i], 1e-9);
}

}  // namespace
}  // namespace sluice::stem4d
