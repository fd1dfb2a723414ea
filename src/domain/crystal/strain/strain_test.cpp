// Tests of strain: signs and sizes beside deformed grids of atoms, conventions, errors, axes.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/strain.h"

#include <gtest/gtest.h>

#include <numbers>

#include "domain/crystal/lattice/test_scans.h"

namespace sluice::crystal::test {
namespace {

using stem4d::LatticeBasis;
using stem4d::LatticeFit;
using stem4d::LatticeReason;
using stem4d::strain;
using stem4d::StrainConvention;
using stem4d::StrainMaps;
using stem4d::StrainOptions;

constexpr double radian = 180 / std::numbers::pi;
constexpr Square unity{{{1, 0}, {0, 1}}};

Square product(Square const& a, Square const& b) {
    Square c{};
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j) c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j];
    return c;
}
Square turned(double degrees) {
    double const c = std::cos(degrees / radian), s = std::sin(degrees / radian);
    return {{{c, -s}, {s, c}}};
}
Square stretch(double xx, double yy, double xy) {
    return {{{1 + xx, xy}, {xy, 1 + yy}}};
}

// Exact lattices of grids that were deformed so, after whatever the detector does to vectors.
LatticeFit exact(std::vector<Square> const& deformed, Square const& detector = unity) {
    LatticeFit fit;
    auto const n = static_cast<index>(deformed.size());
    fit.scan_shape = {1, n};
    fit.values = Array<double>::zeros({n, 6});
    fit.covariance = Array<double>::zeros({n, 6, 6});
    fit.reason.assign(deformed.size(), LatticeReason::fitted);
    for (std::size_t p = 0; p < deformed.size(); ++p) {
        auto const w = waves_of({}, deformed[p]);
        for (std::size_t v = 0; v < 2; ++v)
            for (std::size_t i = 0; i < 2; ++i)
                fit.values.values[6 * p + 2 + 2 * v + i] =
                    detector[i][0] * w[2 * v] + detector[i][1] * w[2 * v + 1];
        for (std::size_t i = 0; i < 6; ++i) fit.covariance.values[36 * p + 7 * i] = 1e-4;
    }
    return fit;
}

LatticeBasis basis_of(Square const& f, Square const& detector = unity) {
    auto const fit = exact({f}, detector);
    auto const* v = fit.values.values.data();
    return {{v[0], v[1]}, {v[2], v[3]}, {v[4], v[5]}};
}

std::array<double, 4> at(StrainMaps const& m, std::size_t p) {
    return {m.e_xx.values[p], m.e_yy.values[p], m.e_xy.values[p], m.omega.values[p]};
}

void expect_near(std::array<double, 4> const& a, std::array<double, 4> const& b, double by) {
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(a[i], b[i], i == 3 ? by * radian : by) << i;
}

TEST(Strain, HasTheSignsOfTheCrystal) {
    std::vector<Square> const f{stretch(0.02, 0, 0), stretch(0, -0.03, 0), stretch(0, 0, 0.01),
                                turned(2), product(turned(-7), stretch(0.05, -0.04, 0.03))};
    auto const maps = strain(exact(f), {.reference = basis_of(unity)}).value();
    expect_near(at(maps, 0), {0.02, 0, 0, 0}, 1e-12);
    expect_near(at(maps, 1), {0, -0.03, 0, 0}, 1e-12);
    expect_near(at(maps, 2), {0, 0, 0.01, 0}, 1e-12);
    // Atoms down the rows move towards greater columns: omega is from row to column.
    expect_near(at(maps, 3), {0, 0, 0, 2}, 1e-12);
    expect_near(at(maps, 4), {0.05, -0.04, 0.03, -7}, 1e-12);
}

// The formulas as they are published, by their own names; to first order all agree but for signs.
TEST(Strain, SpeaksAsOthersDo) {
    Square const f = product(turned(1.5), stretch(0.012, -0.02, 0.008));
    LatticeBasis const g = basis_of(f), r = basis_of(unity);
    double const area = r.a.row * r.b.col - r.a.col * r.b.row;
    // beta makes the vectors of g from those of the reference.
    double const b00 = (g.a.row * r.b.col - g.b.row * r.a.col) / area,
                 b01 = (g.b.row * r.a.row - g.a.row * r.b.row) / area,
                 b10 = (g.a.col * r.b.col - g.b.col * r.a.col) / area,
                 b11 = (g.b.col * r.a.row - g.a.col * r.b.row) / area;
    auto const says = [&](StrainConvention convention) {
        auto const maps = strain(exact({f}), {.reference = r, .convention = convention}).value();
        EXPECT_NE(maps.notes[0].find("convention"), std::string::npos);
        return at(maps, 0);
    };
    expect_near(says(StrainConvention::py4dstem),
                {1 - b00, 1 - b11, -(b01 + b10) / 2, (b01 - b10) / 2 * radian}, 1e-12);
    expect_near(says(StrainConvention::py4dstem), {0.012, -0.02, 0.008, -1.5}, 1.5e-3);
    // pyxem has x first, and vectors as rows: D = ((b11, b01), (b10, b00)), D^T D = V^2, D = R V.
    double const d00 = b11, d01 = b01, d10 = b10, d11 = b00;
    double const s00 = d00 * d00 + d10 * d10, s01 = d00 * d01 + d10 * d11,
                 s11 = d01 * d01 + d11 * d11;
    double const root = std::sqrt(s00 * s11 - s01 * s01), trace = std::sqrt(s00 + s11 + 2 * root);
    double const v00 = (s00 + root) / trace, v01 = s01 / trace, v11 = (s11 + root) / trace;
    double const r10 = (d10 * v11 - d11 * v01) / (v00 * v11 - v01 * v01);
    expect_near(says(StrainConvention::pyxem),
                {1 / v00 - 1, 1 / v11 - 1, v01, -std::asin(r10) * radian}, 1e-12);
    expect_near(says(StrainConvention::pyxem), {-0.02, 0.012, -0.008, -1.5}, 1.5e-3);
    expect_near(says(StrainConvention::sluice), {0.012, -0.02, 0.008, 1.5}, 1e-12);
}

