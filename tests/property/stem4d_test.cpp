// What the analyses of 4D-STEM scans promise: annuli of the radial cache, the centre of mass and
// its noise, many detectors in one pass, means over valid pixels, and patterns over parts of a
// scan. SPDX-License-Identifier: Apache-2.0
#include "sluice/stem4d.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "support/memory_dataset.h"

namespace sluice::stem4d {
namespace {

using testing_support::Counts;
using testing_support::make_dataset;
using testing_support::random_counts;

Scan loaded(Dataset dataset, LoadOptions const& options = {}) {
    auto scan = Scan::load(std::move(dataset), options);
    EXPECT_TRUE(scan) << scan.error().text();
    return std::move(*scan);
}

Scan loaded(Counts const& c, LoadOptions const& options = {}) {
    return loaded(make_dataset(c, DType::u16, Encoding::values), options);
}

std::vector<Detector> detectors(std::vector<std::string> const& texts) {
    std::vector<Detector> out;
    for (auto const& text : texts) out.push_back(parse_detector(text).value());
    return out;
}

VirtualImages images_of(Scan const& scan, std::vector<Detector> const& d,
                        Options const& options = {}) {
    auto images = virtual_image(scan, d, options);
    EXPECT_TRUE(images) << images.error().text();
    return images ? *images : VirtualImages{};
}

std::vector<double> image(VirtualImages const& images, index d) {
    index const size = images.values.shape[1] * images.values.shape[2];
    auto const begin = images.values.values.begin() + d * size;
    return {begin, begin + size};
}

TEST(RadialCache, AnnuliAreThoseOfVirtualImages) {
    Counts const c = random_counts(5, 7, 40, 33, 21);
    Scan const scan = loaded(c);
    for (Point const center : {Point{20, 16}, {19.5, 16.5}, {12.3, 20.7}, {0, 0}, {-3, 50.25}}) {
        auto const cache = RadialCache::build(scan, center);
        ASSERT_TRUE(cache) << cache.error().text();
        int const most = cache->largest_radius();
        for (auto const& [inner, outer] : {std::pair{0, 5},
                                           {5, 10},
                                           {5, 5},
                                           {3, 13},
                                           {13, 25},
                                           {0, most},
                                           {10, most},
                                           {0, 1000}}) {
            SCOPED_TRACE(testing::Message()
                         << center.row << ":" << center.col << " " << inner << ".." << outer);
            Detector d;
            d.shape = Detector::Shape::annulus;
            d.center = center;
            d.inner = inner, d.outer = outer;
            auto const direct = virtual_image(scan, std::vector{d});
            Array<double> const from_cache = cache->annulus(inner, outer);
            EXPECT_EQ(from_cache.shape, (std::vector<index>{5, 7}));
            // An error means that no pixel lies there.
            EXPECT_EQ(from_cache.values, direct ? direct->values.values : std::vector<double>(35));
        }
        EXPECT_EQ(cache->annulus(10, 5).values, std::vector<double>(35));
        EXPECT_EQ(cache->annulus(most + 1, 1000).values, std::vector<double>(35));
        Array<double> const all = cache->annulus(0, most);
        double const total = std::accumulate(c.values.begin(), c.values.end(), 0.0);
        EXPECT_EQ(std::accumulate(all.values.begin(), all.values.end(), 0.0), total);
    }
}

// The edges belong to both of two neighbours, so a ring of one radius is what they share.
TEST(RadialCache, EdgesBelongToBothSides) {
    Scan const scan = loaded(random_counts(4, 4, 41, 41, 22));
    RadialCache const cache = RadialCache::build(scan, {20, 20}).value();
    auto const a = cache.annulus(0, 5), b = cache.annulus(5, 10), both = cache.annulus(0, 10),
               edge = cache.annulus(5, 5);
    for (std::size_t f = 0; f < 16; ++f)
        EXPECT_EQ(a.values[f] + b.values[f] - edge.values[f], both.values[f]);
}

// Electrons spread evenly over a disk of radius R: each coordinate has the variance R^2 / 4.
TEST(CenterOfMass, NoiseIsThatOfTheCounts) {
    for (double const radius : {8.0, 15.0})
        for (int const electrons : {50, 800}) {
            Counts c{32, 64, 40, 48, std::vector<double>(std::size_t{32} * 64 * 40 * 48)};
            std::mt19937 random(17);
            std::uniform_real_distribution<double> even(-radius, radius);
            double squares = 0;  // of a pixel's distance: the disk is one of pixels
            for (index f = 0; f < c.frames(); ++f)
                for (int e = 0; e < electrons;) {
                    double const row = std::round(even(random)), col = std::round(even(random));
                    if (row * row + col * col > radius * radius) continue;
                    c.at(f, 20 + static_cast<index>(row), 24 + static_cast<index>(col)) += 1;
                    squares += (row * row + col * col) / 2;
                    ++e;
                }
            auto const com = center_of_mass(loaded(c));
            ASSERT_TRUE(com) << com.error().text();
            auto const frames = static_cast<double>(c.frames());
            auto const spread = [&](std::vector<double> const& v) {
                double s = 0, s2 = 0;
                for (double x : v) s += x, s2 += x * x;
                return std::sqrt(s2 / frames - s / frames * (s / frames));
            };
            double const by_pixels = std::sqrt(squares / (frames * electrons) / electrons);
            double const expected = radius / (2 * std::sqrt(electrons));
            EXPECT_NEAR(by_pixels, expected, 0.06 * expected);
            // The spread of 2048 frames is known to 1.6 %.
            EXPECT_NEAR(spread(com->row.values), by_pixels, 0.05 * by_pixels);
            EXPECT_NEAR(spread(com->col.values), by_pixels, 0.05 * by_pixels);
            EXPECT_NEAR(com->reference.row, 20, 5 * by_pixels / std::sqrt(frames));
            EXPECT_NEAR(com->reference.col, 24, 5 * by_pixels / std::sqrt(frames));
            for (double n : com->sum.values) ASSERT_EQ(n, electrons);
        }
}

TEST(CenterOfMass, ReferenceMagnitudeAndEmptyFrames) {
    Counts c{2, 2, 16, 16, std::vector<double>(4 * 256)};
    c.at(0, 3, 4) = 10;
    c.at(1, 3, 4) = 1, c.at(1, 3, 8) = 3;
    c.at(3, 9, 4) = 60000;
    auto const com = center_of_mass(loaded(c));
    ASSERT_TRUE(com) << com.error().text();
    double const nan = std::numeric_limits<double>::quiet_NaN();
    double const rows[] = {3, 3, nan, 9}, cols[] = {4, 7, nan, 4}, sums[] = {10, 4, 0, 60000};
    EXPECT_DOUBLE_EQ(com->reference.row, 5);
    EXPECT_DOUBLE_EQ(com->reference.col, 5);
    for (std::size_t f = 0; f < 4; ++f) {
        EXPECT_EQ(com->sum.values[f], sums[f]);
        if (f == 2) {
            EXPECT_TRUE(std::isnan(com->row.values[f]) && std::isnan(com->col.values[f]));
            EXPECT_TRUE(std::isnan(com->magnitude.values[f]));
            continue;
        }
        EXPECT_DOUBLE_EQ(com->row.values[f], rows[f]);
        EXPECT_DOUBLE_EQ(com->col.values[f], cols[f]);
        EXPECT_DOUBLE_EQ(com->magnitude.values[f], std::hypot(rows[f] - 5, cols[f] - 5));
    }
}

TEST(CenterOfMass, WithinADetector) {
    Counts const c = random_counts(4, 5, 40, 40, 23);
    auto const masks = detectors(
        {"rectangle:rows=5..9,cols=0..39", "polygon:3:3/3:20/20:3", "disk:r=4,center=10:30"});
    for (Detector const& mask : masks) {
        auto const com = center_of_mass(loaded(c), mask);
        ASSERT_TRUE(com) << com.error().text();
        Array<float> const inside = rasterize(mask, {40, 40}, {}).value();
        for (index f = 0; f < 20; ++f) {
            double sum = 0, row = 0;
            for (index r = 0; r < 40; ++r)
                for (index k = 0; k < 40; ++k)
                    if (inside.values[static_cast<std::size_t>(r * 40 + k)] != 0)
                        sum += c.at(f, r, k), row += static_cast<double>(r) * c.at(f, r, k);
            EXPECT_EQ(com->sum.values[static_cast<std::size_t>(f)], sum);
            if (sum == 0) continue;
            EXPECT_DOUBLE_EQ(com->row.values[static_cast<std::size_t>(f)], row / sum);
        }
    }
}

// A detector that says where it is needs no disk, and so none has to be there.
TEST(CenterOfMass, WithinADetectorThatNeedsNoDisk) {
    Counts c{3, 4, 24, 24, std::vector<double>(std::size_t{12} * 24 * 24, 3)};
    Scan const scan = loaded(c);
    for (char const* text :
         {"disk:r=3,center=9:9", "rectangle:rows=2..5,cols=3..9", "polygon:3:3/3:20/20:3"}) {
        auto const d = detectors({text});
        EXPECT_TRUE(virtual_image(scan, d)) << text;
        auto const com = center_of_mass(scan, d[0]);
        EXPECT_TRUE(com) << text << ": " << com.error().text();
    }
    EXPECT_FALSE(center_of_mass(scan, detectors({"bf"})[0]));
}

TEST(VirtualImage, ManyAtOnceAreThoseOneByOne) {
    Counts const c = random_counts(6, 11, 48, 56, 24);
    auto const many = detectors({"bf", "adf", "ring=annulus:r=8..15", "disk:r=20,center=3:50",
                                 "point:row=24,col=28", "rectangle:rows=0..47,cols=0..55",
                                 "polygon:10:10/10:40/40:25", "square:half=3"});
    for (Residency r : {Residency::memory, Residency::stream})
        for (Layout layout : {Layout::planes, Layout::dense}) {
            LoadOptions o;
            o.residency = r, o.layout = layout;
            Scan const scan = loaded(c, o);
            VirtualImages const together = images_of(scan, many);
            ASSERT_EQ(together.values.shape, (std::vector<index>{std::ssize(many), 6, 11}));
            ASSERT_TRUE(together.disk);
            for (std::size_t d = 0; d < many.size(); ++d) {
                VirtualImages const alone = images_of(scan, {many[d]});
                EXPECT_EQ(image(together, static_cast<index>(d)), alone.values.values)
                    << many[d].name;
                EXPECT_EQ(together.names[d], many[d].name);
                EXPECT_EQ(together.valid_pixels[d], alone.valid_pixels[0]);
            }
        }
}

TEST(VirtualImage, MeanIsOverTheValidPixels) {
    Counts const c = random_counts(3, 5, 32, 32, 25);
    Dataset d = make_dataset(c, DType::u16, Encoding::values);
    d.pixel_mask.assign(32 * 32, 0);
    d.pixel_mask[5 * 32 + 5] = 1, d.pixel_mask[5 * 32 + 6] = 2, d.pixel_mask[31 * 32 + 31] = 1;
    Scan const scan = loaded(d);
    auto const rectangle = detectors({"rectangle:rows=4..7,cols=4..8"});
    VirtualImages const sum = images_of(scan, rectangle);
    Options options;
    options.mean = true;
    VirtualImages const mean = images_of(scan, rectangle, options);
    EXPECT_EQ(sum.valid_pixels[0], 4 * 5 - 2);
    for (index f = 0; f < 15; ++f) {
        double expected = 0;
        for (index r = 4; r <= 7; ++r)
            for (index k = 4; k <= 8; ++k)
                if (!(r == 5 && (k == 5 || k == 6))) expected += c.at(f, r, k);
        EXPECT_EQ(sum.values.values[static_cast<std::size_t>(f)], expected);
        EXPECT_EQ(mean.values.values[static_cast<std::size_t>(f)], expected / 18);
    }
}

// Bins of sums were counted as single pixels: four times as much at a binning of 2.
TEST(VirtualImage, MeanIsThatOfTheFullDetectorHoweverItIsBinned) {
    Dataset d = make_dataset(random_counts(3, 5, 32, 33, 38), DType::u16, Encoding::values);
    d.pixel_mask.assign(32 * 33, 0);
    d.pixel_mask[5 * 33 + 5] = d.pixel_mask[5 * 33 + 6] = d.pixel_mask[4 * 33 + 6] = 1;
    auto const rectangle = detectors({"rectangle:rows=4..11,cols=4..31"});
    Options options;
    options.mean = true;
    VirtualImages const full = images_of(loaded(d), rectangle, options);
    for (index const bin : {2, 4}) {
        LoadOptions o;
        o.det_bin = bin;
        VirtualImages const binned = images_of(loaded(d, o), rectangle, options);
        EXPECT_EQ(binned.valid_pixels[0], 8 * 28 - 3);
        EXPECT_EQ(binned.values.values, full.values.values);
    }
}

TEST(VirtualImage, MeanOfMeansIsTheMean) {
    Counts const c = random_counts(3, 5, 32, 33, 39);
    auto const rectangle = detectors({"rectangle:rows=4..11,cols=4..31"});
    Options options;
    options.mean = true;
    VirtualImages const full = images_of(loaded(c), rectangle, options);
    LoadOptions o;
    o.det_bin = 2, o.bin_mode = BinMode::mean;
    VirtualImages const binned = images_of(loaded(c, o), rectangle, options);
    for (std::size_t f = 0; f < 15; ++f)
        EXPECT_NEAR(binned.values.values[f], full.values.values[f], 1e-6);
}

TEST(VirtualImage, ADiskGivenIsTaken) {
    Scan const scan = loaded(random_counts(4, 4, 40, 40, 26));
    Options options;
    options.disk = Disk{{7, 8}, 5};
    VirtualImages const by_preset = images_of(scan, detectors({"bf"}), options);
    EXPECT_EQ(by_preset.disk.value().radius, 5);
    EXPECT_EQ(by_preset.values.values,
              images_of(scan, detectors({"disk:r=5,center=7:8"})).values.values);
}

TEST(VirtualImage, WhatCannotBe) {
    Scan const scan = loaded(random_counts(2, 2, 24, 24, 27));
    auto const none = virtual_image(scan, {});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, Code::invalid_argument);
    EXPECT_FALSE(virtual_image(scan, detectors({"disk:r=2,center=100:100"})));
    auto weights = detectors({"disk:r=2,center=3:3"})[0];
    weights.shape = Detector::Shape::weights;
    weights.from = {24, 24};
    weights.pixels.assign(24 * 24, 0.5F);
    auto const com = center_of_mass(scan, weights);
    ASSERT_FALSE(com);
    EXPECT_NE(com.error().message.find("without weights"), std::string::npos);
}

TEST(DiffractionPattern, OfAScanRegionIsThatOfItsPoints) {
    Counts const c = random_counts(9, 13, 24, 32, 28);
    Scan const whole = loaded(c);
    LoadOptions o;
    o.scan_region = Region{2, 3, 5, 8};
    Scan const part = loaded(c, o);
    std::vector<std::uint8_t> take(9 * 13);
    for (index r = 2; r < 7; ++r)
        for (index k = 3; k < 11; ++k) take[static_cast<std::size_t>(r * 13 + k)] = 1;
    for (Pattern kind : {Pattern::sum, Pattern::mean, Pattern::max, Pattern::variance}) {
        auto const by_region = diffraction_pattern(part, kind);
        auto const by_choice = diffraction_pattern(whole, kind, take);
        ASSERT_TRUE(by_region && by_choice);
        EXPECT_EQ(by_region->frames, 40);
        EXPECT_EQ(by_choice->frames, 40);
        EXPECT_EQ(by_region->values.values, by_choice->values.values);
    }
    auto const sum = diffraction_pattern(part, Pattern::sum);
    for (index i = 0; i < 24 * 32; ++i) {
        double expected = 0;
        for (std::size_t f = 0; f < take.size(); ++f)
            if (take[f]) expected += c.values[f * 24 * 32 + static_cast<std::size_t>(i)];
        ASSERT_EQ(sum->values.values[static_cast<std::size_t>(i)], expected);
    }
}

// Every choice of points that falls differently into the tiles of 16 frames.
TEST(DiffractionPattern, SinglePointsAndNone) {
    Counts const c = random_counts(5, 9, 17, 19, 29);
    Scan const scan = loaded(c);
    for (index f = 0; f < 45; ++f) {
        auto const one = frame(scan, f / 9, f % 9);
        ASSERT_TRUE(one);
        for (index i = 0; i < 17 * 19; ++i)
            ASSERT_EQ(one->values[static_cast<std::size_t>(i)],
                      c.values[static_cast<std::size_t>(f * 17 * 19 + i)]);
    }
    EXPECT_FALSE(frame(scan, 5, 0));
    EXPECT_FALSE(frame(scan, 0, -1));
    std::vector<std::uint8_t> const nothing(45), wrong(44, 1);
    EXPECT_FALSE(diffraction_pattern(scan, Pattern::mean, nothing));
    auto const short_choice = diffraction_pattern(scan, Pattern::mean, wrong);
    ASSERT_FALSE(short_choice);
    EXPECT_NE(short_choice.error().message.find("a choice of 44 scan points (the scan has 5x9)"),
              std::string::npos);
}

TEST(DiffractionPattern, KindsByName) {
    EXPECT_EQ(parse_pattern("variance").value(), Pattern::variance);
    auto const unknown = parse_pattern("median");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("sum, mean, max and variance"), std::string::npos);
}

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

