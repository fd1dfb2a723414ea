// Parts of elements beside twins: each pixel's polygon clipped on its own, and points that are
// counted.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/structure_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace sluice::dicom {
namespace {

using Point = std::array<double, 2>;

Contour flat(Ring const& r, double z) {
    Contour c;
    for (Point const& p : r) c.push_back({p[0], p[1], z});
    return c;
}

/// Corners in all directions from the middle, `low` to `high` away.
Ring star(std::mt19937& random, Point middle, double low, double high, int corners) {
    Ring r;
    std::uniform_real_distribution<double> away(low, high);
    for (int i = 0; i < corners; ++i) {
        double const angle = 2 * std::numbers::pi * i / corners, d = away(random);
        r.push_back({middle[0] + d * std::cos(angle), middle[1] + d * std::sin(angle)});
    }
    return r;
}

double signed_area(Ring const& r) {
    double sum = 0;
    for (std::size_t i = 0; i < r.size(); ++i) {
        Point const &p = r[i], &q = r[(i + 1) % r.size()];
        sum += p[0] * q[1] - q[0] * p[1];
    }
    return sum / 2;
}

// Sutherland and Hodgman: what is on one side of a line.
Ring clipped(Ring const& r, std::size_t k, double at, double side) {
    Ring out;
    for (std::size_t i = 0; i < r.size(); ++i) {
        Point const &p = r[i], &q = r[(i + 1) % r.size()];
        double const a = side * (p[k] - at), b = side * (q[k] - at);
        if (a >= 0) out.push_back(p);
        if ((a < 0) != (b < 0)) {
            double const t = a / (a - b);
            out.push_back({p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])});
        }
    }
    return out;
}

double area_in(Ring r, Point low, Point high) {
    for (std::size_t k = 0; k < 2; ++k) r = clipped(clipped(r, k, low[k], 1), k, high[k], -1);
    return std::abs(signed_area(r));
}

bool inside(std::vector<Ring> const& rings, Point p) {
    bool in = false;
    for (Ring const& r : rings)
        for (std::size_t i = 0; i < r.size(); ++i) {
            Point const &a = r[i], &b = r[(i + 1) % r.size()];
            if ((a[1] > p[1]) != (b[1] > p[1]) &&
                p[0] < a[0] + (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]))
                in = !in;
        }
    return in;
}

Volume grid(std::array<index, 3> sides, std::array<double, 3> spacing,
            std::array<double, 3> origin) {
    return {Array<float>::zeros({sides[2], sides[1], sides[0]}),
            {spacing.begin(), spacing.end()},
            {origin.begin(), origin.end()}};
}

float at(StructureParts const& p, index x, index y, index z) {
    auto const& s = p.parts.shape;
    return p.parts.values[static_cast<std::size_t>((z * s[1] + y) * s[2] + x)];
}

// A shell with an island, of corners anywhere.
TEST(StructureParts, AreThoseOfEachPixelClippedAlone) {
    std::mt19937 random(5);
    for (int n = 0; n < 10; ++n) {
        Ring const outer = star(random, {3, -2}, 14, 20, 60), hole = star(random, {4, -1}, 6, 9, 7),
                   island = star(random, {4, -1}, 1, 4, 23);
        Structure s;
        for (double const z : {0.0, 2.0})
            for (Ring const& r : {outer, hole, island}) s.contours.push_back(flat(r, z));
        Volume const v = grid({20, 30, 3}, {2.3, 1.1, 2}, {-19, -17, -2});
        StructureParts const got = structure_parts(s, v).value();
        for (index y = 0; y < 30; ++y)
            for (index x = 0; x < 20; ++x) {
                Point const low{-19 + 2.3 * (static_cast<double>(x) - 0.5),
                                -17 + 1.1 * (static_cast<double>(y) - 0.5)};
                Point const high{low[0] + 2.3, low[1] + 1.1};
                double const area = area_in(outer, low, high) - area_in(hole, low, high) +
                                    area_in(island, low, high);
                EXPECT_NEAR(static_cast<double>(at(got, x, y, 1)), area / (2.3 * 1.1), 2e-6);
                EXPECT_NEAR(static_cast<double>(at(got, x, y, 2)), area / (2.3 * 1.1), 2e-6);
                EXPECT_EQ(at(got, x, y, 0), 0);
            }
    }
}

