// Products in parts beside products at once, and values of frames beside single frames.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "scan/value_blocks.h"
#include "sluice/scan_values.h"
#include "sluice/stem4d_parts.h"

namespace sluice::stem4d {
namespace {

Scan load(Layout layout, Residency residency) {
    LoadOptions options;
    options.layout = layout;
    options.residency = residency;
    options.device = Device::cpu(3);
    return Scan::load(open("synthetic:stem4d?scan=41x37&detector=24x40&seed=3").value(), options)
        .value();
}

struct How {
    Layout layout;
    Residency residency;
};
class OfScans : public testing::TestWithParam<How> {
  protected:
    Scan scan = load(GetParam().layout, GetParam().residency);
};
INSTANTIATE_TEST_SUITE_P(All, OfScans,
                         testing::Values(How{Layout::planes, Residency::memory},
                                         How{Layout::lines, Residency::memory},
                                         How{Layout::dense, Residency::memory},
                                         How{Layout::planes, Residency::stream}));

TEST_P(OfScans, FramesAreThoseOfOne) {
    std::vector<index> wanted(900);
    std::mt19937 random(1);
    for (index& f : wanted) f = static_cast<index>(random() % (41 * 37));
    Region const part{3, 5, 17, 20};
    std::vector<std::uint16_t> out(900 * 17 * 20);
    ASSERT_EQ(scan.dtype(), DType::u16);
    ASSERT_TRUE(read_frames(scan, wanted, part, std::as_writable_bytes(std::span(out))));
    for (std::size_t i = 0; i < wanted.size(); i += 37) {
        Array<double> const right = frame(scan, wanted[i] / 37, wanted[i] % 37).value();
        for (index r = 0; r < part.rows; ++r)
            for (index c = 0; c < part.cols; ++c)
                ASSERT_EQ(out[i * 340 + static_cast<std::size_t>(r * 20 + c)],
                          right.values[static_cast<std::size_t>((r + 3) * 40 + c + 5)]);
    }
}

TEST_P(OfScans, FramesThatThereAreNotAreRefused) {
    std::vector<std::byte> out(24 * 40 * 2);
    for (index const bad : {index{-1}, index{41 * 37}})
        EXPECT_EQ(read_frames(scan, {&bad, 1}, {0, 0, 24, 40}, out).error().code,
                  Code::invalid_argument);
    index const first = 0;
    for (Region const& part : {Region{0, 0, 25, 40}, Region{-1, 0, 4, 4}, Region{24, 0, 1, 1},
                               Region{0, 0, -1, 40}, Region{2, 2, 3, 3}})
        EXPECT_FALSE(read_frames(scan, {&first, 1}, part, out)) << part.row << " " << part.rows;
    EXPECT_EQ(read_frames(scan, {&first, 1}, {0, 0, 24, 40}, out, [](auto, auto) { return false; })
                  .error()
                  .code,
              Code::cancelled);
}

TEST_P(OfScans, BlocksHoldAllFramesInOrder) {
    fold::ValueBlocks const blocks(scan);
    auto reader = blocks.reader(0);
    index next = 0;
    for (index g = 0; g < blocks.groups(); ++g) {
        fold::Range const frames = blocks.group(g);
        ASSERT_EQ(frames.first, next);
        while (next < frames.last) {
            auto const batch = reader.read({next, frames.last}).value();
            ASSERT_EQ(batch.items.size(), 1u);
            Array<double> const right = frame(scan, next / 37, next % 37).value();
            std::vector<std::uint16_t> first(24 * 40);
            std::memcpy(first.data(), batch.items[0].data, first.size() * 2);
            ASSERT_TRUE(std::equal(first.begin(), first.end(), right.values.begin()));
            next = batch.next;
        }
    }
    EXPECT_EQ(next, 41 * 37);
}

TEST_P(OfScans, PartsInAnyOrderHaveTheBitsOfOne) {
    std::vector<Detector> detectors{parse_detector("bf").value(), parse_detector("adf").value()};
    detectors.push_back({.name = "ramp", .shape = Detector::Shape::weights, .from = {24, 40}});
    for (int i = 0; i < 24 * 40; ++i)
        detectors[2].pixels.push_back(0.1f * static_cast<float>(i % 77));
    std::vector<Pattern> const kinds{Pattern::max, Pattern::variance};
    Wanted const wanted{.detectors = detectors, .center_of_mass = true, .patterns = kinds};
    Options options{.device = Device::cpu(2)};
    options.disk = find_disk(scan).value();
    Products const right = products(scan, wanted, options).value();
    ProductParts there = ProductParts::begin(scan, wanted, options).value();
    ProductParts here = ProductParts::begin(scan, wanted, options).value();
    std::vector<index> order(static_cast<std::size_t>(here.groups()));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(5));
    std::vector<std::byte> last;
    for (index const g : order) {
        last = there.part(g, 1).value();
        ASSERT_TRUE(here.add(last));
    }
    EXPECT_FALSE(here.add(last)) << "the same group twice";
    Products const found = std::move(here).finish().value();
    EXPECT_EQ(found.images.values.values, right.images.values.values);
    EXPECT_EQ(found.images.valid_pixels, right.images.valid_pixels);
    EXPECT_EQ(found.center_of_mass.sum.values, right.center_of_mass.sum.values);
    EXPECT_EQ(found.center_of_mass.magnitude.values, right.center_of_mass.magnitude.values);
    for (std::size_t k = 0; k < kinds.size(); ++k)
        EXPECT_EQ(found.patterns[k].values.values, right.patterns[k].values.values);
}

TEST_P(OfScans, WholeSumsAreMergedBeforeTheyTravel) {
    std::vector<Detector> const detectors{parse_detector("bf").value()};
    std::vector<Pattern> const kinds{Pattern::mean};
    Wanted const wanted{.detectors = detectors, .center_of_mass = true, .patterns = kinds};
    Options options{.device = Device::cpu(2)};
    options.disk = find_disk(scan).value();
    Products const right = products(scan, wanted, options).value();
    for (index many : {2, 3}) {
        ProductParts parts = ProductParts::begin(scan, wanted, options).value();
        std::vector<std::vector<std::byte>> made;
        for (index g = 0; g < parts.groups(); g += many)
            made.push_back(parts.part(g, std::min(many, parts.groups() - g)).value());
        for (auto it = made.rbegin(); it != made.rend(); ++it) ASSERT_TRUE(parts.add(*it));
        EXPECT_FALSE(parts.add(made.front())) << "the same groups twice";
        EXPECT_FALSE(parts.add(parts.part(1, 1).value())) << "one of them again";
        Products const found = std::move(parts).finish().value();
        EXPECT_EQ(found.images.values.values, right.images.values.values);
        EXPECT_EQ(found.center_of_mass.magnitude.values, right.center_of_mass.magnitude.values);
        EXPECT_EQ(found.patterns[0].values.values, right.patterns[0].values.values);
    }
}

TEST_P(OfScans, DamagedPartsAreRefused) {
    Detector const all = parse_detector("rectangle:rows=0..23,cols=0..39").value();
    Wanted const wanted{.detectors = {&all, 1}};
    ProductParts parts = ProductParts::begin(scan, wanted).value();
    std::vector<std::byte> const good = parts.part(0, 2).value();
    for (std::size_t at = 0; at < good.size(); at += 7) {
        std::vector<std::byte> bad = good;
        bad[at] ^= std::byte{16};
        ASSERT_FALSE(parts.add(bad)) << at;
    }
    for (std::size_t size = 0; size < good.size(); size += 11)
        ASSERT_FALSE(parts.add(Bytes(good).first(size))) << size;
    EXPECT_FALSE(parts.part(-1, 1));
    EXPECT_FALSE(parts.part(0, parts.groups() + 1));
    EXPECT_TRUE(parts.add(good));
    EXPECT_FALSE(std::move(parts).finish()) << "groups are missing";
}

TEST(Names, OfTwoDetectorsDiffer) {
    Scan const scan = load(Layout::planes, Residency::memory);
    std::vector<Detector> two(2, parse_detector("a=disk:r=4,center=12:20").value());
    two[1].outer = 6;
    auto const same = virtual_image(scan, two);
    ASSERT_FALSE(same);
    EXPECT_NE(same.error().message.find("two detectors are called 'a'"), std::string::npos);
    EXPECT_FALSE(products(scan, {.detectors = two}));
    EXPECT_FALSE(ProductParts::begin(scan, {.detectors = two}));
    two[1].name = "b";
    EXPECT_TRUE(virtual_image(scan, two));
    // Those without a name are told apart by their numbers.
    two[0].name = two[1].name = "";
    EXPECT_TRUE(virtual_image(scan, two));
}

}  // namespace
}  // namespace sluice::stem4d
