// CIFs: spacings and absences against textbooks' formulas, and files that are no CIF.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sluice/unit_cell.h"

namespace sluice::stem4d {
namespace {

constexpr char const* aluminium = R"(#(C) nobody
data_Al
_chemical_name_mineral 'Aluminium (f.c.c.)'
_cell_length_a   4.0495(2)
_cell_length_b   4.0495(2)
_cell_length_c   4.0495(2)
_cell_angle_alpha 90
_cell_angle_beta  90.0
_cell_angle_gamma 90.
_symmetry_space_group_name_H-M "F m -3 m"
_publ_text
;
 loop_ in a text is no loop
 _cell_length_a 9
;
loop_
_symmetry_equiv_pos_as_xyz
 x,y,z
 'x, y+1/2, z+1/2'
 x+1/2,y,1/2+z
 X+0.5,Y+0.5,Z
 -x,-y,-z
loop_
_atom_site_label
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
_atom_site_occupancy
Al1 0 0 0 1.
)";

UnitCell cell_of(double a, double b, double c, double alpha, double beta, double gamma) {
    UnitCell cell;
    cell.a = a, cell.b = b, cell.c = c;
    cell.alpha = alpha, cell.beta = beta, cell.gamma = gamma;
    return cell;
}

// With plain vectors: a* = b x c / V.
double spacing_by_vectors(UnitCell const& u, Indices const& hkl) {
    double const d = 3.14159265358979323846 / 180, ca = std::cos(u.alpha * d),
                 cb = std::cos(u.beta * d), cg = std::cos(u.gamma * d), sg = std::sin(u.gamma * d);
    using V = std::array<double, 3>;
    V const a{u.a, 0, 0}, b{u.b * cg, u.b * sg, 0};
    double const cy = (ca - cb * cg) / sg;
    V const c{u.c * cb, u.c * cy, u.c * std::sqrt(1 - cb * cb - cy * cy)};
    auto const cross = [](V const& x, V const& y) {
        return V{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
    };
    V const bc = cross(b, c), ca3 = cross(c, a), ab = cross(a, b);
    double const volume = a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2];
    double g2 = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        double const g = (hkl[0] * bc[i] + hkl[1] * ca3[i] + hkl[2] * ab[i]) / volume;
        g2 += g * g;
    }
    return 1 / std::sqrt(g2);
}

TEST(Cif, AluminiumHasTheSpacingsOfTheTables) {
    auto const cell = parse_cif(aluminium);
    ASSERT_TRUE(cell) << cell.error().text();
    EXPECT_EQ(cell->name, "Aluminium (f.c.c.)");
    EXPECT_EQ(cell->a, 4.0495);
    EXPECT_EQ(cell->atoms.size(), 4u);
    auto const all = reflections(*cell, 0.9);
    ASSERT_TRUE(all) << all.error().text();
    std::set<long> seen;
    for (Reflection const& r : *all) {
        seen.insert(std::lround(1e4 / r.frequency));
        EXPECT_NEAR(r.strength, 1, 1e-9);
    }
    // PDF 4-787: 2.338, 2.024, 1.431, 1.221, 1.169
    EXPECT_EQ(seen, (std::set<long>{11690, 12210, 14317, 20248, 23380}));
    EXPECT_EQ(all->size(), 8u + 6 + 12 + 24 + 8);
}

TEST(Cif, MonoclinicAndTriclinicSpacingsAreThoseOfFormulas) {
    UnitCell const m = cell_of(5.15, 5.2, 5.32, 90, 99.2, 90);
    for (Indices const& h : {Indices{1, 1, 1}, {-1, 1, 1}, {2, 0, -1}, {0, 2, 0}, {3, -1, 2}}) {
        double const b = 99.2 * 3.14159265358979323846 / 180, s = std::sin(b);
        double const g2 =
            (h[0] * h[0] / (m.a * m.a) + h[1] * h[1] * s * s / (m.b * m.b) +
             h[2] * h[2] / (m.c * m.c) - 2 * h[0] * h[2] * std::cos(b) / (m.a * m.c)) /
            (s * s);
        EXPECT_NEAR(spacing(m, h), 1 / std::sqrt(g2), 1e-12);
    }
    UnitCell const t = cell_of(8.1, 12.8, 7.2, 94.3, 116.6, 87.7);
    for (Indices const& h : {Indices{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, -2, 3}, {-4, 1, 1}})
        EXPECT_NEAR(spacing(t, h), spacing_by_vectors(t, h), 1e-10);
}

