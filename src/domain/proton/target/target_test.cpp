// Spots for targets in water: where they lie, and what the target gets by the dose engine.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/target/grown.h"
#include "sluice/proton_structure_dvh.h"
#include "sluice/proton_target.h"

namespace sluice::proton {
namespace {

/// A block in planes of 2 mm; corners are middles of voxels or between them.
Structure block(std::array<double, 3> low, std::array<double, 3> high) {
    Structure s;
    s.name = "block";
    for (double z = low[2] + 1; z < high[2]; z += 2)
        s.contours.push_back({{low[0], low[1], z},
                              {high[0], low[1], z},
                              {high[0], high[1], z},
                              {low[0], high[1], z}});
    return s;
}

/// Water from y = 0 on, in voxels of 2 mm about x = z = 0; `hu` of a place.
Volume water(double hu(double x, double y)) {
    Volume v{Array<float>::zeros({40, 80, 40}), {2, 2, 2}, {-39, 1, -39}};
    std::size_t i = 0;
    for (int z = 0; z < 40; ++z)
        for (int y = 0; y < 80; ++y)
            for (int x = 0; x < 40; ++x)
                v.image.values[i++] = static_cast<float>(hu(-39 + 2 * x, 1 + 2 * y));
    return v;
}

Machine machine() {
    Machine m{.name = "test", .source = {2000, 2200}, .plane = 0};
    for (double const e : {50.0, 100.0, 150.0}) {
        MachineEnergy one{.nominal = e, .mean = e, .spread = 0.6};
        one.spots = {{.sigma = {4, 4}}};
        m.energies.push_back(one);
    }
    return m;
}

// A march takes longer than all else here.
std::string kernels() {
    return testing::TempDir() + "sluice_target_kernels";
}

TargetOptions quick() {
    TargetOptions o;
    o.kernels = kernels();
    o.threads = 2;
    return o;
}

struct Got {
    TargetPlan plan;
    Dvh dvh;
};

Got covered(Volume const& ct, Structure const& target, TargetOptions const& o) {
    Patient const patient = patient_of(ct, {.quantity = ImageQuantity::hu}).value();
    Got got{place_spots(patient, ct, target, machine(), o).value(), {}};
    Machine const m = machine();
    DoseOptions d;
    d.kernels = kernels();
    d.let = d.error = false;
    d.pixel = d.step = 2;
    d.threads = 2;
    got.dvh = structure_dvh(dose(got.plan.plan, patient, &m, d).value().dose, target).value().dvh;
    return got;
}

TEST(Target, GrowsByTheDistanceOfMiddles) {
    std::vector<index> const shape = {9, 11, 13};
    std::vector<double> const spacing = {1, 1.5, 2};
    std::vector<std::uint16_t> inside(9 * 11 * 13);
    auto const at = [](index x, index y, index z) {
        return static_cast<std::size_t>((z * 11 + y) * 13 + x);
    };
    inside[at(3, 4, 5)] = inside[at(8, 4, 5)] = inside[at(4, 7, 2)] = 1;
    for (double const margin : {0.0, 1.0, 2.5, 3.0, 30.0}) {
        auto const found = target::grown(inside, shape, spacing, margin);
        for (index z = 0; z < 9; ++z)
            for (index y = 0; y < 11; ++y)
                for (index x = 0; x < 13; ++x) {
                    bool near = false;
                    for (auto const& [a, b, c] :
                         {std::array<index, 3>{3, 4, 5}, {8, 4, 5}, {4, 7, 2}})
                        near = near || std::hypot(double(x - a), 1.5 * double(y - b),
                                                  2.0 * double(z - c)) <= margin + 1e-9;
                    ASSERT_EQ(found[at(x, y, z)], near) << margin;
                }
    }
}

// The dose is asked of the engine: no spot knows of its neighbours' sides.
TEST(Target, GetsTheDoseThatWasAskedFor) {
    Volume const ct = water([](double, double) { return 0.0; });
    TargetOptions o = quick();
    o.fractions = 3;
    Got const got = covered(ct, block({-12, 60, -12}, {12, 90, 12}), o);
    EXPECT_NEAR(got.dvh.mean, 6, 0.12);
    EXPECT_GT(got.dvh.coverage(0.98), 0.93 * 6);
    EXPECT_LT(got.dvh.coverage(0.02), 1.02 * 6);
    ASSERT_EQ(got.plan.beams.size(), 1U);
    EXPECT_NEAR(got.plan.beams[0].shallowest, 50, 2.1);
    EXPECT_NEAR(got.plan.beams[0].deepest, 100, 2.1);
    IonBeam const& b = got.plan.plan.beams[0];
    EXPECT_NEAR(b.isocentre[0], 0, 0.1);
    EXPECT_NEAR(b.isocentre[1], 75, 0.1);
    // The corners are round: the deepest layer is as wide as the block, five rays 5 mm apart each
    // way.
    EXPECT_EQ(b.layers.front().spots.size(), 25U);
    EXPECT_TRUE(std::ranges::is_sorted(b.layers, std::greater{}, &PlanLayer::energy));
    EXPECT_TRUE(got.plan.guards.empty());
    for (PlanLayer const& l : b.layers)
        for (PlanSpot const& s : l.spots) {
            EXPECT_LE(std::abs(s.x), 22.5);
            EXPECT_LE(std::abs(s.y), 22.5);
        }
}

TEST(Target, TwoBeamsShareItAndBoneTakesMoreEnergy) {
    // Half of it lies behind 20 mm of bone.
    Volume const ct =
        water([](double x, double y) { return x > 0 && y > 20 && y < 40 ? 1200.0 : 0.0; });
    TargetOptions o = quick();
    o.gantry = {0, 180};
    Got const got = covered(ct, block({-16, 60, -12}, {16, 90, 12}), o);
    EXPECT_NEAR(got.dvh.mean, 2, 0.06);
    ASSERT_EQ(got.plan.beams.size(), 2U);
    EXPECT_NEAR(got.plan.beams[1].deepest, 160 - 50, 2.1);
    // What goes through bone needs its water more.
    EXPECT_GT(got.plan.beams[0].deepest, 100 + 10);
    EXPECT_NEAR(got.plan.beams[0].shallowest, 50, 2.1);
}

TEST(Target, SaysWhatItCannotReach) {
    Volume const ct = water([](double, double) { return 0.0; });
    Patient const patient = patient_of(ct).value();
    TargetOptions o = quick();
    auto const why = [&](Structure const& s) {
        auto const p = place_spots(patient, ct, s, machine(), o);
        return p ? std::string() : p.error().message;
    };
    Structure const shallow = block({-8, 10, -8}, {8, 40, 8});
    auto const found = place_spots(patient, ct, shallow, machine(), o).value();
    ASSERT_EQ(found.guards.size(), 1U);
    EXPECT_EQ(found.guards[0].name, "target_too_shallow");
    EXPECT_EQ(found.guards[0].value, 100);
    o.gantry = {90};  // 80 mm from the side at most
    o.isocentre = {0, 50, 0};
    EXPECT_EQ(why(block({-8, 40, -8}, {8, 60, 8})), "");
    Machine weak = machine();
    weak.energies.pop_back();
    o.gantry = {0};
    auto const deep = place_spots(patient, ct, block({-8, 100, -8}, {8, 130, 8}), weak, o);
    ASSERT_FALSE(deep);
    EXPECT_NE(deep.error().message.find("140 mm of water deep"), std::string::npos)
        << deep.error().message;
    EXPECT_NE(why(block({200, 10, 0}, {210, 20, 4})).find("fills no voxel"), std::string::npos);
    EXPECT_NE(why(block({0, 0, 0}, {8, 8, 0})).find("structure 'block': "), std::string::npos);
    o.couch = {0, 1};
    EXPECT_NE(why(shallow).find("1 angles of the gantry and 2 of the couch"), std::string::npos);
    o = quick();
    o.patient_position = "upside";
    EXPECT_FALSE(place_spots(patient, ct, shallow, machine(), o));
    o = quick();
    o.spacing = std::nan("");
    EXPECT_FALSE(place_spots(patient, ct, shallow, machine(), o));
    o = quick();
    o.progress = [](std::uint64_t, std::uint64_t) { return false; };
    auto const stopped = place_spots(patient, ct, shallow, machine(), o);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, Code::cancelled);
}

}  // namespace
}  // namespace sluice::proton
