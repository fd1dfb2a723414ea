// Orthogonal modes: they are, and the sum of their intensities is as it was.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/modes.h"

#include <gtest/gtest.h>

#include "base/splitmix.h"

namespace sluice::ptycho {
namespace {

std::vector<Planar<double>> some_modes(index count, index n) {
    std::vector<Planar<double>> modes;
    std::uint64_t at = 1;
    auto const draw = [&] {
        at += splitmix::golden;
        return static_cast<double>(splitmix::mix(at) >> 11) * 0x1p-53 - 0.4;
    };
    for (index k = 0; k < count; ++k) {
        modes.emplace_back(n, n);
        for (index r = 0; r < n; ++r)
            for (index c = 0; c < n; ++c) modes.back().set(r, c, {draw(), draw()});
    }
    return modes;
}

TEST(Modes, BecomeOrthogonalAndKeepTheirIntensity) {
    auto modes = some_modes(5, 12);
    auto const before = modes;
    make_orthogonal(modes);
    auto const powers = mode_powers(modes);
    for (std::size_t a = 0; a < modes.size(); ++a) {
        if (a > 0) {
            EXPECT_GE(powers[a - 1], powers[a]);
        }
        for (std::size_t b = 0; b < a; ++b) {
            std::complex<double> sum{};
            for (index r = 0; r < 12; ++r)
                for (index c = 0; c < 12; ++c)
                    sum += std::conj(modes[a].at(r, c)) * modes[b].at(r, c);
            EXPECT_LT(std::abs(sum), 1e-12 * powers[0]);
        }
    }
    for (index r = 0; r < 12; ++r)
        for (index c = 0; c < 12; ++c) {
            double was = 0, is = 0;
            for (std::size_t k = 0; k < modes.size(); ++k) {
                was += std::norm(before[k].at(r, c));
                is += std::norm(modes[k].at(r, c));
            }
            EXPECT_NEAR(is, was, 1e-12 * was + 1e-15);
        }
}

TEST(Modes, OfAStartHaveTheirPowers) {
    auto modes = some_modes(1, 16);
    double const power = mode_powers(modes)[0];
    add_modes(modes, 4);
    auto const powers = mode_powers(modes);
    ASSERT_EQ(powers.size(), 4u);
    EXPECT_NEAR(powers[0], 0.94 * power, 1e-9 * power);
    for (std::size_t k = 1; k < 4; ++k) EXPECT_NEAR(powers[k], 0.02 * power, 1e-9 * power);
}

TEST(Modes, OfWhichThereAreManyLeaveTheFirstHalfOfThePower) {
    auto modes = some_modes(1, 16);
    double const power = mode_powers(modes)[0];
    add_modes(modes, 64);
    auto const powers = mode_powers(modes);
    ASSERT_EQ(powers.size(), 64u);
    EXPECT_NEAR(powers[0], 0.5 * power, 1e-9 * power);
    EXPECT_NEAR(powers[63], 0.5 / 63 * power, 1e-6 * power);
}

TEST(Modes, AreNoMoreThanFitIntoAProbe) {
    std::vector<Planar<double>> modes(1, Planar<double>(16, 16));
    modes[0].set(8, 8, 1.0);
    modes[0].set(8, 9, 1.0);
    add_modes(modes, 4);
    EXPECT_EQ(modes.size(), 2u);
}

TEST(Modes, AreAddedToSome) {
    for (index count : {5, 64}) {
        auto modes = some_modes(2, 16);
        make_orthogonal(modes);
        auto const before = mode_powers(modes);
        add_modes(modes, count);
        auto const powers = mode_powers(modes);
        ASSERT_EQ(std::ssize(powers), count);
        double all = 0;
        for (double p : powers) all += p;
        EXPECT_NEAR(all, before[0] + before[1], 1e-9 * all);
        EXPECT_NEAR(powers[1] / powers[0], before[1] / before[0], 1e-9);
        EXPECT_NEAR(powers[4], std::min(0.02, 0.5 / static_cast<double>(count - 2)) * all,
                    1e-9 * all);
    }
}

}  // namespace
}  // namespace sluice::ptycho
