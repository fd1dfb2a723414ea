// Chains whose weakest link is known.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/acquisition.h"

#include <gtest/gtest.h>

#include <set>

namespace sluice {
namespace {

AcquisitionOptions fast() {
    AcquisitionOptions o;
    o.rate = 1000;
    o.network = {"10GbE", 1e9};
    o.decode_bytes_per_s = 1e9;
    o.disk_bytes_per_s = 1e9;
    return o;
}

std::string first(AcquisitionOptions const& o) {
    auto const plan = plan_acquisition(find_detector("256x256x16").value(), o).value();
    return (plan.breaks ? "breaks at the " : "fits, least at the ") + plan.stages[plan.least].name;
}

TEST(Acquisition, TellsWhatBreaksFirst) {
    // 1000 frames of 131072 bytes are 131 MB/s.
    auto o = fast();
    o.disk_bytes_per_s = 130e6;
    EXPECT_EQ(first(o), "breaks at the disk");
    o.disk_bytes_per_s = 132e6;
    EXPECT_EQ(first(o), "fits, least at the disk");
    o = fast();
    o.network = {"1GbE", 118e6};
    EXPECT_EQ(first(o), "breaks at the network");
    // The network and the disk take what is compressed, decoding gives what it was.
    o.compression = 2;
    EXPECT_EQ(first(o), "fits, least at the network");
    o.decode_bytes_per_s = 100e6;
    EXPECT_EQ(first(o), "breaks at the decoding");
}

TEST(Acquisition, ADetectorMakesNoMoreThanItsMost) {
    auto o = fast();
    o.rate = 1200;
    auto const plan = plan_acquisition(find_detector("empad").value(), o).value();
    EXPECT_TRUE(plan.breaks);
    EXPECT_EQ(plan.stages[plan.least].name, "detector");
    EXPECT_NEAR(plan.stages[plan.least].frames_per_s, 1100, 1e-6);
    o.rate = 0;
    EXPECT_DOUBLE_EQ(plan_acquisition(find_detector("EMPAD").value(), o).value().rate, 1100);
}

TEST(Acquisition, CountsHitsInBytes) {
    auto const d = find_detector("CheeTah-T3").value();
    AcquisitionOptions o;
    o.disk_bytes_per_s = 1e9;
    auto const plan = plan_acquisition(d, o).value();
    EXPECT_NEAR(plan.stages.at(1).needed_per_s, 960e6, 1);
}

TEST(Acquisition, RefusesWhatMakesNoSense) {
    EXPECT_FALSE(find_detector("256x256"));
    EXPECT_FALSE(find_detector("256x256x16x2"));
    EXPECT_FALSE(find_detector("0x256x16"));
    EXPECT_FALSE(find_detector("256x256x65"));
    EXPECT_FALSE(find_detector("99999999999999999999x2x8"));
    EXPECT_NE(find_detector("ARINE").error().text().find("ARINA"), std::string::npos);
    auto o = fast();
    o.rate = 0;
    EXPECT_NE(plan_acquisition(find_detector("Merlin").value(), o).error().text().find("--rate"),
              std::string::npos);
    o.compression = 0.5;
    EXPECT_FALSE(plan_acquisition(find_detector("ARINA").value(), o));
    EXPECT_FALSE(plan_acquisition(find_detector("64x64x8").value(), {.rate = 1}));
}

TEST(Acquisition, EachRowHasItsSource) {
    std::set<std::string> names;
    for (DetectorModel const& d : known_detectors()) {
        EXPECT_TRUE(names.insert(d.name).second);
        EXPECT_FALSE(d.source.empty()) << d.name;
        EXPECT_GT(d.bytes(), 0) << d.name;
        EXPECT_EQ(find_detector(d.name)->source, d.source);
    }
    EXPECT_NEAR(known_networks()[1].bytes_per_s, 1.187e9, 1e6);
}

TEST(Acquisition, MeasuresWhatIsNotGiven) {
    AcquisitionOptions o;
    o.disk_bytes_per_s = 5;
    ASSERT_TRUE(measure_acquisition(o, ".", 1));
    EXPECT_EQ(o.disk_bytes_per_s, 5);
    EXPECT_GT(o.decode_bytes_per_s, 0);
    EXPECT_FALSE(o.decode_basis.empty());
}

}  // namespace
}  // namespace sluice
