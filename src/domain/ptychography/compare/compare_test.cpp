// Ramps, alignments and ring correlations against closed forms.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "domain/ptychography/test_simulate.h"
#include "sluice/ptychography_compare.h"

namespace sluice::ptycho {
namespace {

using stem4d::Ramp;
using Object = Array<std::complex<float>>;
constexpr double pi = std::numbers::pi;

// A sum of waves whole numbers of which fit, at a place of any fraction: periodic, so that moving
// it is exact.
std::complex<double> thing(double r, double c, double side) {
    double const a = 2 * pi * r / side, b = 2 * pi * c / side;
    double const phase =
        0.6 * std::sin(3 * a + b) + 0.4 * std::cos(5 * b - 2 * a) + 0.3 * std::sin(4 * a);
    return std::polar(1 - 0.2 * std::cos(2 * a - 3 * b), phase);
}

Object object_of(index side, double row, double col, Ramp const& ramp, double scale) {
    auto object = Object::zeros({side, side});
    for (index r = 0; r < side; ++r)
        for (index c = 0; c < side; ++c) {
            auto const y = static_cast<double>(r), x = static_cast<double>(c);
            object.values[static_cast<std::size_t>(r * side + c)] =
                static_cast<std::complex<float>>(
                    scale * thing(y + row, x + col, static_cast<double>(side)) *
                    std::polar(1.0, ramp.row * y + ramp.col * x + ramp.phase));
        }
    return object;
}

TEST(Ramp, IsTakenOffThoughItWraps) {
    Ramp const put{0.7123, -0.2511, 1.3};
    auto object = object_of(64, 0, 0, put, 1), own = object_of(64, 0, 0, {}, 1);
    Ramp const found = stem4d::remove_ramp(object).value();
    Ramp const without = stem4d::remove_ramp(own).value();
    EXPECT_NEAR(found.row - without.row, put.row, 1e-5);
    EXPECT_NEAR(found.col - without.col, put.col, 1e-5);
    EXPECT_NEAR(std::hypot(without.row, without.col), 0, 0.01);
    // And again: nothing is left.
    Ramp const left = stem4d::remove_ramp(object).value();
    EXPECT_NEAR(left.row, 0, 1e-6);
    EXPECT_NEAR(left.phase, 0, 1e-5);
}

TEST(Ramp, LooksAtTheRegionOnlyAndSharesSlices) {
    index const side = 48;
    auto object = Object::zeros({2, side, side});
    std::vector<std::uint8_t> region(static_cast<std::size_t>(side * side));
    for (index i = 0; i < 2 * side * side; ++i) {
        index const r = i / side % side, c = i % side;
        bool const in = r > 10 && r < 30 && c > 5 && c < 40;
        region[static_cast<std::size_t>(i % (side * side))] = in;
        auto const y = static_cast<double>(r), x = static_cast<double>(c);
        object.values[static_cast<std::size_t>(i)] = static_cast<std::complex<float>>(
            std::polar(1.0, in ? 0.1 * y - 0.05 * x + 0.2 : 0.9 * y));
    }
    Ramp const found = stem4d::remove_ramp(object, region).value();
    EXPECT_NEAR(found.row, 0.2, 1e-5);
    EXPECT_NEAR(found.col, -0.1, 1e-5);
    EXPECT_NEAR(found.phase, 0.4, 1e-4);
    EXPECT_NEAR(std::arg(object.values[20 * side + 20]), 0, 1e-5);
}

// Vacuum, and what begins at column 54 of 96: a wedge, a steep one that wraps, atoms, a film.
double beside_vacuum(index kind, double r, double c) {
    if (c < 54) return 0;
    auto const near = [](double v) { return v - 9 * std::round(v / 9); };
    switch (kind) {
        case 0:
            return 0.03 * (c - 54);
        case 1:
            return 0.31 * (c - 54) - 0.2 * r;
        case 2:
            return 0.5 * std::exp(-0.25 * (near(r) * near(r) + near(c) * near(c)));
        default:
            return 0.8;
    }
}

TEST(Ramp, LeavesVacuumFlat) {
    index const side = 96;
    std::mt19937_64 bits(7);
    std::normal_distribution<double> draw(0, 0.04);
    Ramp const put{0.43, -0.61, 0.3};
    for (index slices : {1, 2})
        for (index kind = 0; kind < 4; ++kind) {
            auto object = Object::zeros({slices, side, side});
            for (index i = 0; i < object.size(); ++i) {
                auto const r = static_cast<double>(i / side % side);
                auto const c = static_cast<double>(i % side);
                double const phase = (beside_vacuum(kind, r, c) + put.row * r + put.col * c) /
                                         static_cast<double>(slices) +
                                     draw(bits);
                object.values[static_cast<std::size_t>(i)] =
                    static_cast<std::complex<float>>(std::polar(1 + draw(bits), phase));
            }
            Ramp const found = stem4d::remove_ramp(object).value();
            // In rad over the whole plane: the strongest wave is 0.2 to 2 off.
            EXPECT_NEAR((found.row - put.row) * side, 0, 0.06) << kind << slices;
            EXPECT_NEAR((found.col - put.col) * side, 0, 0.06) << kind << slices;
        }
}

TEST(Ramp, OfOneRowHasNoTiltAcrossIt) {
    auto object = Object::zeros({16, 32});
    std::vector<std::uint8_t> region(16 * 32);
    for (index c = 0; c < 32; ++c) {
        auto const at = static_cast<std::size_t>(9 * 32 + c);
        object.values[at] = std::polar(1.0F, 0.3F * static_cast<float>(c));
        region[at] = 1;
    }
    Ramp const found = stem4d::remove_ramp(object, region).value();
    EXPECT_EQ(found.row, 0);
    EXPECT_NEAR(found.col, 0.3, 1e-3);
}

TEST(Ramp, GoesToTheProbeSoThatPatternsStay) {
    Truth const truth = simulate(32, 6, 5, 1e6, false);
    stem4d::PtychographyOptions options;
    options.stages[0].iterations = 20;
    options.stages[0].group = 8;
    options.margin = 4;
    auto probe = truth.probe_as_given();
    for (std::size_t i = 0; i < probe.size(); ++i)
        probe[i] *= std::polar(1.0f, 0.15f * static_cast<float>(i % 32));
    options.probe = probe;
    auto result = stem4d::ptychography(truth.patterns, options).value();
    auto const before = result;
    Ramp const ramp = stem4d::remove_ramp(result).value();
    EXPECT_GT(std::hypot(ramp.row, ramp.col), 0.01);
    // Behind the object, waves differ by a phase for each place.
    index const cols = before.object.shape[2];
    for (auto const& p : before.positions) {
        std::complex<double> product{};
        double power = 0;
        for (index r = 0; r < 32; ++r)
            for (index c = 0; c < 32; ++c) {
                auto const at = static_cast<std::size_t>((static_cast<index>(p.row) + r) * cols +
                                                         static_cast<index>(p.col) + c);
                auto const in = static_cast<std::size_t>(r * 32 + c);
                std::complex<double> const a(before.object.values[at] * before.probe.values[in]);
                std::complex<double> const b(result.object.values[at] * result.probe.values[in]);
                product += a * std::conj(b);
                power += std::norm(a);
            }
        EXPECT_NEAR(std::abs(product) / power, 1, 1e-5);
    }
}

TEST(Align, TakesOffScaleRampAndTranslation) {
    Object const truth = object_of(64, 0, 0, {0.02, 0.01, 0.4}, 1);
    Object const found = object_of(64, 3.3, -1.75, {-0.31, 0.12, 2}, 3.5);
    auto const a = stem4d::align(found, truth).value();
    EXPECT_NEAR(a.shift.row, 3.3, 0.01);
    EXPECT_NEAR(a.shift.col, -1.75, 0.01);
    EXPECT_NEAR(a.scale, 3.5, 0.01);
    EXPECT_NEAR(a.ramp.row, -0.33, 2e-3);
    // The ramp's wrap at the border leaves a little.
    std::vector<std::uint8_t> middle(64 * 64);
    for (std::size_t i = 0; i < middle.size(); ++i)
        middle[i] = i / 64 >= 12 && i / 64 < 52 && i % 64 >= 12 && i % 64 < 52;
    auto const inner = stem4d::align(found, truth, middle).value();
    EXPECT_LT(inner.phase_rms, 0.01);
    EXPECT_LT(inner.amplitude_rms, 0.01);
}

TEST(Align, SeesADifference) {
    Object const truth = object_of(64, 0, 0, {}, 1);
    Object found = truth;
    std::mt19937_64 bits(5);
    std::normal_distribution<double> draw(0, 0.1);
    for (auto& z : found.values) z *= static_cast<std::complex<float>>(std::polar(1.0, draw(bits)));
    EXPECT_NEAR(stem4d::align(found, truth).value().phase_rms, 0.1, 0.005);
}

TEST(Align, RefusesOtherShapes) {
    EXPECT_FALSE(stem4d::align(Object::zeros({4, 5}), Object::zeros({5, 4})).has_value());
    EXPECT_FALSE(stem4d::align(Object::zeros({40, 50}), Object::zeros({40, 50})).has_value());
    EXPECT_FALSE(stem4d::ring_correlation(Object::zeros({8, 8}), Object::zeros({8, 8}), 1));
}

// 1 + what is common + what is not, all white.
Object noisy(index side, double common, double own, unsigned seed) {
    auto object = Object::zeros({side, side});
    std::mt19937_64 same(1), bits(seed);
    std::normal_distribution<double> draw;
    for (auto& z : object.values) {
        std::complex<double> const c(draw(same), draw(same)), o(draw(bits), draw(bits));
        z = static_cast<std::complex<float>>(1.0 + common * c + own * o);
    }
    return object;
}

double mean_of(std::vector<double> const& v) {
    double sum = 0;
    for (std::size_t i = 3; i < v.size(); ++i) sum += v[i];
    return sum / static_cast<double>(v.size() - 3);
}

TEST(RingCorrelation, OfIndependentNoiseIsNothing) {
    auto const found =
        stem4d::ring_correlation(noisy(128, 0, 0.05, 2), noisy(128, 0, 0.05, 3), 0.1).value();
    // A translation of up to four pixels is chosen as suits the noise best: that is worth 0.02.
    EXPECT_NEAR(mean_of(found.correlation), 0, 0.04);
    EXPECT_TRUE(found.crossed);
    EXPECT_GT(found.resolution, 2);
}

TEST(RingCorrelation, IsThePartThatIsCommon) {
    for (double own : {0.025, 0.05, 0.1}) {
        double const ratio = std::pow(0.05 / own, 2);
        auto const found =
            stem4d::ring_correlation(noisy(128, 0.05, own, 2), noisy(128, 0.05, own, 3), 0.1)
                .value();
        EXPECT_NEAR(mean_of(found.correlation), ratio / (1 + ratio), 0.03) << own;
        EXPECT_NEAR(found.shift.row, 0, 0.1);
    }
}

TEST(RingCorrelation, FallsWhereTheCommonPartEnds) {
    // Common waves up to a quarter of a cycle per pixel, noise everywhere.
    index const side = 64;
    auto a = noisy(side, 0, 0.01, 7), b = noisy(side, 0, 0.01, 8);
    std::mt19937_64 bits(9);
    std::uniform_real_distribution<double> draw(0, 2 * pi);
    for (index k = -16; k <= 16; ++k)
        for (index l = -16; l <= 16; ++l) {
            if (k * k + l * l > 16 * 16 || (k == 0 && l == 0)) continue;
            double const phase = draw(bits);
            for (index r = 0; r < side; ++r)
                for (index c = 0; c < side; ++c) {
                    auto const wave = static_cast<std::complex<float>>(std::polar(
                        0.004, phase + 2 * pi * static_cast<double>(k * r + l * c) / 64));
                    a.values[static_cast<std::size_t>(r * side + c)] += wave;
                    b.values[static_cast<std::size_t>(r * side + c)] += wave;
                }
        }
    auto const found = stem4d::ring_correlation(a, b, 0.5).value();
    // A period of four pixels of 0.5 nm; the window spreads the edge over two rings.
    EXPECT_NEAR(found.resolution, 2, 0.25);
    EXPECT_EQ(found.frequency.size(), found.correlation.size());
    EXPECT_NEAR(found.frequency.back(), 1, 0.04);
}

TEST(RingCorrelation, DoesNotMindRampsScalesAndParts) {
    Object const a = object_of(64, 0, 0, {}, 1);
    Object const b = object_of(64, 1.4, -2.3, {0.2, -0.1, 1}, 0.3);
    auto const found = stem4d::ring_correlation(a, b, 1).value();
    EXPECT_NEAR(found.shift.row, -1.4, 0.02);
    EXPECT_NEAR(found.shift.col, 2.3, 0.02);
    // The thing has waves up to the eighth ring and their products.
    for (std::size_t i = 0; i < 12; ++i) EXPECT_GT(found.correlation[i], 0.95) << i;
}

}  // namespace
}  // namespace sluice::ptycho
