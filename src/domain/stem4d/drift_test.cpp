// Shifts between images of known specimens: at several doses, with lost points, of lattices, of
// noise; jitter of lines; the mean of a series.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "domain/stem4d/correlate.h"
#include "domain/stem4d/phase_test.h"
#include "sluice/stem4d_drift.h"

namespace sluice::stem4d {
namespace {

// Particles of several sizes, bright on a support.
struct Specimen {
    std::vector<Point> places;
    std::vector<double> sizes;

    double operator()(Point p) const {
        double sum = 0.3;
        for (std::size_t i = 0; i < places.size(); ++i)
            sum += Atoms::falloff(places[i], p, sizes[i]);
        return sum;
    }
};

Specimen particles(unsigned seed, int count = 60, double reach = 64) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(-10, reach + 10), size(1.5, 4);
    Specimen out;
    for (int i = 0; i < count; ++i) {
        out.places.push_back({place(random), place(random)});
        out.sizes.push_back(size(random));
    }
    return out;
}

template <class F>
Array<double> image_of(F const& specimen, Point shift, index rows = 64, index cols = 64) {
    Array<double> out = Array<double>::zeros({rows, cols});
    for (index i = 0; i < out.size(); ++i) {
        Point const p = place(i, cols);
        out.values[static_cast<std::size_t>(i)] =
            specimen(Point{p.row - shift.row, p.col - shift.col});
    }
    return out;
}

// Counts, `dose` for a value of 1.
Array<double> counted(Array<double> image, double dose, unsigned seed) {
    std::mt19937 random(seed);
    for (double& v : image.values)
        v = static_cast<double>(std::poisson_distribution<int>(dose * v)(random));
    return image;
}

void lose(Array<double>& image, double part, unsigned seed) {
    std::mt19937 random(seed);
    for (double& v : image.values)
        if (std::uniform_real_distribution<double>(0, 1)(random) < part) v = nan;
}

double distance(Point a, Point b) {
    return std::hypot(a.row - b.row, a.col - b.col);
}

TEST(Correlate, HasTheSumsOverPoints) {
    Array<double> a = counted(image_of(particles(1), {}, 11, 14), 50, 1),
                  b = counted(image_of(particles(1), {1, 2}, 11, 14), 50, 2);
    lose(a, 0.1, 3), lose(b, 0.1, 4);
    auto const fast = correlate(a, b, 7, 9, 0.2).value();
    auto const slow = correlate_slowly(a, b, 7, 9, 0.2);
    ASSERT_EQ(fast.points, slow.points);
    for (std::size_t i = 0; i < slow.value.size(); ++i) {
        ASSERT_EQ(std::isnan(fast.value[i]), std::isnan(slow.value[i]));
        if (std::isnan(slow.value[i])) continue;
        EXPECT_NEAR(fast.value[i], slow.value[i], 1e-9);
    }
}

TEST(ImageShift, WithoutNoiseItIsKnownToThousandths) {
    Specimen const s = particles(2);
    Array<double> const first = image_of(s, {});
    for (Point const by : {Point{0, 0}, Point{3, -5}, Point{0.5, 0.5}, Point{-2.3, 7.81},
                           Point{12.25, -9.6}, Point{0.1, 0}}) {
        auto const found = find_image_shift(first, image_of(s, by)).value();
        ASSERT_TRUE(found.known()) << found.why;
        EXPECT_LT(distance(found.by, by), 0.01) << by.row << " " << by.col;
        EXPECT_FALSE(found.other);
    }
}

struct Dose {
    double counts, most;  // of a bright point; rms error in points
};
class ImageShiftDose : public testing::TestWithParam<Dose> {};

TEST_P(ImageShiftDose, ErrorsAreThoseThatAreSaid) {
    auto const [counts, most] = GetParam();
    double square = 0, said = 0;
    int known = 0;
    for (unsigned seed = 0; seed < 24; ++seed) {
        Specimen const s = particles(100 + seed);
        Point const by{0.37 * seed - 4, 3.3 - 0.29 * seed};
        auto const found = find_image_shift(counted(image_of(s, {}), counts, 2 * seed),
                                            counted(image_of(s, by), counts, 2 * seed + 1))
                               .value();
        if (!found.known()) continue;
        ++known;
        square += std::pow(distance(found.by, by), 2);
        said += std::pow(found.error.row, 2) + std::pow(found.error.col, 2);
    }
    EXPECT_GE(known, counts > 5 ? 24 : 16);  // the others are said not to be known
    double const rms = std::sqrt(square / known), told = std::sqrt(said / known);
    RecordProperty("rms", std::to_string(rms));
    RecordProperty("said", std::to_string(told));
    EXPECT_LT(rms, most);
    EXPECT_LT(rms, 1.6 * told);
    EXPECT_GT(rms, told / 1.6);
}
INSTANTIATE_TEST_SUITE_P(Doses, ImageShiftDose,
                         testing::Values(Dose{1000, 0.02}, Dose{100, 0.05}, Dose{10, 0.15},
                                         Dose{2, 0.4}));

TEST(ImageShift, LostPointsDoNotPullIt) {
    Specimen const s = particles(5);
    Array<double> a = image_of(s, {}), b = image_of(s, {2.4, -3.7});
    lose(a, 0.1, 1), lose(b, 0.1, 2);
    for (index i = 20 * 64; i < 23 * 64; ++i) b.values[static_cast<std::size_t>(i)] = nan;
    for (index i = 50 * 64; i < 64 * 64; ++i) b.values[static_cast<std::size_t>(i)] = nan;
    auto const found = find_image_shift(a, b).value();
    ASSERT_TRUE(found.known()) << found.why;
    EXPECT_LT(distance(found.by, {2.4, -3.7}), 0.05);
}

TEST(ImageShift, BrightnessDoesNotMatter) {
    Specimen const s = particles(6);
    Array<double> dim = image_of(s, {1.6, 0.2});
    for (double& v : dim.values) v = 7 + v / 3;
    auto const found = find_image_shift(image_of(s, {}), dim).value();
    ASSERT_TRUE(found.known());
    EXPECT_LT(distance(found.by, {1.6, 0.2}), 0.01);
    EXPECT_GT(found.peak, 0.9);
}

TEST(ImageShift, NoiseAndFlatImagesTellNothing) {
    Array<double> const flat = image_of([](Point) { return 1.0; }, {});
    EXPECT_NE(find_image_shift(flat, flat).value().why.find("flat"), std::string::npos);
    int known = 0;
    for (unsigned seed = 0; seed < 15; ++seed)
        known += find_image_shift(counted(flat, 20, seed), counted(flat, 20, 1000 + seed))
                     .value()
                     .known();
    EXPECT_EQ(known, 0);
    Array<double> lost = flat;
    for (double& v : lost.values) v = nan;
    EXPECT_FALSE(find_image_shift(flat, lost).value().known());
    EXPECT_FALSE(find_image_shift(lost, lost).value().known());
}

TEST(ImageShift, StripesTellOneDirectionOnly) {
    auto const stripes = [](Point p) { return std::sin(p.col * p.col / 60); };
    auto const found =
        find_image_shift(
            counted(image_of([&](Point p) { return 1 + 0.5 * stripes(p); }, {}), 500, 1),
            counted(image_of([&](Point p) { return 1 + 0.5 * stripes(p); }, {0, 2}), 500, 2))
            .value();
    EXPECT_FALSE(found.known());
    EXPECT_FALSE(found.why.empty());
}

TEST(ImageShift, ALatticeIsKnownUpToItsVectors) {
    auto const lattice = [](Point p) {
        return 2 + std::cos(2 * M_PI * p.row / 8) + std::cos(2 * M_PI * p.col / 8);
    };
    Array<double> const a = counted(image_of(lattice, {}), 100, 1),
                        b = counted(image_of(lattice, {1.3, -0.4}), 100, 2);
    auto const found = find_image_shift(a, b).value();
    ASSERT_TRUE(found.known()) << found.why;
    EXPECT_LT(distance(found.by, {1.3, -0.4}), 0.1);
    ASSERT_TRUE(found.other);
    EXPECT_NEAR(distance(*found.other, found.by), 8, 0.2);
    auto const near = find_image_shift(a, b, {.expected = {9, 8}}).value();
    EXPECT_LT(distance(near.by, {9.3, 7.6}), 0.2);
}

TEST(ImageShift, ShapesAreChecked) {
    auto const found =
        find_image_shift(image_of(particles(1), {}, 8, 9), image_of(particles(1), {}, 9, 8));
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message.find("[8, 9] and [9, 8]"), std::string::npos);
    EXPECT_FALSE(find_image_shift({}, {}));
    for (index n : {1, 2, 3, 5})  // what is too small tells nothing, and does no harm
        EXPECT_TRUE(
            find_image_shift(image_of(particles(1), {}, n, n), image_of(particles(1), {}, n, n)));
    EXPECT_TRUE(
        find_image_shift(image_of(particles(1), {}, 1, 64), image_of(particles(1), {}, 1, 64)));
}