TEST(VirtualImage, WhatCoversNothingIsAnError) {
    Counts const c = random_counts(2, 2, 24, 24, 34);
    Dataset d = make_dataset(c, DType::u16, Encoding::values);
    d.pixel_mask.assign(24 * 24, 0);
    d.pixel_mask[7 * 24 + 9] = 1;
    Scan const scan = loaded(d);
    auto const message = [&](Detector const& detector) {
        auto const image = virtual_image(scan, std::array{detector});
        auto const com = center_of_mass(scan, detector);
        EXPECT_EQ(image.has_value(), com.has_value());
        return image ? "" : image.error().message;
    };
    Detector empty = detectors({"disk:r=2,center=3:3"})[0];
    empty.shape = Detector::Shape::mask;
    empty.from = {24, 24};
    empty.pixels.assign(24 * 24, 0);
    EXPECT_NE(message(empty).find("all of its 24x24 are 0"), std::string::npos) << message(empty);
    Detector const masked = detectors({"point:row=7,col=9"})[0];
    EXPECT_NE(message(masked).find("every pixel in it is masked"), std::string::npos);
}

TEST(VirtualImage, MeansOfWeightsAreOverPixels) {
    Counts const c = random_counts(2, 3, 16, 16, 35);
    Scan const scan = loaded(c);
    Detector weights = detectors({"disk:r=2,center=3:3"})[0];
    weights.shape = Detector::Shape::weights;
    weights.from = {16, 16};
    weights.pixels.assign(256, 0);
    weights.pixels[3 * 16 + 4] = 2, weights.pixels[3 * 16 + 5] = -2;  // they add up to 0
    weights.pixels[8 * 16 + 8] = 0.5F, weights.pixels[8 * 16 + 9] = -0.5F;
    VirtualImages const sum = images_of(scan, {weights});
    Options options;
    options.mean = true;
    VirtualImages const mean = images_of(scan, {weights}, options);
    EXPECT_EQ(sum.valid_pixels[0], 4);
    for (std::size_t f = 0; f < 6; ++f) EXPECT_EQ(mean.values.values[f], sum.values.values[f] / 4);
}

