// The powers of modes: those of a source that is blurred are found from a start of 2 % each.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "domain/ptychography/modes.h"
#include "domain/ptychography/test_simulate.h"

namespace sluice::ptycho {
namespace {

using stem4d::PtychographyOptions;
using stem4d::PtychographyResult;

// Patterns of a source of four points at the corners of a square: four modes.
struct Blurred {
    Truth truth;  ///< its probe: the first mode
    std::vector<double> powers;
};

// The simulation's own probe, moved.
std::complex<double> wave(double y, double x, index side) {
    double const unit = 0.16 * static_cast<double>(side), v = y / unit, u = x / unit;
    return std::polar(std::exp(-0.5 * (u * u + v * v)), 0.8 * (u * u + v * v) + 0.3 * u * v);
}

Blurred blurred(index side, double contrast) {
    double const away = 0.055 * static_cast<double>(side), middle = static_cast<double>(side) / 2;
    Blurred made;
    std::vector<Planar<double>> modes;
    for (double const a : {-away, away})
        for (double const b : {-away, away}) {
            Simulation simulation{.side = side, .places = 11, .step = 3, .counts = 1e6};
            simulation.wish.object = [=](double y, double x) {
                return std::polar(
                    1.0, contrast * (std::sin(0.71 * x + 0.23 * y) + std::sin(0.83 * y - 0.3 * x) +
                                     std::sin(0.37 * x - 0.59 * y)));
            };
            simulation.wish.probe = [=](index, double y, double x) {
                return 0.5 * wave(y - a, x - b, side) / wave(y, x, side);
            };
            Truth one = simulate(simulation);
            modes.emplace_back(side, side);
            for (index r = 0; r < side; ++r)
                for (index c = 0; c < side; ++c)
                    modes.back().set(r, c,
                                     wave(static_cast<double>(r) - middle - a,
                                          static_cast<double>(c) - middle - b, side));
            if (made.truth.patterns.count() == 0)
                made.truth = std::move(one);
            else
                std::ranges::transform(
                    std::get<std::vector<float>>(made.truth.patterns.counts),
                    std::get<std::vector<float>>(one.patterns.counts),
                    std::get<std::vector<float>>(made.truth.patterns.counts).begin(),
                    std::plus<>{});
        }
    make_orthogonal(modes);
    made.powers = mode_powers(modes);
    double all = 0;
    for (double p : made.powers) all += p;
    for (double& p : made.powers) p /= all;
    made.truth.probe.clear();
    for (index r = 0; r < side; ++r)
        for (index c = 0; c < side; ++c) made.truth.probe.push_back(modes.front().at(r, c));
    return made;
}

PtychographyResult found(Blurred const& made, index iterations, Device const& device) {
    PtychographyOptions options;
    options.stages[0].iterations = iterations;
    options.modes = 4;
    options.probe = made.truth.probe_as_given();
    options.device = device;
    auto result = stem4d::ptychography(made.truth.patterns, options);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result ? *std::move(result) : PtychographyResult{};
}

bool told(PtychographyResult const& result) {
    return std::ranges::any_of(result.notes, [](std::string const& note) {
        return note.find("stayed near their first values") != std::string::npos;
    });
}

// By plain steps in double, and by those of kernels. The fourth mode is too weak to be told.
TEST(ModePowers, ComeToThoseOfTheSource) {
    for (index side : {32, 64}) {
        Blurred const made = blurred(side, 0.4);
        auto const result = found(made, 40, side == 64 ? Device::cpu() : Device::reference());
        ASSERT_EQ(result.mode_powers.size(), 4U);
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(result.mode_powers[k], made.powers[k], 0.2 * made.powers[k]) << side << k;
        EXPECT_LT(result.rounds.back().r, 0.013);
        EXPECT_FALSE(told(result));
    }
}

TEST(ModePowers, HaveTheSameBitsForAnyThreads) {
    Blurred const made = blurred(64, 0.4);
    auto const one = found(made, 8, Device::cpu(1)), three = found(made, 8, Device::cpu(3));
    EXPECT_EQ(one.mode_powers, three.mode_powers);
    EXPECT_EQ(one.object.values, three.object.values);
}

TEST(ModePowers, ThatStayedNearTheirStartAreTold) {
    auto const result = found(blurred(32, 0.1), 2, Device::reference());
    EXPECT_TRUE(told(result)) << result.mode_powers[0] << ' ' << result.mode_powers[1];
}

}  // namespace
}  // namespace sluice::ptycho