Array<double> jittered(double sigma, double turn, double dose, unsigned seed) {
    Specimen const s = particles(20 + seed);
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, 1);
    std::vector<double> by(64);
    for (std::size_t r = 0; r < by.size(); ++r)
        by[r] = sigma * normal(random) + (r % 2 == 1 ? turn / 2 : -turn / 2);
    return counted(image_of(
                       [&](Point p) {
                           auto const r = static_cast<std::size_t>(p.row);
                           return s({p.row, p.col - by[r]});
                       },
                       {}),
                   dose, seed);
}

TEST(LineJitter, ItsRmsAndTheTurnOfRowsAreFound) {
    for (double const sigma : {0.1, 0.3, 0.6})
        for (double const turn : {0.0, 0.8}) {
            auto const j = find_line_jitter(jittered(sigma, turn, 2000, 3)).value();
            ASSERT_TRUE(j.known()) << j.why;
            EXPECT_NEAR(j.rms, sigma, 0.25 * sigma + 0.03);
            EXPECT_NEAR(j.turn, turn, 0.1 * turn + 3 * j.turn_error);
        }
    auto const still = find_line_jitter(jittered(0, 0, 2000, 4)).value();
    ASSERT_TRUE(still.known());
    EXPECT_LT(still.rms, 0.07);  // what particles look like from row to row
}

