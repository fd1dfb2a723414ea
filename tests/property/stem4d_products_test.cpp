// Several products in one pass are, bit by bit, those of their own functions.
// SPDX-License-Identifier: Apache-2.0
#include "property/stem4d_test.h"

namespace sluice::stem4d {
namespace {

constexpr Pattern sum = Pattern::sum, mean = Pattern::mean;

void expect_same(Products const& p, Scan const& scan, Wanted const& wanted, Options const& o) {
    auto const images = virtual_image(scan, wanted.detectors, o).value();
    EXPECT_EQ(p.images.values.values, images.values.values);
    EXPECT_EQ(p.images.values.shape, images.values.shape);
    EXPECT_EQ(p.images.notes, images.notes);
    EXPECT_EQ(p.images.valid_pixels, images.valid_pixels);
    auto const com = center_of_mass(scan, wanted.within, o).value();
    EXPECT_EQ(p.center_of_mass.sum.values, com.sum.values);
    EXPECT_EQ(p.center_of_mass.row.values, com.row.values);
    EXPECT_EQ(p.center_of_mass.col.values, com.col.values);
    EXPECT_EQ(p.center_of_mass.notes, com.notes);
    ASSERT_EQ(p.patterns.size(), wanted.patterns.size());
    for (std::size_t i = 0; i < p.patterns.size(); ++i) {
        auto const pattern = diffraction_pattern(scan, wanted.patterns[i], wanted.take, o).value();
        EXPECT_EQ(p.patterns[i].values.values, pattern.values.values);
        EXPECT_EQ(p.patterns[i].frames, pattern.frames);
        EXPECT_EQ(p.patterns[i].notes, pattern.notes);
    }
}

TEST(Products, AreThoseOfTheirOwnFunctions) {
    Counts const c = random_counts(7, 11, 40, 33, 5);
    auto few = detectors({"disk:r=9,center=20:16", "disk:r=5,center=9:9"});
    few[1].shape = Detector::Shape::weights;
    few[1].from = {40, 33};
    for (index i = 0; i < 40 * 33; ++i) few[1].pixels.push_back(static_cast<float>(i % 11) / 7 - 1);
    std::vector<std::uint8_t> take(77);
    for (std::size_t i = 0; i < take.size(); ++i) take[i] = i > 33 && i % 3 != 0;
    for (Residency r : {Residency::memory, Residency::stream})
        for (Layout layout : {Layout::planes, Layout::dense})
            for (std::vector<Pattern> const& kinds :
                 {std::vector{Pattern::mean},
                  {Pattern::variance, Pattern::sum},
                  {Pattern::sum, Pattern::mean},
                  {Pattern::mean, Pattern::max, Pattern::variance}})
                for (std::size_t n : {std::size_t{1}, few.size()}) {
                    LoadOptions load;
                    load.residency = r, load.layout = layout;
                    Scan const scan = loaded(c, load);
                    Wanted wanted;
                    wanted.detectors = std::span(few).first(n);
                    wanted.center_of_mass = true;
                    wanted.within = parse_detector("disk:r=12,center=19:15").value();
                    wanted.patterns = kinds;
                    wanted.take = take;
                    for (Device const& device : {Device::cpu(1), Device::cpu(3), Device::fake()}) {
                        if (device.remote() && r == Residency::stream) continue;
                        Options o;
                        o.device = device;
                        expect_same(products(scan, wanted, o).value(), scan, wanted, o);
                    }
                }
}

// A product alone may leave blocks and frames out that the others look at.
TEST(Products, OfAPointDoNotCutTheOthers) {
    Counts const c = random_counts(7, 11, 40, 33, 5);
    LoadOptions load;
    load.residency = Residency::stream;
    Scan const scan = loaded(c, load);
    auto const point = detectors({"point:row=1,col=1"});
    std::vector<std::uint8_t> one(77);
    one[40] = 1;
    Wanted wanted;
    wanted.detectors = point;
    wanted.center_of_mass = true;
    wanted.patterns = {&sum, 1};
    wanted.take = one;
    expect_same(products(scan, wanted).value(), scan, wanted, {});
    wanted.center_of_mass = false;
    Products const two = products(scan, wanted).value();
    EXPECT_TRUE(two.center_of_mass.sum.values.empty());
    EXPECT_EQ(two.images.values.values, virtual_image(scan, point).value().values.values);
    EXPECT_EQ(two.patterns.front().values.values,
              diffraction_pattern(scan, Pattern::sum, one).value().values.values);
}

TEST(Products, AreReadOnce) {
    Counts const c = random_counts(7, 11, 40, 33, 5);
    LoadOptions load;
    load.residency = Residency::stream;
    Scan const scan = loaded(c, load);
    std::uint64_t alone = 0, together = 0;
    auto const bytes_to = [](std::uint64_t& to) {
        return [&to](std::uint64_t, std::uint64_t total) {
            to = total;
            return true;
        };
    };
    Options o;
    o.progress = bytes_to(alone);
    ASSERT_TRUE(center_of_mass(scan, {}, o));
    o.progress = bytes_to(together);
    auto const disk = detectors({"disk:r=9,center=20:16"});
    Wanted wanted;
    wanted.detectors = disk;
    wanted.center_of_mass = true;
    wanted.patterns = {&mean, 1};
    ASSERT_TRUE(products(scan, wanted, o));
    EXPECT_EQ(together, alone);
}

TEST(Products, OfNothingAreRefused) {
    Counts const c = random_counts(2, 2, 8, 8, 5);
    auto const none = products(loaded(c, {}), {});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, Code::invalid_argument);
}

}  // namespace
}  // namespace sluice::stem4d