TEST(StructureParts, CountLinesThatCrossByEvenAndOdd) {
    std::mt19937 random(6);
    std::uniform_real_distribution<double> anywhere(-10, 10);
    for (int n = 0; n < 5; ++n) {
        std::vector<Ring> rings(2);
        for (Ring& r : rings)
            for (int i = 0; i < 9; ++i) r.push_back({anywhere(random), anywhere(random)});
        Structure s;
        for (double const z : {0.0, 1.0})
            for (Ring const& r : rings) s.contours.push_back(flat(r, z));
        StructureParts const got =
            structure_parts(s, grid({12, 12, 2}, {2, 2, 1}, {-11, -11, 0})).value();
        for (index y = 0; y < 12; ++y)
            for (index x = 0; x < 12; ++x) {
                int const many = 60;
                int in = 0;
                for (int i = 0; i < many * many; ++i)
                    in += inside(rings,
                                 {-12 + 2 * (static_cast<double>(x) + (i % many + 0.5) / many),
                                  -12 + 2 * (static_cast<double>(y) + (i / many + 0.5) / many)});
                EXPECT_NEAR(static_cast<double>(at(got, x, y, 0)),
                            static_cast<double>(in) / (many * many), 0.02);
            }
        EXPECT_NEAR(got.inside_cm3, got.volume_cm3, 1e-6 * got.volume_cm3);
    }
}

// Contours as they come: uneven planes, a gap, and grids that have nothing to do with them.
Structure in_two_pieces() {
    std::mt19937 random(7);
    Structure s;
    s.name = "two pieces";
    for (double const z : {-20.0, -17.0, -14.5, -11.5, -8.5, 4.0, 7.0, 10.0}) {
        s.contours.push_back(flat(star(random, {1, 2}, 10, 15, 40), z));
        s.contours.push_back(flat(star(random, {0, 2}, 3, 6, 30), z));
    }
    return s;
}

TEST(StructureParts, AddUpToTheVolumeOnAnyGrid) {
    Structure const s = in_two_pieces();
    for (auto const& spacing :
         {std::array{2.5, 2.5, 2.5}, std::array{0.7, 1.3, 0.9}, std::array{5.0, 3.0, 11.0}}) {
        std::array<index, 3> sides{};
        for (std::size_t k = 0; k < 3; ++k) sides[k] = static_cast<index>(80 / spacing[k]) + 1;
        StructureParts const p = structure_parts(s, grid(sides, spacing, {-40, -40, -40})).value();
        EXPECT_NEAR(p.volume_cm3, volume_cm3(s), 1e-12);
        EXPECT_NEAR(p.inside_cm3, p.volume_cm3, 1e-6 * p.volume_cm3);
        EXPECT_LE(*std::ranges::max_element(p.parts.values), 1);
    }
}

TEST(StructureParts, ReachHalfWayAndNotOverGaps) {
    Structure s;
    Ring const square{{-5, -5}, {5, -5}, {5, 5}, {-5, 5}};
    for (double const z : {0.0, 2.0, 5.0, 7.0, 20.0, 22.0}) s.contours.push_back(flat(square, z));
    StructureParts const p =
        structure_parts(s, grid({1, 1, 60}, {10, 10, 0.5}, {0, 0, -3})).value();
    for (index k = 0; k < 60; ++k) {
        double const z = -3 + 0.5 * static_cast<double>(k);
        // 2 to 5 is 1.5 of the usual distance: filled. 7 to 20 is not.
        bool const in = (z > -1 && z < 8) || (z > 19 && z < 23);
        bool const edge = z == -1 || z == 8 || z == 19 || z == 23;
        EXPECT_EQ(at(p, 0, 0, k), edge ? 0.5f : in ? 1.0f : 0.0f) << z;
    }
    EXPECT_NEAR(p.volume_cm3, 1.3, 1e-12);
}

TEST(StructureParts, LieWhereTheAxesOfTheGridSay) {
    Structure const axial = in_two_pieces();
    Volume const straight = grid({22, 14, 19}, {2, 3, 2.5}, {-20, -18, -23});
    StructureParts const want = structure_parts(axial, straight).value();
    std::array<std::size_t, 3> order{0, 1, 2};
    do {
        for (int signs = 0; signs < 8; ++signs) {
            Volume turned;
            std::array<index, 3> sides{};
            turned.origin = straight.origin;
            for (std::size_t a = 0; a < 3; ++a) {
                std::size_t const k = order[a];
                bool const back = (signs >> a) % 2 == 1;
                sides[a] = straight.image.shape[2 - k];
                turned.spacing.push_back(straight.spacing[k]);
                turned.direction[a] = {};
                turned.direction[a][k] = back ? -1 : 1;
                if (back)
                    turned.origin[k] += straight.spacing[k] * static_cast<double>(sides[a] - 1);
            }
            turned.image = Array<float>::zeros({sides[2], sides[1], sides[0]});
            StructureParts const got = structure_parts(axial, turned).value();
            float most = 0;
            for (index z = 0; z < sides[2]; ++z)
                for (index y = 0; y < sides[1]; ++y)
                    for (index x = 0; x < sides[0]; ++x) {
                        std::array<index, 3> const own{x, y, z};
                        std::array<index, 3> e{};
                        for (std::size_t a = 0; a < 3; ++a)
                            e[order[a]] = (signs >> a) % 2 == 1 ? sides[a] - 1 - own[a] : own[a];
                        most =
                            std::max(most, std::abs(at(got, x, y, z) - at(want, e[0], e[1], e[2])));
                    }
            EXPECT_LE(most, 2e-6f) << order[0] << order[1] << order[2] << " " << signs;
        }
    } while (std::ranges::next_permutation(order).found);
}

