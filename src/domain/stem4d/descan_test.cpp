// Tests of removing descan.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "domain/stem4d/phase_test.h"

namespace sluice::stem4d {
namespace {

VectorField plane(index rows, index cols) {
    VectorField f = zeros(rows, cols);
    for (index i = 0; i < rows * cols; ++i) {
        Point const p = place(i, cols);
        f.row.values[static_cast<std::size_t>(i)] = 90 + 0.02 * p.row - 0.01 * p.col;
        f.col.values[static_cast<std::size_t>(i)] = 80 - 0.03 * p.row + 0.04 * p.col;
    }
    return f;
}

double largest(Array<double> const& a) {
    double most = 0;
    for (double v : a.values)
        if (v == v) most = std::max(most, std::abs(v));
    return most;
}

TEST(Descan, LeavesNothingOfAPlane) {
    VectorField const f = plane(40, 50);
    auto const left = remove_descan(f.row, f.col).value();
    EXPECT_LT(largest(left.row), 1e-12);
    EXPECT_LT(largest(left.col), 1e-12);
}

TEST(Descan, FitsWhatIsKnown) {
    VectorField f = plane(40, 50);
    for (std::size_t i = 0; i < 700; ++i) f.row.values[i] = nan;
    auto const left = remove_descan(f.row, f.col).value();
    EXPECT_LT(largest(left.row), 1e-12);
    EXPECT_LT(largest(left.col), 1e-12);
    EXPECT_TRUE(std::isnan(left.row.values[0]));
}

TEST(Descan, LeavesAtomsAlone) {
    Atoms const atoms{{{20, 20}, {20, 40}, {40, 20}, {40, 40}}, 3};
    VectorField f = plane(60, 60), bare = zeros(60, 60);
    for (index i = 0; i < 3600; ++i) {
        Point const g = atoms.gradient(place(i, 60));
        auto const k = static_cast<std::size_t>(i);
        bare.row.values[k] = g.row, bare.col.values[k] = g.col;
        f.row.values[k] += g.row, f.col.values[k] += g.col;
    }
    auto const left = remove_descan(f.row, f.col).value();
    auto const want = remove_descan(bare.row, bare.col).value();
    for (std::size_t k = 0; k < 3600; ++k) {
        EXPECT_NEAR(left.row.values[k], want.row.values[k], 1e-12);
        EXPECT_NEAR(left.col.values[k], want.col.values[k], 1e-12);
    }
}

TEST(Descan, TakesScansOfOneLineAndNothing) {
    VectorField const line = plane(1, 9), one = plane(1, 1);
    EXPECT_LT(largest(remove_descan(line.row, line.col).value().row), 1e-12);
    EXPECT_LT(largest(remove_descan(one.row, one.col).value().row), 1e-12);
    VectorField unknown = plane(3, 3);
    for (double& v : unknown.row.values) v = nan;
    EXPECT_TRUE(std::isnan(remove_descan(unknown.row, unknown.col).value().row.values[4]));
    EXPECT_FALSE(remove_descan(line.row, one.col));
}

TEST(Descan, IsGoneFromTheIntegratedImage) {
    Atoms const atoms{{{20, 20}, {20, 40}, {40, 20}, {40, 40}}, 3};
    VectorField const f = plane(60, 60);
    CenterOfMass still, moving;
    still.row = still.col = moving.row = moving.col = {Array<double>::zeros({60, 60})};
    for (index i = 0; i < 3600; ++i) {
        Point const g = atoms.gradient(place(i, 60));
        auto const k = static_cast<std::size_t>(i);
        still.row.values[k] = g.row, moving.row.values[k] = g.row + f.row.values[k];
        still.col.values[k] = g.col, moving.col.values[k] = g.col + f.col.values[k];
    }
    PhaseOptions options{.rotation = Rotation{}};
    auto const worst = [&](Descan descan) {
        options.descan = descan;
        auto const a = phase_contrast(still, options).value().icom.values;
        auto const b = phase_contrast(moving, options).value().icom.values;
        double most = 0;
        for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
        return most;
    };
    EXPECT_LT(worst(Descan::plane), 1e-10);
    EXPECT_GT(worst(Descan::mean), 1);
}

}  // namespace
}  // namespace sluice::stem4d
