// A scan of lines answers as one of tiles does, bit by bit, whatever is asked of it.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "device/isa.h"
#include "property/stem4d_test.h"
#include "scan/scan_tables.h"
#include "sluice/scan_values.h"

namespace sluice::stem4d {
namespace {

struct Case {
    char const* name;
    DType dtype;
    index scan_rows, scan_cols, rows, cols;
    double largest;
};

// Whole units and last ones; detectors of whole blocks and others; sums beyond 32 bits.
constexpr Case cases[] = {
    {"two units and a bit", DType::u16, 33, 32, 24, 40, 3},
    {"whole units", DType::u16, 16, 64, 40, 24, 40000},
    {"less than a tile", DType::u8, 3, 4, 21, 19, 200},
    // A thread counts three of them at a time, each with its own frames.
    {"many units", DType::u16, 64, 100, 16, 24, 60},
    {"large counts", DType::u32, 13, 47, 17, 33, 4e9},
};

struct Pair {
    Scan tiles, lines;
};

Pair both(Case const& c, LoadOptions load = {}) {
    Counts const counts = random_counts(c.scan_rows, c.scan_cols, c.rows, c.cols, 5, c.largest);
    auto const as = [&](Layout layout) {
        Dataset d = make_dataset(counts, c.dtype, Encoding::values);
        d.pixel_mask.assign(static_cast<std::size_t>(c.rows * c.cols), 0);
        d.pixel_mask[static_cast<std::size_t>(9 * c.cols + 11)] = 1;
        d.pixel_mask[static_cast<std::size_t>(3 * c.cols + 2)] = 1;
        load.layout = layout;
        return loaded(std::move(d), load);
    };
    return {as(Layout::planes), as(Layout::lines)};
}

std::vector<Detector> many_detectors(Case const& c) {
    auto many = detectors({"disk:r=6,center=10:9", "annulus:r=4..9,center=9.5:8",
                           "rectangle:rows=1..14,cols=2..15", "point:row=9,col=12",
                           "rectangle:rows=0..16,cols=0..18", "polygon:2:2/3:16/15:12/12:3"});
    std::mt19937 random(7);
    for (bool const weights : {false, true}) {
        Detector d;
        d.name = weights ? "weights" : "mask";
        d.shape = weights ? Detector::Shape::weights : Detector::Shape::mask;
        d.from = {static_cast<double>(c.rows), static_cast<double>(c.cols)};
        for (index i = 0; i < c.rows * c.cols; ++i)
            d.pixels.push_back(weights ? static_cast<float>(random() % 1000) / 250 - 1
                                       : random() % 2 == 0);
        many.push_back(d);
    }
    return many;
}

::testing::AssertionResult same(std::vector<double> const& a, std::vector<double> const& b) {
    if (a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0)
        return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << a.size() << " and " << b.size() << " numbers differ";
}

std::vector<Device> devices() {
    std::vector<Device> all{Device::cpu(1), Device::cpu(3), Device::reference(), Device::fake()};
    for (Isa const isa : compiled_isas())
        if (runs_here(isa)) all.push_back(Device::cpu(2, isa));
    return all;
}

Options on(Device const& device) {
    Options o;
    o.device = device;
    return o;
}

// Each image but the first is counted on top of the one before, or of another detector's.
TEST(ScansOfLines, ADragHasTheImagesOfItsPlaces) {
    std::mt19937 random(3);
    int kept_somewhere = 0;
    std::vector<Case> some_cases(std::begin(cases), std::end(cases));
    // What is kept of moments fits, and one thread counts two units at a time.
    some_cases.push_back({"large frames", DType::u16, 64, 64, 72, 80, 60000});
    for (Case const& c : some_cases) {
        Pair const scans = both(c), apart = both(c, {.tables = Tables::none});
        auto all = detectors({"disk:r=5,center=8:8", "annulus:r=3..8,center=9.5:10",
                              "polygon:2:2/3:16/15:12/12:3", "rectangle:rows=2..14,cols=2..9"});
        for (int step = 0; step < 40; ++step) {
            for (Detector& d : all) {
                if (!d.center) continue;
                d.center->row += static_cast<double>(random() % 5) / 2 - 1;
                d.center->col += static_cast<double>(random() % 5) / 2 - 1;
                d.center->row = std::clamp(d.center->row, 4.0, 14.0);
                d.center->col = std::clamp(d.center->col, 4.0, 14.0);
            }
            std::vector<Detector> const some(all.begin(), all.begin() + 1 + step % 4);
            Device const here = Device::cpu(1 + step % 2);
            auto const found = images_of(scans.lines, some, on(here));
            EXPECT_TRUE(
                same(found.values.values, images_of(apart.tiles, some, on(here)).values.values))
                << c.name << ", step " << step;
            auto const com =
                center_of_mass(scans.lines, all[static_cast<std::size_t>(step / 20)], on(here))
                    .value();
            auto const right =
                center_of_mass(apart.tiles, all[static_cast<std::size_t>(step / 20)], on(here))
                    .value();
            for (auto const of : {&CenterOfMass::row, &CenterOfMass::col, &CenterOfMass::sum})
                EXPECT_TRUE(same((com.*of).values, (right.*of).values))
                    << c.name << ", step " << step;
        }
        kept_somewhere += scans.lines.tables()->last_sums().found() > 30 &&
                          scans.lines.tables()->last_moments().found() > 30;
    }
    // Of small frames they would take too much.
    EXPECT_GT(kept_somewhere, 0);
}

TEST(ScansOfLines, HaveTheSameImages) {
    for (Case const& c : cases) {
        Pair const scans = both(c);
        EXPECT_EQ(scans.lines.layout(), "lines of bit planes");
        auto const many = many_detectors(c);
        std::vector<Detector> const masks(many.begin(), many.end() - 1);
        for (Device const& device : devices()) {
            for (auto const& which : {many, masks})
                EXPECT_TRUE(same(images_of(scans.lines, which, on(device)).values.values,
                                 images_of(scans.tiles, which, on(device)).values.values))
                    << c.name << " on " << device.name();
            for (Detector const& d : masks)
                EXPECT_TRUE(same(images_of(scans.lines, {d}, on(device)).values.values,
                                 images_of(scans.tiles, {d}, on(device)).values.values))
                    << c.name << " on " << device.name() << ", " << d.name;
        }
    }
}

TEST(ScansOfLines, HaveTheSameMomentsAndPatterns) {
    for (Case const& c : cases) {
        Pair const scans = both(c);
        std::vector<std::uint8_t> take(static_cast<std::size_t>(c.scan_rows * c.scan_cols));
        std::mt19937 random(3);
        for (auto& t : take) t = random() % 7 == 0;
        auto const disk = detectors({"disk:r=6,center=10:9"}).front();
        for (Device const& device : devices()) {
            for (bool const within : {false, true}) {
                auto const of = [&](Scan const& scan) {
                    return center_of_mass(scan, within ? std::optional(disk) : std::nullopt,
                                          on(device))
                        .value();
                };
                auto const a = of(scans.lines), b = of(scans.tiles);
                EXPECT_TRUE(same(a.row.values, b.row.values)) << c.name;
                EXPECT_TRUE(same(a.col.values, b.col.values)) << c.name;
            }
            for (Pattern const kind :
                 {Pattern::sum, Pattern::mean, Pattern::max, Pattern::variance})
                for (auto const& frames : {std::vector<std::uint8_t>{}, take}) {
                    auto const of = [&](Scan const& scan) {
                        return diffraction_pattern(scan, kind, frames, on(device)).value();
                    };
                    EXPECT_TRUE(same(of(scans.lines).values.values, of(scans.tiles).values.values))
                        << c.name << " on " << device.name();
                }
        }
    }
}

TEST(ScansOfLines, HaveTheSameFrames) {
    for (Case const& c : cases) {
        Pair const scans = both(c);
        index const frames = c.scan_rows * c.scan_cols;
        for (index f = 0; f < frames; f += 11)
            ASSERT_EQ(frame(scans.lines, f / c.scan_cols, f % c.scan_cols)->values,
                      frame(scans.tiles, f / c.scan_cols, f % c.scan_cols)->values)
                << c.name << ", frame " << f;
        std::vector<index> wanted(static_cast<std::size_t>(frames) / 2 + 1);
        std::mt19937 random(9);
        for (index& f : wanted) f = static_cast<index>(random() % static_cast<unsigned>(frames));
        Region const part{1, 2, c.rows - 3, c.cols - 5};
        std::vector<std::byte> a(
            wanted.size() * static_cast<std::size_t>(part.rows * part.cols * size_of(c.dtype)));
        auto b = a;
        ASSERT_TRUE(read_frames(scans.lines, wanted, part, a));
        ASSERT_TRUE(read_frames(scans.tiles, wanted, part, b));
        EXPECT_EQ(a, b) << c.name;
    }
}

// Sums beside the frames are made of tiles that are turned back.
TEST(ScansOfLines, HaveTheSameTables) {
    for (Case const& c : cases) {
        for (Tables const tables : {Tables::automatic, Tables::all, Tables::none}) {
            LoadOptions load;
            load.tables = tables;
            Pair const scans = both(c, load);
            auto const rings = detectors({"annulus:r=2..7,center=9:8", "disk:r=3,center=9:8"});
            for (int round = 0; round < 3; ++round) {
                EXPECT_TRUE(same(images_of(scans.lines, rings).values.values,
                                 images_of(scans.tiles, rings).values.values))
                    << c.name;
                auto const of = [](Scan const& scan) {
                    return diffraction_pattern(scan, Pattern::mean, {}).value().values.values;
                };
                EXPECT_TRUE(same(of(scans.lines), of(scans.tiles))) << c.name;
            }
        }
    }
}

TEST(ScansOfLines, FollowRegionsAndBins) {
    LoadOptions load;
    load.det_bin = 2, load.scan_region = Region{1, 3, 30, 27};
    Pair const scans = both(cases[0], load);
    auto const disk = detectors({"disk:r=6,center=10:9"});
    EXPECT_TRUE(same(images_of(scans.lines, disk).values.values,
                     images_of(scans.tiles, disk).values.values));
    EXPECT_EQ(frame(scans.lines, 29, 26)->values, frame(scans.tiles, 29, 26)->values);
}

// Frames that no file holds are marked in images and moments, and take no part in patterns.
TEST(ScansOfLines, MarkFramesThatAreMissing) {
    Counts const counts = random_counts(33, 32, 24, 40, 5, 3);
    auto const as = [&](Layout layout) {
        Dataset d = make_dataset(counts, DType::u16, Encoding::values);
        d.missing = 41, d.missing_runs = {{5, 1}, {500, 40}};
        LoadOptions load;
        load.layout = layout;
        return loaded(std::move(d), load);
    };
    Pair const scans{as(Layout::planes), as(Layout::lines)};
    for (double const col : {9.0, 9.5, 10.0, 10.5}) {
        Detector disk = detectors({"disk:r=6.2,center=10:9"})[0];
        disk.center->col = col;
        for (bool const mean : {false, true}) {
            Options options;
            options.mean = mean;
            auto const found = images_of(scans.lines, {disk}, options).values.values;
            EXPECT_TRUE(same(found, images_of(scans.tiles, {disk}, options).values.values));
            EXPECT_TRUE(std::isnan(found[5]) && std::isnan(found[539]) && !std::isnan(found[540]));
        }
        auto const of = [&](Scan const& scan) { return center_of_mass(scan, disk).value(); };
        EXPECT_TRUE(same(of(scans.lines).row.values, of(scans.tiles).row.values));
        EXPECT_TRUE(same(of(scans.lines).sum.values, of(scans.tiles).sum.values));
    }
    auto const pattern = [](Scan const& scan) {
        return diffraction_pattern(scan, Pattern::mean).value();
    };
    EXPECT_TRUE(same(pattern(scans.lines).values.values, pattern(scans.tiles).values.values));
    EXPECT_EQ(pattern(scans.lines).frames, 33 * 32 - 41);
    EXPECT_TRUE(std::isnan(frame(scans.lines, 0, 5)->values[0]));
}

// A dark changes counts after they are read: lines do not know of it.
TEST(ScansOfLines, AreCorrectedAsTilesAre) {
    Pair const scans = both(cases[0]);
    Options options;
    auto const [rows, cols] = scans.tiles.detector_shape();
    options.references.dark = Array<float>::zeros({rows, cols});
    for (std::size_t i = 0; i < options.references.dark.values.size(); ++i)
        options.references.dark.values[i] = static_cast<float>(i % 3) / 4;
    auto const disk = detectors({"disk:r=6,center=10:9"});
    EXPECT_TRUE(same(images_of(scans.lines, disk, options).values.values,
                     images_of(scans.tiles, disk, options).values.values));
    auto const of = [&](Scan const& scan) {
        return center_of_mass(scan, disk[0], options).value();
    };
    EXPECT_TRUE(same(of(scans.lines).col.values, of(scans.tiles).col.values));
}

// A refusal, where lines would not be made.
TEST(ScansOfLines, AreInMemory) {
    LoadOptions load;
    load.layout = Layout::lines;
    load.residency = Residency::stream;
    Counts const counts = random_counts(3, 4, 16, 16, 5, 3);
    EXPECT_EQ(Scan::load(make_dataset(counts, DType::u16, Encoding::values), load).error().code,
              Code::invalid_argument);
    load.residency = Residency::memory;
    load.memory = 100;
    EXPECT_EQ(Scan::load(make_dataset(counts, DType::u16, Encoding::values), load).error().code,
              Code::out_of_memory);
}

}  // namespace
}  // namespace sluice::stem4d