TEST(Cif, ScrewAxesAndGlidePlanesForbid) {
    auto const cell = parse_cif(R"(data_x
_cell_length_a 5
_cell_length_b 6
_cell_length_c 7
_cell_angle_alpha 90
_cell_angle_beta 100
_cell_angle_gamma 90
loop_
_space_group_symop.id
_space_group_symop.operation_xyz
1 x,y,z
2 -x,1/2+y,-z
3 x,-y,z+1/2
)");
    ASSERT_TRUE(cell) << cell.error().text();
    EXPECT_TRUE(cell->atoms.empty());
    EXPECT_EQ(cell->notes.size(), 1u);
    std::set<Indices> seen;
    auto const all = reflections(*cell, 0.8);
    ASSERT_TRUE(all);
    for (Reflection const& r : *all) seen.insert(r.hkl);
    EXPECT_FALSE(seen.contains({0, 1, 0}));
    EXPECT_FALSE(seen.contains({0, 3, 0}));
    EXPECT_TRUE(seen.contains({0, 2, 0}));
    EXPECT_FALSE(seen.contains({1, 0, 1}));
    EXPECT_TRUE(seen.contains({1, 0, 2}));
    EXPECT_TRUE(seen.contains({1, 1, 1}));
}

TEST(Cif, AtomsForbidWhatSymmetryAllows) {
    std::string text = aluminium;
    text.replace(text.find("4.0495(2)"), 9, "5.4310(2)");
    text.replace(text.find("4.0495(2)"), 9, "5.4310(2)");
    text.replace(text.find("4.0495(2)"), 9, "5.4310(2)");
    // An inversion at the origin is none of diamond's: its atoms are given one by one.
    text.replace(text.find(" -x,-y,-z\n"), 10, "");
    text += "Al2 .25 .25 0.25 1\n";
    auto const cell = parse_cif(text);
    ASSERT_TRUE(cell) << cell.error().text();
    EXPECT_EQ(cell->atoms.size(), 8u);
    std::set<Indices> seen;
    auto const all = reflections(*cell, 0.8);
    ASSERT_TRUE(all);
    for (Reflection const& r : *all) seen.insert(r.hkl);
    EXPECT_TRUE(seen.contains({1, 1, 1}));
    EXPECT_FALSE(seen.contains({2, 0, 0}));
    EXPECT_FALSE(seen.contains({2, 2, 2}));
    EXPECT_TRUE(seen.contains({4, 0, 0}));
}

std::string with_group(std::array<double, 6> const& c, std::string const& rest) {
    return fmt::format(
        "data_x\n_cell_length_a {}\n_cell_length_b {}\n_cell_length_c {}\n"
        "_cell_angle_alpha {}\n_cell_angle_beta {}\n_cell_angle_gamma {}\n{}\n",
        c[0], c[1], c[2], c[3], c[4], c[5], rest);
}
std::string all_notes(UnitCell const& cell) {
    std::string out;
    for (std::string const& note : cell.notes) out += note + "\n";
    return out;
}
constexpr std::array<double, 6> cube{4, 4, 4, 90, 90, 90};

TEST(Cif, ANamedGroupHasItsOperationsAndTells) {
    auto const cell = parse_cif(with_group({2.866, 2.866, 2.866, 90, 90, 90},
                                           "_space_group_name_H-M_alt 'I m -3 m' loop_ "
                                           "_atom_site_type_symbol _atom_site_fract_x "
                                           "_atom_site_fract_y _atom_site_fract_z Fe 0 0 0"));
    ASSERT_TRUE(cell) << cell.error().text();
    EXPECT_EQ(cell->operations.size(), 96u);
    EXPECT_EQ(cell->atoms.size(), 2u);
    EXPECT_NE(all_notes(*cell).find("I m -3 m"), std::string::npos);
    EXPECT_NE(all_notes(*cell).find("1 of 1 atoms of the CIF have no temperature factor"),
              std::string::npos);
    auto const all = reflections(*cell, 0.9);
    ASSERT_TRUE(all);
    for (Reflection const& r : *all) EXPECT_EQ((r.hkl[0] + r.hkl[1] + r.hkl[2]) % 2, 0);
    EXPECT_EQ(all->size(), 12u + 6 + 24);
}

