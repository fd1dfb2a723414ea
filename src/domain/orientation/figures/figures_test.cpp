// Figures of orientation maps: colours of patterns, densities of poles, names of corners.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/figures/figures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>

#include "domain/orientation/figures/indices.h"
#include "domain/orientation/figures/sphere_density.h"
#include "domain/orientation/map/test_maps.h"
#include "domain/orientation/rotation/sector.h"
#include "domain/orientation/rotation/test_symmetry.h"
#include "figure/figure.h"
#include "figure/render.h"
#include "save/folder_test.h"
#include "sluice/structure_factors.h"

namespace sluice::stem4d {
namespace {

using orient::grainy_map;

std::array<int, 3> rgb_at(Picture const& p, std::size_t pixel) {
    return {p.rgb[3 * pixel], p.rgb[3 * pixel + 1], p.rgb[3 * pixel + 2]};
}

// All patterns of phase 0, lying as is said.
OrientationMap map_of(std::vector<Orientation> const& all) {
    OrientationMap m = grainy_map(1, std::ssize(all), 1, 0, 1).map;
    for (auto& reason : m.reason) reason = OrientationReason::indexed;
    for (auto& phase : m.phase) phase = 0;
    m.orientation = all;
    return m;
}

TEST(OrientationFigures, PatternsHaveTheColourOfTheirDirection) {
    // 001, 101 and 111 of the crystal along z of the sample: red, green, blue.
    Vector3 const y{0, 1, 0};
    OrientationMap m =
        map_of({{},
                rotation_about(y, 45),
                rotation_about({1, -1, 0}, -std::acos(1 / std::sqrt(3.)) * 180 / std::numbers::pi),
                {},
                rotation_about(y, 45)});
    m.reason[3] = OrientationReason::unreliable;
    auto const z = ipf_colors(m, {0, 0, 1});
    ASSERT_TRUE(z) << z.error().text();
    EXPECT_EQ(rgb_at(*z, 0), (std::array{255, 0, 0}));
    EXPECT_EQ(rgb_at(*z, 1), (std::array{0, 255, 0}));
    EXPECT_EQ(rgb_at(*z, 2), (std::array{0, 0, 255}));
    EXPECT_EQ(rgb_at(*z, 3), (std::array{0, 0, 0}));
    auto const along_y = ipf_colors(m, {0, 2, 0}, true);
    ASSERT_TRUE(along_y);
    EXPECT_EQ(rgb_at(*along_y, 4), (std::array{255, 0, 0}));  // y stays where it was
    EXPECT_EQ(rgb_at(*along_y, 3), (std::array{255, 255, 255}));
    EXPECT_FALSE(ipf_colors(m, {0, 0, 0}));
}

TEST(OrientationFigures, NoOrientationIsBlackOrWhite) {
    std::mt19937 random(4);
    for (std::size_t i = 0; i < laue_classes; ++i) {
        auto const s = orient::symmetry_named(name_of(static_cast<LaueClass>(i)));
        auto const sector = orient::sector_of(s.laue);
        auto const [pole, a, b] = orient::triangle_corners(sector);
        for (int k = sector.first; k < sector.first + sector.count; ++k) {
            Vector3 const middle = orient::unit(orient::sum(orient::sum(pole, a), b));
            auto const c = color_of(orient::out_of_frame(s, to_triangle(sector, k, middle)), s);
            EXPECT_LT(std::min({c[0], c[1], c[2]}), 0.93);
        }
        for (int n = 0; n < 500; ++n) {
            auto const c = color_of(orient::random_orientation(random).turn({0, 0, 1}), s);
            EXPECT_LT(std::min({c[0], c[1], c[2]}), 0.93);
            EXPECT_GT(std::max({c[0], c[1], c[2]}), 0.2);
        }
    }
}

TEST(OrientationFigures, EvenDirectionsHaveADensityOfOne) {
    std::mt19937 random(11);
    std::vector<Orientation> all;
    for (int i = 0; i < 20000; ++i) all.push_back(orient::random_orientation(random));
    OrientationMap const m = map_of(all);
    for (auto const& density : {pole_density(m, {1, 1, 1}), pole_density(m, {1, 2, 3}),
                                inverse_pole_density(m, {0, 0, 1})}) {
        ASSERT_TRUE(density);
        EXPECT_EQ(density->patterns, 20000);
        for (double v : density->values)
            if (std::isfinite(v)) {
                EXPECT_NEAR(v, 1, 0.2);
            }
    }
}

// The mean over equal areas is 1, whatever the poles; those of the planes 100 lie along the axes.
TEST(OrientationFigures, PolesLieWhereTheCrystalSays) {
    OrientationMap const m = map_of({rotation_about({0, 0, 1}, -30)});
    auto const density = pole_density(m, {2, 0, 0}, {.halfwidth_degrees = 4});
    ASSERT_TRUE(density) << density.error().text();
    // The crystal is turned by -30 in g, so its a axis lies at +30 in the sample: right and down.
    double const c = std::cos(std::numbers::pi / 6), s = std::sin(std::numbers::pi / 6);
    EXPECT_GT(orient::density_at(*density, {c, s, 0}), 0.4 * density->largest);
    EXPECT_GT(orient::density_at(*density, {-s, c, 0}), 0.4 * density->largest);
    EXPECT_GT(orient::density_at(*density, {0, 0, 1}), 0.8 * density->largest);
    EXPECT_LT(orient::density_at(*density, {c, -s, 0}), 0.01 * density->largest);
    EXPECT_LT(orient::density_at(*density, {1, 0, 0}), 0.01 * density->largest);
    // A bell of 4 degrees at half its height: one pole of three on the hemisphere.
    double const sigma = 4 * std::numbers::pi / 180 / 1.17741;
    EXPECT_NEAR(density->largest, 1 / (3 * sigma * sigma), 0.1 * density->largest);
    auto const inside = pole_density(m, {1, 1, 1}, {.halfwidth_degrees = 4});  // none on the rim
    ASSERT_TRUE(inside);
    double sum = 0, n = 0;
    for (double v : inside->values)
        if (std::isfinite(v)) sum += v, ++n;
    EXPECT_NEAR(sum / n, 1, 0.03);
    auto const inverse = inverse_pole_density(m, {0, 0, 1}, {.halfwidth_degrees = 4});
    ASSERT_TRUE(inverse);
    EXPECT_NEAR(orient::density_at(*inverse, {0, 0, 1}), density->largest, 0.1 * density->largest);
}

TEST(OrientationFigures, TitledAxesOfTheSampleAreThoseOfTheMap) {
    // c of a hexagonal crystal towards x of the sample: one pole, at the right rim.
    OrientationMap m = map_of({rotation_about({0, 1, 0}, -90)});
    m.phase[0] = 1;
    ASSERT_NEAR(m.orientation[0].turn({1, 0, 0})[2], 1, 1e-12);
    auto const density = pole_density(m, {0, 0, 1}, {.phase = 1});
    ASSERT_TRUE(density);
    EXPECT_GT(orient::density_at(*density, {1, 0, 0}), 0.4 * density->largest);
    EXPECT_LT(orient::density_at(*density, {0, 1, 0}), 1e-3);
}

TEST(OrientationFigures, CornersHaveTheirIndices) {
    auto const texts = [](UnitCell const& cell) {
        auto const s = symmetry_of(cell).value();
        std::string out;
        for (Vector3 const& corner : orient::sector_corners(s))
            out += orient::plain(orient::indices_of(corner, cell)) + " ";
        return out;
    };
    using orient::named_cell;
    EXPECT_EQ(texts(named_cell({4, 4, 4, 90, 90, 90}, "F m -3 m")), "[0 0 1] [1 0 1] [1 1 1] ");
    EXPECT_EQ(texts(named_cell({4, 4, 4, 90, 90, 90}, "P a -3")),
              "[0 0 1] [1 0 1] [1 1 1] [0 1 1] ");
    EXPECT_EQ(texts(named_cell({3, 3, 5, 90, 90, 120}, "P 63/m m c")),
              "[0 0 0 1] [2 -1 -1 0] [1 0 -1 0] ");
    EXPECT_EQ(texts(named_cell({5, 5, 7, 90, 90, 120}, "R -3 c")),
              "[0 0 0 1] [1 -1 0 0] [2 -1 -1 0] [1 0 -1 0] ");
    EXPECT_EQ(texts(named_cell({4, 4, 6, 90, 90, 90}, "P 42/m n m")), "[0 0 1] [1 0 0] [1 1 0] ");
    EXPECT_EQ(texts(named_cell({4, 5, 6, 90, 90, 90}, "P n m a")), "[0 0 1] [1 0 0] [0 1 0] ");
    // z stands on the planes (001), x is along a.
    EXPECT_EQ(texts(named_cell({5.1, 5.2, 5.3, 90, 99, 90}, "P 1 21/c 1")),
              "(0 0 1) [1 0 0] [0 1 0] [-1 0 0] ");
    EXPECT_EQ(
        orient::plain(orient::planes_of({1, 0, 1}, named_cell({3, 3, 5, 90, 90, 120}, "P 6"))),
        "{1 0 -1 1}");
}

TEST(OrientationFigures, ProjectionsComeBack) {
    std::mt19937 random(2);
    for (auto projection : {PoleProjection::equal_area, PoleProjection::stereographic})
        for (int i = 0; i < 50; ++i) {
            Vector3 v = orient::random_orientation(random).turn({0, 0, 1});
            auto const back = orient::from_disk(projection, orient::on_disk(projection, v));
            ASSERT_TRUE(back);
            if (v[2] < 0) v = orient::scaled(v, -1);
            EXPECT_LT(orient::angle_between(*back, v), 1e-9);
        }
    // Areas: half of the hemisphere's is within 60 degrees of the pole, and within 1 / sqrt 2.
    EXPECT_NEAR(orient::on_disk(PoleProjection::equal_area, {std::sqrt(0.75), 0, 0.5}).right,
                std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(orient::on_disk(PoleProjection::stereographic, {1, 0, 0}).right, 1, 1e-12);
}

TEST(OrientationFigures, FilesAreWrittenAndWishesChecked) {
    save::TestFolder const folder;
    OrientationMap const m = grainy_map(20, 30, 6, 1, 3).map;
    std::array<Indices, 2> const planes{{{1, 0, 0}, {1, 1, 1}}};
    std::array<Vector3, 1> const z{{{0, 0, 1}}};
    for (char const* end : {"png", "svg", "pdf"}) {
        EXPECT_TRUE(
            save_ipf_map(folder.file(std::string("map.") + end), m, {.boundary_degrees = 5}));
        EXPECT_TRUE(save_pole_figures(folder.file(std::string("poles.") + end), m, planes));
        EXPECT_TRUE(save_inverse_pole_figures(folder.file(std::string("inverse.") + end), m, z));
    }
    EXPECT_EQ(folder.names().size(), 9u);
    EXPECT_FALSE(save_ipf_map(folder.file("map.bmp"), m));
    EXPECT_FALSE(save_ipf_map(folder.file("no.png"), m, {.directions = {}}));
    EXPECT_FALSE(save_pole_figures(folder.file("no.png"), m, {}));
    EXPECT_FALSE(save_pole_figures(folder.file("no.png"), m, planes, {.phase = 2}));
    EXPECT_FALSE(save_pole_figures(folder.file("no.png"), m, planes, {.halfwidth_degrees = 0}));
    EXPECT_FALSE(save_inverse_pole_figures(folder.file("no.png"), m, {}));
    EXPECT_FALSE(pole_density(m, {0, 0, 0}));
    EXPECT_EQ(folder.names().size(), 9u);
    // A phase without patterns has an empty figure, and no division by nothing.
    OrientationMap none = m;
    for (auto& reason : none.reason) reason = OrientationReason::no_match;
    auto const empty = pole_density(none, {1, 0, 0});
    ASSERT_TRUE(empty);
    EXPECT_EQ(empty->largest, 0);
    EXPECT_TRUE(save_pole_figures(folder.file("empty.png"), none, planes));
}

// Triangles of all classes. SLUICE_LOOK names a folder to draw into, for people who want to look.
TEST(OrientationFigures, EveryClassHasItsTriangle) {
    save::TestFolder const temporary;
    char const* const look = std::getenv("SLUICE_LOOK");
    std::string const folder = look ? std::string(look) + "/" : temporary.file("");
    OrientationMap m = grainy_map(80, 100, 40, 1, 3).map;
    std::array<Indices, 4> const planes{{{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {3, 1, 1}}};
    std::array<Vector3, 3> const axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    ASSERT_TRUE(save_ipf_map(folder + "map.png", m, {.boundary_degrees = 5}));
    ASSERT_TRUE(
        save_ipf_map(folder + "map_white.png", m, {.directions = {{0, 0, 1}}, .white = true}));
    ASSERT_TRUE(save_pole_figures(folder + "poles.png", m, planes));
    ASSERT_TRUE(save_pole_figures(folder + "poles_ti.png", m, planes, {.phase = 1}));
    ASSERT_TRUE(save_inverse_pole_figures(folder + "inverse.png", m, axes));
    ASSERT_TRUE(
        save_inverse_pole_figures(folder + "inverse_ti.png", m, axes,
                                  {.phase = 1, .projection = PoleProjection::stereographic}));
    std::vector<figure::Drawing> legends;
    struct Case {
        char const* group;
        std::array<double, 6> cell;
    };
    for (auto const& [group, cell] : {Case{"P -1", {7, 8, 5.5, 90, 101, 106}},
                                      {"P 1 21/c 1", {5.1, 5.2, 5.3, 90, 99, 90}},
                                      {"P n m a", {5, 6, 4, 90, 90, 90}},
                                      {"I 41/a", {5, 5, 11, 90, 90, 90}},
                                      {"P 42/m n m", {4, 4, 6, 90, 90, 90}},
                                      {"R -3", {5, 5, 16, 90, 90, 120}},
                                      {"R -3 c", {5, 5, 17, 90, 90, 120}},
                                      {"P 63/m", {9, 9, 7, 90, 90, 120}},
                                      {"P 63/m m c", {3, 3, 5, 90, 90, 120}},
                                      {"P a -3", {5, 5, 5, 90, 90, 90}},
                                      {"F m -3 m", {4, 4, 4, 90, 90, 90}},
                                      {"P 1 1 2/m", {4, 5, 6, 90, 90, 100}}}) {
        CrystalPhase phase{group, orient::named_cell(cell, group), {}};
        phase.symmetry = symmetry_of(phase.cell).value();
        legends.push_back(orient::ipf_legend(phase, 220, 12));
    }
    ASSERT_TRUE(figure::save_drawing(folder + "legends.png", figure::grid(legends, 4)));
}

}  // namespace
}  // namespace sluice::stem4d