TEST(StructureParts, OfSagittalContoursAreTheSame) {
    Structure s;
    Ring const r{{-7, -4}, {6, -5}, {3, 8}};
    for (double const z : {0.0, 2.0, 4.0}) s.contours.push_back(flat(r, z));
    double const cm3 = volume_cm3(s);
    for (Contour& c : s.contours)
        for (auto& p : c) p = {p[2], p[0], p[1]};
    StructureParts const p =
        structure_parts(s, grid({9, 20, 20}, {1, 1, 1}, {-2, -10, -10})).value();
    EXPECT_NEAR(p.inside_cm3, cm3, 1e-6);
    EXPECT_EQ(at(p, 3, 10, 10), 1);
}

TEST(StructureParts, SayWhatLiesOutside) {
    Structure s;
    Ring const square{{-10, -10}, {10, -10}, {10, 10}, {-10, 10}};
    for (double const z : {0.0, 2.0, 4.0}) s.contours.push_back(flat(square, z));
    StructureParts p = structure_parts(s, grid({10, 40, 8}, {1, 1, 1}, {0.5, -20, -2})).value();
    EXPECT_NEAR(p.volume_cm3, 2.4, 1e-9);
    EXPECT_NEAR(p.inside_cm3, 1.2, 1e-6);
    p = structure_parts(s, grid({4, 4, 4}, {1, 1, 1}, {100, 0, 0})).value();
    EXPECT_EQ(p.inside_cm3, 0);
    // The same contour twice is one; a channel to a hole is no area.
    Structure twice = s;
    twice.contours.insert(twice.contours.end(), s.contours.begin(), s.contours.end());
    EXPECT_NEAR(volume_cm3(twice), 2.4, 1e-9);
    Structure keyhole;
    for (double const z : {0.0, 2.0})
        keyhole.contours.push_back(flat({{-10, -10},
                                         {10, -10},
                                         {10, 10},
                                         {-10, 10},
                                         {-10, 0},
                                         {-5, 0},
                                         {-5, 5},
                                         {5, 5},
                                         {5, -5},
                                         {-5, -5},
                                         {-5, 0},
                                         {-10, 0}},
                                        z));
    EXPECT_NEAR(volume_cm3(keyhole), 4 * 0.3, 1e-9);
}

TEST(StructureParts, RefuseWhatWouldBeWrong) {
    Ring const square{{-10, -10}, {10, -10}, {10, 10}, {-10, 10}};
    Structure good;
    good.name = "cord";
    for (double const z : {0.0, 2.0}) good.contours.push_back(flat(square, z));
    Volume const v = grid({4, 4, 4}, {1, 1, 1}, {0, 0, 0});
    auto const has = [](Structure const& s, Volume const& on, std::string_view part) {
        auto const r = structure_parts(s, on);
        ASSERT_FALSE(r) << part;
        EXPECT_NE(r.error().text().find(part), std::string::npos) << r.error().text();
    };
    ASSERT_TRUE(structure_parts(good, v));
    Structure s = good;
    s.contours.clear();
    has(s, v, "'cord' has no closed contours");
    s.contours = {good.contours[0]};
    has(s, v, "in one plane only");
    s = good;
    for (Contour& c : s.contours)
        for (auto& p : c) p[2] += 0.1 * p[0];
    has(s, v, "oblique in space");
    s = good;
    s.contours[1][2][0] = std::nan("");
    has(s, v, "no number");
    s = good;
    for (auto& p : s.contours[1]) p = {p[2], p[1], p[0]};
    has(s, v, "not parallel");
    Volume w = v;
    w.spacing.clear();
    has(good, w, "spacing and origin");
    w = v;
    w.image.shape = {4, 16};
    has(good, w, "two axes");
    w = v;
    w.direction = {{{0.8, 0.6, 0}, {-0.6, 0.8, 0}, {0, 0, 1}}};
    has(good, w, "oblique in space");
    // Lines side by side, as a hostile file may have them.
    Ring comb;
    for (int i = 0; i < 20000; ++i)
        comb.push_back({i * 0.001, i % 2 == 0 ? -10 + i * 1e-5 : 10 - i * 1e-5});
    s.contours = {flat(comb, 0), flat(comb, 2)};
    has(s, v, "simplify them");
    EXPECT_TRUE(std::isnan(volume_cm3(s)));
}

}  // namespace
}  // namespace sluice::dicom