// Orders of the groups times their centrings, as the International Tables A have them.
TEST(Cif, SettingsAreChosenByTheCell) {
    struct Case {
        std::array<double, 6> cell;
        char const* words;
        std::size_t operations;
        char const* note;
    };
    for (auto const& [c, words, operations, note] :
         {Case{{5, 5, 7, 90, 90, 120}, "_symmetry_space_group_name_H-M 'R -3 c'", 36, "R -3 c:H"},
          {{5, 5, 5, 70, 70, 70}, "_symmetry_space_group_name_H-M 'R -3 c'", 12, "R -3 c:R"},
          {{5, 5, 7, 90, 90, 120}, "_symmetry_space_group_name_H-M 'R -3 c :H'", 36, "R -3 c:H"},
          {{5, 5, 7, 90, 90, 120}, "_symmetry_Int_Tables_number 167", 36, "number 167"},
          {{5, 5, 5, 70, 70, 70}, "_space_group_IT_number 167", 12, "R -3 c:R"},
          {{5, 6, 7, 90, 100, 90}, "_symmetry_space_group_name_H-M 'P 21/c'", 4, "P 1 21/c 1"},
          {{5, 6, 7, 90, 90, 100}, "_symmetry_space_group_name_H-M 'P 1 1 21/b'", 4, "P 1 1 21/b"},
          {{5, 6, 7, 80, 95, 100}, "_symmetry_space_group_name_H-M P-1", 2, "P -1"},
          {cube, "_symmetry_space_group_name_H-M 'F d -3 m'", 192, "a guess"},
          {cube, "_symmetry_space_group_name_H-M 'F d -3 m'", 192, "F d -3 m:2"},
          {cube, "_symmetry_space_group_name_H-M 'F d -3 m S'", 192, "F d -3 m:1 are taken\n"},
          {cube, "_symmetry_space_group_name_H-M 'F d -3 m:1'", 192, "F d -3 m:1 are taken\n"},
          {cube,
           "_symmetry_space_group_name_H-M 'F d -3 m' _space_group_IT_coordinate_system_code 1",
           192, "F d -3 m:1 are taken\n"},
          {cube, "_symmetry_space_group_name_H-M 'P m -3 m' _space_group_IT_number 225", 48,
           "also says number 225"}}) {
        auto const cell = parse_cif(with_group(c, words));
        ASSERT_TRUE(cell) << cell.error().text();
        EXPECT_EQ(cell->operations.size(), operations) << words;
        EXPECT_NE(all_notes(*cell).find(note), std::string::npos) << words << all_notes(*cell);
    }
}

TEST(Cif, MultiplicitiesTellTheOrigin) {
    // Diamond: 8 atoms are at 0 0 0 with the first origin, at 1/8 1/8 1/8 with the second.
    for (auto const& [place, choice] : {std::pair{"0 0 0", ":1"}, {".125 .125 .125", ":2"}}) {
        auto const cell = parse_cif(with_group(
            cube, fmt::format("_symmetry_space_group_name_H-M 'F d -3 m' loop_ _atom_site_label "
                              "_atom_site_symmetry_multiplicity _atom_site_fract_x "
                              "_atom_site_fract_y _atom_site_fract_z C1 8 {}",
                              place)));
        ASSERT_TRUE(cell) << cell.error().text();
        EXPECT_EQ(cell->atoms.size(), 8u);
        EXPECT_NE(all_notes(*cell).find(choice), std::string::npos);
        EXPECT_NE(all_notes(*cell).find("fits the multiplicities"), std::string::npos);
    }
}

TEST(Cif, GroupsThatNoTableHasOrThatDoNotFitLeaveTheirLetter) {
    for (auto const& [c, name, note] :
         {std::tuple{cube, "I q -3 m", "no table has that name"},
          {std::array<double, 6>{4, 5, 6, 90, 90, 90}, "I m -3 m", "does not fit"},
          {std::array<double, 6>{5, 6, 7, 90, 90, 100}, "I 1 2 1", "does not fit"}}) {
        auto const cell =
            parse_cif(with_group(c, fmt::format("_symmetry_space_group_name_H-M '{}'", name)));
        ASSERT_TRUE(cell) << cell.error().text();
        EXPECT_EQ(cell->operations.size(), 2u);
        EXPECT_TRUE(cell->atoms.empty());
        EXPECT_NE(all_notes(*cell).find(note), std::string::npos) << all_notes(*cell);
    }
}

