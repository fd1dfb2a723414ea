// Grains, boundaries and misorientations: against a flood by matrices, and against what is known of
// crystals that lie in any way.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include "domain/orientation/map/test_maps.h"
#include "sluice/orientation_grains.h"

namespace sluice::stem4d {
namespace {

using orient::grainy_map;
using orient::GrainyMap;

using Matrix = std::array<Vector3, 3>;

// By the trace of matrices, for every pair of rotations.
double slow_disorientation(Matrix const& a, Matrix const& b, CrystalSymmetry const& s) {
    double least = 180;
    for (Orientation const& one : s.rotations)
        for (Orientation const& two : s.rotations) {
            Matrix const r = one.matrix(), t = two.matrix();
            double trace = 0;  // of (r a)(t b)^T
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j) {
                    double ra = 0, tb = 0;
                    for (std::size_t k = 0; k < 3; ++k)
                        ra += r[i][k] * a[k][j], tb += t[i][k] * b[k][j];
                    trace += ra * tb;
                }
            double const c = std::clamp((trace - 1) / 2, -1., 1.);
            least = std::min(least, std::acos(c) * 180 / std::numbers::pi);
        }
    return least;
}

// Grains by walking from pattern to pattern; numbers in the order of their first patterns.
std::vector<int> flooded(OrientationMap const& m, double threshold) {
    index const rows = m.scan_shape[0], cols = m.scan_shape[1];
    std::vector<int> out(m.reason.size(), -1);
    int next = 0;
    for (index start = 0; start < rows * cols; ++start) {
        auto const s = static_cast<std::size_t>(start);
        if (out[s] >= 0 || m.reason[s] != OrientationReason::indexed) continue;
        std::vector<index> todo{start};
        out[s] = next;
        while (!todo.empty()) {
            index const p = todo.back();
            todo.pop_back();
            for (auto const& [dr, dc] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
                index const r = p / cols + dr, c = p % cols + dc;
                if (r < 0 || r >= rows || c < 0 || c >= cols) continue;
                auto const q = static_cast<std::size_t>(r * cols + c),
                           from = static_cast<std::size_t>(p);
                if (out[q] >= 0 || m.reason[q] != OrientationReason::indexed ||
                    m.phase[q] != m.phase[from])
                    continue;
                auto const& s2 = m.phases[static_cast<std::size_t>(m.phase[q])].symmetry;
                if (slow_disorientation(m.orientation[q].matrix(), m.orientation[from].matrix(),
                                        s2) < threshold) {
                    out[q] = next;
                    todo.push_back(r * cols + c);
                }
            }
        }
        ++next;
    }
    return out;
}

TEST(OrientationGrains, AreThoseOfAFlood) {
    GrainyMap const made = grainy_map(14, 17, 8, 0.5, 3);
    auto const found = find_grains(made.map, {.threshold_degrees = 5, .least_patterns = 1});
    ASSERT_TRUE(found) << found.error().text();
    std::vector<int> const slow = flooded(made.map, 5);
    // The same partition, whatever the numbers are.
    for (std::size_t p = 0; p < slow.size(); ++p) {
        EXPECT_EQ(slow[p] < 0, found->grain[p] < 0);
        for (std::size_t q = 0; q < p; ++q)
            if (slow[p] >= 0 && slow[q] >= 0) {
                EXPECT_EQ(slow[p] == slow[q], found->grain[p] == found->grain[q]);
            }
    }
    for (std::size_t i = 1; i < found->grains.size(); ++i)
        EXPECT_LE(found->grains[i].patterns, found->grains[i - 1].patterns);
}

TEST(OrientationGrains, HaveTheTrueOrientationsSizesAndSpreads) {
    GrainyMap const made = grainy_map(40, 40, 9, 0.4, 5);
    auto const found = find_grains(made.map, {.threshold_degrees = 5, .least_patterns = 10});
    ASSERT_TRUE(found);
    std::set<int> seen;
    for (std::size_t g = 0; g < found->grains.size(); ++g) {
        OrientationGrain const& grain = found->grains[g];
        auto const first = static_cast<std::size_t>(
            std::ranges::find(found->grain, static_cast<std::int32_t>(g)) - found->grain.begin());
        auto const seed = static_cast<std::size_t>(made.seed[first]);
        seen.insert(made.seed[first]);
        auto const& symmetry = made.map.phases[static_cast<std::size_t>(grain.phase)].symmetry;
        EXPECT_LT(disorientation(grain.mean, made.truth[seed], symmetry), 0.15);
        // |normal| of 0.4 degrees has the mean 0.4 sqrt(2 / pi) = 0.32.
        EXPECT_NEAR(grain.spread_degrees, 0.32, 0.08);
        EXPECT_GT(grain.farthest_degrees, grain.spread_degrees);
        EXPECT_LT(grain.farthest_degrees, 2.5);
        double const n = static_cast<double>(grain.patterns);
        EXPECT_NEAR(grain.diameter_nm, std::sqrt(4 * n * 25 / std::numbers::pi), 1e-9);
        EXPECT_EQ(std::ranges::count(found->grain, static_cast<std::int32_t>(g)), grain.patterns);
    }
    EXPECT_EQ(seen.size(), 9u);
    ASSERT_FALSE(found->notes.empty());
    EXPECT_NE(found->notes[0].find("are not indexed"), std::string::npos);
}

TEST(OrientationGrains, SmallOnesAndPatternsOfNoBeliefAreInNone) {
    GrainyMap made = grainy_map(6, 6, 1, 0, 1);
    OrientationMap& m = made.map;
    for (auto& reason : m.reason) reason = OrientationReason::indexed;
    for (auto& g : m.orientation) g = {};
    m.orientation[0] = rotation_about({0, 0, 1}, 30);  // a grain of one
    m.reason[35] = OrientationReason::ambiguous;
    auto const found = find_grains(m);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->grains.size(), 1u);
    EXPECT_EQ(found->grains[0].patterns, 34);
    EXPECT_EQ(found->grain[0], -1);
    EXPECT_EQ(found->grain[35], -1);
    EXPECT_EQ(found->notes.size(), 2u);
    auto const maps = grain_maps(m, *found);
    ASSERT_TRUE(maps);
    EXPECT_EQ(maps->grain.values[1], 1);
    EXPECT_TRUE(std::isnan(maps->grain.values[35]));
    EXPECT_EQ(maps->grain.reason[35], Missing::not_converged);
    EXPECT_NEAR(maps->from_mean.values[7], 0, 1e-6);
    auto const edges = orientation_boundaries(m, 5);
    ASSERT_TRUE(edges);
    ASSERT_EQ(edges->size(), 2u);  // right of and below the first pattern
    EXPECT_EQ((*edges)[0].two, 1);
    EXPECT_EQ((*edges)[1].two, 6);
    EXPECT_NEAR((*edges)[0].degrees, 30, 1e-9);
}

