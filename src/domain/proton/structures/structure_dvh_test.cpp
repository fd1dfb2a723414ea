// Histograms of spheres in doses whose histograms are known.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "base/test_deep.h"
#include "sluice/proton_structure_dvh.h"

namespace sluice::proton {
namespace {

using Vector = std::array<double, 3>;
constexpr double pi = std::numbers::pi;

double distance(Vector const& a, Vector const& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// Circles of a sphere in planes `step` apart.
Structure sphere(double radius, Vector const& middle, double step, double first) {
    Structure s;
    s.name = "sphere";
    double z = middle[2] - radius;
    z += step - std::fmod(std::fmod(z - first, step) + step, step);
    for (; z < middle[2] + radius; z += step) {
        double const r = std::sqrt(std::max(radius * radius - std::pow(z - middle[2], 2), 1e-4));
        Contour c;
        for (int i = 0; i < 120; ++i)
            c.push_back({middle[0] + r * std::cos(2 * pi * i / 120),
                         middle[1] + r * std::sin(2 * pi * i / 120), z});
        s.contours.push_back(std::move(c));
    }
    return s;
}

/// On elements of 2.5 mm from -40 to 40.
Volume dose_of(std::function<double(Vector const&)> const& f) {
    Volume v{Array<float>::zeros({33, 33, 33}), {2.5, 2.5, 2.5}, {-40, -40, -40}};
    std::size_t i = 0;
    for (int z = 0; z < 33; ++z)
        for (int y = 0; y < 33; ++y)
            for (int x = 0; x < 33; ++x)
                v.image.values[i++] =
                    static_cast<float>(f({-40 + 2.5 * x, -40 + 2.5 * y, -40 + 2.5 * z}));
    return v;
}

/// A dose, and the part of a sphere that has at least a value of it.
struct Known {
    std::function<double(Vector const&)> dose;
    std::function<double(double)> volume;
    double gradient;  // the steepest one
};

// Of a + g (p - middle) n.
Known linear(double radius, Vector const& middle, Vector const& n, double g) {
    return {[=](Vector const& p) {
                double along = 0;
                for (std::size_t k = 0; k < 3; ++k) along += (p[k] - middle[k]) * n[k];
                return 50 + g * along;
            },
            [=](double d) {
                double const t = std::clamp((d - 50) / g, -radius, radius);
                return pi * std::pow(radius - t, 2) * (2 * radius + t) / 3 /
                       (4 * pi / 3 * std::pow(radius, 3));
            },
            g};
}

// The part of a sphere of radius b that a sphere of radius a at distance d has.
double lens(double a, double b, double d) {
    if (d >= a + b) return 0;
    if (d <= std::abs(a - b)) return std::min(1.0, std::pow(a / b, 3));
    double const v =
        pi * std::pow(a + b - d, 2) * (d * d + 2 * d * (a + b) - 3 * std::pow(a - b, 2)) / (12 * d);
    return v / (4 * pi / 3 * b * b * b);
}

// Of 100 exp(-|p - top|^2 / 2 s^2).
Known gaussian(double radius, Vector const& middle, Vector const& top, double s) {
    return {[=](Vector const& p) {
                return 100 * std::exp(-std::pow(distance(p, top), 2) / (2 * s * s));
            },
            [=](double d) {
                if (d >= 100) return 0.0;
                return lens(s * std::sqrt(2 * std::log(100 / d)), radius, distance(middle, top));
            },
            100 / s * std::exp(-0.5)};
}

double exact_coverage(Known const& k, double part) {
    double low = -1000, high = 1000;
    for (int i = 0; i < 100; ++i)
        (k.volume((low + high) / 2) >= part ? low : high) = (low + high) / 2;
    return low;
}

/// The largest errors over places and directions.
struct Errors {
    double volume = 0;  // of the parts of the volume at any dose
    double dose = 0;    // of D98, D95, D50 and D2, as mm along the steepest gradient
};

Errors errors_of(StructureDvh const& found, Known const& k) {
    Errors e;
    for (int i = 0; i <= 1000; ++i) {
        double const d = found.dvh.least + (found.dvh.most - found.dvh.least) * i / 1000;
        e.volume = std::max(e.volume, std::abs(found.dvh.volume(d) - k.volume(d)));
    }
    for (double const part : {0.98, 0.95, 0.5, 0.02})
        e.dose = std::max(
            e.dose, std::abs(found.dvh.coverage(part) - exact_coverage(k, part)) / k.gradient);
    return e;
}

// Every other direction is along an axis: there whole layers of elements have one dose.
Vector direction(std::mt19937& random, int n) {
    if (n % 4 == 0) return {1, 0, 0};
    if (n % 4 == 2) return {0, 0, 1};
    std::uniform_real_distribution<double> any(-1, 1);
    Vector v{any(random), any(random), any(random)};
    double const length = distance(v, {});
    for (double& c : v) c /= length;
    return v;
}

Errors errors(double radius, bool bump, double step, int samples) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> shift(-1.25, 1.25);
    Errors most;
    for (int n = 0; n < (deep_tests() ? 12 : 2); ++n) {
        Vector const middle{shift(random), shift(random), shift(random)};
        Vector const along = direction(random, n);
        Vector top = middle;
        for (std::size_t c = 0; c < 3; ++c) top[c] += 10 * along[c];
        Known const k =
            bump ? gaussian(radius, middle, top, 10) : linear(radius, middle, along, 1.5);
        Errors const e =
            errors_of(structure_dvh(dose_of(k.dose), sphere(radius, middle, step, shift(random)),
                                    {.samples = samples})
                          .value(),
                      k);
        most.volume = std::max(most.volume, e.volume);
        most.dose = std::max(most.dose, e.dose);
    }
    return most;
}

// The table of the manual. What is left with contours 2.5 mm apart is theirs: stairs for a sphere.
TEST(StructureDvh, OfSpheresIsThatOfTheClosedForm) {
    struct Row {
        double radius, volume, dose, coarse_volume, coarse_dose;
    };
    constexpr Row rows[] = {{3, 0.022, 0.32, 0.12, 1.05},
                            {5, 0.012, 0.2, 0.04, 0.95},
                            {10, 0.01, 0.16, 0.013, 0.5},
                            {30, 0.009, 0.33, 0.009, 0.35}};
    for (Row const& r : rows)
        for (bool const bump : {false, true}) {
            Errors const fine = errors(r.radius, bump, 1, 0),
                         coarse = errors(r.radius, bump, 2.5, 0);
            EXPECT_LT(fine.volume, r.volume) << r.radius << bump;
            EXPECT_LT(fine.dose, r.dose) << r.radius << bump;
            EXPECT_LT(coarse.volume, r.coarse_volume) << r.radius << bump;
            EXPECT_LT(coarse.dose, r.coarse_dose) << r.radius << bump;
        }
    // Elements as they are: a quarter of the volume has one dose.
    EXPECT_GT(errors(3, false, 1, 1).volume, 0.2);
    EXPECT_GT(errors(10, false, 1, 1).dose, 0.8);
}

TEST(StructureDvh, WithOneSampleIsThatOfTheParts) {
    Vector const middle{0.3, -0.7, 1.1};
    Known const k = gaussian(10, middle, {5, 5, 5}, 12);
    Volume const dose = dose_of(k.dose);
    Structure const s = sphere(10, middle, 2, 0.4);
    StructureDvh const found = structure_dvh(dose, s, {.samples = 1}).value();
    StructureParts const parts = structure_parts(s, dose).value();
    Dvh const want = dvh(dose.image.values, parts.parts.values).value();
    EXPECT_EQ(found.samples, 1);
    EXPECT_EQ(found.dvh.dose, want.dose);
    ASSERT_EQ(found.dvh.part.size(), want.part.size());
    for (std::size_t i = 0; i < want.part.size(); ++i)
        EXPECT_NEAR(found.dvh.part[i], want.part[i], 1e-6);
    EXPECT_NEAR(found.inside_cm3, parts.inside_cm3, 1e-6);
    EXPECT_NEAR(found.volume_cm3, volume_cm3(s), 1e-12);
    // Finer samples are of the same volume.
    StructureDvh const finer = structure_dvh(dose, s, {.samples = 3}).value();
    EXPECT_NEAR(finer.inside_cm3, found.inside_cm3, 1e-5);
    EXPECT_NEAR(finer.dvh.area, found.dvh.area, 1e-4);
}

TEST(StructureDvh, DoesNotChangeWithTheAxesOfTheDose) {
    Vector const middle{6, -3, 2};
    Known const k = linear(10, middle, {0.6, 0, 0.8}, 1.5);
    Volume const dose = dose_of(k.dose);
    // x backwards, and y and z exchanged.
    Volume turned = dose;
    turned.direction = {{{-1, 0, 0}, {0, 0, 1}, {0, 1, 0}}};
    turned.origin = {40, -40, -40};
    for (std::size_t z = 0; z < 33; ++z)
        for (std::size_t y = 0; y < 33; ++y)
            for (std::size_t x = 0; x < 33; ++x)
                turned.image.values[(z * 33 + y) * 33 + x] =
                    dose.image.values[(y * 33 + z) * 33 + (32 - x)];
    Structure const s = sphere(10, middle, 2, 0.4);
    Dvh const a = structure_dvh(dose, s).value().dvh, b = structure_dvh(turned, s).value().dvh;
    EXPECT_NEAR(a.mean, b.mean, 1e-4);
    for (double const part : {0.98, 0.5, 0.02})
        EXPECT_NEAR(a.coverage(part), b.coverage(part), 1e-3);
}

TEST(StructureDvh, SaysWhatLiesOutsideAndRefusesTheRest) {
    Volume dose = dose_of([](Vector const&) { return 2.0; });
    auto const problem = [&](Structure const& s, StructureDvhOptions const& o = {}) {
        auto const r = structure_dvh(dose, s, o);
        return r ? std::string("none") : r.error().text();
    };
    auto const has = [](std::string const& text, std::string_view part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    // The grid ends half an element beyond the middle at 40: half of the sphere is inside.
    StructureDvh const half = structure_dvh(dose, sphere(10, {41.25, 0, 0}, 1, 0)).value();
    EXPECT_NEAR(half.inside_cm3, half.volume_cm3 / 2, 1e-3 * half.volume_cm3);
    EXPECT_EQ(half.dvh.least, 2);
    has(problem(sphere(10, {90, 0, 0}, 1, 0)), "'sphere' (4.1");
    has(problem(sphere(10, {90, 0, 0}, 1, 0)), "lies outside of the dose");
    Structure none;
    none.name = "none";
    has(problem(none), "'none' has no closed contours");
    has(problem(sphere(10, {}, 1, 0), {.samples = 33}), "too many");
    dose.image.values[(16 * 33 + 16) * 33 + 16] = std::nanf("");
    has(problem(sphere(10, {}, 1, 0)), "the dose in 'sphere' has values that are not finite");
    EXPECT_EQ(problem(sphere(3, {20, 0, 0}, 1, 0)), "none");
    dose.spacing.clear();
    has(problem(sphere(3, {20, 0, 0}, 1, 0)), "spacing and origin");
}

}  // namespace
}  // namespace sluice::proton
