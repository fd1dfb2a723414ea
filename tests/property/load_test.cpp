// Loading is the same whatever the encoding, the layout, the threads and the instruction set; and
// regions, binning and masks do what sums written out in the test say.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "device/isa.h"
#include "sluice/stem4d.h"
#include "store/hot_pixels.h"
#include "support/memory_dataset.h"

namespace sluice {
namespace {

using stem4d::Pattern;
using testing_support::Counts;
using testing_support::make_dataset;
using testing_support::random_counts;

Scan loaded(Dataset dataset, LoadOptions options = {}) {
    auto scan = Scan::load(std::move(dataset), options);
    EXPECT_TRUE(scan) << scan.error().text();
    return std::move(*scan);
}

std::vector<double> frame_of(Scan const& scan, index row, index col) {
    auto f = stem4d::frame(scan, row, col);
    EXPECT_TRUE(f) << f.error().text();
    return f->values;
}

std::vector<double> truth(Counts const& c, index f) {
    auto const begin = c.values.begin() + f * c.rows * c.cols;
    return {begin, begin + c.rows * c.cols};
}

TEST(Load, EveryEncodingShapeBlockAndInstructionSetGivesTheCountsBack) {
    struct Shape {
        index rows, cols;
    };
    for (Shape s : {Shape{24, 24}, {65, 65}, {5, 3}, {96, 96}, {130, 128}, {1, 9}, {17, 64}})
        for (DType dtype : {DType::u8, DType::u16, DType::u32})
            for (Encoding e : {Encoding::values, Encoding::bitshuffle, Encoding::bitshuffle_lz4,
                               Encoding::bitshuffle_zstd, Encoding::lz4, Encoding::lz4_block,
                               Encoding::big_endian, Encoding::row_planes})
                for (index block : {index{0}, index{128}, index{1000000 / 8 * 8}}) {
                    if (block != 0 && e != Encoding::bitshuffle_lz4) continue;
                    if (s.rows * s.cols % 8 != 0 && e == Encoding::row_planes) continue;
                    Counts const c =
                        random_counts(3, 7, s.rows, s.cols, 9, dtype == DType::u8 ? 250 : 60000);
                    for (Isa isa : compiled_isas()) {
                        if (!runs_here(isa)) continue;
                        LoadOptions o;
                        o.layout = Layout::planes;
                        o.device = Device::cpu(2, isa);
                        Scan const scan = loaded(make_dataset(c, dtype, e, block), o);
                        for (index f : {0, 8, 20})
                            ASSERT_EQ(frame_of(scan, f / 7, f % 7), truth(c, f))
                                << s.rows << "x" << s.cols << " " << name_of(dtype) << " encoding "
                                << static_cast<int>(e) << " " << name_of(isa);
                    }
                }
}

TEST(Load, RawCountersGiveTheCountsBack) {
    for (DType dtype : {DType::u8, DType::u16, DType::u32}) {
        double const largest = dtype == DType::u8 ? 63 : dtype == DType::u16 ? 4095 : 16e6;
        Counts const c = random_counts(3, 7, 13, 24, 9, largest);
        LoadOptions o;
        o.layout = Layout::planes;
        Scan const scan = loaded(make_dataset(c, dtype, Encoding::medipix), o);
        for (index f : {0, 8, 20})
            ASSERT_EQ(frame_of(scan, f / 7, f % 7), truth(c, f)) << name_of(dtype);
    }
}

TEST(Load, HitsOfAnyOrderGiveTheCountsBack) {
    Counts const c = random_counts(3, 7, 13, 24, 9, 40);
    for (Layout layout : {Layout::planes, Layout::dense}) {
        LoadOptions o;
        o.layout = layout;
        Scan const scan = loaded(make_dataset(c, DType::u16, Encoding::hits), o);
        for (index f : {0, 8, 20}) ASSERT_EQ(frame_of(scan, f / 7, f % 7), truth(c, f));
    }
}

TEST(Load, ElementsThatWereShuffledNeedNotBeThePixels) {
    Counts const c = random_counts(3, 7, 16, 24, 9, 60000);
    for (int shuffled : {1, 2, 4}) {
        Dataset d = make_dataset(c, DType::u16, Encoding::values);
        auto const source = std::make_shared<testing_support::MemorySource>();
        for (index f = 0; f < c.frames(); ++f)
            source->memory.push_back(codec::encode_bitshuffle_lz4(
                testing_support::bytes_of(c, f, DType::u16), shuffled));
        for (auto const& m : source->memory)
            source->frames.push_back(
                {.encoding = Encoding::bitshuffle_lz4, .bytes = m, .shuffled_bytes = shuffled});
        d.source = source;
        for (Layout layout : {Layout::planes, Layout::dense}) {
            LoadOptions o;
            o.layout = layout;
            Scan const scan = loaded(d, o);
            for (index f : {0, 8, 20})
                ASSERT_EQ(frame_of(scan, f / 7, f % 7), truth(c, f)) << shuffled;
        }
    }
}

TEST(Load, StreamingGivesTheSameAsMemoryForAnyThreads) {
    Counts const c = random_counts(13, 17, 96, 96, 3);
    auto const detectors = [] {
        std::vector<stem4d::Detector> d;
        for (char const* text : {"disk:r=20,center=48:48", "annulus:r=30..45,center=40:50",
                                 "rectangle:rows=3..4,cols=0..95"})
            d.push_back(stem4d::parse_detector(text).value());
        return d;
    }();
    std::vector<double> expected;
    for (Residency residency : {Residency::memory, Residency::stream})
        for (Layout layout : {Layout::planes, Layout::dense})
            for (int threads : {1, 2, 5}) {
                LoadOptions o;
                o.residency = residency, o.layout = layout;
                o.device = Device::cpu(threads);
                Scan const scan = loaded(make_dataset(c, DType::u16, Encoding::bitshuffle_lz4), o);
                EXPECT_EQ(scan.resident(), residency == Residency::memory);
                stem4d::Options options;
                options.device = Device::cpu(threads);
                auto images = stem4d::virtual_image(scan, detectors, options);
                auto com = stem4d::center_of_mass(scan, {}, options);
                auto mean = stem4d::diffraction_pattern(scan, Pattern::mean, {}, options);
                ASSERT_TRUE(images && com && mean);
                std::vector<double> all = images->values.values;
                all.insert(all.end(), com->row.values.begin(), com->row.values.end());
                all.insert(all.end(), mean->values.values.begin(), mean->values.values.end());
                if (expected.empty()) expected = all;
                EXPECT_EQ(all, expected);
            }
}

// The last row of blocks lies in the frame's verbatim tail alone.
TEST(Load, StreamingATailThatIsARowOfBlocks) {
    for (index cols : {3, 7}) {
        Counts const c = random_counts(2, 9, 9, cols, 5);
        std::string const text = "rectangle:rows=8..8,cols=0..9";
        std::vector<stem4d::Detector> const last_row{stem4d::parse_detector(text).value()};
        LoadOptions o;
        o.residency = Residency::stream, o.layout = Layout::planes;
        Scan const scan = loaded(make_dataset(c, DType::u16, Encoding::bitshuffle_lz4), o);
        auto const images = stem4d::virtual_image(scan, last_row);
        ASSERT_TRUE(images);
        for (index f = 0; f < c.frames(); ++f) {
            double sum = 0;
            for (index k = 0; k < cols; ++k) sum += c.at(f, 8, k);
            ASSERT_EQ(images->values.values[static_cast<std::size_t>(f)], sum) << cols << " " << f;
        }
    }
}

// A tile of such frames can take over 4 MiB, and takes a little less: none may be short of room.
TEST(Load, LargeDetectorsFindRoomForEveryTile) {
    Counts c{1, 1, 512, 512, {}};
    std::mt19937 random(1);
    for (index i = 0; i < 512 * 512; ++i) c.values.push_back(static_cast<double>(random() % 32));
    Dataset d = make_dataset(c, DType::u8, Encoding::values);
    auto source = std::make_shared<testing_support::MemorySource>();
    source->memory.push_back(testing_support::bytes_of(c, 0, DType::u8));
    d.frames = 64 * 16;
    d.scan = {64, 16};
    source->frames.assign(static_cast<std::size_t>(d.frames),
                          {.encoding = Encoding::values, .bytes = source->memory.front()});
    d.source = source;
    LoadOptions o;
    o.layout = Layout::planes, o.residency = Residency::memory, o.memory = 1 << 30;
    o.device = Device::cpu(2);
    Scan const scan = loaded(std::move(d), o);
    EXPECT_EQ(frame_of(scan, 63, 15), truth(c, 0));
}

TEST(Load, RegionsReadWhatTheySay) {
    Counts const c = random_counts(6, 9, 40, 48, 4);
    LoadOptions o;
    o.scan_region = Region{1, 2, 4, 5};
    o.detector_region = Region{3, 8, 21, 30};
    Scan const scan = loaded(make_dataset(c, DType::u16, Encoding::bitshuffle_lz4), o);
    EXPECT_EQ(scan.scan_shape(), (std::array<index, 2>{4, 5}));
    EXPECT_EQ(scan.detector_shape(), (std::array<index, 2>{21, 30}));
    auto const f = frame_of(scan, 2, 3);
    for (index r = 0; r < 21; ++r)
        for (index k = 0; k < 30; ++k)
            ASSERT_EQ(f[static_cast<std::size_t>(r * 30 + k)],
                      c.at((1 + 2) * 9 + 2 + 3, 3 + r, 8 + k));
    o.scan_region = Region{3, 0, 4, 9};
    EXPECT_FALSE(Scan::load(make_dataset(c, DType::u16, Encoding::values), o));
}

// A frame is read by itself; the pattern of a scan of which one frame is taken is made otherwise.
TEST(Load, AFrameIsThePatternOfItAlone) {
    Counts const c = random_counts(5, 9, 21, 34, 14);
    std::vector<LoadOptions> cases(4);
    cases[1].scan_region = Region{1, 2, 3, 5}, cases[1].detector_region = Region{2, 3, 17, 29};
    cases[2].det_bin = 3, cases[2].scan_bin = 2, cases[2].bin_edge = BinEdge::partial;
    cases[3].det_bin = 2, cases[3].bin_mode = BinMode::mean;
    for (DType dtype : {DType::u8, DType::u16, DType::u32, DType::f32})
        for (Residency residency : {Residency::memory, Residency::stream})
            for (Layout layout : {Layout::planes, Layout::lines, Layout::dense})
                for (std::size_t i = 0; i < cases.size(); ++i) {
                    bool const floats = dtype == DType::f32 || i == 3;
                    if (floats && layout != Layout::dense) continue;
                    if (layout == Layout::lines && residency == Residency::stream) continue;
                    LoadOptions o = cases[i];
                    o.residency = residency, o.layout = layout;
                    Dataset d = make_dataset(c, dtype, Encoding::bitshuffle_lz4);
                    d.pixel_mask.assign(21 * 34, 0);
                    d.pixel_mask[10 * 34 + 17] = 1;
                    Scan const scan = loaded(d, o);
                    auto const shape = scan.scan_shape();
                    std::vector<std::uint8_t> take(static_cast<std::size_t>(shape[0] * shape[1]));
                    for (std::size_t f = 0; f < take.size(); ++f) {
                        take[f] = 1;
                        auto const one = stem4d::diffraction_pattern(scan, Pattern::sum, take);
                        take[f] = 0;
                        ASSERT_TRUE(one) << one.error().text();
                        auto const n = static_cast<index>(f);
                        ASSERT_EQ(frame_of(scan, n / shape[1], n % shape[1]), one->values.values)
                            << name_of(dtype) << " case " << i << " frame " << f;
                    }
                }
}

TEST(Load, WhatFillsNoBinIsTold) {
    Counts const c = random_counts(5, 7, 13, 12, 6);
    for (BinEdge edge : {BinEdge::floor, BinEdge::partial}) {
        LoadOptions o;
        o.det_bin = 3, o.scan_bin = 2, o.bin_edge = edge;
        Scan const scan = loaded(make_dataset(c, DType::u16, Encoding::values), o);
        std::string notes;
        for (auto const& n : scan.notes()) notes += n + "\n";
        EXPECT_NE(notes.find("the last row and column of 5x7 of the scan"), std::string::npos)
            << notes;
        EXPECT_EQ(notes.find("the last row of 13x12 of the detector") != std::string::npos,
                  edge == BinEdge::floor)
            << notes;
    }
}

// Mask first, then bin, then divide by what was valid.
TEST(Load, BinningOfMaskedPixels) {
    Counts c = random_counts(4, 6, 13, 10, 6);
    Dataset d = make_dataset(c, DType::u16, Encoding::bitshuffle_lz4);
    d.pixel_mask.assign(130, 0);
    d.pixel_mask[0] = 2, d.pixel_mask[11] = 1U << 31, d.pixel_mask[25] = 16;
    auto const valid = [](index r, index k) { return !(r * 10 + k == 0 || r * 10 + k == 25); };
    for (BinMode mode : {BinMode::sum, BinMode::mean})
        for (BinEdge edge : {BinEdge::floor, BinEdge::partial}) {
            LoadOptions o;
            o.det_bin = 3, o.scan_bin = 2, o.bin_mode = mode, o.bin_edge = edge;
            Scan const scan = loaded(d, o);
            index const rows = edge == BinEdge::floor ? 4 : 5,
                        cols = edge == BinEdge::floor ? 3 : 4;
            ASSERT_EQ(scan.detector_shape(), (std::array<index, 2>{rows, cols}));
            ASSERT_EQ(scan.scan_shape(), (std::array<index, 2>{2, 3}));
            auto const f = frame_of(scan, 1, 2);
            for (index r = 0; r < rows; ++r)
                for (index k = 0; k < cols; ++k) {
                    double sum = 0, n = 0;
                    for (index i = 0; i < 4; ++i)
                        for (index y = 3 * r; y < std::min<index>(3 * r + 3, 13); ++y)
                            for (index x = 3 * k; x < std::min<index>(3 * k + 3, 10); ++x)
                                if (valid(y, x))
                                    sum += c.at((2 + i / 2) * 6 + 4 + i % 2, y, x), ++n;
                    double const expected =
                        mode == BinMode::sum ? sum : static_cast<float>(sum / n);
                    ASSERT_EQ(f[static_cast<std::size_t>(r * cols + k)], expected) << r << " " << k;
                }
            std::string notes;
            for (auto const& note : scan.notes()) notes += note + "\n";
            EXPECT_NE(notes.find("2 pixels left out by the file's pixel mask"), std::string::npos)
                << notes;
            EXPECT_NE(notes.find("binned"), std::string::npos);
        }
}

TEST(Load, SentinelsAndSaturationAreReported) {
    for (Encoding e : {Encoding::values, Encoding::bitshuffle_lz4})
        for (DType dtype : {DType::u8, DType::u16, DType::u32}) {
            Counts c = random_counts(2, 9, 19, 23, 8, 60);
            double const ones = dtype == DType::u8    ? 255
                                : dtype == DType::u16 ? 65535
                                                      : 4294967295.0;
            c.at(3, 2, 2) = ones;    // masked: not reported
            c.at(4, 18, 22) = ones;  // in the verbatim tail
            c.at(5, 7, 7) = ones, c.at(6, 7, 8) = 201, c.at(7, 0, 0) = 200;
            Dataset d = make_dataset(c, dtype, e);
            d.pixel_mask.assign(19 * 23, 0);
            d.pixel_mask[2 * 23 + 2] = 1;
            d.sentinel = true;
            d.saturation = 200;
            for (Layout layout : {Layout::planes, Layout::dense}) {
                LoadOptions o;
                o.layout = layout;
                Scan const scan = loaded(d, o);
                std::string notes;
                for (auto const& n : scan.notes()) notes += n + "\n";
                EXPECT_NE(notes.find("2 all-ones pixels"), std::string::npos) << notes;
                EXPECT_NE(notes.find("1 count above the saturation value 200"), std::string::npos)
                    << notes;
                EXPECT_EQ(frame_of(scan, 0, 3)[2 * 23 + 2], 0);
                EXPECT_EQ(frame_of(scan, 0, 4)[18 * 23 + 22], 0);
                EXPECT_EQ(frame_of(scan, 0, 5)[7 * 23 + 7], 0);
                EXPECT_EQ(frame_of(scan, 0, 6)[7 * 23 + 8], 201);
            }
        }
}

TEST(Load, MissingFramesAreZerosAndReported) {
    Counts const c = random_counts(4, 5, 16, 16, 2);
    Dataset d = make_dataset(c, DType::u16, Encoding::bitshuffle_lz4);
    auto source = std::make_shared<testing_support::MemorySource>();
    auto const& old = static_cast<testing_support::MemorySource const&>(*d.source);
    source->memory = old.memory;
    for (auto const& m : source->memory)
        source->frames.push_back({.encoding = Encoding::bitshuffle_lz4, .bytes = m});
    source->frames[7] = {};
    d.source = source;
    Scan const scan = loaded(d);
    for (double v : frame_of(scan, 1, 2)) EXPECT_EQ(v, 0);
    EXPECT_EQ(frame_of(scan, 1, 3), truth(c, 8));
    EXPECT_NE(scan.notes().back().find("1 frame lacks data"), std::string::npos);
}

TEST(Load, DamageNamesTheFileAndThePlace) {
    Counts const c = random_counts(4, 5, 64, 64, 2);
    Dataset d = make_dataset(c, DType::u16, Encoding::bitshuffle_lz4);
    auto& source = const_cast<testing_support::MemorySource&>(
        static_cast<testing_support::MemorySource const&>(*d.source));
    for (std::size_t i = 16; i < 90; ++i) source.memory[9][i] = std::byte{0xff};
    source.frames[9].at = 1000;
    for (Layout layout : {Layout::planes, Layout::dense}) {
        LoadOptions o;
        o.layout = layout;
        auto const scan = Scan::load(d, o);
        ASSERT_FALSE(scan);
        EXPECT_EQ(scan.error().code, Code::corrupt);
        EXPECT_EQ(scan.error().file, "memory");
        EXPECT_GE(scan.error().at.value_or(0), 1000u);
    }
}

TEST(Load, PlanesAreChosenWhereTheyPay) {
    EXPECT_EQ(loaded(make_dataset(random_counts(4, 8, 64, 64, 1, 20), DType::u16, Encoding::values))
                  .layout(),
              "bit planes");
    Counts noisy = random_counts(4, 8, 32, 32, 1, 20);
    std::mt19937 random(3);
    for (double& v : noisy.values) v = static_cast<double>(random() % 65536);
    EXPECT_EQ(loaded(make_dataset(noisy, DType::u16, Encoding::values)).layout(), "uint16 values");
    EXPECT_EQ(loaded(make_dataset(noisy, DType::f32, Encoding::values)).layout(), "float32 values");
    LoadOptions o;
    o.layout = Layout::planes;
    EXPECT_FALSE(Scan::load(make_dataset(noisy, DType::f32, Encoding::values), o));
}

TEST(Load, MemoryLimitStreamsOrRefusesWithAdvice) {
    Dataset const d = make_dataset(random_counts(8, 8, 64, 64, 1), DType::u16, Encoding::values);
    LoadOptions o;
    o.memory = 10000;
    EXPECT_FALSE(loaded(d, o).resident());
    o.residency = Residency::memory;
    auto const scan = Scan::load(d, o);
    ASSERT_FALSE(scan);
    EXPECT_EQ(scan.error().code, Code::out_of_memory);
    EXPECT_NE(scan.error().message.find("--det-bin"), std::string::npos);
    o.residency = Residency::automatic;
    o.det_bin = 0, o.memory = 200000;
    Scan const binned = loaded(d, o);
    EXPECT_EQ(binned.detector_shape()[0], 16);  // 8*8*16*16*4 bytes fit, twice the side do not
}

TEST(HotPixels, AreFoundAndADiskOfThreePercentIsNot) {
    index const n = 192;
    std::vector<double> sums(static_cast<std::size_t>(n * n), 3.0);
    double const r = std::sqrt(0.03 * static_cast<double>(n * n) / 3.14159265);
    for (index y = 0; y < n; ++y)
        for (index x = 0; x < n; ++x)
            if (std::hypot(static_cast<double>(y) - 70.3, static_cast<double>(x) - 101.8) <= r)
                sums[static_cast<std::size_t>(y * n + x)] = 2000;
    EXPECT_TRUE(store::hot_pixels_of(sums, n, n).empty());
    sums[10 * 192 + 10] = 500;                        // alone
    sums[0] = 400;                                    // in a corner
    sums[20 * 192 + 20] = sums[20 * 192 + 21] = 600;  // a pair
    auto const hot = store::hot_pixels_of(sums, n, n);
    EXPECT_EQ(hot, (std::vector<std::uint32_t>{0, 10 * 192 + 10, 20 * 192 + 20, 20 * 192 + 21}));
}

// A direct beam within one pixel looks like a hot pixel, but for how much of all counts it has.
TEST(HotPixels, ABeamOfLessThanAPixelIsKept) {
    Counts c{8, 8, 24, 24, std::vector<double>(std::size_t{64} * 24 * 24)};
    std::mt19937 random(4);
    std::poisson_distribution<int> dark(0.02), beam(400), hot(9);
    for (index f = 0; f < 64; ++f) {
        for (index i = 0; i < 24 * 24; ++i) c.at(f, i / 24, i % 24) = dark(random);
        c.at(f, 11, 13) = beam(random);
        c.at(f, 3, 20) = hot(random);
        c.at(f, 20, 2) = 5000;  // stuck
    }
    LoadOptions o;
    o.hot_pixels = true;
    Scan const scan = loaded(make_dataset(c, DType::u16, Encoding::values), o);
    auto const bad = scan.bad_pixels();
    EXPECT_EQ(bad[11 * 24 + 13], 0);
    EXPECT_EQ(bad[3 * 24 + 20], 1);
    EXPECT_EQ(bad[20 * 24 + 2], 1);
    std::string notes;
    for (auto const& n : scan.notes()) notes += n + "\n";
    EXPECT_NE(notes.find("2 hot pixels found and left out: row 3, column 20; row 20, column 2"),
              std::string::npos)
        << notes;
    EXPECT_NE(notes.find("row 11, column 13 holds 7 % of all counts and was kept"),
              std::string::npos)
        << notes;
    EXPECT_EQ(notes.find("user's mask"), std::string::npos) << notes;
    // The results hang on both.
    std::vector<std::string> const warnings = scan.warnings();
    ASSERT_EQ(warnings.size(), 2);
    EXPECT_NE(warnings[0].find("row 20, column 2 holds 92 % of all counts"), std::string::npos)
        << warnings[0];
    EXPECT_NE(warnings[1].find("row 11, column 13"), std::string::npos) << warnings[1];
}

// A beam without noise is as constant as a stuck pixel: it goes, but not in silence.
TEST(HotPixels, WhatHoldsMostCountsIsNotLeftOutInSilence) {
    Counts c{8, 8, 24, 24, std::vector<double>(std::size_t{64} * 24 * 24)};
    std::mt19937 random(5);
    std::poisson_distribution<int> dark(0.35);
    for (index f = 0; f < 64; ++f) {
        for (index i = 0; i < 24 * 24; ++i) c.at(f, i / 24, i % 24) = dark(random);
        c.at(f, 11, 13) = 1000;
    }
    LoadOptions o;
    o.hot_pixels = true;
    Scan const scan = loaded(make_dataset(c, DType::u16, Encoding::values), o);
    EXPECT_EQ(scan.bad_pixels()[11 * 24 + 13], 1);
    ASSERT_EQ(scan.warnings().size(), 1);
    std::string const warning = scan.warnings()[0];
    EXPECT_NE(
        warning.find(
            "row 11, column 13 holds 83 % of all counts and was left out; without --hot-pixels"),
        std::string::npos)
        << warning;
    std::vector<std::string> const notes = scan.notes();
    EXPECT_NE(std::ranges::find(notes, warning), notes.end());
}

// A stuck pixel is as constant as before where frames lack, whatever they read as.
TEST(HotPixels, LostFramesSayNothingOfAPixel) {
    Counts c{8, 8, 24, 24, std::vector<double>(std::size_t{64} * 24 * 24)};
    std::mt19937 random(7);
    std::poisson_distribution<int> dark(0.35);
    for (index f = 0; f < 64; ++f) {
        if (f >= 20 && f < 30) continue;  // reads as zeros
        for (index i = 0; i < 24 * 24; ++i) c.at(f, i / 24, i % 24) = dark(random);
        c.at(f, 11, 13) = 1000;
    }
    Dataset dataset = make_dataset(c, DType::u16, Encoding::values);
    dataset.missing = 10;
    dataset.missing_runs = {{20, 10}};
    LoadOptions o;
    o.hot_pixels = true;
    Scan const scan = loaded(std::move(dataset), o);
    EXPECT_EQ(scan.bad_pixels()[11 * 24 + 13], 1);
    ASSERT_EQ(scan.warnings().size(), 1);
    EXPECT_NE(scan.warnings()[0].find("and was left out"), std::string::npos) << scan.warnings()[0];
}

TEST(HotPixels, ThereIsOneDirectBeam) {
    Counts c{8, 8, 24, 24, std::vector<double>(std::size_t{64} * 24 * 24)};
    std::mt19937 random(6);
    std::poisson_distribution<int> dark(0.02), beam(400), dim(100), noisy(300);
    for (index f = 0; f < 64; ++f) {
        for (index i = 0; i < 24 * 24; ++i) c.at(f, i / 24, i % 24) = dark(random);
        c.at(f, 3, 20) = dim(random);
        c.at(f, 11, 13) = beam(random);
        c.at(f, 20, 2) = noisy(random);
    }
    LoadOptions o;
    o.hot_pixels = true;
    Scan const scan = loaded(make_dataset(c, DType::u16, Encoding::values), o);
    std::vector<std::uint8_t> const bad = scan.bad_pixels();
    EXPECT_EQ(bad[11 * 24 + 13], 0);
    EXPECT_EQ(bad[3 * 24 + 20], 1);
    EXPECT_EQ(bad[20 * 24 + 2], 1);
    EXPECT_EQ(scan.warnings().size(), 3);
}

}  // namespace
}  // namespace sluice
