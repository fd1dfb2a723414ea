// Doses of plans: what has to hold whatever the kernels are.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "domain/proton/cube/geometry.h"
#include "domain/proton/cube/phantoms_test.h"
#include "domain/proton/physics/constants.h"

namespace sluice::proton::cube {
namespace {

DoseOptions quick() {
    DoseOptions o;
    o.energy_spread = 0.6;
    o.threads = 2;
    o.keep_kernels = false;
    return o;
}

constexpr double energy = 90;  // 64 mm in water

/// Water with a piece of bone and one of lung that are the same from no two sides.
TestPhantom lopsided() {
    std::vector<Material> const all = {*material("water"), *material("cortical_bone"),
                                       *material("lung")};
    return {"lopsided", all, [](double x, double z) -> std::uint16_t {
                if (x > 2 && x < 9 && z > 12 && z < 22) return 1;
                if (x < -4 && z > 20 && z < 30) return 2;
                return 0;
            }};
}

double integral(Volume const& v) {
    double const voxel = v.spacing[0] * v.spacing[1] * v.spacing[2];
    return voxel * std::accumulate(v.image.values.begin(), v.image.values.end(), 0.0);
}

double highest(Volume const& v) {
    return static_cast<double>(*std::ranges::max_element(v.image.values));
}

/// Where half of a line through the highest dose along an axis lies, from both ends.
double width_at_half(Volume const& v, int axis, std::array<index, 3> at) {
    index const strides[3] = {1, v.image.shape[2], v.image.shape[2] * v.image.shape[1]};
    auto const a = static_cast<std::size_t>(axis);
    index const n = v.image.shape[2 - a];
    index const start =
        at[0] * strides[0] + at[1] * strides[1] + at[2] * strides[2] - at[a] * strides[a];
    std::vector<double> line;
    for (index i = 0; i < n; ++i)
        line.push_back(
            static_cast<double>(v.image.values[static_cast<std::size_t>(start + i * strides[a])]));
    double const half = *std::ranges::max_element(line) / 2;
    double first = 0, last = 0;
    for (std::size_t i = 1; i < line.size(); ++i) {
        double const part = (half - line[i - 1]) / (line[i] - line[i - 1]);
        double const place = (static_cast<double>(i - 1) + part) * v.spacing[a];
        if (line[i - 1] < half && line[i] >= half) first = place;
        if (line[i - 1] >= half && line[i] < half) last = place;
    }
    return last - first;
}

PlanDose dose_in(TestPhantom const& phantom, IonPlan const& plan, DoseOptions const& o,
                 double thickness = 60) {
    return dose(plan, patient_of_phantom(phantom, 60, 90, thickness, 1), nullptr, o).value();
}

// The dose to the medium, times its density, is what protons brought.
TEST(Dose, WhatProtonsBringIsInTheDose) {
    DoseOptions o = quick();
    o.to = DoseTo::medium;
    TestPhantom const phantom = lopsided();
    Patient const patient = patient_of_phantom(phantom, 60, 90, 60, 1);
    PlanDose const d = dose(plan_of_spots(energy, 3, {{0, 0, 1e6}}), patient, nullptr, o).value();
    double joule = 0;
    for (std::size_t i = 0; i < d.dose.image.values.size(); ++i)
        joule += static_cast<double>(d.dose.image.values[i]) *
                 static_cast<double>(patient.density[patient.tissue[i]]) * 1e-6;
    ASSERT_EQ(d.beams.size(), 1U);
    EXPECT_NEAR(joule / d.beams[0].energy, 1, 0.006);
    EXPECT_NEAR(d.beams[0].deposited / d.beams[0].energy, 1, 0.004);
    // Neutral particles and those that go farther have the rest.
    EXPECT_NEAR(d.beams[0].energy / (1e6 * energy * joule_per_mev), 0.975, 0.02);
}

// A phantom that is turned with its beam has the same dose: gantry and couch together.
TEST(Dose, IsTheSameFromAllSides) {
    TestPhantom const phantom = lopsided();
    IonPlan plan = plan_of_spots(energy, 3, {{3, -5, 1}, {-6, 4, 2}});
    Patient front = patient_of_phantom(phantom, 60, 90, 60, 1);
    PlanDose const from_front = dose(plan, front, nullptr, quick()).value();
    double const most = highest(from_front.dose);
    struct Side {
        double gantry, couch;
        std::string position;
    };
    for (Side const& side : {Side{90, 0, "HFS"}, Side{180, 0, "HFS"}, Side{37, 0, "HFS"},
                             Side{300, 25, "HFS"}, Side{140, 310, "FFP"}}) {
        // The image is turned so that its y axis goes with the beam.
        IonBeam& beam = plan.beams[0];
        beam.gantry = 0;
        beam.couch = 0;
        Frame const from = frame_of(beam, "HFS").value();
        beam.gantry = side.gantry;
        beam.couch = side.couch;
        plan.patient_position = side.position;
        Frame const to = frame_of(beam, side.position).value();
        Patient turned_patient = front;
        for (std::size_t a = 0; a < 3; ++a)
            turned_patient.direction[a] = to.to_patient(from.to_gantry(front.direction[a]));
        Place3 const origin =
            to.to_patient(from.to_gantry({front.origin[0], front.origin[1], front.origin[2]}));
        turned_patient.origin = {origin[0], origin[1], origin[2]};
        PlanDose const d = dose(plan, turned_patient, nullptr, quick()).value();
        double worst = 0;
        for (std::size_t i = 0; i < d.dose.image.values.size(); ++i)
            worst = std::max(worst, std::abs(static_cast<double>(d.dose.image.values[i]) -
                                             static_cast<double>(from_front.dose.image.values[i])));
        EXPECT_LT(worst / most, 2e-4) << side.gantry << " " << side.couch;
    }
}

// A source near by makes a field larger behind the isocentre, and thins it out.
TEST(Dose, DivergesFromItsSources) {
    TestPhantom const air{"air", {*material("air")}, [](double, double) { return 0; }};
    std::vector<PlanSpot> field;
    for (int i = -4; i <= 4; ++i)
        for (int j = -4; j <= 4; ++j) field.push_back({2.0 * i, 2.0 * j, 1e6});
    IonPlan plan = plan_of_spots(energy, 3, field);
    plan.beams[0].source = {500, 1000};
    DoseOptions o = quick();
    o.let = false;
    Patient patient = patient_of_phantom(air, 100, 200, 100, 1);
    patient.origin[1] -= 100;
    PlanDose const d = dose(plan, patient, nullptr, o).value();
    auto const widths = [&](double y) {
        auto const at = static_cast<index>(y + 100);
        return std::pair(width_at_half(d.dose, 0, {50, at, 50}),
                         width_at_half(d.dose, 2, {50, at, 50}));
    };
    auto const [x_before, z_before] = widths(-80);
    auto const [x_behind, z_behind] = widths(80);
    EXPECT_NEAR(x_behind / x_before, 580.0 / 420, 0.01);
    EXPECT_NEAR(z_behind / z_before, 1080.0 / 920, 0.01);
    auto const middle = [&](double y) {
        return static_cast<double>(d.dose.image.values[static_cast<std::size_t>(
            (50 * 200 + static_cast<index>(y + 100)) * 100 + 50)]);
    };
    EXPECT_NEAR(middle(80) / middle(-80), 420.0 / 580 * 920 / 1080, 0.02);
}

// A range shifter takes its water off the range, and widens a spot by what it scatters.
TEST(Dose, RangeShiftersShiftAndWiden) {
    TestPhantom const water{"water", {*material("water")}, [](double, double) { return 0; }};
    IonPlan plan = plan_of_spots(energy, 2, {{0, 0, 1e6}});
    DoseOptions o = quick();
    o.let = false;
    auto const distal = [](PlanDose const& d) {
        // Of the dose summed over planes, the last depth with half of it.
        index const columns = d.dose.image.shape[2], rows = d.dose.image.shape[1];
        std::vector<double> depth(static_cast<std::size_t>(rows));
        for (index i = 0; i < d.dose.image.size(); ++i)
            depth[static_cast<std::size_t>(i / columns % rows)] +=
                static_cast<double>(d.dose.image.values[static_cast<std::size_t>(i)]);
        double const half = *std::ranges::max_element(depth) / 2;
        for (std::size_t i = depth.size() - 1; i > 0; --i)
            if (depth[i - 1] >= half)
                return static_cast<double>(i - 1) +
                       (depth[i - 1] - half) / (depth[i - 1] - depth[i]);
        return 0.0;
    };
    PlanDose const bare = dose_in(water, plan, o);
    plan.beams[0].layers[0].shifters = {{"RS", 20, 100}};
    PlanDose const behind = dose_in(water, plan, o);
    EXPECT_NEAR(distal(bare) - distal(behind), 20, 0.15);
    EXPECT_EQ(behind.beams[0].water_before, 20);
    double const before = width_at_half(bare.dose, 0, {30, 2, 30}) / 2.3548,
                 after = width_at_half(behind.dose, 0, {30, 2, 30}) / 2.3548;
    EXPECT_NEAR(before, 2, 0.05);
    // Rossi's formula by hand: 20 mm of water-equivalent PMMA, then 100 mm of air.
    Physics const physics(WaterTable::icru90);
    double variance = 0, range = physics.range(energy);
    Material const pmma = *material("pmma");
    double const ratio = pmma.scattering / physics.relative_stopping_power(pmma, 100);
    for (int i = 0; i < 2000; ++i) {
        double const w = (i + 0.5) / 100, lever = 102.5 + (20 - w) / 1.16;
        double const pv = momentum_velocity(physics.energy(range - w));
        // 466 mm: the scattering length of water at 1 g/cm3 (Gottschalk 2010).
        variance += std::pow(15 / pv, 2) / 466 * 0.01 * ratio * lever * lever;
    }
    EXPECT_NEAR(after * after - before * before, variance, 0.05 * variance);
}

TEST(Dose, DoesNotDependOnThreadsOrInstructionSets) {
    TestPhantom const phantom = lopsided();
    IonPlan const plan = plan_of_spots(energy, 3, {{3, -5, 1}, {-6, 4, 2}});
    Patient const patient = patient_of_phantom(phantom, 60, 90, 60, 1.5);
    DoseOptions o = quick();
    PlanDose const one = dose(plan, patient, nullptr, o).value();
    auto const same = [&](PlanDose const& other, std::string const& what) {
        EXPECT_EQ(one.dose.image.values, other.dose.image.values) << what;
        EXPECT_EQ(one.error.image.values, other.error.image.values) << what;
    };
    o.threads = 1;
    same(dose(plan, patient, nullptr, o).value(), "one thread");
    o.threads = 3;
    same(dose(plan, patient, nullptr, o).value(), "three threads");
    o.device = Device::cpu(2, Isa::baseline);
    same(dose(plan, patient, nullptr, o).value(), "baseline");
    o.device = Device::reference();
    same(dose(plan, patient, nullptr, o).value(), "reference");
}

// Two beams add up, and LET is their mean by dose.
TEST(Dose, OfTwoBeamsIsTheSum) {
    TestPhantom const phantom = lopsided();
    IonPlan plan = plan_of_spots(energy, 3, {{0, 0, 1}});
    IonPlan other = plan_of_spots(80, 4, {{5, 0, 3}});
    DoseOptions const o = quick();
    PlanDose const a = dose_in(phantom, plan, o), b = dose_in(phantom, other, o);
    plan.beams.push_back(other.beams[0]);
    PlanDose const both = dose_in(phantom, plan, o);
    double const most = highest(both.dose);
    for (std::size_t i = 0; i < both.dose.image.values.size(); i += 7) {
        double const da = static_cast<double>(a.dose.image.values[i]),
                     db = static_cast<double>(b.dose.image.values[i]);
        ASSERT_NEAR(static_cast<double>(both.dose.image.values[i]), da + db, 1e-6 * most);
        double const la = static_cast<double>(a.let.image.values[i]),
                     lb = static_cast<double>(b.let.image.values[i]);
        if (da < 0.05 * most || db < 0.05 * most) continue;
        ASSERT_NEAR(static_cast<double>(both.let.image.values[i]), (da * la + db * lb) / (da + db),
                    1e-3);
    }
}

// Larger voxels have nearly the mean of the smaller ones in them.
TEST(Dose, HasTheGridThatIsWanted) {
    TestPhantom const phantom = lopsided();
    IonPlan const plan = plan_of_spots(energy, 4, {{0, 0, 1e6}});
    DoseOptions o = quick();
    PlanDose const fine = dose_in(phantom, plan, o);
    o.spacing = {3, 2, 2};
    PlanDose const coarse = dose_in(phantom, plan, o);
    EXPECT_EQ(coarse.dose.image.shape, (std::vector<index>{30, 45, 20}));
    EXPECT_DOUBLE_EQ(coarse.dose.origin[0], -30 + 1.5);
    EXPECT_DOUBLE_EQ(coarse.dose.origin[1], 1);
    EXPECT_NEAR(integral(coarse.dose) / integral(fine.dose), 1, 0.01);
}

TEST(Dose, CountsFractions) {
    TestPhantom const phantom = lopsided();
    IonPlan plan = plan_of_spots(energy, 4, {{0, 0, 1e6}});
    DoseOptions o = quick();
    PlanDose const one = dose_in(phantom, plan, o);
    plan.fractions = 5;
    PlanDose const all = dose_in(phantom, plan, o);
    EXPECT_EQ(all.fractions, 5);
    EXPECT_NEAR(highest(all.dose) / highest(one.dose), 5, 1e-5);
    o.single_fraction = true;
    EXPECT_NEAR(highest(dose_in(phantom, plan, o).dose) / highest(one.dose), 1, 1e-6);
}

std::string why_not(IonPlan const& plan, DoseOptions const& o = quick()) {
    auto const d = dose(plan, patient_of_phantom(lopsided(), 60, 90, 60, 3), nullptr, o);
    return d ? "" : d.error().message;
}

TEST(Dose, RefusesWhatItCannotKnow) {
    IonPlan const good = plan_of_spots(energy, 3, {{0, 0, 1}});
    EXPECT_EQ(why_not(good), "");
    auto const has = [](std::string const& text, std::string const& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    IonPlan p = good;
    p.beams[0].layers[0].fwhm = {};
    has(why_not(p), "does not tell how wide its spots are");
    p = good;
    p.unit = MetersetUnit::mu;
    has(why_not(p), "protons_per_mu");
    DoseOptions o = quick();
    o.energy_spread = {};
    has(why_not(good, o), "energy_spread");
    p = good;
    p.patient_position = "HFDR";
    has(why_not(p), "HFDR");
    p = good;
    p.beams[0].isocentre = {500, 0, 0};
    has(why_not(p), "passes the image by");
    p = good;
    p.beams[0].source = {50, 2000};
    has(why_not(p), "virtual source");
    p = good;
    p.beams[0].layers[0].shifters = {{"RS", 100, 100}};
    has(why_not(p), "stops protons");
    p.beams[0].layers[0].shifters = {{"RS", 10, -40}};
    has(why_not(p), "lie before its range shifter");
    p = good;
    p.beams[0].layers[0].spots[0].meterset = 0;
    has(why_not(p), "no spot with a weight");
    p.beams.clear();
    has(why_not(p), "no beam");
}

// Depth doses of a file have a spread of their own.
TEST(Dose, TakesNoSpreadForDepthDosesThatAreThere) {
    Physics const physics(WaterTable::icru90);
    Machine machine{.name = "m", .source = {2000, 2000}, .plane = 400, .air_included = true};
    MachineEnergy e{.nominal = energy, .mean = energy, .spread = 0.6};
    e.spots = {{.weight = 1, .sigma = {3, 3}}};
    e.kernel = base_energy(physics, energy, {.energy_spread = 0.6}).value();
    machine.energies = {e};
    Patient const patient = patient_of_phantom(lopsided(), 60, 90, 60, 3);
    IonPlan const plan = plan_of_spots(energy, 3, {{0, 0, 1}});
    DoseOptions o = quick();
    auto const refused = dose(plan, patient, &machine, o);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("leave it out"), std::string::npos);
    o.energy_spread = {};
    EXPECT_TRUE(dose(plan, patient, &machine, o));
}

// What lies between rays is not seen, and no error is predicted of it.
TEST(Dose, SaysThatPixelsSkipVoxels) {
    IonPlan const plan = plan_of_spots(energy, 6, {{0, 0, 1}});
    auto const skips = [&](double pixel) {
        DoseOptions o = quick();
        o.pixel = pixel;
        return std::ranges::any_of(dose_in(lopsided(), plan, o).guards,
                                   [](Guard const& g) { return g.name == "pixels_skipped"; });
    };
    EXPECT_FALSE(skips(1));
    EXPECT_TRUE(skips(2));
}

TEST(Dose, OfTheMarchPredictsNoError) {
    IonPlan const plan = plan_of_spots(energy, 3, {{0, 0, 1}});
    DoseOptions o = quick();
    o.engine = DoseEngine::march;
    o.step = 2;
    PlanDose const d = dose_in(lopsided(), plan, o);
    EXPECT_TRUE(d.error.image.values.empty());
    EXPECT_TRUE(std::ranges::any_of(d.notes, [](std::string const& note) {
        return note.find("across x only") != std::string::npos;
    }));
}

// What is said of beams and errors is of the dose that is told.
TEST(Dose, OutsideOfThePatientCountsNowhere) {
    IonPlan const plan = plan_of_spots(energy, 3, {{0, 0, 1e6}});
    Patient patient = patient_of_phantom(lopsided(), 60, 90, 60, 1);
    PlanDose const whole = dose(plan, patient, nullptr, quick()).value();
    // All that lies deeper than 45 mm, the peak among it, is outside.
    patient.outside = static_cast<std::uint16_t>(patient.materials.size());
    patient.materials.push_back(patient.materials[0]);
    for (auto* v : {&patient.stopping, &patient.scattering, &patient.density})
        v->push_back((*v)[0]);
    for (std::size_t i = 0; i < patient.tissue.size(); ++i)
        if (static_cast<index>(i) / patient.shape[2] % patient.shape[1] >= 45)
            patient.tissue[i] = *patient.outside;
    PlanDose const cut = dose(plan, patient, nullptr, quick()).value();
    EXPECT_LT(highest(cut.dose), 0.8 * highest(whole.dose));
    EXPECT_DOUBLE_EQ(cut.beams[0].highest, highest(cut.dose));
    for (std::size_t i = 0; i < patient.tissue.size(); ++i)
        if (patient.tissue[i] == *patient.outside) {
            ASSERT_EQ(cut.dose.image.values[i], 0);
            ASSERT_EQ(cut.error.image.values[i], 0);
            ASSERT_TRUE(std::isnan(cut.let.image.values[i]));
        }
}

// What lies before the image is not known: a beam that enters through tissue at its edge is told.
TEST(Dose, SaysWhereTheImageEnds) {
    IonPlan plan = plan_of_spots(energy, 3, {{0, 0, 1}});
    auto const guard = [](PlanDose const& d, std::string const& name) {
        return std::ranges::any_of(d.guards, [&](Guard const& g) { return g.name == name; });
    };
    PlanDose const whole = dose_in(lopsided(), plan, quick());
    EXPECT_TRUE(guard(whole, "enters_at_edge"));
    EXPECT_FALSE(guard(whole, "leaves_image"));
    plan.beams[0].layers[0].energy = 160;
    EXPECT_TRUE(guard(dose_in(lopsided(), plan, quick()), "leaves_image"));
}

TEST(Dose, CanBeCancelled) {
    DoseOptions o = quick();
    int calls = 0;
    o.progress = [&calls](std::uint64_t, std::uint64_t) { return ++calls < 3; };
    auto const d = dose(plan_of_spots(energy, 3, {{0, 0, 1}}),
                        patient_of_phantom(lopsided(), 60, 90, 60, 2), nullptr, o);
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::cancelled);
}

}  // namespace
}  // namespace sluice::proton::cube
