// Tests of find_basis: grains, weak scans, hidden central beams, wandering origins, bad input.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "domain/crystal/lattice/test_scans.h"

namespace sluice::crystal::test {
namespace {

using stem4d::find_basis;
using stem4d::LatticeBasis;

constexpr Square none{{{1, 0}, {0, 1}}};

Square turned(double degrees) {
    double const c = std::cos(degrees * 0.017453292519943295),
                 s = std::sin(degrees * 0.017453292519943295);
    return {{{c, -s}, {s, c}}};
}

// Whether each has the other's vectors, to a part of a vector.
bool same_lattice(LatticeBasis const& l, std::array<double, 4> const& w, double part = 0.03) {
    double const area = l.a.row * l.b.col - l.a.col * l.b.row;
    if (std::abs(std::abs(area / (w[0] * w[3] - w[1] * w[2])) - 1) > 2 * part) return false;
    for (std::size_t i = 0; i < 4; i += 2) {
        double const h = (w[i] * l.b.col - w[i + 1] * l.b.row) / area,
                     k = (w[i + 1] * l.a.row - w[i] * l.a.col) / area;
        if (std::abs(h - std::round(h)) > part || std::abs(k - std::round(k)) > part) return false;
    }
    return true;
}

double length(stem4d::Point p) {
    return std::hypot(p.row, p.col);
}

Plan slightly_strained(Simulator& s) {
    return {.f = {{{1 + 0.01 * s.normal(), 0.01 * s.normal()},
                   {0.01 * s.normal(), 1 + 0.01 * s.normal()}}},
            .origin = {128 + s.normal(), 128 + s.normal()}};
}

TEST(FindBasis, FindsTheShortestVectors) {
    Simulator simulate(1);
    auto const s = simulate({10, 10}, [&](index) { return slightly_strained(simulate); });
    std::vector<std::string> notes;
    auto const l = find_basis(s.vectors, &notes).value();
    auto const w = waves_of({}, none);
    EXPECT_TRUE(same_lattice(l, w));
    EXPECT_NEAR(length(l.a), 24.98, 0.2);
    EXPECT_NEAR(length(l.b), 27.7, 0.2);
    EXPECT_GT(l.a.row * l.b.col, l.a.col * l.b.row);
    EXPECT_NEAR(l.origin.row, 128, 0.5);
    EXPECT_NEAR(l.origin.col, 128, 0.5);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes[0].find("basis found"), std::string::npos);
}

// Three disks of a pattern, with as many false ones, from origins anywhere.
TEST(FindBasis, GathersWeakPatterns) {
    Simulator simulate(2);
    auto const s = simulate({40, 40}, [&](index) {
        Plan plan = slightly_strained(simulate);
        plan.origin = {simulate.uniform(80, 170), simulate.uniform(80, 170)};
        plan.missing = 0.96, plan.outliers = 2;
        return plan;
    });
    EXPECT_TRUE(same_lattice(find_basis(s.vectors).value(), waves_of({}, none)));
}

TEST(FindBasis, NeedsNoCentralBeam) {
    Simulator simulate(3);
    auto const s = simulate({10, 10}, [&](index) {
        Plan plan = slightly_strained(simulate);
        plan.stopped = true, plan.missing = 0.2;
        return plan;
    });
    auto const l = find_basis(s.vectors).value();
    auto const w = waves_of({}, none);
    EXPECT_TRUE(same_lattice(l, w));
    // The origin is on the lattice, whichever point of it.
    double const area = w[0] * w[3] - w[1] * w[2], y = l.origin.row - 128, x = l.origin.col - 128;
    double const h = (y * w[3] - x * w[2]) / area, k = (x * w[0] - y * w[1]) / area;
    EXPECT_NEAR(h, std::round(h), 0.05);
    EXPECT_NEAR(k, std::round(k), 0.05);
}

TEST(FindBasis, TellsGrainsApart) {
    Simulator simulate(4);
    auto const s =
        simulate({20, 20}, [&](index p) { return Plan{.f = turned(p % 20 < 11 ? 0 : 25)}; });
    std::vector<std::string> notes;
    EXPECT_TRUE(same_lattice(find_basis(s.vectors, &notes).value(), waves_of({}, none)));
    ASSERT_EQ(notes.size(), 2U);
    EXPECT_NE(notes[1].find("several grains"), std::string::npos) << notes[1];
}

TEST(FindBasis, FindsObliqueAndLongLattices) {
    for (Square const& steps :
         {Square{{{4, 0}, {0, 1.2}}}, Square{{{4, 3.6}, {0, 2}}}, Square{{{4, -1.9}, {0, 3.5}}}}) {
        Crystal const crystal{.steps = steps, .scale = 60};
        Simulator simulate(5, crystal);
        auto const s = simulate({8, 8}, [&](index) { return slightly_strained(simulate); });
        auto const l = find_basis(s.vectors).value();
        EXPECT_TRUE(same_lattice(l, waves_of(crystal, none)));
        EXPECT_LE(length(l.a), length(l.b) * 1.03);
        EXPECT_GT(l.a.row * l.b.col, l.a.col * l.b.row);
        double const projected =
            (l.a.row * l.b.row + l.a.col * l.b.col) / (length(l.a) * length(l.a));
        EXPECT_LE(std::abs(projected), 0.52);
    }
}

// Vectors that are equally long: turned by any angle the choice keeps to its rule, and says so.
TEST(FindBasis, ChoosesAmongEqualVectors) {
    for (Square const& steps : {Square{{{4, 0}, {0, 4}}}, Square{{{4, 2}, {0, 3.4641}}}})
        for (double degrees : {0., 10., 100., 180., 275.}) {
            Crystal const crystal{.steps = steps};
            Simulator simulate(6, crystal);
            auto const s = simulate({6, 6}, [&](index) { return Plan{.f = turned(degrees)}; });
            std::vector<std::string> notes;
            auto const l = find_basis(s.vectors, &notes).value();
            EXPECT_TRUE(same_lattice(l, waves_of(crystal, turned(degrees))));
            EXPECT_GT(l.a.row, 0.8 * length(l.a));
            EXPECT_GT(l.a.row * l.b.col, l.a.col * l.b.row);
            ASSERT_GE(notes.size(), 2U);
            EXPECT_NE(notes[1].find("one of several"), std::string::npos);
        }
}

TEST(FindBasis, WorksOnOnePattern) {
    Simulator simulate(7);
    auto const s = simulate({1, 1}, [&](index) { return slightly_strained(simulate); });
    EXPECT_TRUE(same_lattice(find_basis(s.vectors).value(),
                             {s.truth[0][2], s.truth[0][3], s.truth[0][4], s.truth[0][5]}));
}

TEST(FindBasis, SaysWhatIsMissing) {
    Simulator simulate(8);
    auto const message = [&](std::function<Plan(index)> const& plan) {
        auto const found = find_basis(simulate({5, 5}, plan).vectors);
        return found ? std::string() : found.error().message;
    };
    EXPECT_NE(message([&](index) { return Plan{.most = 0}; }).find("fewer than three"),
              std::string::npos);
    EXPECT_NE(message([&](index) { return Plan{.most = 1}; }).find("fewer than three"),
              std::string::npos);
    EXPECT_NE(message([&](index) { return Plan{.on_a_line = true}; }).find("on lines"),
              std::string::npos);
    // Most disks on a line, and false ones beside it.
    EXPECT_NE(message([&](index) { return Plan{.outliers = 1, .on_a_line = true}; }), "");
    EXPECT_NE(message([&](index) {
                  return Plan{.outliers = 20, .most = 21, .extra = 40};
              }).find("no lattice"),
              std::string::npos);
}

}  // namespace
}  // namespace sluice::crystal::test
