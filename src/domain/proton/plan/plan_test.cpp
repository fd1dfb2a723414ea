// Plans out of DICOM and lists: every number, and every reason to refuse one.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "domain/proton/plan/dicom.h"
#include "format/dicom/test_dicom.h"
#include "sluice/proton_plan.h"
#include "test_data.h"

namespace sluice::proton {
namespace {

using dicom::Dataset, dicom::set, dicom::remove, dicom::Tag;
namespace tags = dicom::tags;
using Numbers = std::vector<double>;

Dataset shifter_setting(std::string const& setting) {
    Dataset s;
    set(s, tags::ref_shifter, "3");
    set(s, tags::shifter_setting, setting);
    set(s, tags::shifter_water, Numbers{41.5});
    set(s, tags::shifter_distance, Numbers{210});
    return s;
}

Dataset point(double cumulative, Numbers weights) {
    Dataset p;
    set(p, tags::cumulative_weight, fmt::format("{}", cumulative));
    set(p, tags::spot_count, fmt::format("{}", weights.size()));
    Numbers at;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        at.push_back(5 * static_cast<double>(i));
        at.push_back(-2.5);
    }
    set(p, tags::spot_positions, at);
    set(p, tags::spot_weights, std::move(weights));
    return p;
}

// Two layers of 120 and 110 MeV; the range shifter leaves the beam before the second.
Dataset beam_dataset() {
    Dataset b, shifter;
    set(b, tags::beam_number, "7");
    set(b, tags::beam_name, "left");
    set(b, tags::radiation, "PROTON");
    set(b, tags::scan_mode, "MODULATED");
    set(b, tags::delivery, "TREATMENT");
    set(b, tags::dosimeter_unit, "MU");
    set(b, tags::final_weight, "10");
    set(b, tags::source_distances, Numbers{2000, 2500});
    set(shifter, tags::shifter_number, "3");
    set(shifter, tags::shifter_name, "RS40");
    set(b, tags::shifters, std::vector{shifter});
    Dataset first = point(0, {1, 3}), third = point(4, {2, 2, 2});
    set(first, tags::energy, "120");
    set(first, tags::gantry, "90");
    set(first, tags::couch, "10");
    set(first, tags::isocentre, "1\\2\\-3");
    set(first, tags::snout_position, Numbers{300});
    set(first, tags::spot_size, Numbers{9, 8});
    set(first, tags::paintings, "2");
    set(first, tags::shifter_settings, std::vector{shifter_setting("IN")});
    set(third, tags::energy, "110");
    set(third, tags::shifter_settings, std::vector{shifter_setting("OUT")});
    set(b, tags::control_points, std::vector{first, point(4, {0, 0}), third, point(10, {0, 0, 0})});
    return b;
}

Dataset plan_with(std::vector<Dataset> beams) {
    Dataset d, setup, group, of_beam;
    set(d, tags::sop_class, std::string(dicom::classes::ion_plan));
    set(d, tags::sop_instance, "1.2.3");
    set(d, tags::plan_label, "test");
    set(setup, tags::patient_position, "FFS");
    set(d, tags::patient_setups, std::vector{setup});
    set(of_beam, tags::ref_beam, "7");
    set(of_beam, tags::beam_meterset, "200");
    set(group, tags::fractions, "30");
    set(group, tags::ref_beams, std::vector{of_beam});
    set(d, tags::fraction_groups, std::vector{group});
    set(d, tags::beams, std::move(beams));
    return d;
}

Dataset* item(Dataset& d, Tag tag, std::size_t i) {
    for (dicom::Element& e : d.elements)
        if (e.tag == tag) return &e.items[i];
    return nullptr;
}

std::string problem(Dataset const& d, PlanDefaults const& defaults = {}) {
    auto const plan = plan_of(d, "p.dcm", defaults);
    return plan ? "none" : plan.error().text();
}
/// Of a plan whose beam was changed.
template <class Change>
std::string problem_of(Change change, PlanDefaults const& defaults = {}) {
    Dataset b = beam_dataset();
    change(b);
    return problem(plan_with({b}), defaults);
}
/// Of a plan whose control point `i` was changed.
template <class Change>
std::string problem_at(std::size_t i, Change change) {
    return problem_of([&](Dataset& b) { change(*item(b, tags::control_points, i)); });
}

void expect_has(std::string const& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas no: " << part;
}

TEST(Plan, HasWhatTheFileSays) {
    std::string const path = testing::TempDir() + "/sluice_plan.dcm";
    dicom::write_file(path, plan_with({beam_dataset()}));
    IonPlan const p = read_plan(path).value();
    std::filesystem::remove(path);
    EXPECT_EQ(p.label, "test");
    EXPECT_EQ(p.uid, "1.2.3");
    EXPECT_EQ(p.patient_position, "FFS");
    EXPECT_EQ(p.fractions, 30);
    EXPECT_EQ(p.unit, MetersetUnit::mu);
    EXPECT_TRUE(p.notes.empty());
    ASSERT_EQ(p.beams.size(), 1u);
    IonBeam const& b = p.beams[0];
    EXPECT_EQ(b.number, 7);
    EXPECT_EQ(b.name, "left");
    EXPECT_EQ(b.gantry, 90);
    EXPECT_EQ(b.couch, 10);
    EXPECT_EQ(b.isocentre, (std::array<double, 3>{1, 2, -3}));
    EXPECT_EQ(b.source, (std::array<double, 2>{2000, 2500}));
    EXPECT_EQ(b.snout, 300);
    ASSERT_EQ(b.layers.size(), 2u);
    EXPECT_EQ(b.layers[0].energy, 120);
    EXPECT_EQ(b.layers[0].fwhm, (std::array<double, 2>{9, 8}));
    EXPECT_EQ(b.layers[0].shifters, (std::vector<RangeShifter>{{"RS40", 41.5, 210}}));
    EXPECT_EQ(b.layers[0].spots, (std::vector<PlanSpot>{{0, -2.5, 20}, {5, -2.5, 60}}));
    // What the third control point does not say is as it was.
    EXPECT_EQ(b.layers[1].energy, 110);
    EXPECT_EQ(b.layers[1].fwhm, (std::array<double, 2>{9, 8}));
    EXPECT_EQ(b.layers[1].paintings, 2);
    EXPECT_TRUE(b.layers[1].shifters.empty());
    EXPECT_EQ(p.spots(), 5);
    EXPECT_NEAR(p.meterset(), 200, 1e-12);
}

TEST(Plan, WeightsThatAreNotRepeatedDeliverNothing) {
    EXPECT_EQ(problem_at(1, [](Dataset& p) { remove(p, tags::spot_weights); }), "none");
    Dataset b = beam_dataset();
    remove(*item(b, tags::control_points, 1), tags::spot_weights);
    EXPECT_EQ(plan_of(plan_with({b}), "", {}).value().spots(), 5);
}

TEST(Plan, WhatItCannotBeIsRefused) {
    auto const beam = [](Tag tag, std::string const& value) {
        return problem_of([&](Dataset& b) { set(b, tag, value); });
    };
    expect_has(beam(tags::radiation, "ION"),
               "p.dcm: beam 7 'left': RadiationType (300A,00C6) is 'ION' (beams of protons");
    expect_has(beam(tags::scan_mode, "NONE"), "ScanMode (300A,0308) is 'NONE' (scanned beams");
    expect_has(beam(tags::scan_mode, "UNIFORM"), "(scanned beams are read");
    expect_has(beam(tags::compensators, "1"), "NumberOfCompensators (300A,00E0) is '1'");
    expect_has(beam(tags::modulator_count, "1"), "NumberOfRangeModulators");
    expect_has(beam(tags::dosimeter_unit, "MINUTE"), "MU and NP are read");
    expect_has(beam(tags::delivery, "SETUP"), "has no beam that treats");
    auto const at = [](std::size_t i, Tag tag, std::string const& value) {
        return problem_at(i, [&](Dataset& p) { set(p, tag, value); });
    };
    expect_has(at(2, tags::isocentre, "1\\2\\0"),
               "control point 3: IsocenterPosition (300A,012C) is '1\\2\\0' (the isocentre moves");
    expect_has(at(2, tags::gantry, "91"), "the gantry turns within a beam");
    expect_has(at(0, tags::gantry_rotation, "CW"), "it turns within a beam");
    expect_has(at(2, tags::couch, "0"), "the couch turns within a beam");
    expect_has(problem_at(0, [](Dataset& p) { set(p, tags::couch_pitch, Numbers{3}); }),
               "this angle is not followed");
    expect_has(problem_at(2,
                          [](Dataset& p) {
                              set(p, tags::spot_weights, Numbers{2, -2, 6});
                          }),
               "ScanSpotMetersetWeights (300A,0396) has -2 (weights are at least 0)");
    expect_has(
        problem_at(2,
                   [](Dataset& p) {
                       set(p, tags::spot_weights, Numbers{2, 6});
                   }),
        "has 6 numbers and ScanSpotMetersetWeights (300A,0396) has 2 (3 spots are declared)");
    expect_has(problem_at(2,
                          [](Dataset& p) {
                              set(p, tags::spot_weights, Numbers{2, 2, 1});
                          }),
               "sum to 5, and CumulativeMetersetWeight (300A,0134) grows by 6");
    expect_has(at(2, tags::cumulative_weight, "-1"), "it begins at 0 and never falls");
    expect_has(at(3, tags::cumulative_weight, "9"),
               "FinalCumulativeMetersetWeight (300A,010E) is 10");
    expect_has(at(2, tags::energy, "0"), "it is in MeV");
    Dataset d = plan_with({beam_dataset()});
    set(*item(d, tags::patient_setups, 0), tags::patient_position, "HFDR");
    expect_has(problem(d), "HFS, HFP, FFS and FFP are read");
    d = plan_with({beam_dataset()});
    set(d, tags::sop_class, std::string(dicom::classes::photon_plan));
    expect_has(problem(d), "is an RT plan of photons or electrons, not an RT ion plan");
    expect_has(problem(plan_with({beam_dataset(), beam_dataset()})), "another beam has it, too");
}

TEST(Plan, WhatIsMissingIsNamed) {
    auto const without = [](Tag tag) { return problem_of([&](Dataset& b) { remove(b, tag); }); };
    for (Tag const tag :
         {tags::radiation, tags::scan_mode, tags::source_distances, tags::final_weight,
          tags::dosimeter_unit, tags::beam_number, tags::control_points})
        expect_has(without(tag), dicom::name_of(tag) + " is missing; ");
    for (Tag const tag : {tags::energy, tags::gantry, tags::couch, tags::isocentre,
                          tags::cumulative_weight, tags::shifter_settings})
        expect_has(problem_at(0, [&](Dataset& p) { remove(p, tag); }),
                   "control point 1: " + dicom::name_of(tag) + " is missing; ");
    Dataset d = plan_with({beam_dataset()});
    remove(*item(*item(d, tags::fraction_groups, 0), tags::ref_beams, 0), tags::beam_meterset);
    expect_has(problem(d), "fraction group 1: beam 1: BeamMeterset (300A,0086) is missing");
    d = plan_with({beam_dataset()});
    set(*item(*item(d, tags::fraction_groups, 0), tags::ref_beams, 0), tags::ref_beam, "8");
    expect_has(problem(d), "has no item for beam 7, so that BeamMeterset (300A,0086) is missing");
}

TEST(Plan, WhatIsMissingCanBeGiven) {
    Dataset b = beam_dataset();
    remove(b, tags::source_distances);
    Dataset& first = *item(b, tags::control_points, 0);
    remove(first, tags::spot_size);
    remove(*item(first, tags::shifter_settings, 0), tags::shifter_water);
    Dataset d = plan_with({b});
    remove(d, tags::patient_setups);
    PlanDefaults const defaults{{1800, 1900}, {7}, 38.0, {}, "HFS", false};
    IonPlan const p = plan_of(d, "", defaults).value();
    EXPECT_EQ(p.beams[0].source, (std::array<double, 2>{1800, 1900}));
    EXPECT_EQ(p.beams[0].layers[1].fwhm, (std::array<double, 2>{7, 7}));
    EXPECT_EQ(p.beams[0].layers[0].shifters[0].water, 38);
    EXPECT_EQ(p.beams[0].layers[0].shifters[0].distance, 210);
    EXPECT_EQ(p.patient_position, "HFS");
    EXPECT_EQ(p.notes.size(), 4u);
    expect_has(p.notes[3], "ScanningSpotSize (300A,0398) is missing; 7 and 7 mm are taken");
    IonPlan const wide = plan_of(d, "", {{1800}, {}, 38.0, {}, "HFS", false}).value();
    EXPECT_EQ(wide.beams[0].layers[0].fwhm, (std::array<double, 2>{}));
    expect_has(wide.notes[3], "how wide spots are has to be given");
    remove(first, tags::shifter_settings);
    d = plan_with({b});
    EXPECT_EQ(
        plan_of(d, "", {{1800}, {}, 38.0, 100.0, {}, false}).value().beams[0].layers[0].shifters,
        (std::vector<RangeShifter>{{"RS40", 38, 100}}));
    expect_has(problem(d, {{-1}, {}, {}, {}, {}, false}), "source is one length or two");
}

TEST(Plan, ThatIsIncompleteCanBeLookedAt) {
    Dataset b = beam_dataset();
    remove(b, tags::source_distances);
    remove(*item(b, tags::control_points, 0), tags::shifter_settings);
    IonPlan const p = plan_of(plan_with({b}), "", {{}, {}, {}, {}, {}, true}).value();
    ASSERT_EQ(p.notes.size(), 2u);
    EXPECT_EQ(p.notes[0],
              "beam 7 'left': VirtualSourceAxisDistances (300A,030A) is missing: give source.");
    EXPECT_EQ(p.beams[0].source, (std::array<double, 2>{}));
    EXPECT_EQ(p.spots(), 5);
}

TEST(Plan, AnApertureIsNoted) {
    Dataset b = beam_dataset();
    set(b, tags::blocks, "1");
    IonPlan const p = plan_of(plan_with({b}), "", {}).value();
    ASSERT_EQ(p.notes.size(), 1u);
    expect_has(p.notes[0], "apertures are left out");
}

// dicom-interface: a range shifter whose settings the file does not say, and an aperture.
TEST(Plan, OfDicomInterfaceNeedsItsRangeShifter) {
    std::string const path = SLUICE_TEST_DATA "/dicom/rtip_demo.dcm";
    expect_has(read_plan(path).error().text(),
               "RangeShifterSettingsSequence (300A,0360) is missing; give shifter_water");
    PlanDefaults given;
    given.shifter_water = 41.5;
    given.shifter_distance = 192.3;
    IonPlan const p = read_plan(path, given).value();
    EXPECT_EQ(p.unit, MetersetUnit::protons);
    EXPECT_EQ(p.fractions, 14);
    EXPECT_EQ(p.spots(), 246);
    EXPECT_NEAR(p.meterset(), 2.48879e10, 1e-5 * 2.5e10);
    ASSERT_EQ(p.beams.size(), 1u);
    EXPECT_EQ(p.beams[0].layers.size(), 12u);
    EXPECT_EQ(p.beams[0].gantry, 90);
    EXPECT_EQ(p.beams[0].isocentre, (std::array<double, 3>{0, -69, -11}));
    EXPECT_EQ(p.beams[0].source, (std::array<double, 2>{1800, 2000}));
    EXPECT_EQ(p.beams[0].layers[0].energy, 155.03);
    EXPECT_EQ(p.beams[0].layers[0].spots.size(), 3u);
    EXPECT_NEAR(p.beams[0].layers[0].spots[1].meterset, 95139400, 100);
    EXPECT_EQ(p.beams[0].layers[11].shifters[0].name, "40mm");
    EXPECT_EQ(p.notes.size(), 2u);
}

TEST(Plan, OfTheAarhusCampaignIsInMonitorUnits) {
    IonPlan const p = read_plan(SLUICE_TEST_DATA "/dicom/dcpt_plan02.dcm").value();
    EXPECT_EQ(p.unit, MetersetUnit::mu);
    EXPECT_EQ(p.spots(), 323);
    EXPECT_NEAR(p.meterset(), 58414.5492229546, 1e-3);
    PlanLayer const& l = p.beams[0].layers[0];
    EXPECT_EQ(l.energy, 160);
    EXPECT_NEAR(l.fwhm[0], 9.78778, 1e-5);
    EXPECT_NEAR(l.spots[0].meterset, 21.200551986694336 * 58414.5492229546 / 6847.778384, 1e-6);
    EXPECT_TRUE(p.notes.empty());
}

TEST(PlanList, IsReadAsItWasWritten) {
    IonPlan p = plan_of(plan_with({beam_dataset()}), "", {}).value();
    p.beams.push_back(p.beams[0]);
    p.beams[1].number = 8;
    p.beams[1].name = "a, b";
    p.beams[1].snout.reset();
    p.beams[1].isocentre[0] = 0.1 + 0.2;
    IonPlan const again = parse_plan_list(plan_list(p), "p.csv").value();
    p.beams[1].name = "a  b";  // a comma is between columns
    EXPECT_EQ(again.beams, p.beams);
    EXPECT_EQ(again.patient_position, "FFS");
    EXPECT_EQ(again.fractions, 30);
    EXPECT_EQ(again.label, "test");
    EXPECT_TRUE(again.notes.empty());
    p.unit = MetersetUnit::protons;
    p.beams[0].layers[0].spots[0].meterset = 1.25e13;
    IonPlan const counted = parse_plan_list(plan_list(p), "p.csv").value();
    EXPECT_EQ(counted.unit, MetersetUnit::protons);
    EXPECT_EQ(counted.beams, p.beams);
}

TEST(PlanList, NeedsLittle) {
    std::string const text =
        "# spots\nenergy_MeV, x_mm, y_mm, mu, gantry_deg, iso_x_mm, iso_y_mm, iso_z_mm\n"
        "100, 0, 0, 1, 90, 0, 0, 0\n100, 5, 0, 2, 90, 0, 0, 0\n\n90, 0, 0, 1, 90, 0, 0, 0\r\n";
    expect_has(
        parse_plan_list(text, "p.csv").error().text(),
        "p.csv: line 2: columns sad_x_mm and sad_y_mm are missing; add them, or give source");
    IonPlan const p = parse_plan_list(text, "p.csv", {{2000}, {5, 6}, {}, {}, {}, false}).value();
    ASSERT_EQ(p.beams.size(), 1u);
    ASSERT_EQ(p.beams[0].layers.size(), 2u);
    EXPECT_EQ(p.beams[0].layers[0].spots.size(), 2u);
    EXPECT_EQ(p.beams[0].layers[0].fwhm, (std::array<double, 2>{5, 6}));
    EXPECT_EQ(p.beams[0].source, (std::array<double, 2>{2000, 2000}));
    EXPECT_EQ(p.notes.size(), 1u);
}

TEST(PlanList, ErrorsNameTheLine) {
    std::string const head =
        "energy_MeV,x_mm,y_mm,mu,gantry_deg,iso_x_mm,iso_y_mm,iso_z_mm,sad_x_mm,sad_y_mm,beam\n";
    auto const problem = [](std::string const& text) {
        auto const p = parse_plan_list(text, "p.csv");
        return p ? std::string("none") : p.error().text();
    };
    EXPECT_EQ(problem(head + "100,0,0,1,0,0,0,0,2000,2000,1\n"), "none");
    expect_has(problem(""), "line 0: no header");
    expect_has(problem(head), "no spot follows the header");
    expect_has(problem("energy,x_mm\n"), "there is no column 'energy'; did you mean 'energy_MeV'?");
    expect_has(problem("energy_MeV,x_mm\n"), "column gantry_deg is missing");
    expect_has(problem(head + "100,0,0,1,0,0,0,0,2000,2000\n"), "line 2: 10 values for 11 columns");
    expect_has(problem(head + "100,0,0,-1,0,0,0,0,2000,2000,1\n"), "'-1' is no value for mu");
    expect_has(problem(head + "100,0,nan,1,0,0,0,0,2000,2000,1\n"), "'nan' is no value for y_mm");
    expect_has(problem(head + "100,0,0,1,0,0,0,0,2000,2000,1\n100,0,0,1,9,0,0,0,2000,2000,1\n"),
               "line 3: beam 1 has other values than before");
    expect_has(
        problem(head.substr(0, head.size() - 1) + ",protons\n100,0,0,1,0,0,0,0,2000,2000,1,5\n"),
        "a column mu or a column protons, and not both");
}

}  // namespace
}  // namespace sluice::proton