TEST(Strain, TurnsItsAxes) {
    Square const f = product(turned(1), stretch(0.03, -0.01, 0.02));
    for (double degrees : {30., -45., 90., 180.}) {
        auto const maps =
            strain(exact({f}), {.reference = basis_of(unity), .axis_degrees = degrees}).value();
        // Along a direction n of the crystal at rest the stretch is n . U n.
        double const c = std::cos(degrees / radian), s = std::sin(degrees / radian);
        double const xx = c * c * 0.03 + 2 * c * s * 0.02 - s * s * 0.01,
                     yy = s * s * 0.03 - 2 * c * s * 0.02 - c * c * 0.01,
                     xy = (c * c - s * s) * 0.02 - c * s * (0.03 + 0.01);
        expect_near(at(maps, 0), {xx, yy, xy, 1}, 1e-12);
    }
}

// A detector that is turned or mirrored against the scan: the strain is that of the crystal.
TEST(Strain, LiesOnTheScan) {
    Square const f = product(turned(3), stretch(0.03, -0.01, 0.02));
    for (bool transpose : {false, true})
        for (double degrees : {0., 25., -100.}) {
            // v on the scan = turn (exchange v), so the detector sees exchange (turn back v).
            Square const exchange{{{0, 1}, {1, 0}}};
            Square const sees = product(transpose ? exchange : unity, turned(-degrees));
            auto const maps = strain(exact({f}, sees), {.reference = basis_of(unity, sees),
                                                        .scan_rotation_degrees = degrees,
                                                        .transpose = transpose})
                                  .value();
            expect_near(at(maps, 0), {0.03, -0.01, 0.02, 3}, 1e-12);
        }
}

TEST(Strain, TakesTheMedianAsReference) {
    std::vector<Square> f(9, unity);
    f[0] = stretch(0.1, 0.1, 0), f[8] = stretch(-0.1, 0.05, 0.02);
    auto const all = strain(exact(f)).value();
    expect_near(at(all, 4), {0, 0, 0, 0}, 1e-12);
    expect_near(at(all, 0), {0.1, 0.1, 0, 0}, 1e-12);
    StrainOptions options;
    options.region.assign(9, 0);
    options.region[0] = 1;
    auto const first = strain(exact(f), options).value();
    expect_near(at(first, 0), {0, 0, 0, 0}, 1e-12);
    expect_near(at(first, 4), {1 / 1.1 - 1, 1 / 1.1 - 1, 0, 0}, 1e-12);
    EXPECT_NE(first.notes[2].find("median"), std::string::npos);
}

// A square lattice has four names; the reference of another scan may have any of them.
TEST(Strain, KnowsOtherVectorsOfTheReference) {
    LatticeBasis const r = basis_of(unity);
    LatticeBasis const same{{}, {-r.b.row, -r.b.col}, {r.a.row, r.a.col}},
        longer{{}, {r.a.row + r.b.row, r.a.col + r.b.col}, r.b};
    auto const fit = exact({stretch(0.02, 0, 0)});
    for (LatticeBasis const& other : {same, longer})
        expect_near(at(strain(fit, {.reference = other}).value(), 0), {0.02, 0, 0, 0}, 1e-12);
}