TEST(Cif, TemperatureFactorsAreReadAsBOrU) {
    auto const cell = parse_cif(with_group(
        {4, 4, 6, 90, 90, 120},
        "_symmetry_space_group_name_H-M 'P 1' loop_ _atom_site_label _atom_site_fract_x "
        "_atom_site_fract_y _atom_site_fract_z _atom_site_B_iso_or_equiv "
        "_atom_site_U_iso_or_equiv\nC1 0 0 0 0.7 ?\nC2 .1 0 0 ? 0.01\nC3 .2 0 0 . .\n"
        "C4 .3 0 0 . .\nC5 .4 0 0 -1 .\nloop_ _atom_site_aniso_label _atom_site_aniso_U_11 "
        "_atom_site_aniso_U_22 _atom_site_aniso_U_33 _atom_site_aniso_U_12 "
        "_atom_site_aniso_U_13 _atom_site_aniso_U_23\nC3 .03 .03 .06 .015 0 0\n"));
    ASSERT_TRUE(cell) << cell.error().text();
    ASSERT_EQ(cell->atoms.size(), 5u) << all_notes(*cell);
    double const of_u = 78.95683520871486;  // 8 pi^2
    EXPECT_NEAR(cell->atoms[0].b_iso, 0.7, 1e-12);
    EXPECT_NEAR(cell->atoms[1].b_iso, 0.01 * of_u, 1e-9);
    // On hexagonal axes with U12 = U11 / 2 the tensor is round in the plane: 0.03, 0.03, 0.06.
    EXPECT_NEAR(cell->atoms[2].b_iso, 0.04 * of_u, 1e-9);
    EXPECT_EQ(cell->atoms[3].b_iso, 0);
    EXPECT_EQ(cell->atoms[4].b_iso, 0);
    EXPECT_NE(all_notes(*cell).find("2 of 5 atoms"), std::string::npos);
}

TEST(Cif, AnUnknownElementIsNamed) {
    auto const cell =
        parse_cif(with_group(cube,
                             "loop_ _atom_site_type_symbol _atom_site_fract_x _atom_site_fract_y "
                             "_atom_site_fract_z Al 0 0 0 Xx3+ .5 .5 .5"));
    ASSERT_TRUE(cell);
    EXPECT_TRUE(cell->atoms.empty());
    EXPECT_NE(all_notes(*cell).find("atom 2 of the CIF is 'Xx3+', no element"), std::string::npos);
}

TEST(Cif, WhatIsNoCifIsRefusedWithItsReason) {
    std::string const good = aluminium;
    auto const with = [&](std::string const& from, std::string const& to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        return parse_cif(text);
    };
    for (auto const& [from, to, reason] :
         {std::array{"4.0495(2)", "four", "no number"},
          std::array{"_cell_angle_beta ", "_cell_angle_delta ", "_cell_angle_beta is missing"},
          std::array{"4.0495(2)", "-4", "no axis"}, std::array{"90.0", "200", "angle"},
          std::array{"x+1/2,y,1/2+z", "x+1/2,y", "not understood"},
          std::array{"x+1/2,y,1/2+z", "x+1/0,y,z", "not understood"},
          std::array{"x+1/2,y,1/2+z", "x,x,z", "not understood"},
          std::array{"Al1 0 0 0 1.", "Al1 0 0", "not whole"},
          std::array{"'Aluminium (f.c.c.)'", "'Aluminium", "does not end"},
          std::array{"\n;\nloop_", "\nloop_", "does not end"},
          std::array{"data_Al", "Al", "first data_ block"}}) {
        auto const cell = with(from, to);
        ASSERT_FALSE(cell) << to;
        EXPECT_NE(cell.error().message.find(reason), std::string::npos) << cell.error().message;
    }
    EXPECT_FALSE(parse_cif(""));
    EXPECT_FALSE(parse_cif("data_x _cell_length_a"));
    for (std::size_t n = 0; n < good.size(); ++n) {
        auto const cut = parse_cif(good.substr(0, n));
        EXPECT_TRUE(cut || !cut.error().message.empty());
    }
    auto const none = load_cif("/nowhere.cif");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().file, "/nowhere.cif");
}

TEST(Cif, CellsThatEncloseNothingAndEndlessListsAreRefused) {
    EXPECT_FALSE(check_cell(cell_of(4, 4, 4, 150, 150, 150)));
    EXPECT_FALSE(check_cell(cell_of(4, 4, NAN, 90, 90, 90)));
    EXPECT_TRUE(check_cell(cell_of(4, 4, 4, 60, 60, 60)));
    EXPECT_FALSE(reflections(cell_of(1000, 1000, 1000, 90, 90, 90), 5));
    EXPECT_FALSE(reflections(cell_of(4, 4, 4, 90, 90, 90), NAN));
}

}  // namespace
}  // namespace sluice::stem4d
