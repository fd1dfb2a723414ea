// CTF, Oxford's (HKL's) Channel text files: a header with tabs, eleven columns.
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"
#include "domain/crystal/gemmi/tables.h"
#include "domain/orientation/files/formats.h"
#include "domain/orientation/files/frames.h"
#include "domain/orientation/files/text_rows.h"
#include "domain/orientation/map/neighbours.h"

namespace sluice::orient {
namespace {

using stem4d::CrystalPhase;
using stem4d::Orientation;
using stem4d::OrientationMap;

// Oxford counts Laue classes as the International Tables do, from 1 on.
std::string phase_line(CrystalPhase const& phase) {
    auto const& c = phase.cell;
    return fmt::format("{:.4f};{:.4f};{:.4f}\t{:.4f};{:.4f};{:.4f}\t{}\t{}\t{}\t\t\t{}\n", c.a, c.b,
                       c.c, c.alpha, c.beta, c.gamma, on_one_line(phase.name),
                       static_cast<int>(phase.symmetry.laue) + 1,
                       crystal::number_of_group(c.operations), on_one_line(c.name));
}

std::uint8_t as_byte(float part) {
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(shown(part), 0., 1.)));
}

std::string row_of(OrientationMap const& m, std::size_t p, std::vector<Orientation> const& frames) {
    bool const good = is_indexed(m, p);
    stem4d::EulerAngles e{};
    if (good) e = stem4d::euler_of(frames[static_cast<std::size_t>(m.phase[p])] * m.orientation[p]);
    auto const [row, col] = row_and_col(m, p);
    // Error 3: no solution.
    return fmt::format("{}\t{:.5f}\t{:.5f}\t{}\t{}\t{:.4f}\t{:.4f}\t{:.4f}\t{:.4f}\t{}\t{}\n",
                       good ? m.phase[p] + 1 : 0, col * step_um(m), row * step_um(m), m.disks[p],
                       good ? 0 : 3, e[0], e[1], e[2], good ? error_degrees(m.covariance[p]) : 0,
                       as_byte(m.probability[p]), as_byte(m.explained[p]));
}

}  // namespace

Status save_ctf(std::string const& path, OrientationMap const& map) {
    auto const [rows, cols] = map.scan_shape;
    std::string text = fmt::format(
        "Channel Text File\nPrj\tsluice: crystals have x along a* and z along c; BC is the "
        "probability of 255, BS the part of the counts explained, MAD the standard "
        "error{3}\nAuthor\t"
        "[Unknown]\nJobMode\tGrid\nXCells\t{1}\nYCells\t{2}\nXStep\t{0:.6f}\nYStep\t{0:.6f}\n"
        "AcqE1\t0\nAcqE2\t0\nAcqE3\t0\nEuler angles refer to Sample Coordinate system "
        "(CS0)!\tMag\t0"
        "\tCoverage\t100\tDevice\t0\tKV\t{5:g}\tTiltAngle\t0\tTiltAxis\t0\nPhases\t{4}\n",
        step_um(map), cols, rows, map.step_nm > 0 ? "" : "; the step is not known: 1 a pattern",
        map.phases.size(), map.kilovolts);
    std::vector<Orientation> frames;
    for (CrystalPhase const& phase : map.phases) {
        text += phase_line(phase);
        frames.push_back(to_oxford(phase.cell));
    }
    text += "Phase\tX\tY\tBands\tError\tEuler1\tEuler2\tEuler3\tMAD\tBC\tBS\n";
    for (std::size_t p = 0; p < map.reason.size(); ++p) text += row_of(map, p, frames);
    return save_text(path, text);
}

}  // namespace sluice::orient