TEST(OrientationGrains, PhasesHaveBoundariesWithoutAnAngle) {
    GrainyMap made = grainy_map(1, 4, 1, 0, 1);
    OrientationMap& m = made.map;
    for (auto& reason : m.reason) reason = OrientationReason::indexed;
    for (auto& g : m.orientation) g = {};
    m.phase = {0, 0, 1, 1};
    auto const edges = orientation_boundaries(m, 5);
    ASSERT_TRUE(edges);
    ASSERT_EQ(edges->size(), 1u);
    EXPECT_TRUE(std::isnan((*edges)[0].degrees));
    auto const found = find_grains(m, {.threshold_degrees = 5, .least_patterns = 2});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->grains.size(), 2u);
    EXPECT_EQ(found->grains[1].phase, 1);
}

TEST(OrientationGrains, RandomCrystalsDifferAsMackenzieSays) {
    GrainyMap const made = grainy_map(30, 30, 200, 0, 9);
    auto const cubic = disorientation_histogram(made.map, 0, {.bin_degrees = 1, .pairs = 400000});
    ASSERT_TRUE(cubic) << cubic.error().text();
    // Mackenzie 1958: 2/15 (1 - cos) per degree up to 45 degrees; none above 62.8.
    auto const density = [](double n, double degrees) {
        return n / 180 * (1 - std::cos(degrees * std::numbers::pi / 180));
    };
    for (std::size_t bin : {10u, 20u, 30u, 40u}) {
        double const theory = density(24, static_cast<double>(bin) + 0.5);
        EXPECT_NEAR(cubic->random[bin], theory, 0.05 * theory + 2e-4);
    }
    EXPECT_EQ(cubic->random.size(), 63u);
    double sum = 0, mean = 0;
    for (std::size_t i = 0; i < cubic->random.size(); ++i) {
        sum += cubic->random[i];
        mean += cubic->random[i] * (static_cast<double>(i) + 0.5);
    }
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_NEAR(mean, 40.74, 0.1);
    // Places drawn from 130 grains of any orientation are much like that.
    double drawn = 0;
    for (std::size_t i = 0; i < cubic->drawn.size(); ++i)
        drawn += cubic->drawn[i] * (static_cast<double>(i) + 0.5);
    EXPECT_NEAR(drawn, 40.5, 2.5);
    auto const hexagonal = disorientation_histogram(made.map, 1, {.bin_degrees = 1});
    ASSERT_TRUE(hexagonal);
    EXPECT_EQ(hexagonal->random.size(), 94u);  // up to 93.84 degrees
    EXPECT_NEAR(hexagonal->random[25], density(12, 25.5), 0.05 * density(12, 25.5) + 2e-4);
}

