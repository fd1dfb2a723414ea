// Beside a known truth: it is a fixed point of every solver, and the phase is found the better the
// more is counted.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "domain/ptychography/test_simulate.h"
#include "sluice/ptychography_judge.h"

namespace sluice::ptycho {
namespace {

using stem4d::PtychographyOptions;
using stem4d::PtychographyStage;
using S = PtychographyStage::Solver;
using Waves = std::vector<std::complex<float>>;

std::complex<double> phases(double y, double x) {
    return std::polar(1.0, 0.5 * std::sin(0.41 * x + 0.13 * y) * std::cos(0.29 * y) +
                               0.3 * std::sin(0.53 * y - 0.2 * x));
}

double apart(Waves const& a, Waves const& b) {
    double difference = 0, all = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference += static_cast<double>(std::norm(a[i] - b[i]));
        all += static_cast<double>(std::norm(a[i]));
    }
    return std::sqrt(difference / all);
}

// The object on the canvas that the positions make.
Waves object_on_canvas(Truth const& truth, index margin) {
    double low[2] = {1e9, 1e9}, high[2] = {};
    for (auto const& p : truth.patterns.positions) {
        low[0] = std::min(low[0], p.row);
        low[1] = std::min(low[1], p.col);
        high[0] = std::max(high[0], p.row);
        high[1] = std::max(high[1], p.col);
    }
    Waves object;
    auto const extent = [&](int axis) {
        return static_cast<index>(high[axis] - low[axis]) + truth.side + 2 * margin;
    };
    for (index r = 0; r < extent(0); ++r)
        for (index c = 0; c < extent(1); ++c)
            object.emplace_back(phases(static_cast<double>(r - margin) + low[0],
                                       static_cast<double>(c - margin) + low[1]));
    return object;
}

class FixedPoint : public testing::TestWithParam<S> {};

TEST_P(FixedPoint, IsTheTruth) {
    Truth const truth = simulate(32, 5, 5, 1e6, false, {.object = phases});
    for (auto const likelihood : {stem4d::Likelihood::amplitude, stem4d::Likelihood::poisson}) {
        PtychographyOptions options;
        options.stages = {{.solver = GetParam(), .iterations = 3, .likelihood = likelihood}};
        options.stages[0].probe_from = 1;
        // The usual support fades what the truth has at the window's edge: R is 3e-4 with it.
        options.stages[0].probe_support = 1;
        options.margin = 4;
        options.object = object_on_canvas(truth, options.margin);
        options.probe = truth.probe_as_given();
        options.device = Device::reference();
        if (GetParam() == S::adam) options.stages[0].group = truth.patterns.count();
        auto const found = stem4d::ptychography(truth.patterns, options).value();
        EXPECT_LT(found.rounds.front().r, 1e-6);
        // Adam's steps are as long for short gradients as for long ones, by its definition.
        if (GetParam() == S::adam) continue;
        EXPECT_LT(found.rounds.back().r, 1e-6);
        EXPECT_LT(apart(options.object, found.object.values), 1e-6);
        EXPECT_LT(apart(options.probe, found.probe.values), 1e-6);
    }
}

INSTANTIATE_TEST_SUITE_P(All, FixedPoint,
                         testing::Values(S::epie, S::rpie, S::mpie, S::ap, S::dm, S::raar, S::rrr,
                                         S::sdr, S::lsqml, S::sgd, S::adam, S::mlcg));

PtychographyOptions fitting(Truth const& truth, index iterations) {
    PtychographyOptions options;
    options.stages = {
        {.solver = S::lsqml, .iterations = iterations, .likelihood = stem4d::Likelihood::poisson}};
    options.stages[0].fix_probe = true;
    options.margin = 4;
    options.probe = truth.probe_as_given();
    return options;
}

// Half of each pattern's residual would send the first iterations up where pixels are modelled too
// dark: the probe's spectrum has an edge, and beyond it few counts.
TEST(Truth, IsFoundAsSoonByPoissonsLikelihood) {
    Truth const truth = simulate(32, 8, 4, 3e3, true, {.object = phases});
    auto options = fitting(truth, 4);
    auto const poisson = stem4d::ptychography(truth.patterns, options).value();
    options.stages[0].likelihood = stem4d::Likelihood::amplitude;
    auto const amplitude = stem4d::ptychography(truth.patterns, options).value();
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_LT(poisson.rounds[i].r, 1.4 * amplitude.rounds[i].r) << i;
    EXPECT_LT(phase_error(poisson, truth), phase_error(amplitude, truth));
}

TEST(Truth, IsFoundWithoutNoise) {
    Truth const truth = simulate(32, 8, 4, 1e6, false, {.object = phases});
    auto options = fitting(truth, 150);
    options.stages[0].likelihood = stem4d::Likelihood::amplitude;
    options.stages[0].fix_probe = false;
    for (std::size_t i = 0; i < options.probe.size(); ++i)
        options.probe[i] *= std::polar(1.0F, 0.002F * static_cast<float>(i % 32));
    EXPECT_LT(phase_error(stem4d::ptychography(truth.patterns, options).value(), truth), 0.02);
}

// The error of the phase is that of counting: it falls with the root of the dose.
TEST(Truth, IsFoundTheBetterTheMoreIsCounted) {
    std::vector<double> doses, errors;
    for (double dose : {1e2, 1e3, 1e4, 1e5, 1e6}) {
        Truth const truth = simulate(32, 8, 4, dose, true, {.object = phases});
        doses.push_back(std::log10(dose));
        errors.push_back(std::log10(
            phase_error(stem4d::ptychography(truth.patterns, fitting(truth, 100)).value(), truth)));
    }
    double const x = std::accumulate(doses.begin(), doses.end(), 0.0) / 5;
    double const y = std::accumulate(errors.begin(), errors.end(), 0.0) / 5;
    double up = 0, down = 0;
    for (std::size_t i = 0; i < 5; ++i) {
        up += (doses[i] - x) * (errors[i] - y);
        down += (doses[i] - x) * (doses[i] - x);
        if (i > 0) {
            EXPECT_LT(errors[i], errors[i - 1]);
        }
    }
    EXPECT_NEAR(up / down, -0.5, 0.1);
}

}  // namespace
}  // namespace sluice::ptycho