TEST(Strain, HasTheErrorsOfItsLattices) {
    Simulator simulate(11, {}, {.least_sigma = 0.02, .most_sigma = 0.4});
    std::vector<std::array<double, 4>> truth;
    auto const s = simulate({25, 20}, [&](index) {
        double const xx = 0.03 * simulate.normal(), yy = 0.03 * simulate.normal(),
                     xy = 0.03 * simulate.normal(), omega = 2 * simulate.normal();
        truth.push_back({xx, yy, xy, omega});
        return Plan{.f = product(turned(omega), stretch(xx, yy, xy)),
                    .origin = {128 + 3 * simulate.normal(), 128 + 3 * simulate.normal()},
                    .outliers = 2,
                    .missing = 0.1};
    });
    LatticeBasis reference = basis_of(unity);
    reference.origin = {128, 128};
    auto const fit = stem4d::fit_lattice(s.vectors, reference).value();
    for (auto const convention : {StrainConvention::sluice}) {
        auto const maps = strain(fit, {.reference = reference, .convention = convention}).value();
        double together = 0;
        std::array<double, 4> alone{};
        for (std::size_t p = 0; p < truth.size(); ++p) {
            ASSERT_EQ(fit.reason[p], LatticeReason::fitted);
            std::vector<double> error(4);
            std::vector<std::vector<double>> covariance(4, std::vector<double>(4));
            for (std::size_t i = 0; i < 4; ++i) {
                double const unit = i == 3 ? radian : 1;
                error[i] = (at(maps, p)[i] - truth[p][i]) / unit;
                double const sigma = maps.maps()[i]->error[p] / unit;
                alone[i] += error[i] * error[i] / (sigma * sigma);
                for (std::size_t j = 0; j < 4; ++j)
                    covariance[i][j] = maps.covariance.values[16 * p + 4 * i + j];
            }
            together += normalised(covariance, error) / 4;
        }
        EXPECT_NEAR(together / 500, 1, 0.1);
        for (double a : alone) EXPECT_NEAR(a / 500, 1, 0.15);
    }
}

// Derivatives beside differences, in every convention and on turned axes.
TEST(Strain, CarriesCovariancesExactly) {
    LatticeBasis const r = basis_of(unity);
    for (auto const convention :
         {StrainConvention::sluice, StrainConvention::py4dstem, StrainConvention::pyxem}) {
        StrainOptions const options{.reference = r,
                                    .axis_degrees = 20,
                                    .scan_rotation_degrees = -35,
                                    .transpose = true,
                                    .convention = convention};
        auto fit = exact({product(turned(4), stretch(0.06, -0.05, 0.04))});
        auto const maps = strain(fit, options).value();
        double const step = 1e-5;
        std::array<std::array<double, 4>, 4> by{};
        for (std::size_t j = 0; j < 4; ++j) {
            auto up = fit, down = fit;
            up.values.values[2 + j] += step, down.values.values[2 + j] -= step;
            auto const high = at(strain(up, options).value(), 0),
                       low = at(strain(down, options).value(), 0);
            for (std::size_t i = 0; i < 4; ++i)
                by[i][j] = (high[i] - low[i]) / (2 * step) / (i == 3 ? radian : 1);
        }
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 4; ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < 4; ++k) sum += by[i][k] * by[j][k] * 1e-4;
                EXPECT_NEAR(maps.covariance.values[4 * i + j], sum, 1e-12);
            }
    }
}

TEST(Strain, SaysWhereThereIsNone) {
    auto fit = exact({unity, unity});
    fit.reason[1] = LatticeReason::too_few;
    auto const maps = strain(fit).value();
    EXPECT_TRUE(std::isnan(maps.e_xx.values[1]));
    EXPECT_TRUE(std::isnan(maps.omega.error[1]));
    EXPECT_EQ(maps.e_xy.reason[1], Missing::not_converged);
    EXPECT_EQ(maps.e_xy.reason[0], Missing::no);
    EXPECT_FALSE(strain(fit, {.region = {0, 1}}));
    EXPECT_FALSE(strain(fit, {.region = {1}}));
    EXPECT_FALSE(strain(fit, {.reference = LatticeBasis{{}, {1, 0}, {2, 0}}}));
    LatticeBasis const r = basis_of(unity);
    EXPECT_FALSE(strain(
        fit, {.reference = LatticeBasis{{}, {3 * r.a.row, 3 * r.a.col}, {-r.b.row, -r.b.col}}}));
    fit.reason[0] = LatticeReason::no_disks;
    EXPECT_FALSE(strain(fit));
}

TEST(Strain, ComparesWithTheory) {
    LatticeBasis const like = basis_of(product(turned(33), stretch(0.01, 0.01, 0)));
    LatticeBasis const exact_one = basis_of(turned(33));
    double const a = std::hypot(exact_one.a.row, exact_one.a.col),
                 b = std::hypot(exact_one.b.row, exact_one.b.col),
                 angle = std::acos((exact_one.a.row * exact_one.b.row +
                                    exact_one.a.col * exact_one.b.col) /
                                   (a * b)) *
                         radian;
    auto const theory =
        stem4d::theoretical_basis({1 / (a * 0.01), 1 / (b * 0.01), angle, 0.01}, like).value();
    EXPECT_NEAR(theory.a.row, exact_one.a.row, 1e-9);
    EXPECT_NEAR(theory.a.col, exact_one.a.col, 1e-9);
    EXPECT_NEAR(theory.b.row, exact_one.b.row, 1e-9);
    EXPECT_NEAR(theory.b.col, exact_one.b.col, 1e-9);
    EXPECT_FALSE(stem4d::theoretical_basis({2, 2, 90, 0}, like));
    EXPECT_FALSE(stem4d::theoretical_basis({2, 2, 180, 0.01}, like));
}

}  // namespace
}  // namespace sluice::crystal::test
