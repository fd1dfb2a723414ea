// Many detectors in one pass, means over valid pixels, and what cannot be.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <random>

#include "device/isa.h"
#include "property/stem4d_test.h"

namespace sluice::stem4d {
namespace {

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

// More masks than go into one group, and so many sets of them that some must do without a column:
// the twin counts each mask alone, pixel by pixel.
TEST(VirtualImage, ManyAtOnceAreThoseOfTheTwin) {
    std::mt19937 random(41);
    auto const upto = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    std::vector<std::string> texts;
    for (int i = 0; i < 90; ++i) {
        std::string const center = fmt::format(",center={}:{}", upto(48), upto(56));
        switch (i % 5) {
            case 0:
                texts.push_back(
                    fmt::format("n{}=rectangle:rows={}..47,cols={}..55", i, upto(30), upto(30)));
                break;
            case 1:
                texts.push_back(fmt::format("n{}=disk:r={}{}", i, 3 + upto(30), center));
                break;
            case 2:
                texts.push_back(
                    fmt::format("n{}=annulus:r={}..{}{}", i, upto(9), 12 + upto(30), center));
                break;
            case 3:
                texts.push_back(fmt::format("n{}=rectangle:rows=8..39,cols=0..47", i));
                break;
            default:
                texts.push_back(fmt::format("n{}=point:row={},col={}", i, upto(48), upto(56)));
        }
    }
    auto const many = detectors(texts);
    for (DType dtype : {DType::u8, DType::u16, DType::u32}) {
        Counts c = random_counts(3, 7, 48, 56, 40);
        // Totals of one byte, of four, and of more.
        for (std::size_t i = 0; i < c.values.size(); i += 97)
            c.values[i] = dtype == DType::u8 ? 255 : dtype == DType::u16 ? 60000 : 4294967294;
        Scan const scan = loaded(make_dataset(c, dtype, Encoding::values));
        Options twin;
        twin.device = Device::reference();
        VirtualImages const expected = images_of(scan, many, twin);
        for (Isa isa : compiled_isas()) {
            if (!runs_here(isa)) continue;
            Options options;
            options.device = Device::cpu(2, isa);
            EXPECT_EQ(images_of(scan, many, options).values.values, expected.values.values)
                << name_of(dtype) << " " << name_of(isa);
        }
    }
}

// More weights than are taken at a time, most of them zero in most blocks, and masks between them.
TEST(VirtualImage, ManyWeightsAtOnceAreThoseOfTheTwin) {
    std::mt19937 random(43);
    std::vector<Detector> many;
    for (int i = 0; i < 21; ++i) {
        Detector d = detectors({fmt::format("n{}=disk:r={},center=20:24", i, 3 + i)})[0];
        if (i % 5 != 2) {
            d.shape = Detector::Shape::weights;
            d.from = {48, 56};
            d.pixels.assign(48 * 56, 0);
            for (std::size_t k = random() % 2000; k < d.pixels.size(); k += 1 + random() % 90)
                d.pixels[k] = static_cast<float>(static_cast<int>(random() % 64) - 32) / 8;
        }
        many.push_back(d);
    }
    for (Layout layout : {Layout::planes, Layout::lines, Layout::dense}) {
        LoadOptions o;
        o.layout = layout;
        Scan const scan = loaded(random_counts(5, 7, 48, 56, 300), o);
        Options twin;
        twin.device = Device::reference();
        VirtualImages const expected = images_of(scan, many, twin);
        for (Isa isa : compiled_isas()) {
            if (!runs_here(isa)) continue;
            Options options;
            options.device = Device::cpu(2, isa);
            EXPECT_EQ(images_of(scan, many, options).values.values, expected.values.values)
                << name_of(isa);
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

}  // namespace
}  // namespace sluice::stem4d
