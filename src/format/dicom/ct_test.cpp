// CT series out of DICOM: the volume, and every reason not to have one.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/ct.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/test_deep.h"
#include "format/dicom/load.h"
#include "format/dicom/test_dicom.h"
#include "format/kinds/kinds.h"
#include "sluice/load_volume.h"

namespace sluice::dicom {
namespace {

namespace fs = std::filesystem;
using testing::Test;

class DicomCt : public Test {
  protected:
    DicomCt()
        : folder_(fs::path(testing::TempDir()) / ("sluice_ct_" + std::to_string(::getpid()))) {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~DicomCt() override { fs::remove_all(folder_); }

    std::string write(std::string const& name, Dataset const& d, std::int16_t first = 0) {
        std::vector<std::int16_t> pixels(12);
        for (std::size_t i = 0; i < pixels.size(); ++i)
            pixels[i] = static_cast<std::int16_t>(first + static_cast<int>(i));
        write_file(folder_ / name, d, pixels);
        return folder_ / name;
    }
    std::string problem() {
        auto const v = load_volume(folder_);
        return v ? "none" : v.error().text();
    }
    /// Of a series of three whose second image was changed.
    template <class Change>
    std::string problem_of(Change change) {
        for (int i = 0; i < 3; ++i) {
            Dataset d = ct_dataset(3 * i);
            if (i == 1) change(d);
            write(std::to_string(i) + ".dcm", d);
        }
        return problem();
    }
    fs::path folder_;
};

void expect_has(std::string const& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas no: " << part;
}

TEST_F(DicomCt, IsAVolumeInTheOrderOfItsPlaces) {
    write("b.dcm", ct_dataset(6), 300);
    write("c.dcm", ct_dataset(0), -100);
    write("a.dcm", ct_dataset(3), 200);
    std::ofstream(folder_ / "readme.txt") << "no image";
    EXPECT_EQ(kind_of(folder_), &kinds::volume);
    EXPECT_EQ(kind_of(folder_ / "a.dcm"), &kinds::volume);
    Volume const v = load_volume(folder_).value();
    EXPECT_EQ(v.image.shape, (std::vector<index>{3, 3, 4}));
    EXPECT_EQ(v.spacing, (std::vector<double>{2, 1.5, 3}));
    EXPECT_EQ(v.origin, (std::vector<double>{-10, 20, 0}));
    EXPECT_TRUE(is_straight(v.direction));
    EXPECT_EQ(v.content, "CT, HU");
    EXPECT_EQ(v.image.values[0], -1200);
    EXPECT_EQ(v.image.values[11], -1178);
    EXPECT_EQ(v.image.values[12], -600);
    EXPECT_EQ(v.image.values[24], -400);
    EXPECT_EQ(load_volume(folder_ / "b.dcm").value().image.values, v.image.values);
    EXPECT_EQ(load_volume(folder_, 100).error().code, Code::out_of_memory);
}

TEST_F(DicomCt, OfSeveralSeriesOneFileChooses) {
    for (int i = 0; i < 2; ++i) {
        write("a" + std::to_string(i), ct_dataset(3 * i, "1.2.3"), 0);
        write("b" + std::to_string(i), ct_dataset(2 * i, "1.2.4"), 500);
    }
    std::string const text = problem();
    expect_has(text, "has 2 series of CT images (which one is meant?) give a file of one");
    expect_has(text, "a0: 2 images");
    expect_has(text, "b0: 2 images");
    Volume const v = load_volume(folder_ / "b1").value();
    EXPECT_EQ(v.spacing[2], 2);
    EXPECT_EQ(v.image.values[0], 0);
}

TEST_F(DicomCt, OtherDirectionsAreKept) {
    for (int i = 0; i < 2; ++i) {
        Dataset d = ct_dataset(0);
        set(d, tags::image_orientation, "1\\0\\0\\0\\0\\-1");  // coronal
        set(d, tags::image_position, "1\\" + std::to_string(5 * i) + "\\3");
        set(d, tags::sop_instance, "1.2.3." + std::to_string(7 + i));
        set(d, tags::patient_position, "FFP");
        write(std::to_string(i), d);
    }
    Volume const v = load_volume(folder_).value();
    EXPECT_EQ(v.direction[2], (std::array<double, 3>{0, 1, 0}));
    EXPECT_EQ(v.spacing[2], 5);
    EXPECT_EQ(find_ct(folder_).value().patient_position, "FFP");
}

TEST_F(DicomCt, GapsAreRefused) {
    for (int const z : {0, 3, 6, 12, 15}) write(std::to_string(z), ct_dataset(z));
    expect_has(problem(), "is 6 mm from that of");
    expect_has(problem(), "most images of the series are 3 mm apart (an image is missing");
}

TEST_F(DicomCt, CopiesAreRefused) {
    for (int const z : {0, 3, 6}) write(std::to_string(z), ct_dataset(z));
    write("copy", ct_dataset(3));
    expect_has(problem(), "is at the same place as");
}

TEST_F(DicomCt, TiltIsRefused) {
    for (int const z : {0, 3, 6}) {
        Dataset d = ct_dataset(z);
        set(d, tags::image_position,
            "-10\\" + std::to_string(20 + z / 3) + "\\" + std::to_string(z));
        write(std::to_string(z), d);
    }
    expect_has(problem(), "(the gantry was tilted");
}

TEST_F(DicomCt, ImagesThatDifferAreRefused) {
    expect_has(problem_of([](Dataset& d) { set(d, tags::pixel_spacing, "1.6\\2"); }),
               "1.dcm: has another PixelSpacing (0028,0030) than");
    expect_has(problem_of([](Dataset& d) { set(d, tags::rows, std::vector<double>{2}); }),
               "has another Rows (0028,0010) than");
    expect_has(problem_of([](Dataset& d) { set(d, tags::frame_of_reference, "1.9"); }),
               "has another FrameOfReferenceUID (0020,0052) than");
    expect_has(problem_of([](Dataset& d) { set(d, tags::image_orientation, "0\\1\\0\\1\\0\\0"); }),
               "has another ImageOrientationPatient (0020,0037) than");
    expect_has(problem_of([](Dataset& d) { set(d, tags::patient_position, "HFP"); }),
               "has another PatientPosition (0018,5100) than");
}

TEST_F(DicomCt, WhatIsMissingOrWrongIsNamed) {
    for (Tag const tag : {tags::slope, tags::intercept, tags::pixel_spacing, tags::image_position,
                          tags::image_orientation, tags::rows, tags::columns, tags::bits_stored,
                          tags::study_uid, tags::frame_of_reference, tags::series_uid})
        expect_has(problem_of([&](Dataset& d) { remove(d, tag); }),
                   "1.dcm: " + name_of(tag) + " is missing; export the file again with it");
    auto const wrong = [&](Tag tag, std::string const& value) {
        return problem_of([&](Dataset& d) { set(d, tag, value); });
    };
    expect_has(wrong(tags::slope, "0"), "RescaleSlope (0028,1053) is '0' (all pixels");
    expect_has(wrong(tags::slope, "1\\2"), "(one number belongs there)");
    expect_has(wrong(tags::slope, "one"), "RescaleSlope (0028,1053): 'one' is no number");
    expect_has(wrong(tags::pixel_spacing, "0\\1"), "mm between pixels are above 0");
    expect_has(wrong(tags::image_position, "0\\1"), "3 numbers belong there");
    expect_has(wrong(tags::image_orientation, "1\\0\\0\\1\\0\\0"), "square to each other");
    expect_has(wrong(tags::patient_position, "HFDL"), "HFS, HFP, FFS and FFP are read");
    expect_has(wrong(tags::frames, "2"), "one frame in each file is read");
    expect_has(wrong(tags::rescale_type, "OD"), "pixels in HU are read");
    expect_has(problem_of([](Dataset& d) { set(d, tags::samples, std::vector<double>{3}); }),
               "images of colours");
    expect_has(problem_of([](Dataset& d) { set(d, tags::high_bit, std::vector<double>{11}); }),
               "the last of the stored bits");
}

TEST_F(DicomCt, OtherThingsAreNamed) {
    Dataset d = ct_dataset(0);
    set(d, tags::sop_class, std::string(classes::mr));
    std::string const file = write("mr.dcm", d);
    expect_has(load_volume(file).error().text(), "is an MR image, not a CT image");
    set(d, tags::sop_class, std::string(classes::enhanced_ct));
    expect_has(load_volume(write("e.dcm", d)).error().text(), "with many frames in one file");
    expect_has(problem(), "with many frames in one file");
}

TEST_F(DicomCt, SizesThatLieAreFoundBeforeMemoryIsTaken) {
    for (int const z : {0, 3}) {
        Dataset d = ct_dataset(z);
        set(d, tags::rows, std::vector<double>{5000});
        write(std::to_string(z), d);
    }
    expect_has(problem(),
               "PixelData (7FE0,0010) has 24 bytes where its rows, columns and bits "
               "declare 40000; copy or export");
}

TEST_F(DicomCt, DamagedFilesAreErrors) {
    std::string const whole = write("0", ct_dataset(0));
    std::ifstream in(whole, std::ios::binary);
    std::string const bytes((std::istreambuf_iterator<char>(in)), {});
    for (std::size_t size = 140; size < bytes.size(); size += deep_tests() ? 1 : 23) {
        std::ofstream(whole, std::ios::binary) << bytes.substr(0, size);
        EXPECT_FALSE(load_volume(whole)) << size;
    }
    for (std::size_t at = 132; at < bytes.size(); at += deep_tests() ? 1 : 13) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
        std::ofstream(whole, std::ios::binary) << damaged;
        if (auto const v = load_volume(whole)) {
            EXPECT_EQ(v->image.shape.size(), 3u);
        }
    }
}

TEST_F(DicomCt, OneImageNeedsItsThickness) {
    write("0", ct_dataset(0));
    EXPECT_EQ(load_volume(folder_).value().spacing[2], 3);
    Dataset d = ct_dataset(0);
    remove(d, tags::slice_thickness);
    write("0", d);
    expect_has(problem(), "is the only image of its series");
}

TEST_F(DicomCt, BitsThatDoNotCountAreLeftOut) {
    Dataset d = ct_dataset(0);
    set(d, tags::bits_stored, std::vector<double>{12});
    set(d, tags::high_bit, std::vector<double>{11});
    write("0", d, 0x7ff0);  // of 12 bits: -16
    EXPECT_EQ(load_volume(folder_).value().image.values[0], -1032);
    set(d, tags::pixel_representation, std::vector<double>{0});
    write("0", d, 0x7ff0);
    EXPECT_EQ(load_volume(folder_).value().image.values[0], 0xff0 * 2 - 1000);
}

}  // namespace
}  // namespace sluice::dicom
