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
                return std::polar(1.0, contrast * (std::sin(0.71 * x + 0.23 * y) +
                                                   std::sin(0.83 * y - 0.3 * x) +
                                                   std::sin(0.37 * x - 0.59 * y)));
            };
            simulation.wish.probe = [=](index, double y, double x) {
                return 0.5 * wave(y - a, x - b, side) / wave(y, x, side);
            };
            Truth one = simulate(simulation);
            modes.emplace_back(side, side);
            for (index r = 0; r < side; ++r)
                for (index c = 0; c < side; ++c)
                    modes.back().set(r, c, wave(static_cast<double>(r) - middle - a,
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

TEST(ModePowers, Print) {
    for (double contrast : {0.4, 0.8})
        for (index side : {32, 64}) {
            auto const made = blurred(side, contrast);
            for (index n : {20, 40, 60}) {
                auto const result =
                    found(made, n, side == 64 ? Device::cpu() : Device::reference());
                std::printf("%g %d %d:", contrast, (int)side, (int)n);
                for (double p : made.powers) std::printf(" %.3f", p);
                std::printf(" R %.5f", result.rounds.back().r);
                for (double p : result.mode_powers) std::printf(" %.3f", p);
                std::printf("\n");
                for (auto& m : result.notes) std::printf("   %s\n", m.c_str());
            }
        }
}

}  // namespace
}  // namespace sluice::ptycho