TEST(CenterOfMass, CountsWhatIsEmpty) {
    Counts c{2, 2, 16, 16, std::vector<double>(4 * 256)};
    auto const com = center_of_mass(loaded(c));
    ASSERT_TRUE(com);
    EXPECT_NE(com->notes.back().find("4 of 4 positions have no counts"), std::string::npos);
}

// Of a subtracted background are left sums near 0, and centres thousands of pixels away.
TEST(CenterOfMass, OfNegativeSumsIsNone) {
    Counts c{1, 4, 16, 16, std::vector<double>(4 * 256)};
    for (index f = 0; f < 4; ++f) c.at(f, 8, 9) = 5;
    c.at(1, 2, 2) = -5.01;  // just below nothing
    c.at(2, 2, 2) = -4.99;  // just above
    c.at(3, 2, 2) = -5;
    auto const com = center_of_mass(loaded(make_dataset(c, DType::f32, Encoding::values)));
    ASSERT_TRUE(com) << com.error().text();
    EXPECT_EQ(com->row.values[0], 8);
    EXPECT_EQ(com->col.values[0], 9);
    EXPECT_TRUE(std::isnan(com->row.values[1]));
    EXPECT_TRUE(std::isnan(com->col.values[1]));
    EXPECT_GT(com->row.values[2], 1000);
    EXPECT_TRUE(std::isnan(com->row.values[3]));
    std::string notes;
    for (auto const& n : com->notes) notes += n + "\n";
    EXPECT_NE(notes.find("2 of 4 positions have no counts there"), std::string::npos) << notes;
    EXPECT_NE(notes.find("1 of 4 positions have their centre of mass outside"), std::string::npos)
        << notes;
}

