// Patients out of images.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "sluice/proton_dose.h"

namespace sluice::proton {
namespace {

Volume image(std::vector<float> const& values) {
    Volume v;
    v.image = Array<float>::zeros({2, 2, static_cast<index>(values.size())});
    for (std::size_t i = 0; i < v.image.values.size(); ++i)
        v.image.values[i] = values[i % values.size()];
    v.spacing = {1, 1, 1};
    v.origin = {0, 0, 0};
    return v;
}

TEST(PatientOf, CtNumbersBecomeTissuesOfTheirTables) {
    Patient const p = patient_of(image({-1000, -740, 0, 20, 450, 900})).value();
    ASSERT_EQ(p.tissue.size(), 24U);
    std::vector<double> stopping, density;
    for (std::size_t i = 0; i < 6; ++i) {
        stopping.push_back(static_cast<double>(p.stopping[p.tissue[i]]));
        density.push_back(static_cast<double>(p.density[p.tissue[i]]));
    }
    EXPECT_NEAR(stopping[0], 0.001, 0.0005);
    EXPECT_NEAR(stopping[2], 1, 0.001);
    EXPECT_GT(stopping[5], 1.4);
    for (std::size_t i = 1; i < 6; ++i) {
        EXPECT_GT(stopping[i], stopping[i - 1]);
        EXPECT_GT(density[i], density[i - 1]);
    }
}

/// A box from 2 to 6 mm along x and y and from 0 to 8 mm along z.
Structure box(std::string name, std::string type) {
    Structure s{.number = 1, .name = std::move(name), .type = std::move(type), .contours = {}};
    for (int z = 0; z <= 8; z += 2) {
        double const h = z;
        s.contours.push_back({{2, 2, h}, {6, 2, h}, {6, 6, h}, {2, 6, h}});
    }
    return s;
}

Volume cube_of_water() {
    Volume v;
    v.image = Array<float>::zeros({8, 8, 8});
    v.image.values[0] = -1000;
    v.image.values[1] = -900;
    v.spacing = {1, 1, 1};
    v.origin = {0.5, 0.5, 0.5};
    return v;
}

double stopping_at(Patient const& p, index z, index y, index x) {
    return static_cast<double>(
        p.stopping[p.tissue[static_cast<std::size_t>((z * p.shape[1] + y) * p.shape[2] + x)]]);
}

TEST(PatientOf, StructuresCutTheImageAndChangeTissues) {
    StructureSet set;
    set.structures = {box("Body", "EXTERNAL"), box("Implant", "ORGAN")};
    Patient const cut = patient_of(cube_of_water(), {}, &set).value();
    EXPECT_NEAR(stopping_at(cut, 4, 4, 4), 1, 1e-3);
    EXPECT_LT(stopping_at(cut, 4, 4, 7), 0.01);
    EXPECT_LT(stopping_at(cut, 4, 1, 4), 0.01);
    ASSERT_TRUE(cut.outside);
    // Air in the image is not what lies outside.
    Patient const whole = patient_of(cube_of_water(), {.whole_image = true}, &set).value();
    EXPECT_FALSE(whole.outside);
    EXPECT_NEAR(stopping_at(whole, 4, 4, 7), 1, 1e-3);
    Patient const changed =
        patient_of(cube_of_water(),
                   {.whole_image = true, .overrides = {{"Implant", 3000}, {"Implant", 1000}}}, &set)
            .value();
    EXPECT_NEAR(stopping_at(changed, 4, 4, 4),
                stopping_at(patient_of(image({1000, -1000})).value(), 0, 0, 0), 1e-4);
    EXPECT_NEAR(stopping_at(changed, 4, 4, 7), 1, 1e-3);
}

std::string refused(PatientOptions const& o, StructureSet const* set) {
    auto const p = patient_of(cube_of_water(), o, set);
    return p ? "" : p.error().message;
}

TEST(PatientOf, SaysWhichStructureIsMissing) {
    StructureSet set;
    set.structures = {box("Body", "EXTERNAL"), box("Implant", "ORGAN")};
    auto const has = [](std::string const& text, std::string const& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    has(refused({.external = "Skin"}, &set), "there are Body, Implant");
    has(refused({.external = "Skin"}, nullptr), "give the structures");
    has(refused({.overrides = {{"Implnt", 0}}}, &set), "Implnt");
    set.structures.push_back(box("Other", "EXTERNAL"));
    has(refused({}, &set), "both EXTERNAL");
    EXPECT_EQ(refused({.external = "Other"}, &set), "");
    set.structures.push_back(box("Body", "ORGAN"));
    has(refused({.external = "Body"}, &set), "two structures");
    set.structures = {{.number = 1, .name = "Empty", .type = "EXTERNAL", .contours = {}}};
    has(refused({}, &set), "Empty");
}

TEST(PatientOf, RefusesWhatIsNoImageOfAPatient) {
    auto const has = [](Volume const& v, PatientOptions const& o, std::string const& part) {
        auto const p = patient_of(v, o);
        ASSERT_FALSE(p);
        EXPECT_NE(p.error().message.find(part), std::string::npos) << p.error().message;
    };
    Volume v = cube_of_water();
    v.spacing = {};
    has(v, {}, "spacing");
    v = cube_of_water();
    v.image.values[5] = std::numeric_limits<float>::quiet_NaN();
    has(v, {}, "voxel 5");
    has(image({24, 1024, 1024, 1024}), {}, "HU plus 1024");
    has(image({0, 1, 1.7F}), {}, "give quantity");
    has(image({0, 1, 1000}), {.quantity = ImageQuantity::stopping}, "cannot be");
    v.image = Array<float>::zeros({4, 4});
    has(v, {}, "three");
}

}  // namespace
}  // namespace sluice::proton
