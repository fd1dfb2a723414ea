// Answers out of tables are, bit by bit, those of the frames; and what has no tables goes without.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>

#include "device/isa.h"
#include "property/stem4d_test.h"
#include "scan/scan_tables.h"

namespace sluice::stem4d {
namespace {

// Many frames of few pixels, for patterns, and few of many, for rings.
Counts const& many_frames() {
    static Counts const c = random_counts(70, 75, 24, 30, 9, 900);
    return c;
}
Counts const& many_pixels() {
    static Counts const c = random_counts(24, 26, 96, 104, 9, 900);
    return c;
}

// Some frames are in no file; what stands in their place must not count.
Dataset dataset(Counts const& c) {
    Dataset d = make_dataset(c, DType::u16, Encoding::values);
    d.missing_runs = {{100, 3}, {400, 40}};
    d.missing = 43;
    return d;
}

/// A scan with tables and one without.
struct Pair {
    Scan with, without;
};
Pair loaded_twice(Counts const& c, LoadOptions load, Tables tables = Tables::automatic) {
    load.layout = Layout::planes;
    load.tables = tables;
    Scan with = loaded(dataset(c), load);
    load.tables = Tables::none;
    return {std::move(with), loaded(dataset(c), load)};
}

bool same(std::span<double const> a, std::span<double const> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

index spans(Trace const& trace, Phase phase) {
    return std::ranges::count(trace.spans(), phase, &Span::phase);
}

Detector annulus(Point center, double inner, double outer) {
    Detector d;
    d.shape = Detector::Shape::annulus;
    d.center = center;
    d.inner = inner, d.outer = outer;
    return d;
}

// The first one takes everything as it is.
std::vector<LoadOptions> loads(Counts const& c) {
    std::vector<LoadOptions> all(7);
    all[1].det_bin = 2;
    all[2].scan_region = Region{3, 5, c.scan_rows - 4, c.scan_cols - 11};
    all[2].detector_region = Region{4, 3, c.rows - 10, c.cols - 11};
    all[3].scan_bin = 2;
    all[4].scan_step = 2;
    all[5].user_mask = Array<std::uint8_t>::zeros({c.rows, c.cols});
    for (std::size_t i = 0; i < all[5].user_mask.values.size(); i += 7)
        all[5].user_mask.values[i] = 1;
    all[6].hot_pixels = true;
    return all;
}

/// Whether tables gave it, and no frame was looked at.
bool from_tables(Trace const& trace) {
    return spans(trace, Phase::tables) > 0 && spans(trace, Phase::fold) == 0;
}

/// Whether it came from tables.
bool expect_same_images(Pair const& scans, std::vector<Detector> const& d, Options o) {
    auto const expected = images_of(scans.without, d, o);
    Trace trace(2);
    o.trace = &trace;
    auto const found = images_of(scans.with, d, o);
    EXPECT_TRUE(same(found.values.values, expected.values.values))
        << d.front().inner << ".." << d.front().outer;
    EXPECT_EQ(found.notes, expected.notes);
    return from_tables(trace);
}

TEST(Tables, GiveMomentsAndSumsOfTheWholeDetector) {
    for (LoadOptions load : loads(many_pixels()))
        for (Isa isa : compiled_isas()) {
            if (!runs_here(isa)) continue;
            Options o;
            o.device = load.device = Device::cpu(2, isa);
            Pair const scans = loaded_twice(many_pixels(), load);
            EXPECT_TRUE(
                expect_same_images(scans, detectors({"rectangle:rows=0..999,cols=0..999"}), o));
            auto const expected = center_of_mass(scans.without, {}, o).value();
            Trace trace(2);
            o.trace = &trace;
            auto const found = center_of_mass(scans.with, {}, o).value();
            EXPECT_TRUE(from_tables(trace));
            o.trace = nullptr;
            o.device = Device::reference();
            auto const slow = center_of_mass(scans.with, {}, o).value();
            for (CenterOfMass const* c : {&expected, &slow}) {
                EXPECT_TRUE(same(found.row.values, c->row.values));
                EXPECT_TRUE(same(found.col.values, c->col.values));
                EXPECT_TRUE(same(found.sum.values, c->sum.values));
                EXPECT_EQ(found.notes, c->notes);
            }
        }
}

TEST(Tables, GiveAnnuliOfWholeRadiiOnceTheirCenterIsAskedForAgain) {
    std::mt19937 random(4);
    int from = 0;
    auto const all = loads(many_pixels());
    for (std::size_t way = 0; way < all.size(); ++way) {
        Pair const scans = loaded_twice(many_pixels(), all[way]);
        for (Point const center : {Point{48, 52}, {47.25, 53.5}, {-3, 60}}) {
            Options o;
            o.device = Device::cpu(2);
            EXPECT_FALSE(expect_same_images(scans, {annulus(center, 0, 45)}, o));
            for (int i = 0; i < 12; ++i) {
                double const inner = static_cast<double>(random() % 40);
                double const outer = inner + 3 + static_cast<double>(random() % 60);
                bool const table = expect_same_images(scans, {annulus(center, inner, outer)}, o);
                if (way == 0 && center.row > 0) {
                    EXPECT_TRUE(table) << center.row;
                }
                from += table;
                // No whole radius: the frames have to tell.
                expect_same_images(scans, {annulus(center, inner, outer + 0.5)}, o);
            }
            std::vector<Detector> several;
            for (int i = 0; i < 5; ++i) several.push_back(annulus(center, 7 * i, 9 * i + 40));
            expect_same_images(scans, several, o);
        }
    }
    EXPECT_GE(from, 24);  // bins and rings from afar would take too much memory
}

TEST(Tables, AreNotMadeForACenterThatMoves) {
    Pair const scans = loaded_twice(many_pixels(), {});
    for (int i = 0; i < 5; ++i)
        EXPECT_FALSE(expect_same_images(scans, {annulus({48, 50.0 + i}, 0, 20)}, {}));
}

// A mask of any pixels is an annulus only where it has all of its pixels.
TEST(Tables, AreNotTakenForAlmostTheSamePixels) {
    Pair const scans = loaded_twice(many_pixels(), {});
    Options o;
    o.device = Device::cpu(2);
    auto const d = annulus({48, 52}, 4, 30);
    expect_same_images(scans, {d}, o);
    EXPECT_TRUE(expect_same_images(scans, {d}, o));
    Detector mask;
    mask.shape = Detector::Shape::mask;
    mask.from = {96, 104};
    mask.pixels = rasterize(d, {96, 104}, {}).value().values;
    mask.pixels[48 * 104 + 60] = 0;
    EXPECT_FALSE(expect_same_images(scans, {mask}, o));
    std::ranges::fill(mask.pixels, 1.0F);
    EXPECT_TRUE(expect_same_images(scans, {mask}, o));
    mask.pixels[77] = 0;
    EXPECT_FALSE(expect_same_images(scans, {mask}, o));
}

void expect_rings(Scan const& scan, Device const& device) {
    store::Plan const& plan = scan.plan();
    std::mt19937 random(2);
    std::vector<std::uint16_t> rings(96 * 104);
    for (auto& r : rings) r = static_cast<std::uint16_t>(random() % 7 * 3);
    RingSums const table = RingSums::make(*scan.resident_store(), plan, rings, device);
    for (index first = 0; first < 19; ++first)
        for (index last = first + 1; last < 20; ++last) {
            Detector d;
            d.shape = Detector::Shape::mask;
            d.from = {96, 104};
            for (auto const r : rings) d.pixels.push_back(r >= first && r < last);
            if (std::ranges::count(d.pixels, 1.0F) == 0) continue;
            Options o;
            o.device = Device::reference();
            auto expected = images_of(scan, {d}, o).values.values;
            std::vector<dense::Run> runs;
            for (std::uint32_t i = 0; i < rings.size(); ++i)
                if (d.pixels[i] != 0) runs.push_back({i / 104, i % 104, 1});
            auto const borders = table.borders(runs, device);
            ASSERT_TRUE(borders);
            std::vector<double> sums(expected.size());
            table.sums(*borders, 0, device, sums);
            for (std::size_t f = 0; f < sums.size(); ++f) {
                if (!plan.lost.empty() && plan.lost[f]) continue;
                ASSERT_EQ(sums[f], expected[f]);
            }
            std::vector<double> later(sums.size() - 5);
            table.sums(*borders, 5, device, later);
            EXPECT_TRUE(same(later, std::span<double const>(sums).subspan(5)));
            runs.pop_back();
            EXPECT_FALSE(table.borders(runs, device));
        }
}

TEST(RingSums, KnowWhichMasksTheyHold) {
    for (Isa const isa : compiled_isas())
        if (runs_here(isa)) expect_rings(loaded(dataset(many_pixels())), Device::cpu(2, isa));
}

// Sums that 32 bits do not hold.
TEST(RingSums, AreExactWhereCountsAreLarge) {
    Counts large = random_counts(6, 9, 96, 104, 4, 900);
    for (double& v : large.values) v *= 1e6;
    Scan const scan = loaded(make_dataset(large, DType::u32, Encoding::values));
    std::vector<double> const sums = center_of_mass(scan).value().sum.values;
    ASSERT_GT(std::ranges::max(sums), 4294967296.0);
    expect_rings(scan, Device::cpu(2));
}

TEST(Tables, GivePatternsOfAnyRegion) {
    std::mt19937 random(8);
    for (LoadOptions const& load : loads(many_frames()))
        for (Tables tables : {Tables::automatic, Tables::all}) {
            if (tables == Tables::all && load.det_bin == 1) continue;
            Pair const scans = loaded_twice(many_frames(), load, tables);
            auto const [rows, cols] = scans.with.scan_shape();
            for (int i = 0; i < 14; ++i) {
                std::vector<std::uint8_t> take(static_cast<std::size_t>(i ? rows * cols : 0));
                auto const row = static_cast<double>(random() % 70);
                auto const col = static_cast<double>(random() % 75);
                for (index f = 0; f < std::ssize(take); ++f) {
                    double const distance = std::hypot(static_cast<double>(f / cols) - row,
                                                       static_cast<double>(f % cols) - col);
                    take[static_cast<std::size_t>(f)] =
                        i == 13 ? random() % 2 == 0 : distance <= 4.0 * i;
                }
                Trace trace(2);
                Options o;
                o.device = Device::cpu(2);
                o.trace = &trace;
                for (Pattern kind : {Pattern::mean, Pattern::sum, Pattern::max}) {
                    auto const found = diffraction_pattern(scans.with, kind, take, o);
                    auto const expected = diffraction_pattern(scans.without, kind, take);
                    ASSERT_EQ(found.has_value(), expected.has_value());
                    if (!found) continue;
                    EXPECT_TRUE(same(found->values.values, expected->values.values)) << i;
                    EXPECT_EQ(found->frames, expected->frames);
                }
                if (i == 0) {
                    EXPECT_GT(spans(trace, Phase::tables), 0);
                }
            }
        }
}

TEST(Tables, OfFloatsStreamsAndOtherDevicesThereAreNone) {
    LoadOptions load;
    load.residency = Residency::stream;
    EXPECT_EQ(loaded(dataset(many_frames()), load).tables(), nullptr);
    load = {};
    load.layout = Layout::dense;
    EXPECT_EQ(loaded(dataset(many_frames()), load).tables(), nullptr);
    load = {};
    load.tables = Tables::none;
    EXPECT_EQ(loaded(dataset(many_frames()), load).tables(), nullptr);
    load = {};
    load.layout = Layout::planes;
    Scan const scan = loaded(dataset(many_frames()), load);
    ASSERT_NE(scan.tables(), nullptr);
    for (Device const& device : {Device::reference(), Device::fake()}) {
        Trace trace(2);
        Options o;
        o.device = device;
        o.trace = &trace;
        ASSERT_TRUE(center_of_mass(scan, {}, o));
        EXPECT_EQ(spans(trace, Phase::tables), 0) << device.name();
    }
}

TEST(Tables, TakeAtMostAShareOfTheFramesMemory) {
    LoadOptions load;
    load.layout = Layout::planes;
    load.tables = Tables::all;
    for (Counts const& c : {many_frames(), many_pixels()}) {
        Scan const scan = loaded(dataset(c), load);
        Memory const before = scan.memory();
        for (int i = 0; i < 3; ++i) images_of(scan, {annulus({12, 15}, 3, 9)});
        Memory const after = scan.memory();
        auto const moments = static_cast<std::uint64_t>(c.frames() * 24);
        EXPECT_GE(before.tables, moments);
        EXPECT_GT(after.tables, moments);
        EXPECT_LE(after.tables, moments + after.resident / 100 * 8);
        EXPECT_EQ(before.resident, after.resident);
    }
}

}  // namespace
}  // namespace sluice::stem4d