// Overview, virtual images and the viewer: in memory, from the files, and as a coarse subset.
TEST(FindDisk, IsTheSameForAllWhoMeasureAScan) {
    index const rows = 70, cols = 90;
    Counts c{rows, cols, 20, 20, std::vector<double>(static_cast<std::size_t>(rows * cols * 400))};
    std::mt19937 random(36);
    for (index f = 0; f < c.frames(); ++f) {
        double const at = 8 + 4 * static_cast<double>(f % cols) / static_cast<double>(cols);
        for (index r = 0; r < 20; ++r)
            for (index k = 0; k < 20; ++k)
                if (std::hypot(static_cast<double>(r) - 9.4, static_cast<double>(k) - at) <= 4.3)
                    c.at(f, r, k) = static_cast<double>(random() % 8);
    }
    for (DType const dtype : {DType::u16, DType::f32}) {
        Dataset const dataset = make_dataset(c, dtype, Encoding::values);
        index const step = disk_sample_step({rows, cols});
        EXPECT_EQ(step, 2);
        LoadOptions streamed, subset;
        streamed.residency = Residency::stream;
        subset.scan_step = step;
        Disk const first = find_disk(loaded(dataset)).value();
        for (Disk const& disk :
             {find_disk(loaded(dataset, streamed)).value(),
              find_disk_of_sample(loaded(dataset, subset)).value(),
              find_disk(loaded(dataset), Device::reference()).value(),
              virtual_image(loaded(dataset), detectors({"adf"})).value().disk.value(),
              center_of_mass(loaded(dataset, streamed), detectors({"bf"})[0])
                  .value()
                  .disk.value()}) {
            EXPECT_EQ(disk.center.row, first.center.row);
            EXPECT_EQ(disk.center.col, first.center.col);
            EXPECT_EQ(disk.radius, first.radius);
            EXPECT_EQ(disk.quality, first.quality);
        }
    }
}

