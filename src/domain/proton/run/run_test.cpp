// Several beams are the sum of each, and doses are energy over mass.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "domain/proton/guards/test_guards.h"
#include "sluice/proton_run.h"

namespace sluice::proton {
namespace {

Config two_beams() {
    Config c;
    c.phantom = box("water", 60, 1, 40, 1);
    Beam first;
    first.energy = 60;
    first.sigma_x = 3;
    Beam second = first;
    second.energy = 80;
    second.x = 5;
    second.weight = 0.5;
    c.beams = {first, second};
    return c;
}

double total(std::vector<double> const& values) {
    double sum = 0;
    for (double const v : values) sum += v;
    return sum;
}

TEST(ProtonRun, BeamsAreAddedUp) {
    Config const all = two_beams();
    auto const both = march_beams(all, 1);
    ASSERT_TRUE(both) << both.error().text();
    std::vector<MarchResult> each;
    for (Beam const& b : all.beams) {
        Config one = all;
        one.beams = {b};
        each.push_back(march_beams(one, 1).value());
    }
    for (std::size_t i = 0; i < both->deposit.size(); ++i)
        EXPECT_DOUBLE_EQ(both->deposit[i], each[0].deposit[i] + each[1].deposit[i]);
    EXPECT_DOUBLE_EQ(both->ledger.in.weight, 1.5);
    EXPECT_EQ(both->cells, each[0].cells + each[1].cells);
    // A mean over both lies between those of each, nearer to the one with more protons.
    double const mean = both->sums[10].energy;
    EXPECT_GT(mean, each[0].sums[10].energy);
    EXPECT_LT(mean, (each[0].sums[10].energy + each[1].sums[10].energy) / 2);
}

TEST(ProtonRun, ProgressIsThatOfAllBeamsAndStopsThem) {
    Config const c = two_beams();
    std::vector<std::uint64_t> seen;
    ASSERT_TRUE(march_beams(c, 1, [&](std::uint64_t done, std::uint64_t all) {
        EXPECT_EQ(all, 120U);
        seen.push_back(done);
        return true;
    }));
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_GT(seen.back(), 60U);
    auto const stopped =
        march_beams(c, 1, [](std::uint64_t done, std::uint64_t) { return done < 70; });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, Code::cancelled);
}

TEST(ProtonRun, ATraceShowsThePlanesOfEachBeamAndChangesNothing) {
    Config const c = two_beams();
    Trace trace(1);
    auto const traced = march_beams(c, 1, {}, &trace);
    ASSERT_TRUE(traced) << traced.error().text();
    EXPECT_EQ(traced->deposit, march_beams(c, 1)->deposit);
    std::map<Phase, int> steps;
    for (Span const& s : trace.spans()) ++steps[s.phase];
    EXPECT_EQ(steps[Phase::transport], 120);
    EXPECT_GE(steps[Phase::scatter], 120);
    EXPECT_EQ(steps[Phase::score], 240);
}

TEST(ProtonRun, WithoutBeamsNothingIsLeft) {
    Config c = two_beams();
    c.beams.clear();
    auto const none = march_beams(c, 1);
    ASSERT_TRUE(none);
    EXPECT_TRUE(none->deposit.empty());
}

TEST(ProtonRun, DoseIsEnergyOverMass) {
    Config c = two_beams();
    c.phantom.materials.push_back(material("lung").value());
    auto const r = march_beams(c, 1).value();
    Array<float> const dose = dose_of(c, r, r.ledger.in.weight);
    ASSERT_EQ(dose.shape, (std::vector<index>{60, 40}));
    // MeV in cells of 1 mm x 1 mm of water: a gram per cubic centimetre is a milligram per mm^3.
    double gray = 0;
    for (float const v : dose.values) gray += double{v};
    double const joule = total(r.deposit) / 1.5 * 1.602176634e-13;
    EXPECT_NEAR(gray, joule / (c.phantom.at(0, 0).density * 1e-6), 1e-5 * gray);
    EXPECT_GT(gray, 0);
}

TEST(ProtonRun, WhatIsLeftOutIsSaid) {
    Config c = two_beams();
    auto const said = [&](std::string_view part) {
        return std::ranges::any_of(assumptions(c), [&](std::string const& text) {
            return text.find(part) != std::string::npos;
        });
    };
    EXPECT_TRUE(said("straggling: Bohr"));
    c.options.straggling = false;
    EXPECT_TRUE(said("no straggling"));
    EXPECT_FALSE(said("dense mode"));
    c.dense.emplace();
    EXPECT_TRUE(said("dense mode"));
    std::vector<Guard> guards(2);
    guards[0].severity = Severity::note;
    guards[1].severity = Severity::warning;
    EXPECT_EQ(warnings(guards).size(), 1U);
}

}  // namespace
}  // namespace sluice::proton
