// Tests of outlines: contours as they were drawn, and cuts whose areas are those of the slabs.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/structures/outline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "format/dicom/structure_parts.h"

namespace sluice::proton {
namespace {

using Flat = std::vector<std::array<double, 2>>;

// Corners in planes along two axes of space, at places along the third.
Structure structure_of(std::size_t along, std::vector<std::pair<double, Flat>> const& rings) {
    Structure s{.number = 1, .name = "organ", .type = "", .contours = {}};
    for (auto const& [at, ring] : rings) {
        Contour& c = s.contours.emplace_back();
        for (auto const& [u, v] : ring) {
            auto& p = c.emplace_back();
            p[(along + 1) % 3] = u;
            p[(along + 2) % 3] = v;
            p[along] = at;
        }
    }
    return s;
}

Flat box(double u0, double u1, double v0, double v1) {
    return {{u0, v0}, {u1, v0}, {u1, v1}, {u0, v1}};
}

dicom::Stack stack_of(Structure const& s) {
    auto stack = dicom::solid_of(s);
    EXPECT_TRUE(stack) << stack.error().text();
    return *stack;
}

double length_along(std::vector<OutlineLine> const& lines, std::size_t axis) {
    double sum = 0;
    for (OutlineLine const& l : lines)
        for (std::size_t i = 1; i < l.size(); ++i) sum += std::abs(l[i][axis] - l[i - 1][axis]);
    return sum;
}

TEST(Outline, OfPlanesAlongContoursIsWhatWasDrawn) {
    for (std::size_t along = 0; along < 3; ++along) {
        Flat const ring = {{0.1, 0}, {7, 1}, {5, 9}};
        auto const s = stack_of(structure_of(along, {{10, ring}, {13, box(1, 2, 1, 2)}}));
        for (double const at : {8.5, 10.0, 11.4}) {
            auto const lines = outline(s, along, at);
            ASSERT_EQ(lines.size(), 1U) << at;
            ASSERT_EQ(lines[0].size(), 4U);
            EXPECT_EQ(lines[0].front(), lines[0].back());
            for (std::size_t i = 0; i < 3; ++i) {
                EXPECT_EQ(lines[0][i][(along + 1) % 3], ring[i][0]);
                EXPECT_EQ(lines[0][i][(along + 2) % 3], ring[i][1]);
                EXPECT_EQ(lines[0][i][along], at);
            }
        }
        EXPECT_EQ(outline(s, along, 11.5)[0].size(), 5U);
        EXPECT_EQ(outline(s, along, 14.5).size(), 1U);
        EXPECT_TRUE(outline(s, along, 14.6).empty());
        EXPECT_TRUE(outline(s, along, 8.4).empty());
    }
}

TEST(Outline, OfOtherPlanesHasAStepAtEachSlab) {
    // 10 wide in the first two planes, 4 wide in the third, in slabs of 2.
    auto const s = stack_of(
        structure_of(2, {{0, box(0, 10, 0, 6)}, {2, box(0, 10, 0, 6)}, {4, box(3, 7, 0, 6)}}));
    auto const lines = outline(s, 1, 3);
    EXPECT_DOUBLE_EQ(length_along(lines, 2), 2 * 6);
    // Below 10, above 4, and the steps of 3 to both sides; nothing between equal slabs.
    EXPECT_DOUBLE_EQ(length_along(lines, 0), 10 + 4 + 3 + 3);
    std::set<double> heights;
    for (OutlineLine const& l : lines)
        if (l[0][2] == l[1][2]) heights.insert(l[0][2]);
    EXPECT_EQ(heights, (std::set<double>{-1, 3, 5}));
    for (OutlineLine const& l : lines)
        for (auto const& p : l) EXPECT_EQ(p[1], 3);
    EXPECT_TRUE(outline(s, 1, 6.5).empty());
    // x = 1 misses the third slab.
    EXPECT_DOUBLE_EQ(length_along(outline(s, 0, 1), 2), 2 * 4);
}

TEST(Outline, KnowsHolesAndGaps) {
    auto const s = stack_of(structure_of(2, {{0, box(0, 10, 0, 10)},
                                             {0, box(4, 6, 4, 6)},
                                             {2, box(0, 10, 0, 10)},
                                             {8, box(0, 10, 0, 10)},
                                             {10, box(0, 10, 0, 10)}}));
    auto const through = outline(s, 1, 5);
    // Two blocks of 4 mm, and the hole of one slab.
    EXPECT_DOUBLE_EQ(length_along(through, 2), 4 * 4 + 2 * 2);
    EXPECT_DOUBLE_EQ(length_along(through, 0), 4 * 10 - 2 + 2);
    EXPECT_DOUBLE_EQ(length_along(outline(s, 1, 8), 2), 4 * 4);
}

TEST(Outline, IsExactBetweenCorners) {
    Flat const triangle = {{0, 0}, {10, 0}, {0, 10}};
    auto const s = stack_of(structure_of(2, {{0, triangle}, {1, triangle}}));
    auto const lines = outline(s, 1, 2.5);
    double most = 0;
    for (OutlineLine const& l : lines)
        for (auto const& p : l) most = std::max(most, p[0]);
    EXPECT_DOUBLE_EQ(most, 7.5);
    // A corner on the plane counts once.
    EXPECT_DOUBLE_EQ(length_along(outline(s, 1, 0), 2), 2 * 2);
    EXPECT_TRUE(outline(s, 1, 10).empty());
}

}  // namespace
}  // namespace sluice::proton