TEST(FindDisk, OfAScanSaysWhichFileHasNone) {
    Counts c{3, 4, 24, 24, std::vector<double>(std::size_t{12} * 24 * 24, 3)};
    auto const disk = find_disk(loaded(c));
    ASSERT_FALSE(disk);
    EXPECT_EQ(disk.error().code, Code::not_found);
    EXPECT_EQ(disk.error().file, "memory");
}

// The frames it looks at must not all come from one side of the scan.
TEST(FindDisk, LooksAtTheWholeScan) {
    index const rows = 256, cols = 64;
    Counts c{rows, cols, 16, 16, std::vector<double>(static_cast<std::size_t>(rows * cols * 256))};
    for (index f = 0; f < c.frames(); ++f) {
        // The beam moves with the column from detector column 4 to 10.
        double const at = 4 + 6 * static_cast<double>(f % cols) / static_cast<double>(cols - 1);
        for (index r = 0; r < 16; ++r)
            for (index k = 0; k < 16; ++k)
                c.at(f, r, k) =
                    std::hypot(static_cast<double>(r) - 8, static_cast<double>(k) - at) <= 3 ? 50
                                                                                             : 0;
    }
    auto const disk = find_disk(loaded(c));
    ASSERT_TRUE(disk) << disk.error().text();
    EXPECT_NEAR(disk->center.row, 8, 0.2);
    EXPECT_NEAR(disk->center.col, 7, 1);
}

}  // namespace
}  // namespace sluice::stem4d
