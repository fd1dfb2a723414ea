// ANG, the text files of EDAX's OIM (TSL): a header in comments, ten columns.
// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include "base/file.h"
#include "domain/orientation/files/formats.h"
#include "domain/orientation/files/text_rows.h"
#include "domain/orientation/map/neighbours.h"

namespace sluice::orient {
namespace {

using stem4d::CrystalPhase;
using stem4d::LaueClass;
using stem4d::OrientationMap;

// OIM's numbers of Laue classes; of 2/m one for each axis.
int symmetry_number(stem4d::CrystalSymmetry const& s) {
    switch (s.laue) {
        case LaueClass::triclinic:
            return 1;
        case LaueClass::monoclinic: {
            auto const& r = s.rotations.back();
            double const x = std::abs(r.x), y = std::abs(r.y), z = std::abs(r.z);
            return z > std::max(x, y) ? 2 : y > x ? 20 : 200;
        }
        case LaueClass::orthorhombic:
            return 22;
        case LaueClass::tetragonal_low:
            return 4;
        case LaueClass::tetragonal:
            return 42;
        case LaueClass::trigonal_low:
            return 3;
        case LaueClass::trigonal:
            return 32;
        case LaueClass::hexagonal_low:
            return 6;
        case LaueClass::hexagonal:
            return 62;
        case LaueClass::cubic_low:
            return 23;
        case LaueClass::cubic:
            break;
    }
    return 43;
}

std::string phase_lines(CrystalPhase const& phase, std::size_t number) {
    auto const& c = phase.cell;
    std::string const name = on_one_line(phase.name);
    return fmt::format(
        "# Phase {}\n# MaterialName  \t{}\n# Formula     \t{}\n# Info \t\t{}\n# Symmetry           "
        "   {}\n"
        "# LatticeConstants      {:.4f} {:.4f} {:.4f} {:7.3f} {:7.3f} {:7.3f}\n"
        "# NumberFamilies        0\n# Categories0 0 0 0 0\n#\n",
        number, name, name, on_one_line(c.name), symmetry_number(phase.symmetry), c.a, c.b, c.c,
        c.alpha, c.beta, c.gamma);
}

// OIM writes 4 pi where there are no angles, and a fit of 180 degrees.
constexpr double no_angle = 4 * std::numbers::pi, no_fit = 180;

std::string row_of(OrientationMap const& m, std::size_t p) {
    bool const good = is_indexed(m, p);
    stem4d::EulerAngles e{no_angle, no_angle, no_angle};
    if (good) {
        e = stem4d::euler_of(m.orientation[p]);
        for (double& angle : e) angle *= degree;
    }
    auto const [row, col] = row_and_col(m, p);
    return fmt::format(
        "{:9.5f} {:9.5f} {:9.5f} {:12.5f} {:12.5f} {:7.1f} {:6.3f} {:2} {:6} {:7.3f}\n", e[0], e[1],
        e[2], col * step_um(m), row * step_um(m), 100 * shown(m.explained[p]),
        good ? shown(m.probability[p]) : -1, good ? m.phase[p] + 1 : 0, m.disks[p],
        good ? error_degrees(m.covariance[p]) : no_fit);
}

}  // namespace

Status save_ang(std::string const& path, OrientationMap const& map) {
    std::string text =
        "# TEM_PIXperUM          1.000000\n# x-star                0.000000\n"
        "# y-star                0.000000\n# z-star                0.000000\n"
        "# WorkingDistance       0.000000\n#\n";
    for (std::size_t i = map.phases.size(); i-- > 0;) text += phase_lines(map.phases[i], i + 1);
    auto const [rows, cols] = map.scan_shape;
    text += fmt::format(
        "# GRID: SqrGrid\n# XSTEP: {0:.6f}\n# YSTEP: {0:.6f}\n# NCOLS_ODD: {1}\n# NCOLS_EVEN: {1}\n"
        "# NROWS: {2}\n#\n# OPERATOR: \tsluice\n#\n# SAMPLEID: \t\n#\n# SCANID: \t\n#\n"
        "# NOTES: Start\n# x runs along the columns of the scan, y along its rows, {3}\n{4}"
        "# Bunge's angles are of that x and y; crystals have x along a and z along c*\n"
        "# IQ is the part of the counts explained, in percent; CI the probability that the match "
        "is "
        "right, -1 where the pattern is not indexed\n"
        "# SEM is the number of disks; Fit the standard error in degrees\n# NOTES: End\n#\n"
        "# COLUMN_COUNT: 10\n# COLUMN_HEADERS: phi1, PHI, phi2, x, y, IQ, CI, Phase index, SEM, "
        "Fit\n",
        step_um(map), cols, rows, map.step_nm > 0 ? "in µm" : "1 a pattern: the step is not known",
        map.kilovolts > 0 ? fmt::format("# electrons of {:g} kV\n", map.kilovolts) : "");
    for (std::size_t p = 0; p < map.reason.size(); ++p) text += row_of(map, p);
    return save_text(path, text);
}

}  // namespace sluice::orient
