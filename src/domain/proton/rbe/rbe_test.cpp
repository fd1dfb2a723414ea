// RBE beside the papers' formulas in other forms, its limits, and what is refused.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sluice/proton_rbe.h"

namespace sluice::proton {
namespace {

constexpr RbeModel fitted[] = {RbeModel::mcnamara, RbeModel::wedenberg, RbeModel::carabe};
constexpr float missing = std::numeric_limits<float>::quiet_NaN();

Volume line(std::vector<float> values, std::vector<double> spacing = {2, 2, 2}) {
    auto const n = static_cast<index>(values.size());
    return {{{1, 1, n}, std::move(values)}, std::move(spacing), {0, 0, 0}};
}

std::string problem(Volume const& dose, Volume const& let, RbeOptions const& o = {},
                    Volume const* map = nullptr) {
    auto const r = rbe_dose(dose, let, o, map);
    return r ? std::string("none") : r.error().text();
}

void has(std::string const& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas no: " << part;
}

// Computed with 50 decimal digits from the formulas of the papers.
TEST(Rbe, IsThatOfThePapers) {
    struct Row {
        RbeModel model;
        double dose, let, alpha_beta, rbe;
    };
    constexpr Row rows[] = {
        {RbeModel::mcnamara, 2, 2.5, 2, 1.1936335112898933},
        {RbeModel::mcnamara, 0.1, 8, 3, 1.8612160342167512},
        {RbeModel::mcnamara, 2, 12, 10, 1.2749503848985191},
        {RbeModel::mcnamara, 8, 1, 1.5, 1.1067767838970983},
        {RbeModel::wedenberg, 2, 2.5, 2, 1.1710774967068403},
        {RbeModel::wedenberg, 0.1, 8, 3, 2.0505131887576921},
        {RbeModel::wedenberg, 2, 12, 10, 1.3540887379509050},
        {RbeModel::wedenberg, 8, 1, 1.5, 1.0245250388433071},
        {RbeModel::carabe, 2, 2.5, 2, 1.1859646855806322},
        {RbeModel::carabe, 0.1, 8, 3, 1.8720228371282144},
        {RbeModel::carabe, 2, 12, 10, 1.2653017755097187},
        {RbeModel::carabe, 8, 1, 1.5, 1.1021573609757572},
    };
    for (Row const& r : rows)
        EXPECT_NEAR(rbe(r.model, r.dose, r.let, r.alpha_beta), r.rbe, 1e-14 * r.rbe);
}

// What the formula solves: as many cells survive D of protons as Dx of photons.
TEST(Rbe, GivesThePhotonsThatDoAsMuch) {
    for (RbeModel const m : fitted)
        for (double const r : {0.8, 2.0, 10.0})
            for (double const let : {0.5, 3.0, 15.0})
                for (double const d : {1e-6, 0.02, 2.0, 30.0}) {
                    auto const [most, least] = rbe_limits(m, let, r);
                    double const x = d * rbe(m, d, let, r);
                    double const photons = r * x + x * x;
                    double const protons = r * most * d + least * least * d * d;
                    EXPECT_NEAR(photons, protons, 1e-13 * protons);
                }
}

TEST(Rbe, HasItsLimits) {
    for (RbeModel const m : fitted) {
        auto const [most, least] = rbe_limits(m, 4, 3);
        EXPECT_DOUBLE_EQ(rbe(m, 0, 4, 3), most);
        EXPECT_NEAR(rbe(m, 1e-9, 4, 3), most, 1e-8);
        EXPECT_NEAR(rbe(m, 1e9, 4, 3), least, 1e-8);
    }
    EXPECT_EQ(rbe(RbeModel::constant, 2, 30, 1), 1.1);
    EXPECT_EQ(rbe(RbeModel::constant, 0, 0, 1), 1.1);
    // Beyond its data McNamara's RBEmin is below 0; RBE goes on falling with the dose.
    EXPECT_LT(rbe(RbeModel::mcnamara, 1e3, 90, 12), rbe(RbeModel::mcnamara, 1e2, 90, 12));
}

TEST(RbeDose, OfFractionsIsTheirSum) {
    Volume const one = line({2, 1, 0}), let = line({3, 9, missing});
    Volume const all = line({60, 30, 0});
    auto const a = rbe_dose(one, let).value(), b = rbe_dose(all, let, {.fractions = 30}).value();
    for (std::size_t i = 0; i < 3; ++i) EXPECT_FLOAT_EQ(b.image.values[i], 30 * a.image.values[i]);
    EXPECT_FLOAT_EQ(a.image.values[1], static_cast<float>(rbe(RbeModel::mcnamara, 1, 9, 2)));
    EXPECT_EQ(a.spacing, one.spacing);
    EXPECT_EQ(a.content, "effective dose, Gy");
    // All at once would be another dose.
    EXPECT_LT(rbe_dose(all, let).value().image.values[0], b.image.values[0]);
}

TEST(RbeDose, TakesAMapOfTissues) {
    Volume const dose = line({2, 2, 0}), let = line({3, 3, 3}), map = line({2, 10, -1});
    auto const r = rbe_dose(dose, let, {.alpha_beta = 99}, &map).value();
    for (std::size_t const i : {0, 1})
        EXPECT_FLOAT_EQ(r.image.values[i],
                        static_cast<float>(2 * rbe(RbeModel::mcnamara, 2, 3,
                                                   static_cast<double>(map.image.values[i]))));
    EXPECT_EQ(r.image.values[2], 0);
    Volume const holed = line({2, missing, 2});
    has(problem(dose, let, {}, &holed), "alpha/beta at z 0, y 0, x 1 is nan");
}

TEST(RbeDose, TakesTissuesByStructure) {
    Volume dose{{{4, 4, 4}, std::vector<float>(64, 2)}, {2, 2, 2}, {0, 0, 0}};
    auto const box = [](std::string name, double x0, double x1) {
        Structure s;
        s.name = std::move(name);
        for (double const z : {0.0, 2.0, 4.0, 6.0})
            s.contours.push_back({{x0, -1, z}, {x1, -1, z}, {x1, 7, z}, {x0, 7, z}});
        return s;
    };
    // Half of an element counts, less does not; the last tissue does.
    Structure const left = box("left", -1, 4), right = box("right", 2.1, 7);
    Volume const map = alpha_beta_map(dose, 3, {{&left, 10}}).value();
    EXPECT_EQ(map.image.values[1], 10);
    EXPECT_EQ(map.image.values[2], 10);
    EXPECT_EQ(map.image.values[3], 3);
    Volume const both = alpha_beta_map(dose, 3, {{&left, 10}, {&right, 1.5}}).value();
    EXPECT_EQ(both.image.values[1], 10);
    EXPECT_EQ(both.image.values[2], 1.5f);
    EXPECT_EQ(both.image.values[3], 1.5f);
    auto const weighted = rbe_dose(dose, {{{4, 4, 4}, std::vector<float>(64, 5)}}, {}, &both);
    ASSERT_TRUE(weighted) << weighted.error().text();
    EXPECT_FLOAT_EQ(weighted->image.values[3],
                    static_cast<float>(2 * rbe(RbeModel::mcnamara, 2, 5, 1.5)));
    auto const text = [&](double elsewhere, std::vector<Tissue> const& t) {
        auto const r = alpha_beta_map(dose, elsewhere, t);
        return r ? std::string("none") : r.error().text();
    };
    has(text(0, {}), "alpha/beta of what is in no structure is 0");
    has(text(2, {{&left, -1}}), "alpha/beta of 'left' is -1");
    Structure const far = box("far", 100, 110);
    has(text(2, {{&far, 3}}), "'far' has no half of an element");
}

TEST(RbeDose, WithoutLetIsAnErrorWhereItMatters) {
    Volume const dose = line({2, 0.0019f, 0.0021f});
    auto const r = rbe_dose(dose, line({3, missing, 4}));
    ASSERT_TRUE(r);
    EXPECT_FLOAT_EQ(r->image.values[1], 1.1f * 0.0019f);
    for (float const bad : {missing, 0.0f, -3.0f, 101.0f, HUGE_VALF})
        has(problem(dose, line({3, 3, bad})), "the LET at z 0, y 0, x 2 is");
    // The constant model needs none.
    EXPECT_EQ(rbe_dose(dose, {}, {.model = RbeModel::constant}).value().image.values[0], 2.2f);
    has(problem(dose, {}), "the LET is missing");
}

TEST(RbeDose, RefusesWhatWouldBeWrong) {
    Volume const dose = line({2, 1}), let = line({3, 3});
    EXPECT_EQ(problem(dose, let), "none");
    has(problem(line({2, -0.5f}), let), "the dose at z 0, y 0, x 1 is -0.5 Gy");
    has(problem(line({2, missing}), let), "is nan Gy");
    has(problem(dose, line({3, 3, 3})), "the LET has 1x1x3 elements and the dose 1x1x2");
    has(problem(dose, line({3, 3}, {2, 2, 2.1})), "its spacing differs");
    Volume moved = let;
    moved.origin = {0, 1, 0};
    has(problem(dose, moved), "its origin differs");
    moved = let;
    moved.direction[0] = {-1, 0, 0};
    has(problem(dose, moved), "its direction of axes differs");
    moved.spacing = moved.origin = {};  // an array says nothing
    EXPECT_EQ(problem(dose, moved), "none");
    for (double const r : {0.0, -2.0, std::nan(""), HUGE_VAL})
        has(problem(dose, let, {.alpha_beta = r}), "alpha/beta is");
    has(problem(dose, let, {.fractions = 0}), "0 fractions");
    has(problem(rbe_dose(dose, let).value(), let), "weighted by RBE already");
}

}  // namespace
}  // namespace sluice::proton
