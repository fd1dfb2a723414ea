// The cube beside the march in phantoms that are the same along one axis.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/test_deep.h"
#include "domain/proton/cube/phantoms_test.h"
#include "domain/proton/physics/constants.h"
#include "sluice/proton_run.h"

namespace sluice::proton::cube {

std::vector<TestPhantom> test_phantoms() {
    Material const water = *material("water"), air = *material("air"), lung = *material("lung"),
                   bone = *material("cortical_bone");
    std::vector<Material> const all = {water, air, lung, bone};
    auto const within = [](double v, double from, double past) { return v >= from && v < past; };
    return {
        {"water", all, [](double, double) { return 0; }},
        {"lung slab", all, [=](double, double z) { return within(z, 30, 80) ? 2 : 0; }},
        {"air", all, [=](double, double z) { return within(z, 30, 80) ? 1 : 0; }},
        {"bone slab", all, [=](double, double z) { return within(z, 30, 50) ? 3 : 0; }},
        {"rib", all,
         [=](double x, double z) { return within(z, 20, 30) && within(x, -3, 3) ? 3 : 0; }},
        {"bone edge", all, [=](double x, double z) { return within(z, 20, 50) && x >= 0 ? 3 : 0; }},
        {"deep bone edge", all,
         [=](double x, double z) { return within(z, 100, 120) && x >= 0 ? 3 : 0; }},
        {"deep lung edge", all,
         [=](double x, double z) { return within(z, 60, 110) && x >= 0 ? 2 : 0; }},
    };
}

namespace {

struct Judged {
    double worst = 0, gamma = 0, predicted = 0;
};

Judged judge(TestPhantom const& phantom, double energy, double sigma,
             DoseEngine engine = DoseEngine::pencils) {
    double const width = 80, thickness = 80;
    Physics const physics(WaterTable::icru90);
    double const depth = std::ceil(physics.range(energy) + 70);
    Beam beam{.energy = energy, .energy_spread = 0.7, .sigma_x = sigma};
    MarchOptions o;
    o.threads = 2;
    Phantom const fine = march_phantom(phantom, width, depth, 0.5);
    auto const marched = march(physics, fine, beam, o).value();
    DoseMap wanted{fine.planes / 2, fine.columns / 2, 1, 1, 0.5, -width / 2 + 0.5};
    for (index k = 0; k < wanted.rows; ++k)
        for (index i = 0; i < wanted.columns; ++i) {
            double sum = 0, density = 0;
            for (int a = 0; a < 4; ++a) {
                auto const at =
                    static_cast<std::size_t>((2 * k + a / 2) * fine.columns + 2 * i + a % 2);
                sum += marched.deposit[at];
                density += static_cast<double>(marched.density[at]) / 4;
            }
            wanted.values.push_back(sum * gray_mm2 / density);
        }
    Patient const patient = patient_of_phantom(phantom, width, depth, thickness, 1);
    DoseOptions options;
    options.to = DoseTo::medium;
    options.energy_spread = 0.7;
    options.engine = engine;
    options.threads = 2;
    options.accuracy = 1;
    PlanDose const found =
        dose(plan_of_spots(energy, sigma, {{0, 0, 1}}), patient, nullptr, options).value();
    DoseMap projected = wanted;
    std::fill(projected.values.begin(), projected.values.end(), 0);
    index const plane = wanted.rows * wanted.columns;
    Judged j;
    std::vector<double> wrong(static_cast<std::size_t>(plane));
    for (index i = 0; i < found.dose.image.size(); ++i) {
        auto const to = static_cast<std::size_t>(i % plane);
        projected.values[to] +=
            static_cast<double>(found.dose.image.values[static_cast<std::size_t>(i)]);
        if (!found.error.image.values.empty())
            wrong[to] += static_cast<double>(found.error.image.values[static_cast<std::size_t>(i)]);
    }
    double const most = *std::ranges::max_element(wanted.values);
    double const dose_most =
        static_cast<double>(*std::ranges::max_element(found.dose.image.values));
    for (std::size_t i = 0; i < wanted.values.size(); ++i) {
        // In air a dose to the medium is of nothing.
        j.worst = std::max(j.worst, std::abs(projected.values[i] - wanted.values[i]) / most);
        j.predicted = std::max(j.predicted, wrong[i] / 100 * dose_most / most);
    }
    auto const g = gamma_index(wanted, projected, {.dose = 0.02, .distance = 2, .threads = 2});
    j.gamma = g->passed;
    return j;
}

/// What has to hold at 150 MeV, sigma 4 mm; parts of the highest dose and of the points.
struct Limits {
    std::string phantom;
    double worst, gamma;
};

class CubeJudged : public ::testing::TestWithParam<Limits> {};

TEST_P(CubeJudged, IsTheMarchWithinItsLimits) {
    Limits const& l = GetParam();
    for (TestPhantom const& p : test_phantoms()) {
        if (p.name != l.phantom) continue;
        Judged const j = judge(p, 150, 4);
        EXPECT_LE(j.worst, l.worst) << "gamma " << j.gamma << ", predicted " << j.predicted;
        EXPECT_GE(j.gamma, l.gamma);
        // Slabs hide nothing; behind edges the prediction is of the size of what is wrong.
        if (j.worst > 0.02) {
            EXPECT_GT(j.predicted, 0.8 * j.worst);
        } else {
            EXPECT_LT(j.predicted, 0.001);
        }
        RecordProperty("worst", std::to_string(j.worst));
        RecordProperty("gamma", std::to_string(j.gamma));
        RecordProperty("predicted", std::to_string(j.predicted));
    }
}

INSTANTIATE_TEST_SUITE_P(Phantoms, CubeJudged,
                         ::testing::Values(Limits{"water", 0.012, 1}, Limits{"lung slab", 0.011, 1},
                                           Limits{"air", 0.01, 1}, Limits{"bone slab", 0.02, 0.999},
                                           Limits{"rib", 0.028, 0.999},
                                           Limits{"bone edge", 0.05, 0.99},
                                           Limits{"deep bone edge", 0.15, 0.98},
                                           Limits{"deep lung edge", 0.11, 0.975}),
                         [](auto const& info) {
                             std::string name = info.param.phantom;
                             std::erase(name, ' ');
                             return name;
                         });

// The march in slices, with cells of a millimetre, is nearer to the fine march than pencils are.
TEST(MarchCube, IsTheMarchWhereAllIsTheSameAlongY) {
    for (TestPhantom const& p : test_phantoms()) {
        if (p.name != "bone edge") continue;
        Judged const j = judge(p, 150, 4, DoseEngine::march);
        EXPECT_LT(j.worst, 0.025);
        EXPECT_GT(j.gamma, 0.999);
        RecordProperty("worst", std::to_string(j.worst));
    }
}

// Both engines behind a range shifter, beside a march through the shifter, the air and the water.
struct Behind {
    double worst = 0, gamma = 0, range = 0, width = 0;  ///< mm of the distal edge; part of sigma
};

Behind judge_behind(double energy, double thick, double gap, DoseEngine engine) {
    double const width = 70, thickness = 70, sigma = 4;
    Physics const physics(WaterTable::icru90);
    Material const pmma = *material("pmma");
    double const water = thick * physics.relative_stopping_power(pmma, energy);
    double const depth = std::ceil(physics.range(energy) - water + 30);
    double const before = thick + gap;
    TestPhantom const all{
        "shifter", {*material("water"), *material("air"), pmma}, [=](double, double z) {
            return z > before ? 0 : z < thick ? 2 : 1;
        }};
    TestPhantom const behind{"water", {*material("water")}, [](double, double) { return 0; }};
    MarchOptions o;
    o.threads = 2;
    Phantom const fine = march_phantom(all, width, before + depth, 0.5);
    auto const marched =
        march(physics, fine, {.energy = energy, .energy_spread = 0.7, .sigma_x = sigma}, o).value();
    auto const skipped = static_cast<index>(before / 0.5);
    DoseMap wanted{(fine.planes - skipped) / 2, fine.columns / 2, 1, 1, 0.5, -width / 2 + 0.5};
    for (index k = 0; k < wanted.rows; ++k)
        for (index i = 0; i < wanted.columns; ++i) {
            double sum = 0;
            for (int a = 0; a < 4; ++a)
                sum += marched.deposit[static_cast<std::size_t>(
                    (skipped + 2 * k + a / 2) * fine.columns + 2 * i + a % 2)];
            wanted.values.push_back(sum * gray_mm2);
        }
    DoseOptions options;
    options.energy_spread = 0.7;
    options.engine = engine;
    options.threads = 2;
    IonPlan plan = plan_of_spots(energy, sigma, {{0, 0, 1}});
    // What air takes is not in the plan's way of saying it.
    plan.beams[0].layers[0].shifters = {{"RS", water + 0.00107 * gap, gap}};
    PlanDose const found =
        dose(plan, patient_of_phantom(behind, width, depth, thickness, 1), nullptr, options)
            .value();
    DoseMap projected = wanted;
    std::fill(projected.values.begin(), projected.values.end(), 0);
    for (index i = 0; i < found.dose.image.size(); ++i)
        projected.values[static_cast<std::size_t>(i % (wanted.rows * wanted.columns))] +=
            static_cast<double>(found.dose.image.values[static_cast<std::size_t>(i)]);
    Behind b;
    double const most = *std::ranges::max_element(wanted.values);
    for (std::size_t i = 0; i < wanted.values.size(); ++i)
        b.worst = std::max(b.worst, std::abs(projected.values[i] - wanted.values[i]) / most);
    b.gamma = gamma_index(wanted, projected, {.dose = 0.02, .distance = 2, .threads = 2})->passed;
    auto const edge = [&](DoseMap const& d) {
        std::vector<double> sums(static_cast<std::size_t>(d.rows));
        for (std::size_t i = 0; i < d.values.size(); ++i)
            sums[i / static_cast<std::size_t>(d.columns)] += d.values[i];
        double const half = *std::ranges::max_element(sums) / 2;
        for (std::size_t k = sums.size() - 1; k > 0; --k)
            if (sums[k - 1] >= half)
                return static_cast<double>(k - 1) + (sums[k - 1] - half) / (sums[k - 1] - sums[k]);
        return 0.0;
    };
    b.range = edge(projected) - edge(wanted);
    auto const highest = [&](DoseMap const& d) {  // of a line: the more, the narrower
        return *std::max_element(d.values.begin(), d.values.begin() + 10 * d.columns);
    };
    b.width = highest(wanted) / highest(projected) - 1;
    return b;
}

struct ShifterCase {
    double energy, thick, gap;  ///< MeV, mm of PMMA, mm of air
    DoseEngine engine;
};

TEST(BehindShifters, BothEnginesAreTheMarchThroughAll) {
    std::vector<ShifterCase> cases = {{100, 34, 150, DoseEngine::pencils},
                                      {80, 17, 50, DoseEngine::march}};
    if (deep_tests())
        for (DoseEngine const engine : {DoseEngine::pencils, DoseEngine::march})
            for (double const gap : {20.0, 150.0}) cases.push_back({100, 34, gap, engine});
    for (ShifterCase const& c : cases) {
        Behind const b = judge_behind(c.energy, c.thick, c.gap, c.engine);
        std::string const what = fmt::format(
            "{} MeV, {} and {} mm, {}: worst {:.4f}, gamma {:.4f}, edge {:.2f} mm, width {:.4f}",
            c.energy, c.thick, c.gap, c.engine == DoseEngine::march ? "march" : "pencils", b.worst,
            b.gamma, b.range, b.width);
        fmt::print("{}\n", what);
        // Where halos do not widen on their way through air, the first centimetre has 4 and 5 %
        // too much.
        EXPECT_LT(b.worst, 0.045) << what;
        EXPECT_GT(b.gamma, 0.995) << what;
        EXPECT_LT(std::abs(b.range), 0.1) << what;
        EXPECT_LT(std::abs(b.width), 0.03) << what;
    }
}

}  // namespace
}  // namespace sluice::proton::cube
