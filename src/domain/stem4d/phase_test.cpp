// Divergence, curl and the integrated centre of mass of known phases: exact where the scan repeats,
// to a stated accuracy where it is cut, bright at atoms, and defined for holes and tiny scans.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/phase_test.h"

#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "sluice/stem4d_ricom.h"

namespace sluice::stem4d {
namespace {

struct Wave {
    int row, col;
    double height, angle;
};
constexpr Wave waves[] = {{1, 0, 2, 0.3}, {0, 3, 1, 1.2}, {4, -7, 0.7, 2.5}, {-9, 11, 0.2, 0.1}};

struct Known {
    Array<double> phase;
    VectorField field;
};

// A sum of waves that repeat at the edges.
Known periodic_phase(index rows, index cols) {
    Known k{Array<double>::zeros({rows, cols}), zeros(rows, cols)};
    constexpr double turn = 2 * std::numbers::pi;
    for (index i = 0; i < rows * cols; ++i)
        for (Wave const& w : waves) {
            Point const at = place(i, cols);
            double const angle = turn * (w.row * at.row / rows + w.col * at.col / cols) + w.angle;
            k.phase.values[i] += w.height * std::sin(angle);
            k.field.row.values[i] += w.height * std::cos(angle) * turn * w.row / rows;
            k.field.col.values[i] += w.height * std::cos(angle) * turn * w.col / cols;
        }
    return k;
}

// What icom() can know of a phase: not its mean, nor the ramp that is the mean of its gradient.
Array<double> without_ramp(Known const& known) {
    index const rows = known.phase.shape[0], cols = known.phase.shape[1];
    double u = 0, v = 0, mean = 0;
    for (double x : known.field.row.values) u += x / known.phase.size();
    for (double x : known.field.col.values) v += x / known.phase.size();
    Array<double> out = known.phase;
    for (index i = 0; i < out.size(); ++i) {
        Point const at = place(i, cols);
        out.values[i] -= u * (at.row - (rows - 1) / 2.0) + v * (at.col - (cols - 1) / 2.0);
        mean += out.values[i] / out.size();
    }
    for (double& x : out.values) x -= mean;
    return out;
}

Known cut_atoms(index rows, index cols) {
    Atoms const atoms = random_atoms(rows, cols, 30, 4);
    Known k{Array<double>::zeros({rows, cols}), field_of(atoms, rows, cols)};
    for (index i = 0; i < k.phase.size(); ++i) k.phase.values[i] = atoms.phase(place(i, cols));
    return k;
}

double range(Array<double> const& a) {
    auto const [low, high] = std::ranges::minmax_element(a.values);
    return *high - *low;
}

double mean_value(Array<double> const& a) {
    double sum = 0;
    for (double v : a.values) sum += v / a.values.size();
    return sum;
}

double rms_difference(Array<double> const& a, Array<double> const& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i)
        sum += (a.values[i] - b.values[i]) * (a.values[i] - b.values[i]) / a.values.size();
    return std::sqrt(sum);
}

CenterOfMass center_of_mass_of(VectorField const& f) {
    CenterOfMass com;
    com.row = {f.row}, com.col = {f.col};
    return com;
}

TEST(Icom, ExactWhereTheScanRepeats) {
    for (auto [rows, cols] : {std::array<index, 2>{64, 64}, {48, 61}, {37, 40}, {101, 25}}) {
        Known known = periodic_phase(rows, cols);
        shift(known.field, 95.5, -3);
        auto const found = icom(known.field.row, known.field.col, true);
        ASSERT_TRUE(found);
        EXPECT_LT(largest_difference(*found, known.phase), 1e-12) << rows << "x" << cols;
    }
}

struct IcomError {
    double rms = 0, most = 0;            // against the phase without its ramp
    double ramp_rms = 0, ramp_most = 0;  // against the phase
};

// In percent of the phase's range; differences of means do not count.
IcomError error_of(Known const& known) {
    Array<double> const found = icom(known.field.row, known.field.col).value();
    double const percent = 100 / range(known.phase);
    Array<double> level = known.phase;
    for (double& v : level.values) v -= mean_value(known.phase);
    Array<double> const truth = without_ramp(known);
    return {percent * rms_difference(found, truth), percent * largest_difference(found, truth),
            percent * rms_difference(found, level), percent * largest_difference(found, level)};
}

Known cut_lattice(index rows, index cols, double spacing, double sigma) {
    Atoms atoms;
    atoms.sigma = sigma;
    for (int i = -30; i <= 30; ++i)
        for (int j = -30; j <= 30; ++j) {
            Point const p{static_cast<double>(rows) / 2 + spacing * (0.955 * i - 0.296 * j) + 0.37,
                          static_cast<double>(cols) / 2 + spacing * (0.296 * i + 0.955 * j) + 0.11};
            if (p.row > -6 * sigma && p.col > -6 * sigma && p.row < rows + 6 * sigma &&
                p.col < cols + 6 * sigma)
                atoms.places.push_back(p);
        }
    Known k{Array<double>::zeros({rows, cols}), field_of(atoms, rows, cols)};
    for (index i = 0; i < k.phase.size(); ++i) k.phase.values[i] = atoms.phase(place(i, cols));
    return k;
}

// The figures of docs/guide/stem4d.md; the truth is analytic, and no code is shared with icom().
TEST(Icom, ErrorsWhereTheBorderCutsAtoms) {
    struct Row {
        char const* name;
        Known known;
        double rms, most;
    };
    Row const rows[] = {{"atoms of sigma 3", cut_atoms(96, 80), 0.005, 0.06},
                        {"lattice of 12, sigma 2", cut_lattice(64, 96, 12, 2), 0.03, 0.3},
                        {"lattice of 8, sigma 1.5", cut_lattice(64, 64, 8, 1.5), 0.12, 1.0},
                        {"lattice of 6, sigma 1.2", cut_lattice(64, 64, 6, 1.2), 0.4, 2.5}};
    for (Row const& r : rows) {
        IcomError const e = error_of(r.known);
        std::printf("%-24s error %.3f %% rms, %.2f %% at most; with the ramp %.1f %%, %.1f %%\n",
                    r.name, e.rms, e.most, e.ramp_rms, e.ramp_most);
        EXPECT_LT(e.rms, r.rms) << r.name;
        EXPECT_LT(e.most, r.most) << r.name;
        // The ramp cannot be known, and is the larger part of what is missing.
        EXPECT_GT(e.ramp_rms, e.rms) << r.name;
    }
}

// With noise of a third of the field.
TEST(Icom, NoiseIsNotAmplifiedAtTheBorder) {
    Known known = cut_atoms(96, 80);
    add_noise(known.field, 0.3, 1);
    IcomError const e = error_of(known);
    EXPECT_LT(e.rms, 1.5);
    EXPECT_LT(e.most, 8);
}

// Taken as repeating, a scan that is cut is far off.
TEST(Icom, PeriodicIsForWhatRepeats) {
    Known const known = cut_atoms(96, 80);
    Array<double> const truth = without_ramp(known);
    Array<double> const wrapped = icom(known.field.row, known.field.col, true).value();
    EXPECT_GT(rms_difference(wrapped, truth), 0.01 * range(truth));
}

TEST(Icom, WithoutAtomsAtTheBorderAsGood) {
    Atoms const atoms{{{40, 30}, {52.5, 47}}, 3};
    Known known{Array<double>::zeros({96, 80}), field_of(atoms, 96, 80)};
    for (index i = 0; i < 96 * 80; ++i) known.phase.values[i] = atoms.phase(place(i, 80));
    EXPECT_LT(error_of(known).most, 0.05);
}

// A cubic spline is exact for a cubic, and so is what is made of it, edges and all.
TEST(Icom, ExactForAPhaseOfFourthDegree) {
    for (auto [rows, cols] : {std::array<index, 2>{12, 9}, {4, 7}, {5, 5}}) {
        Known k{Array<double>::zeros({rows, cols}), zeros(rows, cols)};
        for (index i = 0; i < rows * cols; ++i) {
            double const r = place(i, cols).row, c = place(i, cols).col;
            k.phase.values[i] = 0.01 * r * r * r * r - 0.2 * r * r * c + 0.03 * c * c * c + r * c;
            k.field.row.values[i] = 0.04 * r * r * r - 0.4 * r * c + c;
            k.field.col.values[i] = -0.2 * r * r + 0.09 * c * c + r;
        }
        EXPECT_LT(largest_difference(icom(k.field.row, k.field.col).value(), without_ramp(k)),
                  1e-10 * range(k.phase))
            << rows << "x" << cols;
    }
}

TEST(Icom, NoCurlEntersIt) {
    VectorField f = zeros(32, 48);  // a vortex: the turned gradient of a phase
    Known const known = periodic_phase(32, 48);
    f.row = known.field.col, f.col = known.field.row;
    for (double& v : f.col.values) v = -v;
    for (double v : icom(f.row, f.col, true).value().values) EXPECT_NEAR(v, 0, 1e-12);
}

TEST(Icom, TinyScansAndHoles) {
    EXPECT_EQ(icom(zeros(1, 1).row, zeros(1, 1).col).value().values, std::vector<double>{0});
    VectorField line = zeros(1, 64);
    for (index c = 0; c < 64; ++c) line.col.values[c] = std::sin(2 * std::numbers::pi * c / 64);
    Array<double> const wave = icom(line.row, line.col, true).value();
    for (index c = 0; c < 64; ++c)
        EXPECT_NEAR(wave.values[c],
                    -std::cos(2 * std::numbers::pi * c / 64) * 64 / (2 * std::numbers::pi), 1e-12);
    VectorField holes = zeros(6, 7);
    shift(holes, 4, 5);
    holes.row.values[9] = holes.col.values[9] = nan;
    for (double v : icom(holes.row, holes.col).value().values) EXPECT_NEAR(v, 0, 1e-14);
    shift(holes, nan, nan);
    for (double v : icom(holes.row, holes.col).value().values) EXPECT_TRUE(std::isnan(v));
    EXPECT_FALSE(icom(zeros(3, 4).row, zeros(4, 3).col));
    EXPECT_FALSE(icom({}, {}));
}

// A scan that is still measured, and one that ended early.
TEST(Icom, RowsThatHaveNotComeAreNotIntegrated) {
    Known const k = cut_atoms(40, 48);
    for (bool const periodic : {false, true}) {
        VectorField part = k.field;
        for (index i = 25 * 48 + 20; i < 40 * 48; ++i)
            part.row.values[i] = part.col.values[i] = nan;
        for (index i = 0; i < 3 * 48; ++i) part.row.values[i] = part.col.values[i] = nan;
        VectorField cut = zeros(22, 48);
        for (index i = 0; i < 22 * 48; ++i) {
            cut.row.values[i] = k.field.row.values[i + 3 * 48];
            cut.col.values[i] = k.field.col.values[i + 3 * 48];
        }
        auto const found = icom(part.row, part.col, periodic).value();
        auto const want = icom(cut.row, cut.col, periodic).value();
        for (index i = 0; i < 40 * 48; ++i) {
            bool const inside = i >= 3 * 48 && i < 25 * 48;
            ASSERT_EQ(std::isnan(found.values[i]), !inside) << i;
            if (!inside) continue;
            ASSERT_EQ(found.values[i], want.values[i - 3 * 48]);
        }
    }
}

// The sum that its declaration says.
Array<double> slow_ricom(VectorField const& f, index kernel) {
    index const rows = f.row.shape[0], cols = f.row.shape[1];
    double u = 0, v = 0, n = 0;
    for (std::size_t i = 0; i < f.row.values.size(); ++i)
        if (!std::isnan(f.row.values[i])) u += f.row.values[i], v += f.col.values[i], n += 1;
    Array<double> out = Array<double>::zeros(f.row.shape);
    for (index i = 0; i < f.row.size(); ++i)
        for (index r = -kernel; r <= kernel; ++r)
            for (index c = -kernel; c <= kernel; ++c) {
                index const a = i / cols + r, b = i % cols + c;
                if ((r == 0 && c == 0) || a < 0 || b < 0 || a >= rows || b >= cols) continue;
                double const x = f.row.values[a * cols + b] - u / n,
                             y = f.col.values[a * cols + b] - v / n;
                if (std::isnan(x)) continue;
                out.values[i] -= (x * r + y * c) / (2 * std::numbers::pi * (r * r + c * c));
            }
    return out;
}

TEST(Ricom, IsTheSumOverItsKernel) {
    for (auto const& [rows, cols, kernel] : {std::array<index, 3>{17, 24, 3},
                                             {17, 24, 10},
                                             {9, 40, 100},
                                             {1, 12, 4},
                                             {12, 1, 4},
                                             {1, 1, 1}}) {
        VectorField f = cut_atoms(rows, cols).field;
        if (rows > 2 && cols > 2) f.row.values[cols + 1] = f.col.values[cols + 1] = nan;
        auto const fast = ricom(f.row, f.col, kernel).value();
        Array<double> const slow = slow_ricom(f, kernel);
        for (index i = 0; i < f.row.size(); ++i) {
            ASSERT_EQ(std::isnan(fast.values[i]), std::isnan(f.row.values[i]));
            if (std::isnan(fast.values[i])) continue;
            EXPECT_NEAR(fast.values[i], slow.values[i], 1e-12);
        }
    }
    EXPECT_FALSE(ricom(zeros(3, 3).row, zeros(3, 3).col, 0));
    EXPECT_FALSE(ricom(zeros(3, 4).row, zeros(4, 3).col, 2));
}

TEST(Ricom, OfALargeKernelIsLikeIcom) {
    // Far from edges, for one atom: the same but for a constant.
    Atoms const atom{.places = {{32, 32}}, .sigma = 3};
    VectorField const f = field_of(atom, 64, 64);
    auto const found = ricom(f.row, f.col, 64).value();
    for (index i = 0; i < found.size(); ++i) {
        Point const at = place(i, 64);
        if (Atoms::square({32, 32}, at) > 400) continue;
        EXPECT_NEAR(found.values[i], atom.phase(at), 0.03);  // the kernel has no middle
    }
}

TEST(Divergence, OfALinearFieldEverywhere) {
    VectorField f = zeros(5, 7);
    for (index i = 0; i < 35; ++i) {
        Point const at = place(i, 7);
        f.row.values[i] = 2 * at.row - 3 * at.col;
        f.col.values[i] = 5 * at.row + 0.5 * at.col;
    }
    for (double v : divergence(f.row, f.col).value().values) EXPECT_NEAR(v, 2.5, 1e-12);
    for (double v : curl(f.row, f.col).value().values) EXPECT_NEAR(v, 8, 1e-12);
}

TEST(Divergence, EdgesHolesAndSingleLines) {
    VectorField f = zeros(1, 4);
    f.col.values = {0, 1, 4, 9};
    EXPECT_EQ(divergence(f.row, f.col).value().values, (std::vector<double>{1, 2, 4, 5}));
    EXPECT_EQ(curl(f.row, f.col).value().values, (std::vector<double>{0, 0, 0, 0}));
    f.col.values[0] = f.row.values[0] = nan;
    auto const holes = divergence(f.row, f.col).value().values;
    EXPECT_TRUE(std::isnan(holes[0]) && std::isnan(holes[1]));
    EXPECT_EQ(holes[2], 4);
    EXPECT_FALSE(divergence(f.row, zeros(4, 1).col));
    EXPECT_FALSE(curl(f.row, zeros(4, 1).col));
}

TEST(PhaseContrast, AtomsAreBrightWhereTheFieldConverges) {
    Atoms const atoms{{{20, 22}, {20, 45}, {43, 30}}, 2.5};
    VectorField f = zeros(64, 64);
    for (index i = 0; i < 64 * 64; ++i)  // towards the nearest atoms, falling off
        for (Point p : atoms.places) {
            double const dr = p.row - place(i, 64).row, dc = p.col - place(i, 64).col;
            double const e = std::exp(-(dr * dr + dc * dc) / 12);
            f.row.values[i] += dr * e, f.col.values[i] += dc * e;
        }
    VectorField askew = seen_by(f, {-118, true, 0});
    shift(askew, 95, 96);
    PhaseContrast const p = phase_contrast(center_of_mass_of(askew)).value();
    EXPECT_TRUE(p.rotation.transpose);
    EXPECT_NEAR(p.rotation.degrees, -118, 0.1);
    for (Point a : atoms.places) {
        std::size_t const at = static_cast<std::size_t>(a.row * 64 + a.col);
        EXPECT_GT(p.icom.values[at], 0.8 * *std::ranges::max_element(p.icom.values));
        EXPECT_LT(p.divergence.values[at], 0.8 * *std::ranges::min_element(p.divergence.values));
    }
    EXPECT_LT(std::abs(*std::ranges::min_element(p.icom.values)),
              0.3 * *std::ranges::max_element(p.icom.values));
}

TEST(PhaseContrast, IsMadeOfItsParts) {
    Known const known = periodic_phase(40, 50);
    VectorField f = seen_by(known.field, {25, false, 0});
    shift(f, 60, 61);
    PhaseOptions const options{.rotation = Rotation{25, false, 0.9}, .periodic = true};
    PhaseContrast const p = phase_contrast(center_of_mass_of(f), options).value();
    EXPECT_LT(largest_difference(p.row, known.field.row), 1e-12);
    EXPECT_LT(largest_difference(p.col, known.field.col), 1e-12);
    EXPECT_LT(largest_difference(p.icom, known.phase), 1e-12);
    EXPECT_EQ(p.divergence.values, divergence(p.row, p.col).value().values);
    EXPECT_EQ(p.curl.values, curl(p.row, p.col).value().values);
    EXPECT_NEAR(p.magnitude.values[123], std::hypot(p.row.values[123], p.col.values[123]), 1e-15);
    EXPECT_LT(p.rotation.curl_over_divergence, 0.2);  // measured, not what was given
    ASSERT_EQ(p.notes.size(), 1u);
    EXPECT_NE(p.notes[0].find("given: 25.00 degrees (rms"), std::string::npos) << p.notes[0];
}

TEST(PhaseContrast, CountsThePositionsWithoutCounts) {
    VectorField f = periodic_phase(16, 16).field;
    f.row.values[40] = f.col.values[40] = nan;
    PhaseContrast const p = phase_contrast(center_of_mass_of(f)).value();
    ASSERT_EQ(p.notes.size(), 2u);
    EXPECT_NE(p.notes[1].find("1 of 256 positions"), std::string::npos) << p.notes[1];
    EXPECT_TRUE(std::isnan(p.row.values[40]) && std::isnan(p.magnitude.values[40]));
    for (double v : p.icom.values) EXPECT_TRUE(std::isfinite(v));
}

TEST(PhaseContrast, MapsSayTheirUnitsAndWhyPixelsAreMissing) {
    CenterOfMass com = center_of_mass_of(periodic_phase(8, 8).field);
    com.row.values[20] = com.col.values[20] = nan;
    com.row.reason.resize(64);
    com.row.reason[20] = Missing::no_counts;
    PhaseContrast const p = phase_contrast(com, {.rotation = Rotation{}}).value();
    std::string names, units;
    for (ScanMap const* map : p.maps()) names += map->name + " ", units += map->unit + " ";
    EXPECT_EQ(names, "com_row_rotated com_col_rotated divergence curl icom ");
    EXPECT_EQ(units, "px px px/step px/step px*step ");
    EXPECT_EQ(p.row.reason[20], Missing::no_counts);
    EXPECT_EQ(p.divergence.reason[21], Missing::no_neighbour);
    EXPECT_EQ(p.divergence.reason[22], Missing::no);
    EXPECT_TRUE(p.icom.reason.empty());
}

TEST(PhaseContrast, TinyScansNeedARotation) {
    CenterOfMass const line = center_of_mass_of(zeros(1, 9));
    EXPECT_FALSE(phase_contrast(line));
    PhaseContrast const p = phase_contrast(line, {.rotation = Rotation{}}).value();
    EXPECT_TRUE(std::isnan(p.rotation.curl_over_divergence));
    EXPECT_EQ(p.icom.values, std::vector<double>(9));
    EXPECT_FALSE(phase_contrast(line, {.rotation = Rotation{nan, false, 0}}));
    EXPECT_FALSE(phase_contrast(CenterOfMass{}, {.rotation = Rotation{}}));
}

}  // namespace
}  // namespace sluice::stem4d