TEST(OrientationGrains, HistogramsCountNeighboursOfThePhase) {
    GrainyMap made = grainy_map(1, 5, 1, 0, 1);
    OrientationMap& m = made.map;
    for (auto& reason : m.reason) reason = OrientationReason::indexed;
    for (std::size_t p = 0; p < 5; ++p)
        m.orientation[p] = rotation_about({0, 0, 1}, std::array{0., 10.5, 10.5, 30.7, 30.7}[p]);
    m.phase = {0, 0, 0, 0, 1};
    auto const h = disorientation_histogram(m, 0);
    ASSERT_TRUE(h);
    EXPECT_EQ(h->neighbour_pairs, 3);
    EXPECT_NEAR(h->neighbours[0], 1. / 3, 1e-12);
    EXPECT_NEAR(h->neighbours[10], 1. / 3, 1e-12);
    EXPECT_NEAR(h->neighbours[20], 1. / 3, 1e-12);
    auto const far = disorientation_histogram(m, 0, {.least_degrees = 5});
    ASSERT_TRUE(far);
    EXPECT_EQ(far->neighbour_pairs, 2);
    auto const lone = disorientation_histogram(m, 1);
    ASSERT_TRUE(lone);
    EXPECT_EQ(lone->neighbour_pairs + lone->drawn_pairs, 0);
    EXPECT_EQ(std::accumulate(lone->drawn.begin(), lone->drawn.end(), 0.), 0);
}

TEST(OrientationGrains, KernelAveragesAreMeansOfNearNeighbours) {
    GrainyMap made = grainy_map(1, 5, 1, 0, 1);
    OrientationMap& m = made.map;
    for (auto& reason : m.reason) reason = OrientationReason::indexed;
    for (std::size_t p = 0; p < 5; ++p)
        m.orientation[p] = rotation_about({0, 1, 0}, std::array{0., 1., 3., 33., 0.}[p]);
    m.reason[4] = OrientationReason::too_few;
    auto const kam = kernel_average_misorientation(m);
    ASSERT_TRUE(kam);
    EXPECT_NEAR(kam->values[0], 1, 1e-6);
    EXPECT_NEAR(kam->values[1], 1.5, 1e-6);
    EXPECT_NEAR(kam->values[2], 2, 1e-6);
    EXPECT_EQ(kam->reason[3], Missing::no_neighbour);
    EXPECT_EQ(kam->reason[4], Missing::not_converged);
    auto const wide = kernel_average_misorientation(m, {.rings = 2});
    ASSERT_TRUE(wide);
    EXPECT_NEAR(wide->values[0], 2, 1e-6);
}

TEST(OrientationGrains, MapsThatAreNoneAndWishesThatCannotBeAreRefused) {
    GrainyMap const made = grainy_map(4, 4, 1, 0, 1);
    auto const broken = [&](auto const& how) {
        OrientationMap m = made.map;
        for (auto& reason : m.reason) reason = OrientationReason::indexed;
        how(m);
        return check_orientations(m);
    };
    EXPECT_TRUE(broken([](OrientationMap&) {}));
    EXPECT_FALSE(broken([](OrientationMap& m) { m.score.pop_back(); }));
    EXPECT_FALSE(broken([](OrientationMap& m) { m.phase[3] = 2; }));
    EXPECT_FALSE(broken([](OrientationMap& m) { m.phase[3] = -1; }));
    EXPECT_FALSE(broken([](OrientationMap& m) { m.orientation[3] = {NAN, 0, 0, 0}; }));
    EXPECT_FALSE(broken([](OrientationMap& m) { m.orientation[3] = {0, 0, 0, 0}; }));
    EXPECT_FALSE(broken([](OrientationMap& m) { m.phases[0].symmetry.rotations.clear(); }));
    EXPECT_FALSE(broken([](OrientationMap& m) { m.step_nm = -1; }));
    EXPECT_FALSE(broken([](OrientationMap& m) { m.scan_shape = {0, 16}; }));
    EXPECT_FALSE(broken([](OrientationMap& m) { m.reason[0] = OrientationReason(77); }));
    EXPECT_FALSE(find_grains(made.map, {.threshold_degrees = 0}));
    EXPECT_FALSE(find_grains(made.map, {.threshold_degrees = double{NAN}}));
    EXPECT_FALSE(orientation_boundaries(made.map, -1));
    EXPECT_FALSE(disorientation_histogram(made.map, 2));
    EXPECT_FALSE(disorientation_histogram(made.map, 0, {.bin_degrees = 0}));
    EXPECT_FALSE(kernel_average_misorientation(made.map, {.rings = 0}));
    OrientationGrains const other{};
    EXPECT_FALSE(grain_maps(made.map, other));
}

}  // namespace
}  // namespace sluice::stem4d
