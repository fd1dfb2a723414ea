// However a scan was cut and binned, places are those of the full detector.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "property/stem4d_test.h"

namespace sluice::stem4d {
namespace {

// However a scan was cut and binned, what is asked and what is answered is on the full detector.
TEST(Coordinates, AreThoseOfTheFullDetector) {
    Counts const c = random_counts(3, 5, 41, 50, 31);
    for (index const bin : {1, 2, 3})
        for (bool const cut : {false, true}) {
            SCOPED_TRACE(testing::Message() << "bin " << bin << (cut ? ", cut" : ""));
            LoadOptions o;
            o.det_bin = bin;
            Region const region = cut ? Region{5, 8, 31, 37} : Region{0, 0, 41, 50};
            if (cut) o.detector_region = region;
            Scan const scan = loaded(c, o);
            auto const d =
                detectors({"disk:r=9.5,center=20.5:25", "rectangle:rows=10..25,cols=20..33",
                           "polygon:8:12/30:14/20:40", "annulus:r=4..12,center=19:24"});
            VirtualImages const images = images_of(scan, d);
            auto const com = center_of_mass(scan, d[0]);
            ASSERT_TRUE(com) << com.error().text();
            for (index f = 0; f < 15; ++f) {
                double sums[4] = {}, row = 0, col = 0;
                for (index i = 0; i < region.rows / bin; ++i)
                    for (index k = 0; k < region.cols / bin; ++k) {
                        // Where the bin's middle lies, and what is in it.
                        double const y =
                            static_cast<double>(region.row + i * bin) + (bin - 1) / 2.0;
                        double const x =
                            static_cast<double>(region.col + k * bin) + (bin - 1) / 2.0;
                        double counts = 0;
                        for (index a = 0; a < bin * bin; ++a)
                            counts += c.at(f, region.row + i * bin + a / bin,
                                           region.col + k * bin + a % bin);
                        double const r = std::hypot(y - 20.5, x - 25);
                        if (r <= 9.5) sums[0] += counts, row += y * counts, col += x * counts;
                        if (y >= 10 && y <= 25 && x >= 20 && x <= 33) sums[1] += counts;
                        double const r2 = std::hypot(y - 19, x - 24);
                        if (r2 >= 4 - 1e-12 && r2 <= 12 + 1e-12) sums[3] += counts;
                    }
                auto const at = static_cast<std::size_t>(f);
                for (index k : {0, 1, 3}) EXPECT_EQ(image(images, k)[at], sums[k]) << k;
                EXPECT_NEAR(com->row.values[at], row / sums[0], 1e-9);
                EXPECT_NEAR(com->col.values[at], col / sums[0], 1e-9);
            }
            // The ring of the cache is the same ring.
            auto const cache = RadialCache::build(scan, {19, 24}).value();
            EXPECT_EQ(cache.annulus(4, 12).values, image(images, 3));
        }
}

TEST(Coordinates, OfTheDiskAndOfDetectorsMeasuredByIt) {
    Counts const c = random_counts(4, 6, 60, 64, 32, 0);
    Disk const whole = find_disk(loaded(c)).value();
    for (index const bin : {1, 2}) {
        LoadOptions o;
        o.det_bin = bin;
        o.detector_region = Region{10, 6, 44, 50};
        Scan const scan = loaded(c, o);
        Disk const disk = find_disk(scan).value();
        EXPECT_NEAR(disk.center.row, whole.center.row, 0.3);
        EXPECT_NEAR(disk.center.col, whole.center.col, 0.3);
        EXPECT_NEAR(disk.radius, whole.radius, 0.4);
        // Given back as it is printed, it measures the same.
        Options options;
        options.disk = Disk{disk.center, disk.radius};
        EXPECT_EQ(images_of(scan, detectors({"bf", "adf"}), options).values.values,
                  images_of(scan, detectors({"bf", "adf"})).values.values);
        auto const error = virtual_image(scan, detectors({"disk:r=2,center=2:2"}));
        ASSERT_FALSE(error);
        EXPECT_NE(error.error().message.find("covers no pixel"), std::string::npos);
    }
}

TEST(Coordinates, MasksOfTheFullDetectorAreCutAndBinned) {
    Counts const c = random_counts(2, 3, 32, 36, 33);
    Detector mask = detectors({"disk:r=2,center=3:3"})[0];
    mask.shape = Detector::Shape::mask, mask.name = "m";
    mask.from = {32, 36};
    mask.pixels.assign(32 * 36, 0);
    for (index r = 8; r < 20; ++r)
        for (index k = 10; k < 21; ++k) mask.pixels[static_cast<std::size_t>(r * 36 + k)] = 1;
    LoadOptions o;
    o.detector_region = Region{4, 6, 24, 26};
    EXPECT_EQ(images_of(loaded(c, o), {mask}).values.values,
              images_of(loaded(c), {mask}).values.values);
    o.det_bin = 2;  // its last column cuts a bin in half
    VirtualImages const binned = images_of(loaded(c, o), {mask});
    EXPECT_EQ(binned.values.values,
              images_of(loaded(c), detectors({"rectangle:rows=8..19,cols=10..21"})).values.values);
    std::string notes;
    for (auto const& n : binned.notes) notes += n;
    EXPECT_NE(notes.find("mask 'm' cuts 6 binned pixels"), std::string::npos) << notes;
}

// A NaN was inside of a mask once the data were cut, and averaged away once they were binned.
TEST(Coordinates, MasksThatAreNoNumbersAreRefusedHoweverTheDataAreRead) {
    Counts const c = random_counts(2, 3, 32, 36, 37);
    Detector mask = detectors({"disk:r=2,center=3:3"})[0];
    mask.name = "m";
    mask.from = {32, 36};
    LoadOptions whole, cut, binned;
    cut.detector_region = Region{4, 6, 24, 26};
    binned.det_bin = 2;
    for (LoadOptions const& options : {whole, cut, binned})
        for (auto const shape : {Detector::Shape::mask, Detector::Shape::weights})
            for (float const bad : {std::numeric_limits<float>::quiet_NaN(),
                                    -std::numeric_limits<float>::infinity()}) {
                mask.shape = shape;
                mask.pixels.assign(32 * 36, 1);
                mask.pixels[10 * 36 + 11] = bad;
                auto const image = virtual_image(loaded(c, options), std::array{mask});
                ASSERT_FALSE(image);
                EXPECT_EQ(image.error().code, Code::invalid_argument);
                EXPECT_NE(image.error().message.find("at row 10, column 11"), std::string::npos)
                    << image.error().message;
            }
}

// Radii and rectangles in mrad are those in pixels of the full detector, binned or not.
TEST(Coordinates, AnglesArePixelsTimesTheStep) {
    Dataset d = make_dataset(random_counts(3, 4, 24, 24, 71), DType::u16, Encoding::values);
    d.detector_step_mrad = 2;
    Options options;
    options.disk = Disk{{11, 12}, 4};
    auto const images = [&](Scan const& scan, char const* text) {
        return virtual_image(scan, detectors({text}), options).value().values.values;
    };
    for (index const bin : {1, 2}) {
        LoadOptions load;
        load.det_bin = bin;
        Scan const scan = loaded(d, load);
        for (auto const& [angles, pixels] :
             {std::pair{"adf:6..16mrad", "annulus:r=3..8"},
              {"disk:r=10mrad,center=9:8", "disk:r=5,center=9:8"},
              {"square:half=6mrad", "square:half=3"},
              {"rectangle:rows=-4..6mrad,cols=2..8mrad", "rectangle:rows=9..14,cols=13..16"}})
            EXPECT_EQ(images(scan, angles), images(scan, pixels)) << angles << ", bin " << bin;
        load.detector_step_mrad = 4 * static_cast<double>(bin);
        EXPECT_EQ(images(loaded(d, load), "bf:0..20mrad"), images(scan, "disk:r=5"));
    }
}

TEST(Coordinates, AnglesNeedTheStep) {
    Dataset d = make_dataset(random_counts(3, 4, 24, 24, 72), DType::u16, Encoding::values);
    auto const refused = [](Scan const& scan) {
        auto const out = virtual_image(scan, detectors({"disk:r=10mrad,center=9:8"}));
        return out ? std::string() : out.error().message;
    };
    EXPECT_NE(refused(loaded(d)).find("does not state the angle of a detector pixel"),
              std::string::npos);
    // A frequency is an angle once the energy is known.
    d.detector_step_per_nm = 0.5;
    EXPECT_NE(refused(loaded(d)), "");
    d.energy_kv = 300;
    Scan const scan = loaded(d);
    EXPECT_NEAR(scan.detector_step_mrad(), 0.5 * 1.96875, 1e-4);
    EXPECT_NEAR(scan.detector_step_mrad(0.004), 2, 1e-12);
    EXPECT_EQ(refused(scan), "");
    EXPECT_FALSE(rasterize(parse_detector("bf:0..3mrad").value(), {8, 8}, {{4, 4}, 2}));
    EXPECT_FALSE(Scan::load(d, {.detector_step_mrad = -1}));
}

}  // namespace
}  // namespace sluice::stem4d
