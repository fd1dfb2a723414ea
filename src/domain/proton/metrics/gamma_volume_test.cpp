// Gamma in space beside closed forms, the gamma of maps, and a search by brute force.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sluice/proton_gamma.h"

namespace sluice::proton {
namespace {

using Sides = std::array<index, 3>;  // x, y, z
using Space = std::array<double, 3>;

Volume volume_of(Sides sides, Space spacing, Space origin, auto const& dose) {
    Volume v;
    v.image.shape = {sides[2], sides[1], sides[0]};
    v.spacing.assign(spacing.begin(), spacing.end());
    v.origin.assign(origin.begin(), origin.end());
    for (index z = 0; z < sides[2]; ++z)
        for (index y = 0; y < sides[1]; ++y)
            for (index x = 0; x < sides[0]; ++x)
                v.image.values.push_back(
                    static_cast<float>(dose(origin[0] + spacing[0] * static_cast<double>(x),
                                            origin[1] + spacing[1] * static_cast<double>(y),
                                            origin[2] + spacing[2] * static_cast<double>(z))));
    return v;
}

TEST(GammaVolume, OfAFlatDoseIsTheDifference) {
    auto const flat = [](double value) {
        return volume_of({5, 6, 7}, {1, 2, 1.5}, {}, [=](double, double, double) { return value; });
    };
    for (double const s : {0.97, 0.99, 1.0, 1.013, 1.03}) {
        auto const g = gamma_index(flat(2), flat(2 * s), {.dose = 0.02, .distance = 3}).value();
        for (float const v : g.gamma.image.values)
            EXPECT_NEAR(v, std::abs(s - 1) / 0.02, 1e-4) << s;
        EXPECT_EQ(g.points, 5 * 6 * 7);
        EXPECT_EQ(g.passed, std::abs(s - 1) <= 0.02 ? 1 : 0);
        EXPECT_EQ(g.outside, 0);
    }
}

TEST(GammaVolume, OfASlopeIsTheDistanceToAPlane) {
    // The evaluated dose lies c above; other voxels elsewhere, and a slope along each axis.
    double const c = 0.02;
    auto const slope = [](double more) {
        return [=](double x, double y, double z) {
            return 1 + more + 0.01 * x - 0.02 * y + 0.005 * z;
        };
    };
    Volume const reference = volume_of({20, 20, 20}, {1, 1, 1}, {}, slope(0));
    Volume const evaluated = volume_of({30, 28, 21}, {0.7, 0.8, 1.1}, {-0.3, -1.1, -0.9}, slope(c));
    GammaOptions const o{.dose = 0.03, .distance = 2};
    auto const g = gamma_index(reference, evaluated, o).value();
    double const unit = 0.03 * g.highest_dose,
                 steep = std::hypot(0.01, 0.02, 0.005) * o.distance / unit,
                 expected = c / unit / std::hypot(1.0, steep);
    EXPECT_NEAR(g.highest_dose, 1 + 0.19 + 0.095, 1e-6);
    for (index z = 3; z < 17; ++z)
        for (index y = 3; y < 17; ++y)
            for (index x = 3; x < 17; ++x)
                ASSERT_NEAR(g.gamma.image.values[static_cast<std::size_t>((z * 20 + y) * 20 + x)],
                            expected, 1e-5);
}

// A dose that is a sum over two axes is the same in every way to cut cells.
TEST(GammaVolume, OfADoseThatDoesNotChangeAlongAnAxisIsThatOfAMap) {
    auto const bell = [](double at, double wide) { return std::exp(-at * at / (2 * wide * wide)); };
    auto const dose = [&](double shift) {
        return [&, shift](double u, double v) { return bell(u - 9 - shift, 3) + bell(v - 8, 4); };
    };
    index const n = 20;
    DoseMap a{n, n, 1, 1, 0, 0, {}}, b = a;
    for (index r = 0; r < n; ++r)
        for (index k = 0; k < n; ++k) {
            a.values.push_back(static_cast<float>(dose(0)(double(r), double(k))));
            b.values.push_back(static_cast<float>(1.01 * dose(1.3)(double(r), double(k))));
        }
    GammaOptions const o{.dose = 0.02, .distance = 1.5};
    auto const map = gamma_index(a, b, o).value();
    EXPECT_GT(map.mean, 0.3);
    for (std::size_t const still : {0U, 1U, 2U}) {
        std::size_t const down = still == 0 ? 1 : 0, across = still == 2 ? 1 : 2;
        Sides sides{n, n, n};
        sides[still] = 4;
        auto const in_space = [&](double shift, double factor) {
            return volume_of(sides, {1, 1, 1}, {}, [&](double x, double y, double z) {
                Space const p{x, y, z};
                return factor * dose(shift)(p[down], p[across]);
            });
        };
        auto const g = gamma_index(in_space(0, 1), in_space(1.3, 1.01), o).value();
        EXPECT_EQ(g.points, 4 * map.points);
        for (index i = 0; i < n * n * 4; ++i) {
            Space const at{double(i % sides[0]), double(i / sides[0] % sides[1]),
                           double(i / sides[0] / sides[1])};
            double const expected =
                map.gamma[static_cast<std::size_t>(at[down] * double(n) + at[across])];
            if (std::isnan(expected))
                EXPECT_TRUE(std::isnan(g.gamma.image.values[static_cast<std::size_t>(i)]));
            else
                ASSERT_NEAR(g.gamma.image.values[static_cast<std::size_t>(i)], expected, 1e-5);
        }
    }
}

/// Between corners, along one axis after the other: the farthest first.
double between(std::vector<float> const& v, index n, Space const& at) {
    std::array<index, 3> low;
    std::array<std::pair<double, std::size_t>, 3> part;
    for (std::size_t a = 0; a < 3; ++a) {
        low[a] = std::min(static_cast<index>(at[a]), n - 2);
        part[a] = {at[a] - static_cast<double>(low[a]), a};
    }
    std::ranges::sort(part, std::greater());
    auto const value = [&](std::array<index, 3> const& p) {
        return static_cast<double>(v[static_cast<std::size_t>((p[2] * n + p[1]) * n + p[0])]);
    };
    double out = value(low);
    for (auto const& [u, a] : part) {
        double const before = value(low);
        ++low[a];
        out += u * (value(low) - before);
    }
    return out;
}

TEST(GammaVolume, IsTheLeastThatASearchFinds) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> draw(0.5F, 1);
    index const n = 7;
    Volume a = volume_of({n, n, n}, {1, 1, 1}, {}, [](double, double, double) { return 1.0; }),
           b = a;
    for (float& v : a.image.values) v = draw(random);
    for (float& v : b.image.values) v = draw(random);
    GammaOptions const o{.dose = 0.1, .distance = 1.2, .most = 3};
    auto const g = gamma_index(a, b, o).value();
    double const unit = o.dose * g.highest_dose, step = 1.0 / 12;
    for (index k = 0; k < n * n * n; k += 23) {
        Space const at{double(k % n), double(k / n % n), double(k / n / n)};
        double const dose = a.image.values[static_cast<std::size_t>(k)];
        double best = 9;
        for (double z = 0; z <= 6; z += step)
            for (double y = 0; y <= 6; y += step)
                for (double x = 0; x <= 6; x += step) {
                    double const far =
                        (std::pow(x - at[0], 2) + std::pow(y - at[1], 2) + std::pow(z - at[2], 2)) /
                        (o.distance * o.distance);
                    if (far >= best) continue;
                    double const off = (between(b.image.values, n, {x, y, z}) - dose) / unit;
                    best = std::min(best, far + off * off);
                }
        double const found = g.gamma.image.values[static_cast<std::size_t>(k)];
        EXPECT_LE(found, std::sqrt(best) + 1e-5) << k;
        // The search misses the least place by half a step along each axis at most.
        EXPECT_GE(found, std::sqrt(best) - 0.25) << k;
    }
}

TEST(GammaVolume, PlacesThatTheEvaluatedImageLacksFail) {
    auto const one = [](double, double, double) { return 1.0; };
    Volume const a = volume_of({10, 4, 4}, {2, 2, 2}, {}, one);
    Volume const b = volume_of({5, 4, 4}, {2, 2, 2}, {}, one);
    auto const g = gamma_index(a, b, {.dose = 0.02, .distance = 1}).value();
    EXPECT_EQ(g.outside, 5 * 4 * 4);
    EXPECT_DOUBLE_EQ(g.passed, 0.5);
    // 2 mm beside the last one of b.
    EXPECT_FLOAT_EQ(g.gamma.image.values[5], 2);
}

TEST(GammaVolume, DoesNotDependOnThreadsAndKnowsMirroredAxes) {
    auto const dose = [](double f) {
        return [=](double x, double y, double z) {
            return f * (2 + std::sin(0.3 * x) + std::cos(0.2 * y * z));
        };
    };
    Volume a = volume_of({12, 11, 10}, {1, 1.2, 1.4}, {5, 6, 7}, dose(1));
    Volume b = volume_of({13, 11, 9}, {0.9, 1.2, 1.5}, {5.2, 6, 7}, dose(1.02));
    GammaOptions o{.dose = 0.02, .distance = 1, .local = true, .threads = 1};
    auto const once = gamma_index(a, b, o).value();
    o.threads = 4;
    auto const again = gamma_index(a, b, o).value();
    EXPECT_EQ(once.mean, again.mean);
    // Both mirrored: the patient lies the other way, and the doses are as far apart.
    for (Volume* const v : {&a, &b}) {
        v->direction[0] = {-1, 0, 0};
        v->direction[1] = {0, -1, 0};
        v->origin[0] *= -1;
        v->origin[1] *= -1;
    }
    EXPECT_EQ(gamma_index(a, b, o).value().mean, once.mean);
    b.direction = straight_axes;
    EXPECT_FALSE(gamma_index(a, b, o));
}

TEST(GammaVolume, BadInput) {
    auto const one = [](double, double, double) { return 1.0; };
    Volume const good = volume_of({3, 3, 3}, {1, 1, 1}, {}, one);
    auto const why = [&](Volume const& a, Volume const& b) {
        auto const g = gamma_index(a, b);
        return g ? std::string() : g.error().message;
    };
    EXPECT_EQ(why(good, good), "");
    Volume v = good;
    v.image.values[4] = std::nanf("");
    EXPECT_NE(why(good, v).find("the evaluated dose has a value that is not a finite number"),
              std::string::npos);
    v = volume_of({3, 3, 1}, {1, 1, 1}, {}, one);
    EXPECT_NE(why(v, good).find("3x3x1"), std::string::npos);
    v = good;
    v.spacing.clear();
    EXPECT_NE(why(v, good).find("does not state its spacing"), std::string::npos);
    v = good;
    v.image.values.assign(27, 0.0F);
    EXPECT_NE(why(v, good).find("has no dose"), std::string::npos);
    EXPECT_FALSE(gamma_index(good, good, {.distance = 0}));
}

}  // namespace
}  // namespace sluice::proton
