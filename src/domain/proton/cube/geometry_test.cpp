// Beams from all sides: coordinates of IEC 61217.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/geometry.h"

#include <gtest/gtest.h>

namespace sluice::proton::cube {
namespace {

// Where the source is, seen from the isocentre in the patient: a metre against the beam.
Place3 source_of(double gantry, double couch, std::string const& position) {
    IonBeam beam;
    beam.gantry = gantry;
    beam.couch = couch;
    beam.source = {2000, 2000};
    return frame_of(beam, position).value().to_patient({0, 0, 1});
}

void expect_near(Place3 const& found, Place3 const& wanted) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], wanted[i], 1e-12) << i;
}

// To the left, the back and the head.
TEST(Geometry, TheSourceIsWhereTheGantrySaysItIs) {
    expect_near(source_of(0, 0, "HFS"), {0, -1, 0});   // above who lies on the back
    expect_near(source_of(90, 0, "HFS"), {1, 0, 0});   // at the left
    expect_near(source_of(180, 0, "HFS"), {0, 1, 0});  // below
    expect_near(source_of(270, 0, "HFS"), {-1, 0, 0});
    expect_near(source_of(90, 90, "HFS"), {0, 0, -1});  // at the feet
    expect_near(source_of(0, 0, "HFP"), {0, 1, 0});     // above who lies on the belly
    expect_near(source_of(90, 0, "HFP"), {-1, 0, 0});
    expect_near(source_of(0, 0, "FFS"), {0, -1, 0});
    expect_near(source_of(90, 0, "FFS"), {-1, 0, 0});
    expect_near(source_of(0, 0, "FFP"), {0, 1, 0});
    expect_near(source_of(90, 0, "FFP"), {1, 0, 0});
}

// x of the gantry goes with it; y goes to the gantry, where the head is.
TEST(Geometry, SpotsLieAcrossTheBeam) {
    IonBeam beam;
    beam.source = {2000, 2000};
    beam.isocentre = {10, 20, 30};
    Frame const front = frame_of(beam, "HFS").value();
    expect_near(front.to_patient({5, 0, 0}), {15, 20, 30});
    expect_near(front.to_patient({0, 5, 0}), {10, 20, 35});
    beam.gantry = 90;
    Frame const left = frame_of(beam, "HFS").value();
    expect_near(left.to_patient({5, 0, 0}), {10, 25, 30});
    expect_near(left.to_patient({0, 5, 0}), {10, 20, 35});
    expect_near(left.to_gantry(left.to_patient({1, 2, 3})), {1, 2, 3});
}

TEST(Geometry, TurnsKeepHands) {
    for (std::string const position : {"HFS", "HFP", "FFS", "FFP"}) {
        IonBeam beam;
        beam.gantry = 33;
        beam.couch = 12;
        Turn const t = frame_of(beam, position).value().turn;
        double const volume = t[0][0] * (t[1][1] * t[2][2] - t[1][2] * t[2][1]) -
                              t[0][1] * (t[1][0] * t[2][2] - t[1][2] * t[2][0]) +
                              t[0][2] * (t[1][0] * t[2][1] - t[1][1] * t[2][0]);
        EXPECT_NEAR(volume, 1, 1e-12) << position;
    }
}

TEST(Geometry, RaysPartAsTheSourcesHaveIt) {
    Frame f;
    f.source = {2000, 1800};
    EXPECT_DOUBLE_EQ(f.spread(0, 0), 1);
    EXPECT_DOUBLE_EQ(f.spread(0, 200), 0.9);
    EXPECT_DOUBLE_EQ(f.spread(1, -180), 1.1);
}

TEST(Geometry, OtherPositionsAreRefused) {
    for (std::string const position : {"HFDL", "", "hfs", "SITTING"}) {
        auto const frame = frame_of(IonBeam{}, position);
        ASSERT_FALSE(frame);
        EXPECT_NE(frame.error().message.find("HFS, HFP, FFS and FFP"), std::string::npos);
    }
}

}  // namespace
}  // namespace sluice::proton::cube
