// Dose volume histograms and fitted spreads beside closed forms.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "sluice/proton_metrics.h"

namespace sluice::proton {
namespace {

TEST(Dvh, OfARampIsALine) {
    // Doses 1 to 1000, in any order.
    std::vector<float> dose(1000), mask(1000, 1);
    for (std::size_t i = 0; i < dose.size(); ++i) dose[i] = static_cast<float>(i + 1);
    std::ranges::shuffle(dose, std::mt19937(3));
    Dvh const d = dvh(dose, mask).value();
    EXPECT_EQ(d.area, 1000);
    EXPECT_EQ(d.least, 1);
    EXPECT_EQ(d.most, 1000);
    EXPECT_NEAR(d.mean, 500.5, 1e-9);
    for (double const part : {0.02, 0.5, 0.95, 0.98})
        EXPECT_EQ(d.coverage(part), 1001 - 1000 * part) << part;
    EXPECT_EQ(d.coverage(0), 1000);
    EXPECT_EQ(d.coverage(1), 1);
    EXPECT_NEAR(d.volume(20), 0.981, 1e-12);
    EXPECT_NEAR(d.volume(20.5), 0.98, 1e-12);
    EXPECT_EQ(d.volume(0), 1);
    EXPECT_EQ(d.volume(1000), 0.001);
    EXPECT_EQ(d.volume(1001), 0);
}

TEST(Dvh, OfAGaussianIsItsArea) {
    // Of exp(-r^2 / 2 s^2) the area with at least d is 2 pi s^2 ln(1/d).
    int const n = 401;
    double const s = 30;
    std::vector<float> dose, mask(n * n, 1);
    for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c) {
            double const x = r - 200, y = c - 200;
            dose.push_back(static_cast<float>(std::exp(-(x * x + y * y) / (2 * s * s))));
        }
    Dvh const d = dvh(dose, mask).value();
    for (double const level : {0.1, 0.2, 0.5, 0.9}) {
        double const area = 2 * std::numbers::pi * s * s * std::log(1 / level);
        EXPECT_NEAR(d.volume(level) * n * n, area, 0.005 * area + 5) << level;
        EXPECT_NEAR(d.coverage(area / (n * n)), level, 0.005);
    }
}

TEST(Dvh, PixelsCountByTheirPart) {
    std::vector<float> const dose = {10, 20, 30, std::nanf("")}, mask = {1, 0.5f, 0.5f, 0};
    Dvh const d = dvh(dose, mask).value();
    EXPECT_EQ(d.area, 2);
    EXPECT_EQ(d.mean, 17.5);
    EXPECT_EQ(d.dose, (std::vector<double>{30, 20, 10}));
    EXPECT_EQ(d.part, (std::vector<double>{0.25, 0.5, 1}));
    EXPECT_EQ(d.coverage(0.25), 30);
    EXPECT_EQ(d.coverage(0.3), 20);
    EXPECT_EQ(d.volume(20), 0.5);
}

TEST(Dvh, BadInput) {
    std::vector<float> const dose = {1, 2, 3};
    auto const message = [&](std::vector<float> const& d, std::vector<float> const& m) {
        auto const r = dvh(d, m);
        return r ? std::string() : r.error().message;
    };
    EXPECT_NE(message(dose, {1, 1}).find("same shape"), std::string::npos);
    EXPECT_NE(message(dose, {0, 0, 0}).find("the structure is empty"), std::string::npos);
    EXPECT_NE(message({}, {}).find("the structure is empty"), std::string::npos);
    for (float const bad : {-0.1f, 2.0f, 255.0f, std::nanf(""), HUGE_VALF})
        EXPECT_NE(message(dose, {1, bad, 1}).find("pixel 1 of the structure"), std::string::npos)
            << bad;
    for (float const bad : {std::nanf(""), HUGE_VALF, -HUGE_VALF})
        EXPECT_NE(message({1, bad, 3}, {1, 1, 1}).find("pixel 1 in the structure"),
                  std::string::npos);
}

// Planes whose deposit is the integral of a Gaussian over columns, and of a wide one besides.
MarchResult gaussian(double sigma, double dx, double mean, double halo) {
    MarchResult r;
    r.planes = 1;
    r.columns = 401;
    r.dz = 1;
    r.dx = dx;
    r.x0 = -200.5 * dx;
    auto const below = [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; };
    for (index i = 0; i < r.columns; ++i) {
        double const from = r.x0 + dx * static_cast<double>(i) - mean, to = from + dx;
        auto const part = [&](double s) { return below(to / s) - below(from / s); };
        r.deposit.push_back((1 - halo) * part(sigma) + halo * part(8 * sigma));
    }
    return r;
}

TEST(CoreSigma, IsThatOfAGaussian) {
    for (double const sigma : {1.0, 2.5, 6.0})
        for (double const dx : {0.25, 0.5, 1.0})
            EXPECT_NEAR(core_sigma(gaussian(sigma, dx, 0.3, 0))[0], sigma,
                        (dx < sigma ? 0.003 : 0.02) * sigma)
                << sigma << " " << dx;
}

TEST(CoreSigma, DoesNotSeeTheHalo) {
    MarchResult const r = gaussian(3, 0.5, -7, 0.1);
    EXPECT_NEAR(core_sigma(r)[0], 3, 0.1);
    EXPECT_GT(lateral_sigma(r)[0], 7);
    // The other parts of the profile do not matter, whatever they are.
    MarchResult other = r;
    other.deposit[400] = 0.9 * *std::ranges::max_element(r.deposit);
    EXPECT_EQ(core_sigma(other)[0], core_sigma(r)[0]);
}

TEST(CoreSigma, IsNotThereWithoutAGaussian) {
    MarchResult r = gaussian(3, 0.5, 0, 0);
    r.deposit.assign(r.deposit.size(), 0);
    EXPECT_TRUE(std::isnan(core_sigma(r)[0]));
    r.deposit[200] = 1;
    EXPECT_TRUE(std::isnan(core_sigma(r)[0]));
    r.deposit.assign(r.deposit.size(), 1);
    EXPECT_TRUE(std::isnan(core_sigma(r)[0]));
    for (std::size_t i = 0; i < r.deposit.size(); ++i)
        r.deposit[i] = std::exp(1e-4 * std::pow(static_cast<double>(i) - 200, 2));
    EXPECT_TRUE(std::isnan(core_sigma(r)[0]));
}

}  // namespace
}  // namespace sluice::proton
