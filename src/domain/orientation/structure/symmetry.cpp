// symmetry_of: the rotations of a crystal's patterns, out of the operations of its cell.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "domain/crystal/cif/metric.h"
#include "domain/orientation/rotation/class_frame.h"
#include "domain/orientation/structure/axes.h"
#include "domain/orientation/vectors.h"
#include "sluice/structure_factors.h"

namespace sluice::orient {
namespace {

using stem4d::LaueClass;
using stem4d::Orientation;
using stem4d::SymmetryOperation;
using stem4d::UnitCell;

using Turn = std::array<std::array<int, 3>, 3>;
constexpr Turn identity{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

int determinant(Turn const& m) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}
// Friedel's law adds the inversion: what is improper counts as a rotation after it.
Turn proper(Turn turn) {
    int const sign = determinant(turn);
    for (auto& row : turn)
        for (int& value : row) value *= sign;
    return turn;
}
Turn product(Turn const& a, Turn const& b) {
    Turn out{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k) out[i][j] += a[i][k] * b[k][j];
    return out;
}

// How many rotations there are by 360 / n degrees, by their trace: 2 cos + 1 on any axes.
struct Counts {
    std::size_t all = 0, two = 0, three = 0, four = 0, six = 0;
};
Counts counted(std::set<Turn> const& turns) {
    Counts n;
    n.all = turns.size();
    for (Turn const& t : turns) switch (t[0][0] + t[1][1] + t[2][2]) {
            case -1:
                ++n.two;
                break;
            case 0:
                ++n.three;
                break;
            case 1:
                ++n.four;
                break;
            case 2:
                ++n.six;
                break;
            default:
                break;
        }
    return n;
}

// The eleven groups differ in these counts.
std::optional<LaueClass> class_of(Counts const& n) {
    struct Row {
        LaueClass laue;
        Counts counts;
    };
    constexpr Row rows[] = {
        {LaueClass::triclinic, {1, 0, 0, 0, 0}},    {LaueClass::monoclinic, {2, 1, 0, 0, 0}},
        {LaueClass::orthorhombic, {4, 3, 0, 0, 0}}, {LaueClass::tetragonal_low, {4, 1, 0, 2, 0}},
        {LaueClass::tetragonal, {8, 5, 0, 2, 0}},   {LaueClass::trigonal_low, {3, 0, 2, 0, 0}},
        {LaueClass::trigonal, {6, 3, 2, 0, 0}},     {LaueClass::hexagonal_low, {6, 1, 2, 0, 2}},
        {LaueClass::hexagonal, {12, 7, 2, 0, 2}},   {LaueClass::cubic_low, {12, 3, 8, 0, 0}},
        {LaueClass::cubic, {24, 9, 8, 6, 0}}};
    for (Row const& row : rows)
        if (row.counts.all == n.all && row.counts.two == n.two && row.counts.three == n.three &&
            row.counts.four == n.four && row.counts.six == n.six)
            return row.laue;
    return {};
}

Error no_group(UnitCell const& cell, std::size_t n) {
    return {Code::invalid_argument,
            fmt::format("the {} symmetry operations of the crystal '{}' are no group (two of them "
                        "make one that is not listed, or there are {} rotations); list all "
                        "operations of its space group",
                        cell.operations.size(), cell.name, n)};
}

// On axes that the operations leave exactly as they are: rounded ones would make no rotations.
std::array<Vector3, 3> exact_axes(UnitCell const& cell) {
    return cartesian(crystal::averaged(crystal::direct_metric(cell), cell.operations));
}

Orientation in_frame(Turn const& turn, std::array<Vector3, 3> const& axes,
                     std::array<Vector3, 3> const& star) {
    // x' = T x of places in parts of the axes: A T A^-1, whose rows of A^-1 are a*, b*, c*.
    std::array<Vector3, 3> m{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k)
                for (std::size_t l = 0; l < 3; ++l) m[i][j] += axes[k][i] * turn[k][l] * star[l][j];
    return stem4d::from_matrix(m);
}

}  // namespace
}  // namespace sluice::orient

namespace sluice::stem4d {

Result<CrystalSymmetry> symmetry_of(UnitCell const& cell) {
    SLUICE_CHECK(check_cell(cell));
    if (!crystal::fits_axes(cell, cell.operations))
        return Error{
            Code::invalid_argument,
            fmt::format("the symmetry operations of the crystal '{}' do not leave its "
                        "lengths and angles as they are ({:g} {:g} {:g} Å, {:g} {:g} {:g} "
                        "degrees); mend one or the other",
                        cell.name, cell.a, cell.b, cell.c, cell.alpha, cell.beta, cell.gamma)};
    std::set<orient::Turn> turns{orient::identity};
    for (SymmetryOperation const& o : cell.operations) turns.insert(orient::proper(o.turn));
    auto const laue = orient::class_of(orient::counted(turns));
    if (!laue) return orient::no_group(cell, turns.size());
    for (orient::Turn const& a : turns)
        for (orient::Turn const& b : turns)
            if (!turns.contains(orient::product(a, b))) return orient::no_group(cell, turns.size());
    auto const axes = orient::exact_axes(cell), star = orient::reciprocal(axes);
    CrystalSymmetry out;
    out.laue = *laue;
    out.rotations.push_back({});
    for (orient::Turn const& turn : turns)
        if (turn != orient::identity) out.rotations.push_back(orient::in_frame(turn, axes, star));
    out.frame = orient::class_frame(out);
    return out;
}

}  // namespace sluice::stem4d