TEST(LineJitter, NoiseTellsNothing) {
    Array<double> const flat = image_of([](Point) { return 1.0; }, {});
    EXPECT_FALSE(find_line_jitter(flat).value().known());
    EXPECT_FALSE(find_line_jitter(counted(flat, 20, 1)).value().known());
    EXPECT_FALSE(find_line_jitter(image_of(particles(1), {}, 4, 64)).value().known());
    EXPECT_FALSE(find_line_jitter({}));
}

TEST(DriftSeries, TheMeanOfWhatDriftedIsTheFirstImage) {
    Specimen const s = particles(30);
    DriftSeries series;
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(series.add(image_of(s, {0.7 * i, -1.0 * i})));
    EXPECT_LT(distance(series.steps()[4].shift.by, {2.8, -4}), 0.01);
    auto const mean = series.mean();
    EXPECT_EQ(mean.taken, 5);
    Array<double> const first = image_of(s, {});
    EXPECT_EQ(mean.images.values[30 * 64 + 30], 5);
    EXPECT_EQ(mean.images.values[0], 1);
    for (index i = 0; i < first.size(); ++i)
        EXPECT_NEAR(mean.values.values[static_cast<std::size_t>(i)],
                    first.values[static_cast<std::size_t>(i)], 0.03);
}

TEST(DriftSeries, WholeShiftsMoveValuesAsTheyAre) {
    Specimen const s = particles(31);
    Array<double> const whole = counted(image_of(s, {}, 80, 80), 1e6, 1);
    auto const cut = [&](index row, index col) {
        Array<double> out = Array<double>::zeros({64, 64});
        for (index i = 0; i < out.size(); ++i)
            out.values[static_cast<std::size_t>(i)] =
                whole.values[static_cast<std::size_t>((i / 64 + row) * 80 + i % 64 + col)];
        return out;
    };
    DriftSeries series;
    ASSERT_TRUE(series.add(cut(8, 8)));
    ASSERT_TRUE(series.add(cut(5, 10)));
    EXPECT_LT(distance(series.steps()[1].shift.by, {3, -2}), 0.01);
    ASSERT_FALSE(series.add(Array<double>::zeros({63, 64})));
}

TEST(DriftSeries, WhereTheFirstTellsNothingTheLastOneDoes) {
    // It drifts out of what the first image has seen.
    Specimen const s = particles(32, 400, 200);
    DriftSeries series;
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(series.add(image_of(s, {-18.2 * i, -17.0 * i})));
    DriftStep const last = series.steps().back();
    ASSERT_TRUE(last.shift.known()) << last.shift.why;
    EXPECT_GT(last.against, 0);
    EXPECT_LT(distance(last.shift.by, {-72.8, -68}), 0.1);
    ASSERT_TRUE(series.add(image_of([](Point) { return 1.0; }, {})));
    EXPECT_FALSE(series.steps().back().shift.known());
    EXPECT_EQ(series.mean().taken, 5);
}

}  // namespace
}  // namespace sluice::stem4d
