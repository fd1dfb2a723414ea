// Whole reconstructions on devices: beside the twin in double, and the same bits everywhere.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "domain/ptychography/reconstruct.h"
#include "domain/ptychography/test_simulate.h"

namespace sluice::ptycho {
namespace {

using stem4d::Likelihood;
using stem4d::PtychographyOptions;
using stem4d::PtychographyResult;
using S = stem4d::PtychographyStage::Solver;

struct Recipe {
    char const* name;
    S solver;
    index group = 0;
    Likelihood likelihood = Likelihood::amplitude;
};

PtychographyOptions options_of(Recipe const& recipe, index iterations) {
    PtychographyOptions options;
    options.stages[0].solver = recipe.solver;
    options.stages[0].iterations = iterations;
    options.stages[0].group = recipe.group;
    options.stages[0].likelihood = recipe.likelihood;
    options.margin = 4;
    return options;
}

Result<PtychographyResult> on(Device const& device, stem4d::Patterns const& patterns,
                              PtychographyOptions options) {
    options.device = device;
    return reconstruct_by_launches(patterns, options);
}

double apart(std::vector<std::complex<float>> const& a, std::vector<std::complex<float>> const& b) {
    double difference = 0, power = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference += std::norm(std::complex<double>(a[i] - b[i]));
        power += std::norm(std::complex<double>(b[i]));
    }
    return std::sqrt(difference / power);
}

// Within rounding, whatever adds up in another order.
void expect_near(PtychographyResult const& found, PtychographyResult const& twin, double most) {
    ASSERT_EQ(found.rounds.size(), twin.rounds.size());
    for (std::size_t i = 0; i < twin.rounds.size(); ++i) {
        EXPECT_NEAR(found.rounds[i].r, twin.rounds[i].r, most) << i;
        EXPECT_NEAR(found.rounds[i].r_intensity, twin.rounds[i].r_intensity, most) << i;
        EXPECT_NEAR(found.rounds[i].loss, twin.rounds[i].loss,
                    most * std::max(1.0, std::abs(twin.rounds[i].loss)))
            << i;
    }
    EXPECT_LT(apart(found.object.values, twin.object.values), most);
    EXPECT_LT(apart(found.probe.values, twin.probe.values), most);
    EXPECT_NEAR(found.floor, twin.floor, most);
    ASSERT_EQ(found.mode_powers.size(), twin.mode_powers.size());
    for (std::size_t k = 0; k < twin.mode_powers.size(); ++k)
        EXPECT_NEAR(found.mode_powers[k], twin.mode_powers[k], most);
    EXPECT_NEAR(found.probe_power, twin.probe_power, most);
    for (std::size_t j = 0; j < twin.positions.size(); ++j)
        EXPECT_LT(std::hypot(found.positions[j].row - twin.positions[j].row,
                             found.positions[j].col - twin.positions[j].col),
                  most)
            << j;
    EXPECT_EQ(found.notes.size(), twin.notes.size());
}

void expect_same(PtychographyResult const& a, PtychographyResult const& b) {
    EXPECT_EQ(a.object.values, b.object.values);
    EXPECT_EQ(a.probe.values, b.probe.values);
    for (std::size_t i = 0; i < a.rounds.size(); ++i) EXPECT_EQ(a.rounds[i].r, b.rounds[i].r);
}

// Places that are off by parts of a pixel.
Truth off_by_parts(Truth truth) {
    double part = 0;
    for (auto& position : truth.patterns.positions) {
        part = std::fmod(part + 0.37, 1);
        position.row += part - 0.5;
        position.col += 0.4 - 0.8 * part;
    }
    return truth;
}

// Where next to nothing is modelled, 1 - I / M makes much of rounding, on processors as well.
void leave_out_dark(stem4d::Patterns& patterns) {
    auto const pixels = static_cast<std::size_t>(patterns.size * patterns.size);
    std::vector<double> least(pixels, HUGE_VAL);
    std::visit(
        [&](auto const& counts) {
            for (std::size_t i = 0; i < counts.size(); ++i)
                least[i % pixels] = std::min(least[i % pixels], static_cast<double>(counts[i]));
        },
        patterns.counts);
    patterns.bad.assign(pixels, 0);
    for (std::size_t q = 0; q < pixels; ++q) patterns.bad[q] = least[q] < 5;
}

class OnDevices : public testing::TestWithParam<Recipe> {
  protected:
    // From the true probe: far from the answer, losses of counts send rounding everywhere.
    void compare(Truth truth, PtychographyOptions options) {
        if (GetParam().likelihood == Likelihood::poisson) leave_out_dark(truth.patterns);
        options.probe = truth.probe_as_given();
        bool const gentle = GetParam().likelihood != Likelihood::amplitude || options.slices > 1;
        if (gentle && GetParam().solver != S::adam)
            options.stages[0].object_step = options.stages[0].probe_step = 0.1;
        auto const found = on(Device::fake(), truth.patterns, options).value();
        options.device = Device::reference();
        auto const twin = stem4d::ptychography(truth.patterns, options).value();
        options.device = Device::cpu(1);
        auto const host = stem4d::ptychography(truth.patterns, options).value();
        expect_near(found, twin, 1e-4);
        expect_near(found, host, 2e-4);
    }
};

TEST_P(OnDevices, IsNearTheTwinInDouble) {
    compare(off_by_parts(simulate(32, 5, 4, 1e5, true)), options_of(GetParam(), 5));
}

TEST_P(OnDevices, OfWholePixelsAndBadOnesToo) {
    Truth truth = simulate(16, 5, 3, 1e5, true);
    truth.patterns.bad.assign(256, 0);
    truth.patterns.bad[37] = truth.patterns.bad[120] = 1;
    auto options = options_of(GetParam(), 4);
    options.sub_pixel = false;
    compare(truth, options);
}

TEST_P(OnDevices, OfModesAndSlices) {
    Simulation simulation{.side = 32, .places = 4, .step = 4.4, .counts = 1e5, .noise = true};
    simulation.wavelength_nm = 0.00197;
    simulation.pixel_nm = 0.02;
    Truth const truth = off_by_parts(simulate(simulation));
    auto options = options_of(GetParam(), 4);
    options.modes = 3;
    options.slices = 3;
    options.slice_nm = 2;
    options.tilt_row_mrad = 3;
    compare(truth, options);
}

TEST_P(OnDevices, HasTheSameBitsOnEveryDeviceAndInEachRun) {
    Truth const truth = off_by_parts(simulate(16, 5, 3, 1e5, true));
    auto options = options_of(GetParam(), 3);
    options.modes = 2;
    auto const first = on(Device::fake(), truth.patterns, options).value();
    std::vector<Device> all{Device::fake(), Device::reference(), Device::cpu(1), Device::cpu(3)};
    if (auto const gpu = Device::cuda()) all.push_back(*gpu);
    for (Device const& device : all)
        expect_same(first, on(device, truth.patterns, options).value());
}

TEST_P(OnDevices, OfPositionsThatMove) {
    Truth const truth = off_by_parts(simulate(32, 5, 4, 1e5, true));
    auto options = options_of(GetParam(), 4);
    options.stages[0].refine_positions = true;
    // A stage before it on whole pixels would not be one: they have parts later.
    options.stages.push_back(options.stages[0]);
    options.stages[1].position_model = stem4d::PtychographyStage::PositionModel::affine;
    compare(truth, options);
}

TEST_P(OnDevices, OfConstraints) {
    Simulation simulation{.side = 32, .places = 4, .step = 4, .counts = 1e5, .noise = true};
    simulation.wavelength_nm = 0.00197;
    simulation.pixel_nm = 0.02;
    Truth const truth = simulate(simulation);
    auto options = options_of(GetParam(), 3);
    auto& stage = options.stages[0];
    stage.tv_weight = 0.005;
    stage.probe_support = 0.45;
    stage.probe_aperture_mrad = 40;
    stage.object_support = 0.01;
    compare(truth, options);
    stage.moduli = stem4d::PtychographyStage::Moduli::at_most_one;
    stage.tikhonov = 0.05;
    options.modes = 2;
    compare(truth, options);
}

// Momentum of modes sets in after some iterations.
TEST(ModesOnDevices, HaveTheMomentumOfTheHost) {
    Truth const truth = off_by_parts(simulate(32, 5, 4, 1e5, true));
    auto options = options_of(Recipe{"", S::lsqml, 6}, 9);
    options.modes = 2;
    options.probe = truth.probe_as_given();
    auto const found = on(Device::fake(), truth.patterns, options).value();
    options.device = Device::reference();
    expect_near(found, stem4d::ptychography(truth.patterns, options).value(), 1e-3);
}

class ProjectionsOnDevices : public OnDevices {};

TEST_P(ProjectionsOnDevices, AreNearTheTwinInDouble) {
    Truth truth = off_by_parts(simulate(32, 5, 4, 1e5, true));
    truth.patterns.bad.assign(32 * 32, 0);
    truth.patterns.bad[37] = truth.patterns.bad[120] = 1;
    auto options = options_of(GetParam(), 6);
    compare(truth, options);
    options.modes = 3;
    options.stages[0].power_bound = 0;
    options.stages[0].probe_support = 0.45;
    options.stages[0].iterations = 4;
    compare(truth, options);
    // Some patterns' errors count as noise. One mode: weak ones of the same power turn freely.
    options.modes = 1;
    options.stages[0].power_bound = 1.2;
    compare(truth, options);
}

TEST_P(ProjectionsOnDevices, HaveTheSameBitsOnEveryDevice) {
    Truth const truth = simulate(16, 5, 3, 1e5, true);
    auto options = options_of(GetParam(), 3);
    options.modes = 2;
    auto const first = on(Device::fake(), truth.patterns, options).value();
    for (Device const& device : {Device::fake(), Device::reference(), Device::cpu(3)})
        expect_same(first, on(device, truth.patterns, options).value());
}

TEST_P(ProjectionsOnDevices, FollowAStageWhosePositionsMoved) {
    Truth const truth = off_by_parts(simulate(32, 5, 4, 1e5, true));
    auto options = options_of(Recipe{"", S::rpie, 5}, 3);
    options.stages[0].refine_positions = true;
    options.stages.push_back(options_of(GetParam(), 3).stages[0]);
    options.stages.push_back(options.stages[0]);
    compare(truth, options);
}

INSTANTIATE_TEST_SUITE_P(All, ProjectionsOnDevices,
                         testing::Values(Recipe{"ap", S::ap}, Recipe{"dm", S::dm},
                                         Recipe{"raar", S::raar}, Recipe{"rrr", S::rrr},
                                         Recipe{"sdr", S::sdr}),
                         [](auto const& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    All, OnDevices,
    testing::Values(Recipe{"epie", S::epie, 1}, Recipe{"epie_groups", S::epie, 6},
                    Recipe{"rpie", S::rpie, 5}, Recipe{"mpie", S::mpie, 5},
                    Recipe{"sgd", S::sgd, 6}, Recipe{"sgd_poisson", S::sgd, 6, Likelihood::poisson},
                    Recipe{"adam", S::adam, 7},
                    Recipe{"adam_gaussian", S::adam, 7, Likelihood::gaussian},
                    Recipe{"lsqml", S::lsqml, 6},
                    Recipe{"lsqml_poisson", S::lsqml, 0, Likelihood::poisson},
                    Recipe{"lsqml_gaussian", S::lsqml, 6, Likelihood::gaussian}),
    [](auto const& info) { return info.param.name; });

}  // namespace
}  // namespace sluice::ptycho
