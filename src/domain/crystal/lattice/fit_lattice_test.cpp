// Tests of fit_lattice: errors beside their bound, outliers, wandering origins, reasons.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "domain/crystal/lattice/test_scans.h"

namespace sluice::crystal::test {
namespace {

using stem4d::BraggVectors;
using stem4d::fit_lattice;
using stem4d::LatticeBasis;
using stem4d::LatticeFit;
using stem4d::LatticeOptions;
using stem4d::LatticeReason;

LatticeBasis usual_basis(Crystal const& c = {}) {
    auto const w = waves_of(c, {{{1, 0}, {0, 1}}});
    return {{128, 128}, {w[0], w[1]}, {w[2], w[3]}};
}

// Small strain, shear and rotation, and an origin that is not still.
Plan usual_plan(Simulator& s) {
    return {.f = {{{1 + 0.005 * s.normal(), 0.005 * s.normal()},
                   {0.005 * s.normal(), 1 + 0.005 * s.normal()}}},
            .origin = {128 + 1.5 * s.normal(), 128 + 1.5 * s.normal()}};
}

// Fisher's matrix of the six numbers, from all disks that belong to the lattice.
std::vector<std::vector<double>> fisher(BraggVectors const& v, index pattern, Six const& truth,
                                        double extra) {
    std::vector<std::vector<double>> f(6, std::vector<double>(6, 0));
    for (index j = v.first[static_cast<std::size_t>(pattern)];
         j < v.first[static_cast<std::size_t>(pattern) + 1]; ++j) {
        auto const i = static_cast<std::size_t>(j);
        double const y = v.row[i] - truth[0], x = v.col[i] - truth[1],
                     area = truth[2] * truth[5] - truth[3] * truth[4];
        double const h = std::round((y * truth[5] - x * truth[4]) / area),
                     k = std::round((x * truth[2] - y * truth[3]) / area);
        if (std::hypot(y - h * truth[2] - k * truth[4], x - h * truth[3] - k * truth[5]) > 2)
            continue;
        double const rr = v.var_row[i] + extra * extra, cc = v.var_col[i] + extra * extra,
                     rc = v.cov_row_col[i], d = rr * cc - rc * rc;
        double const inverse[2][2] = {{cc / d, -rc / d}, {-rc / d, rr / d}};
        double const by[3] = {1, h, k};
        for (std::size_t p = 0; p < 6; ++p)
            for (std::size_t q = 0; q < 6; ++q)
                f[p][q] += by[p / 2] * by[q / 2] * inverse[p % 2][q % 2];
    }
    return f;
}

struct Quality {
    double over_bound = 0;  // rms of errors over that of the bound, of the vectors
    double chi2 = 0;        // of the errors, by the reported covariance, a degree of freedom
    index fitted = 0;
};

Quality quality_of(LatticeFit const& fit, Simulated const& s, double extra = 0) {
    Quality q;
    double squares = 0, bounds = 0;
    for (std::size_t p = 0; p < s.truth.size(); ++p) {
        if (fit.reason[p] != LatticeReason::fitted) continue;
        ++q.fitted;
        std::vector<double> error(6);
        std::vector<std::vector<double>> covariance(6, std::vector<double>(6));
        for (std::size_t i = 0; i < 6; ++i) {
            error[i] = fit.values.values[6 * p + i] - s.truth[p][i];
            for (std::size_t j = 0; j < 6; ++j)
                covariance[i][j] = fit.covariance.values[36 * p + 6 * i + j];
        }
        q.chi2 += normalised(covariance, error) / 6;
        auto const f = fisher(s.vectors, static_cast<index>(p), s.truth[p], extra);
        for (std::size_t i = 2; i < 6; ++i) {
            std::vector<double> unit(6, 0);
            unit[i] = 1;
            squares += error[i] * error[i], bounds += normalised(f, unit);
        }
    }
    q.chi2 /= static_cast<double>(q.fitted);
    q.over_bound = std::sqrt(squares / bounds);
    return q;
}

TEST(FitLattice, ReachesTheBound) {
    Simulator simulate(1);
    auto const s = simulate({20, 20}, [&](index) { return usual_plan(simulate); });
    auto const fit = fit_lattice(s.vectors, usual_basis()).value();
    Quality const q = quality_of(fit, s);
    EXPECT_EQ(q.fitted, 400);
    EXPECT_LT(q.over_bound, 1.05);
    EXPECT_NEAR(q.chi2, 1, 0.1);
    EXPECT_LT(fit.sigma_sys, 0.003);
}

TEST(FitLattice, LeavesOutliersOut) {
    Simulator simulate(2);
    auto const s = simulate({20, 20}, [&](index) {
        Plan plan = usual_plan(simulate);
        plan.outliers = 12, plan.missing = 0.4;
        return plan;
    });
    auto const fit = fit_lattice(s.vectors, usual_basis()).value();
    Quality const q = quality_of(fit, s);
    EXPECT_EQ(q.fitted, 400);
    EXPECT_LT(q.over_bound, 1.05);
    EXPECT_NEAR(q.chi2, 1, 0.1);
    auto const out = std::accumulate(fit.left_out.begin(), fit.left_out.end(), index{0});
    EXPECT_NEAR(static_cast<double>(out), 12 * 400, 0.02 * 12 * 400);
}

TEST(FitLattice, FollowsOriginsAndLargeStrain) {
    Simulator simulate(3);
    auto const s = simulate({20, 20}, [&](index) {
        return Plan{.f = {{{1 + simulate.uniform(-0.05, 0.05), simulate.uniform(-0.05, 0.05)},
                           {simulate.uniform(-0.05, 0.05), 1 + simulate.uniform(-0.05, 0.05)}}},
                    .origin = {128 + simulate.uniform(-40, 40), 128 + simulate.uniform(-40, 40)}};
    });
    auto const fit = fit_lattice(s.vectors, usual_basis()).value();
    Simulated nearest = s;
    // The origin is the lattice point nearest to that of the basis.
    for (std::size_t p = 0; p < s.truth.size(); ++p)
        for (int h = -3; h <= 3; ++h)
            for (int k = -3; k <= 3; ++k) {
                Six const& t = s.truth[p];
                double const row = t[0] + h * t[2] + k * t[4], col = t[1] + h * t[3] + k * t[5];
                if (std::hypot(row - fit.values.values[6 * p], col - fit.values.values[6 * p + 1]) <
                    2)
                    nearest.truth[p][0] = row, nearest.truth[p][1] = col;
            }
    Quality const q = quality_of(fit, nearest);
    EXPECT_EQ(q.fitted, 400);
    EXPECT_LT(q.over_bound, 1.05);
    EXPECT_NEAR(q.chi2, 1, 0.1);
}

TEST(FitLattice, AddsTheModelsVariance) {
    Simulator simulate(4);
    auto const s = simulate({20, 20}, [&](index) {
        Plan plan = usual_plan(simulate);
        plan.extra = 0.1, plan.outliers = 3;
        return plan;
    });
    auto const fit = fit_lattice(s.vectors, usual_basis()).value();
    EXPECT_NEAR(fit.sigma_sys, 0.1, 0.003);
    std::vector<double> chi2 = fit.chi2;
    std::ranges::sort(chi2);
    EXPECT_NEAR(chi2[200], 1, 0.02);
    Quality const q = quality_of(fit, s, 0.1);
    EXPECT_LT(q.over_bound, 1.05);
    EXPECT_NEAR(q.chi2, 1, 0.1);
    auto const without = fit_lattice(s.vectors, usual_basis(), {.model_variance = false}).value();
    EXPECT_EQ(without.sigma_sys, 0);
    EXPECT_GT(quality_of(without, s, 0.1).chi2, 3);
}

TEST(FitLattice, WeighsEquallyWithoutVariances) {
    Simulator simulate(5, {}, {.least_sigma = 0.0999, .most_sigma = 0.1});
    auto s = simulate({20, 20}, [&](index) { return usual_plan(simulate); });
    for (auto* column : {&s.vectors.var_row, &s.vectors.var_col, &s.vectors.cov_row_col})
        std::ranges::fill(*column, std::numeric_limits<float>::quiet_NaN());
    auto const fit = fit_lattice(s.vectors, usual_basis(), {.model_variance = false}).value();
    // Half axes of 0.1 and 0.05 to 0.1 px.
    EXPECT_NEAR(fit.sigma_sys, 0.089, 0.004);
    EXPECT_NEAR(quality_of(fit, s).chi2, 1, 0.1);
    EXPECT_NE(fit.notes.back().find("no variances"), std::string::npos);
}

TEST(FitLattice, SaysWhy) {
    Simulator simulate(6);
    auto s = simulate({1, 6}, [&](index p) {
        Plan plan = usual_plan(simulate);
        if (p == 1) plan.most = 0;
        if (p == 2) plan.most = 3;
        if (p == 3) plan.on_a_line = true;
        if (p == 4) plan.f = {{{0.82, -0.574}, {0.574, 0.82}}};  // turned by 35 degrees
        if (p == 5) plan.most = 4;
        return plan;
    });
    auto const fit = fit_lattice(s.vectors, usual_basis()).value();
    EXPECT_EQ(fit.reason[0], LatticeReason::fitted);
    EXPECT_EQ(fit.reason[1], LatticeReason::no_disks);
    EXPECT_EQ(fit.reason[2], LatticeReason::too_few);
    EXPECT_EQ(fit.reason[3], LatticeReason::collinear);
    EXPECT_NE(fit.reason[4], LatticeReason::fitted);
    EXPECT_EQ(fit.reason[5], LatticeReason::fitted);
    for (std::size_t p : {1, 2, 3, 4}) {
        for (std::size_t i = 0; i < 6; ++i) EXPECT_TRUE(std::isnan(fit.values.values[6 * p + i]));
        for (std::size_t i = 0; i < 36; ++i)
            EXPECT_TRUE(std::isnan(fit.covariance.values[36 * p + i]));
        EXPECT_EQ(fit.used[p], 0);
        EXPECT_EQ(fit.left_out[p], s.vectors.count(static_cast<index>(p)));
    }
}

bool same_bits(std::vector<double> const& a, std::vector<double> const& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), 8 * a.size()) == 0;
}

