// Symmetries for tests.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/rotation/test_symmetry.h"

#include <fmt/format.h>

namespace sluice::orient {

stem4d::UnitCell named_cell(std::array<double, 6> const& c, std::string_view group) {
    return stem4d::parse_cif(
               fmt::format("data_x\n_cell_length_a {}\n_cell_length_b {}\n_cell_length_c "
                           "{}\n_cell_angle_alpha {}\n_cell_angle_beta {}\n_cell_angle_gamma {}\n"
                           "_space_group_name_H-M_alt '{}'\n",
                           c[0], c[1], c[2], c[3], c[4], c[5], group))
        .value();
}

stem4d::CrystalSymmetry symmetry_named(std::string_view laue) {
    struct Row {
        std::string_view laue, group;
        std::array<double, 6> cell;
    };
    for (Row const& row : {Row{"-1", "P 1", {4, 5, 6, 80, 95, 100}},
                           {"2/m", "P 1 1 2", {4, 5, 6, 90, 90, 100}},
                           {"mmm", "P 21 21 21", {4, 5, 6, 90, 90, 90}},
                           {"4/m", "I 41", {4, 4, 6, 90, 90, 90}},
                           {"4/mmm", "P 42/m n m", {4, 4, 6, 90, 90, 90}},
                           {"-3", "P 31", {4, 4, 6, 90, 90, 120}},
                           {"-3m", "P 3 2 1", {4, 4, 6, 90, 90, 120}},
                           {"6/m", "P 63", {4, 4, 6, 90, 90, 120}},
                           {"6/mmm", "P 63/m m c", {4, 4, 6, 90, 90, 120}},
                           {"m-3", "P a -3", {4, 4, 4, 90, 90, 90}},
                           {"m-3m", "F d -3 m", {4, 4, 4, 90, 90, 90}}})
        if (row.laue == laue) return stem4d::symmetry_of(named_cell(row.cell, row.group)).value();
    return {};
}

}  // namespace sluice::orient
