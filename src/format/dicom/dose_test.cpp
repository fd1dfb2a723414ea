// RT doses: written, read, refused.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/dose.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "format/dicom/apart_files.h"
#include "format/dicom/test_dicom.h"
#include "sluice/dicom.h"
#include "sluice/load_volume.h"

namespace sluice::dicom {
namespace {

namespace fs = std::filesystem;

class DicomDose : public testing::Test {
  protected:
    DicomDose()
        : folder_(fs::path(testing::TempDir()) / ("sluice_dose_" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~DicomDose() override { fs::remove_all(folder_); }
    std::string path(std::string const& name) const { return folder_ / name; }
    fs::path folder_;
};

Volume ramp() {
    Volume v{Array<float>::zeros({4, 3, 5}), {2, 2.5, 3}, {-100.123456, 50, -7.5}};
    for (std::size_t i = 0; i < v.image.values.size(); ++i)
        v.image.values[i] = static_cast<float>(i) * 0.0371f;
    return v;
}

void expect_same(Volume const& a, Volume const& b) {
    ASSERT_EQ(a.image.shape, b.image.shape);
    for (std::size_t i = 0; i < a.image.values.size(); ++i)
        EXPECT_NEAR(a.image.values[i], b.image.values[i], 1e-6 * 2.3) << i;
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(a.spacing[i], b.spacing[i], 1e-6);
        EXPECT_NEAR(a.origin[i], b.origin[i], 1e-6);
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(a.direction[i][c], b.direction[i][c], 1e-9);
    }
}

TEST_F(DicomDose, IsReadAsItWasWritten) {
    DicomReference const of{.patient_name = "Müller^Anna",
                            .patient_id = "7",
                            .study_uid = "1.2.3",
                            .frame_of_reference = "1.2.4",
                            .plan_uid = "1.2.5"};
    save_dicom_dose(path("a.dcm"), ramp(), of, {.comment = "a test"}).value();
    Volume const v = load_volume(path("a.dcm")).value();
    expect_same(v, ramp());
    EXPECT_EQ(v.content, "dose, Gy");
    DoseFile const d = find_dose(path("a.dcm")).value();
    EXPECT_EQ(d.plan_uid, "1.2.5");
    EXPECT_EQ(d.frame_of_reference, "1.2.4");
    EXPECT_EQ(d.summation, "PLAN");
    Dataset const all = read_dataset(path("a.dcm")).value();
    EXPECT_EQ(Values(all, "").text(tags::patient_name), "Müller^Anna");
    EXPECT_EQ(Values(all, "").text(tags::study_uid), "1.2.3");
}

TEST_F(DicomDose, HasTheSameBytesEveryTime) {
    save_dicom_dose(path("a.dcm"), ramp(), {}).value();
    save_dicom_dose(path("b.dcm"), ramp(), {}).value();
    auto const bytes = [&](char const* name) {
        std::ifstream in(path(name), std::ios::binary);
        return std::string((std::istreambuf_iterator<char>(in)), {});
    };
    EXPECT_EQ(bytes("a.dcm"), bytes("b.dcm"));
    Volume other = ramp();
    other.image.values[3] += 0.1f;
    save_dicom_dose(path("b.dcm"), other, {}).value();
    Dataset const a = read_dataset(path("a.dcm")).value(), b = read_dataset(path("b.dcm")).value();
    EXPECT_NE(Values(a, "").text(tags::sop_instance), Values(b, "").text(tags::sop_instance));
}

TEST_F(DicomDose, MirroredAxesKeepTheirPlaces) {
    Volume v = ramp();
    v.direction[2] = {0, 0, -1};  // the first plane is the highest
    save_dicom_dose(path("a.dcm"), v, {}).value();
    Volume const read = load_volume(path("a.dcm")).value();
    EXPECT_NEAR(read.origin[2], v.origin[2] - 9, 1e-6);
    EXPECT_EQ(read.direction[2], (std::array<double, 3>{0, 0, 1}));
    EXPECT_NEAR(read.image.values[0], v.image.values[45], 1e-6);
    v.direction = {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
    save_dicom_dose(path("a.dcm"), v, {}).value();
    expect_same(load_volume(path("a.dcm")).value(), v);
}

TEST_F(DicomDose, NothingBecomesADoseOfZeros) {
    Volume v = ramp();
    std::ranges::fill(v.image.values, 0.0f);
    save_dicom_dose(path("a.dcm"), v, {.study_uid = "1.2"}).value();
    expect_same(load_volume(path("a.dcm")).value(), v);
    v.image.values[1] = -1;
    EXPECT_NE(save_dicom_dose(path("b.dcm"), v, {}).error().text().find("-1 Gy is no dose"),
              std::string::npos);
    EXPECT_FALSE(fs::exists(path("b.dcm")));
    v.image.values[1] = NAN;
    EXPECT_FALSE(save_dicom_dose(path("b.dcm"), v, {}));
    Volume skewed = ramp();
    skewed.direction[2] = {0, 0.6, 0.8};
    EXPECT_FALSE(save_dicom_dose(path("b.dcm"), skewed, {}));
    EXPECT_FALSE(save_dicom_dose(path("b.dcm"), {Array<float>::zeros({2, 2}), {1, 1}, {0, 0}}, {}));
}

// As another program may write it: 16 bits, places in place of offsets, from above to below.
Dataset other_dose() {
    Dataset d = ct_dataset(30);
    set(d, tags::sop_class, std::string(classes::dose));
    set(d, tags::frames, "2");
    set(d, tags::pixel_representation, std::vector<double>{0});
    set(d, tags::dose_units, "GY");
    set(d, tags::dose_type, "PHYSICAL");
    set(d, tags::dose_summation, "PLAN");
    set(d, tags::frame_offsets, "30\\25");
    set(d, tags::dose_scaling, "0.5");
    return d;
}

TEST_F(DicomDose, OfOthersMayCountPlacesDown) {
    std::vector<std::int16_t> pixels(24);
    for (std::size_t i = 0; i < 24; ++i) pixels[i] = static_cast<std::int16_t>(i);
    write_file(path("a"), other_dose(), pixels);
    Volume const v = load_volume(path("a")).value();
    EXPECT_EQ(v.origin, (std::vector<double>{-10, 20, 25}));
    EXPECT_EQ(v.spacing, (std::vector<double>{2, 1.5, 5}));
    EXPECT_EQ(v.image.values[0], 6);
    EXPECT_EQ(v.image.values[12], 0);
}

TEST_F(DicomDose, WhatIsWrongIsNamed) {
    auto const problem = [&](auto change) {
        Dataset d = other_dose();
        change(d);
        write_file(path("a"), d, std::vector<std::int16_t>(24));
        auto const v = load_volume(path("a"));
        return v ? std::string("none") : v.error().text();
    };
    auto const has = [](std::string const& text, std::string_view part) {
        EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas no: " << part;
    };
    has(problem([](Dataset& d) { set(d, tags::dose_units, "RELATIVE"); }), "doses in GY are read");
    has(problem([](Dataset& d) { set(d, tags::dose_type, "ERROR"); }), "PHYSICAL and EFFECTIVE");
    has(problem([](Dataset& d) { remove(d, tags::dose_scaling); }),
        "DoseGridScaling (3004,000E) is missing");
    has(problem([](Dataset& d) { set(d, tags::dose_scaling, "-1"); }), "it is above 0");
    has(problem([](Dataset& d) { set(d, tags::frame_offsets, "0\\3\\6"); }), "has 3 values and");
    has(problem([](Dataset& d) { set(d, tags::frame_offsets, "7\\3"); }), "the first is 0, or");
    has(problem([](Dataset& d) { set(d, tags::frame_offsets, "0\\0"); }), "equally far apart");
    has(problem([](Dataset& d) { set(d, tags::frames, "3000"); }), "has 2 values and");
    has(problem([](Dataset& d) { set(d, tags::rows, std::vector<double>{60000}); }),
        "PixelData (7FE0,0010) has 48 bytes where");
}

TEST_F(DicomDose, IsOfThePatientOfItsCt) {
    fs::create_directories(folder_ / "ct");
    for (int const z : {0, 3})
        write_file(folder_ / "ct" / std::to_string(z), ct_dataset(z),
                   std::vector<std::int16_t>(12));
    Dataset plan;
    set(plan, tags::sop_class, std::string(classes::ion_plan));
    set(plan, tags::sop_instance, "1.9");
    set(plan, tags::patient_id, "42");
    write_file(path("plan"), plan);
    auto const of = dicom_reference(folder_ / "ct", path("plan")).value();
    EXPECT_EQ(of.patient_name, "Nobody");
    EXPECT_EQ(of.study_uid, "1.2");
    EXPECT_EQ(of.frame_of_reference, "1.2.9");
    EXPECT_EQ(of.plan_uid, "1.9");
    set(plan, tags::patient_id, "43");
    write_file(path("plan"), plan);
    auto const other = dicom_reference(folder_ / "ct", path("plan"));
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().text().find("PatientID (0010,0020) is '43' (that of "),
              std::string::npos)
        << other.error().text();
}

}  // namespace
}  // namespace sluice::dicom