TEST(FitLattice, HasTheSameBitsOnAnyThreads) {
    Simulator simulate(7);
    auto const s = simulate({30, 20}, [&](index) {
        Plan plan = usual_plan(simulate);
        plan.outliers = 5, plan.extra = 0.05;
        return plan;
    });
    auto const one = fit_lattice(s.vectors, usual_basis(), {}, {.device = Device::cpu(1)}).value();
    auto const three =
        fit_lattice(s.vectors, usual_basis(), {}, {.device = Device::cpu(3)}).value();
    EXPECT_TRUE(same_bits(one.values.values, three.values.values));
    EXPECT_TRUE(same_bits(one.covariance.values, three.covariance.values));
    EXPECT_TRUE(same_bits(one.chi2, three.chi2));
    EXPECT_EQ(one.sigma_sys, three.sigma_sys);
    EXPECT_EQ(one.notes, three.notes);
    EXPECT_EQ(one.used, three.used);
}

TEST(FitLattice, RefusesWhatMakesNoLattice) {
    Simulator simulate(8);
    auto const s = simulate({1, 2}, [&](index) { return usual_plan(simulate); });
    EXPECT_FALSE(fit_lattice(s.vectors, {{128, 128}, {20, 0}, {40, 0.1}}));
    EXPECT_FALSE(fit_lattice(s.vectors, {{128, 128}, {20, 0}, {0, NAN}}));
    EXPECT_FALSE(fit_lattice(s.vectors, usual_basis(), {.tolerance = 20}));
    EXPECT_FALSE(fit_lattice(s.vectors, usual_basis(), {.cut = 0}));
    EXPECT_FALSE(fit_lattice(s.vectors, usual_basis(), {.least_disks = 2}));
    auto const stopped =
        fit_lattice(s.vectors, usual_basis(), {},
                    {.progress = [](std::uint64_t, std::uint64_t) { return false; }});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, Code::cancelled);
}

}  // namespace
}  // namespace sluice::crystal::test
