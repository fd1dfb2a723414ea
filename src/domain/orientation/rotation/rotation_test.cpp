// Orientations against orix, and what sectors and colours promise for all eleven Laue classes.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include "domain/orientation/rotation/sector.h"
#include "domain/orientation/rotation/test_symmetry.h"
#include "domain/orientation/vectors.h"
#include "sluice/orientation.h"
#include "sluice/structure_factors.h"
#include "test_data.h"

namespace sluice::stem4d {
namespace {

using orient::symmetry_named;

std::vector<CrystalSymmetry> all_classes() {
    std::vector<CrystalSymmetry> out;
    for (std::size_t i = 0; i < laue_classes; ++i)
        out.push_back(symmetry_named(name_of(static_cast<LaueClass>(i))));
    return out;
}

// The lines of orix that begin with a word, without it.
std::vector<std::istringstream> lines_of(std::string const& kind) {
    std::ifstream file(SLUICE_TEST_DATA "/orientation/orix.txt");
    std::vector<std::istringstream> out;
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(kind + " ")) out.emplace_back(line.substr(kind.size()));
    EXPECT_FALSE(out.empty()) << kind;
    return out;
}
std::istream& operator>>(std::istream& in, Vector3& v) {
    return in >> v[0] >> v[1] >> v[2];
}
std::istream& operator>>(std::istream& in, Orientation& g) {
    return in >> g.w >> g.x >> g.y >> g.z;
}

double apart(Vector3 const& a, Vector3 const& b) {
    return orient::angle_between(orient::unit(a), orient::unit(b)) / orient::degree;
}
// Of quaternions, which mean the same with the other sign.
double apart(Orientation const& a, Orientation const& b) {
    double const w = std::abs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
    return std::abs(1 - w);
}

std::mt19937 seeded() {
    return std::mt19937(7);
}
Vector3 random_direction(std::mt19937& random) {
    std::normal_distribution<double> normal;
    double const x = normal(random), y = normal(random);
    return orient::unit({x, y, normal(random)});
}

// All that symmetry makes equal, by matrices that were not reduced to any sector.
std::vector<Vector3> equals_of(Vector3 const& v, CrystalSymmetry const& s) {
    std::vector<Vector3> out;
    for (Orientation const& r : s.rotations) {
        Vector3 const t = r.turn(v);
        out.push_back(t);
        out.push_back({-t[0], -t[1], -t[2]});
    }
    return out;
}
double nearest_equal_apart(Vector3 const& a, Vector3 const& b, CrystalSymmetry const& s) {
    double least = 180;
    for (Vector3 const& v : equals_of(a, s)) least = std::min(least, apart(v, b));
    return least;
}

TEST(Rotation, EulerAnglesAndTurnsAreThoseOfOrix) {
    for (auto& line : lines_of("euler")) {
        EulerAngles angles{};
        Orientation theirs;
        Vector3 sample{}, crystal{};
        line >> angles >> theirs >> sample >> crystal;
        Orientation const g = orientation_of(angles);
        EXPECT_LT(apart(g, theirs), 1e-10);
        EXPECT_LT(apart(g.turn(sample), crystal), 1e-5);
        EulerAngles const back = euler_of(g);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(back[i], angles[i], 1e-6);
        auto const m = g.matrix();
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_NEAR(orient::dot(m[i], sample), crystal[i], 1e-8);
        EXPECT_LT(apart(from_matrix(m), g), 1e-12);
    }
}

TEST(Rotation, EulerAnglesOfPolesComeBack) {
    for (double big : {0., 180.})
        for (double phi1 : {0., 33., 271., 359.999}) {
            Orientation const g = orientation_of({phi1, big, 20});
            EulerAngles const e = euler_of(g);
            EXPECT_EQ(e[2], 0);
            EXPECT_NEAR(e[1], big, 1e-6);
            EXPECT_TRUE(e[0] >= 0 && e[0] < 360);
            EXPECT_LT(apart(orientation_of(e), g), 1e-12);
        }
}

TEST(Rotation, QuarterTurnsFromMatricesOfAnySign) {
    // Each of the four ways that from_matrix() divides.
    for (Orientation const& q : {Orientation{1, 0, 0, 0},
                                 {0, 1, 0, 0},
                                 {0, 0, 1, 0},
                                 {0, 0, 0, 1},
                                 {0.5, -0.5, 0.5, -0.5},
                                 {0.1, 0.7, -0.7, 0.1}}) {
        double const n = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
        Orientation const unit{q.w / n, q.x / n, q.y / n, q.z / n};
        EXPECT_LT(apart(from_matrix(unit.matrix()), unit), 1e-14);
    }
    Vector3 const turned = rotation_about({0, 0, 2}, 90).turn({1, 0, 0});
    EXPECT_NEAR(turned[1], 1, 1e-15);
}

TEST(Rotation, ClassesHaveTheirRotations) {
    for (auto& line : lines_of("order")) {
        std::string name;
        std::size_t n = 0;
        line >> name >> n;
        CrystalSymmetry const s = symmetry_named(name);
        EXPECT_EQ(name_of(s.laue), name);
        EXPECT_EQ(s.rotations.size(), n) << name;
        EXPECT_LT(apart(s.rotations[0], Orientation{}), 1e-15);
    }
}

TEST(Rotation, DisorientationsAreThoseOfOrix) {
    std::size_t n = 0;
    for (auto& line : lines_of("pair")) {
        std::string a, b;
        Orientation one, two;
        double degrees = 0;
        line >> a >> b >> one >> two >> degrees;
        CrystalSymmetry const first = symmetry_named(a), second = symmetry_named(b);
        EXPECT_NEAR(disorientation(one, two, first, second), degrees, 2e-5) << a << ' ' << b;
        if (a == b) {
            EXPECT_NEAR(disorientation(one, two, first), degrees, 2e-5) << a;
        }
        ++n;
    }
    EXPECT_EQ(n, 11u * 40 + 80);
}

TEST(Rotation, SectorsAreThoseOfOrix) {
    for (auto& line : lines_of("sector")) {
        std::string name;
        Vector3 v{}, theirs{};
        line >> name >> v >> theirs;
        EXPECT_LT(apart(in_sector(v, symmetry_named(name)), theirs), 1e-4) << name;
    }
}

TEST(Rotation, CornersAreTheUsualOnes) {
    auto const corners = orient::sector_corners(symmetry_named("m-3m"));
    ASSERT_EQ(corners.size(), 3u);
    EXPECT_LT(apart(corners[0], {0, 0, 1}), 1e-6);
    EXPECT_LT(apart(corners[1], {1, 0, 1}), 1e-6);
    EXPECT_LT(apart(corners[2], {1, 1, 1}), 1e-6);
    auto const kite = orient::sector_corners(symmetry_named("m-3"));
    ASSERT_EQ(kite.size(), 4u);
    EXPECT_LT(apart(kite[3], {0, 1, 1}), 1e-6);
    auto const hexagonal = orient::sector_corners(symmetry_named("6/mmm"));
    EXPECT_LT(apart(hexagonal[2], {std::sqrt(3.), 1, 0}), 1e-6);
    EXPECT_EQ(orient::sector_corners(symmetry_named("-3m")).size(), 4u);
}

// Whatever the setting: the corners of a class are where its axes are.
TEST(Rotation, UnusualSettingsHaveTheSameSectors) {
    struct Case {
        std::string_view group, laue;
        std::array<double, 6> cell;
    };
    auto random = seeded();
    for (auto const& [group, laue, cell] :
         {Case{"P 1 21/c 1", "2/m", {5.15, 5.2, 5.3, 90, 99, 90}},
          {"P 21 1 1", "2/m", {5.15, 5.2, 5.3, 99, 90, 90}},
          {"R -3 c", "-3m", {6.375, 6.375, 6.375, 46.08, 46.08, 46.08}},
          {"R -3 c", "-3m", {4.99, 4.99, 17.06, 90, 90, 120}},
          {"R -3", "-3", {5, 5, 5, 70, 70, 70}},
          {"P 3 1 2", "-3m", {4, 4, 6, 90, 90, 120}}}) {
        auto const made = symmetry_of(orient::named_cell(cell, group));
        ASSERT_TRUE(made) << made.error().text();
        EXPECT_EQ(name_of(made->laue), laue);
        // In the frame of the class it is the same group.
        CrystalSymmetry const usual = symmetry_named(laue);
        for (int i = 0; i < 30; ++i) {
            Vector3 const v = random_direction(random);
            Vector3 const here = orient::into_frame(*made, in_sector(v, *made));
            bool const y_axis = laue == "2/m";  // orix has the axis of 2/m along z
            if (!y_axis) {
                EXPECT_LT(apart(here, in_sector(orient::into_frame(*made, v), usual)), 1e-5);
            }
            EXPECT_GE(here[2], -1e-9);
            EXPECT_TRUE(!y_axis || here[1] >= -1e-9);
        }
    }
}

TEST(Rotation, EqualDirectionsHaveOneDirectionInTheSector) {
    auto random = seeded();
    for (CrystalSymmetry const& s : all_classes())
        for (int i = 0; i < 20; ++i) {
            Vector3 v = random_direction(random);
            if (i < 6) v = {i % 2 * 1., i / 2 % 2 * 1., i / 3 * 1.};  // and those on borders
            Vector3 const one = in_sector(v, s);
            EXPECT_NEAR(orient::length(one), 1, 1e-12);
            for (Vector3 const& equal : equals_of(v, s))
                EXPECT_LT(apart(in_sector(equal, s), one), 1e-6) << name_of(s.laue);
        }
}

TEST(Rotation, GridsCoverTheSphereOnce) {
    auto random = seeded();
    for (CrystalSymmetry const& s : all_classes()) {
        double const step = s.rotations.size() < 6 ? 8 : 4;
        auto const grid = sector_directions(s, step);
        ASSERT_TRUE(grid) << grid.error().text();
        for (std::size_t i = 0; i < grid->size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                ASSERT_GT(nearest_equal_apart((*grid)[i], (*grid)[j], s), 1e-3)
                    << name_of(s.laue) << ' ' << i << ' ' << j;
        for (int i = 0; i < 300; ++i) {
            Vector3 const v = random_direction(random);
            double least = 180;
            for (Vector3 const& node : *grid)
                least = std::min(least, nearest_equal_apart(node, v, s));
            EXPECT_LT(least, step) << name_of(s.laue);
        }
        for (Vector3 const& corner : orient::sector_corners(s)) {
            double least = 180;
            for (Vector3 const& node : *grid)
                least = std::min(least, nearest_equal_apart(node, corner, s));
            EXPECT_LT(least, 1e-4) << name_of(s.laue);
        }
        // A grid is about as dense as its step says: no triangle stands there twice.
        double const area =
            4 * 180 * 180 / std::numbers::pi / (2. * static_cast<double>(s.rotations.size()));
        EXPECT_LT(static_cast<double>(grid->size()), 2 * area / (step * step) + 30);
    }
}

TEST(Rotation, GridsOfNoStepAreRefused) {
    CrystalSymmetry const s = symmetry_named("m-3m");
    for (double step : {0., -1., 91., double{NAN}, 1e-4})
        EXPECT_FALSE(sector_directions(s, step)) << step;
    EXPECT_EQ(sector_directions(s, 90)->size(), 3u);
}

double color_apart(std::array<double, 3> const& a, std::array<double, 3> const& b) {
    return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}

TEST(Rotation, ColoursDoNotJumpAndSymmetryKeepsThem) {
    auto random = seeded();
    for (CrystalSymmetry const& s : all_classes()) {
        double most = 0;
        for (int i = 0; i < 4000; ++i) {
            Vector3 const v = random_direction(random), w = random_direction(random);
            auto const c = color_of(v, s);
            for (double value : c) EXPECT_TRUE(value >= 0 && value <= 1);
            // 0.01 degrees away, over all borders of sectors and triangles.
            Vector3 const near = orient::unit(orient::sum(v, orient::scaled(w, 1.7e-4)));
            most = std::max(most, color_apart(c, color_of(near, s)));
            if (i >= 50) continue;
            for (Vector3 const& equal : equals_of(v, s))
                EXPECT_LT(color_apart(c, color_of(equal, s)), 1e-4) << name_of(s.laue);
        }
        // The root is steep where a colour begins: 0.01 degrees of 30 give 0.02.
        EXPECT_LT(most, 0.04) << name_of(s.laue);
    }
}

TEST(Rotation, CornersArePureColours) {
    for (CrystalSymmetry const& s : all_classes()) {
        auto const corners = orient::sector_corners(s);
        EXPECT_LT(color_apart(color_of(corners[0], s), {1, 0, 0}), 1e-6) << name_of(s.laue);
        for (std::size_t i = 1; i < corners.size(); ++i) {
            auto const c = color_of(corners[i], s);
            double const green = color_apart(c, {0, 1, 0}), blue = color_apart(c, {0, 0, 1});
            EXPECT_LT(std::min(green, blue), 1e-3) << name_of(s.laue);
        }
    }
    CrystalSymmetry const cubic = symmetry_named("m-3m");
    EXPECT_LT(color_apart(color_of({0, 1, -1}, cubic), {0, 1, 0}), 1e-3);
    EXPECT_LT(color_apart(color_of({-1, 1, -1}, cubic), {0, 0, 1}), 1e-3);
}

// Directions that are not equal have other colours, in the classes where that can be.
TEST(Rotation, MirroredDirectionsOfLowClassesHaveOtherColours) {
    for (std::string_view laue : {"4/m", "6/m", "-3m", "m-3", "2/m", "-3"}) {
        CrystalSymmetry const s = symmetry_named(laue);
        orient::Sector const sector = orient::sector_of(s.laue);
        auto const [pole, a, b] = orient::triangle_corners(sector);
        Vector3 const middle = orient::unit(orient::sum(orient::sum(pole, a), b));
        for (int k = sector.first; k < sector.first + sector.count; ++k)
            for (int l = sector.first; l < k; ++l)
                EXPECT_GT(color_apart(
                              color_of(orient::out_of_frame(s, to_triangle(sector, k, middle)), s),
                              color_of(orient::out_of_frame(s, to_triangle(sector, l, middle)), s)),
                          0.1)
                    << laue;
    }
}

// A place (u, v, w) along hexagonal axes is (u + w, -u + v + w, -v + w) along rhombohedral ones.
TEST(OrientationColours, RhombohedralAndHexagonalAxesHaveTheSame) {
    double const a = 4.7589, c = 12.9919, r = std::sqrt(a * a / 3 + c * c / 9);
    double const alpha = 2 * std::asin(a / (2 * r)) * 180 / std::numbers::pi;
    for (std::string const group : {"R -3", "R -3 c"}) {
        UnitCell const hexagonal = orient::named_cell({a, a, c, 90, 90, 120}, group + ":H");
        UnitCell const rhombohedral =
            orient::named_cell({r, r, r, alpha, alpha, alpha}, group + ":R");
        auto const h = symmetry_of(hexagonal).value(), s = symmetry_of(rhombohedral).value();
        EXPECT_EQ(h.laue, s.laue);
        auto const along = [](UnitCell const& cell, Vector3 const& v) {
            auto const axes = axes_of(cell);
            Vector3 out{};
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j) out[j] += v[i] * axes[i][j];
            return out;
        };
        for (Vector3 const& v : {Vector3{1, 0, 0}, Vector3{0, 0, 1}, Vector3{0.7, 0.2, 0.1},
                                 Vector3{-0.3, 0.8, 0.3}, Vector3{0.1, -0.4, -0.2}}) {
            auto const one = color_of(along(hexagonal, v), h);
            auto const two =
                color_of(along(rhombohedral, {v[0] + v[2], -v[0] + v[1] + v[2], -v[1] + v[2]}), s);
            for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(one[i], two[i], 1e-6) << group;
        }
    }
}

}  // namespace
}  // namespace sluice::stem4d
