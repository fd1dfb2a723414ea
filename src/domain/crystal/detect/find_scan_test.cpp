// Tests of the disks of scans: the same bits however a scan lies and is shared out, what is
// decided, and parts that travel. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>

#include "domain/crystal/detect/disk_frames.h"
#include "domain/crystal/detect/scan_setup.h"
#include "domain/crystal/lattice/normal6.h"
#include "domain/crystal/test_scene.h"
#include "fold/packed.h"
#include "save/folder_test.h"
#include "scan/fold.h"
#include "sluice/disk_parts.h"
#include "sluice/memory_dataset.h"
#include "store/plan.h"

namespace sluice::crystal {
namespace {

using stem4d::BraggVectors;
using stem4d::DiskMode;
using stem4d::DiskReason;
using stem4d::DiskSetup;
using stem4d::find_disks;
using stem4d::plan_disks;

constexpr std::array<index, 2> scan_shape = {6, 7};

// The patterns of a scene as a scan of uint16.
class SceneScan {
  public:
    explicit SceneScan(SceneOptions const& options) : scene(options) {
        index const side = options.side;
        for (unsigned i = 0; i < scan_shape[0] * scan_shape[1]; ++i) {
            truth.push_back(scene.pattern(i));
            for (double const v : Scene::draw(truth.back(), i).values)
                values_.push_back(static_cast<std::uint16_t>(v));
        }
        shape_ = {scan_shape[0], scan_shape[1], side, side};
    }
    Scan load(LoadOptions options = {}) const {
        auto dataset = from_memory({values_.data(), DType::u16, shape_, {}, {}, "memory"});
        return Scan::load(std::move(dataset).value(), options).value();
    }
    void set(std::size_t pattern, std::uint16_t value) {
        auto const n = static_cast<std::ptrdiff_t>(shape_[2] * shape_[3]);
        auto const first = values_.begin() + static_cast<std::ptrdiff_t>(pattern) * n;
        std::fill(first, first + n, value);
    }

    Scene scene;
    std::vector<Scene::Pattern> truth = {};

  private:
    std::vector<std::uint16_t> values_ = {};
    std::array<index, 4> shape_{};
};

SceneOptions small() {
    return {.side = 128, .radius = 6, .pitch = 20, .most = 24, .counts = 2e4};
}

void expect_same(BraggVectors const& a, BraggVectors const& b) {
    EXPECT_EQ(a.first, b.first);
    EXPECT_EQ(a.reason, b.reason);
    for (auto const column :
         {&BraggVectors::row, &BraggVectors::col, &BraggVectors::intensity,
          &BraggVectors::background, &BraggVectors::var_row, &BraggVectors::score})
        EXPECT_EQ(a.*column, b.*column);
}

TEST(DisksOfScans, BitsDependNeitherOnThreadsNorOnLayout) {
    SceneScan const given(small());
    auto const probe = given.scene.setup().probe;
    std::optional<BraggVectors> first;
    for (Layout const layout : {Layout::planes, Layout::dense})
        for (Residency const residency : {Residency::memory, Residency::stream})
            for (int const threads : {1, 3}) {
                LoadOptions load;
                load.layout = layout;
                load.residency = residency;
                Scan const scan = given.load(load);
                stem4d::Options run;
                run.device = Device::cpu(threads);
                auto const setup = plan_disks(scan, probe, {}, run);
                ASSERT_TRUE(setup) << setup.error().text();
                auto const found = find_disks(scan, *setup, run);
                ASSERT_TRUE(found) << found.error().text();
                ASSERT_TRUE(check_vectors(*found));
                if (!first) first = *found;
                expect_same(*found, *first);
            }
    EXPECT_EQ(first->scan_shape, scan_shape);
    EXPECT_GT(first->size(), 400);
}

TEST(DisksOfScans, PartsInAnyOrderHaveTheBitsOfOne) {
    SceneScan const given(small());
    for (DiskMode const mode : {DiskMode::isolated, DiskMode::overlapping}) {
        Scan const scan = given.load();
        DiskSetup setup = plan_disks(scan, given.scene.setup().probe, {.mode = mode}).value();
        setup = stem4d::know_lattice(scan, setup).value();
        ASSERT_TRUE(setup.lattice);
        auto const right = stem4d::refine_lattice(scan, setup).value();
        auto there = stem4d::DiskParts::begin(scan, setup).value();
        auto here = stem4d::DiskParts::begin(scan, setup).value();
        auto plain = stem4d::DiskParts::begin(scan, setup).value();
        std::vector<std::byte> packed;
        for (index g = here.groups() - 1; g >= 0; --g) {
            packed = there.part(g, 1).value();
            ASSERT_TRUE(here.add(packed));
        }
        EXPECT_FALSE(here.add(packed)) << "the same group twice";
        EXPECT_FALSE(here.part(here.groups(), 1));
        ASSERT_TRUE(plain.add(there.part(0, there.groups()).value()));
        packed[packed.size() / 2] ^= std::byte{4};
        EXPECT_FALSE(there.add(packed));
        EXPECT_FALSE(std::move(there).finish());
        auto const found = std::move(here).finish(stem4d::LatticeOptions{}).value();
        expect_same(found.vectors, right.vectors);
        EXPECT_EQ(found.fit.reason, right.fit.reason);
        EXPECT_EQ(found.fit.chi2, right.fit.chi2);
        EXPECT_EQ(found.fit.notes, right.fit.notes);
        expect_same(std::move(plain).finish().value(), right.vectors);
    }
}

TEST(DisksOfScans, WrittenAsTheyComeTheyAreTheSameFile) {
    SceneScan given(small());
    given.set(9, 0);
    save::TestFolder const folder;
    auto const slurp = [](std::string const& path) {
        std::ifstream from(path, std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(from), {}};
    };
    for (Residency const residency : {Residency::memory, Residency::stream}) {
        LoadOptions load;
        load.residency = residency;
        Scan const scan = given.load(load);
        DiskSetup const setup = plan_disks(scan, given.scene.setup().probe).value();
        for (std::string const end : {"h5", "npy", "csv"}) {
            BraggVectors const all = find_disks(scan, setup).value();
            ASSERT_TRUE(save_vectors(folder.file("all." + end), all));
            auto const written = stem4d::find_disks_to(folder.file("come." + end), scan, setup,
                                                       {.device = Device::cpu(3)});
            ASSERT_TRUE(written) << written.error().text();
            EXPECT_EQ(written->disks, all.size());
            EXPECT_EQ(written->reasons[2], 1);
            EXPECT_EQ(slurp(folder.file("come." + end)), slurp(folder.file("all." + end)));
        }
        auto const stopped = stem4d::find_disks_to(folder.file("none.h5"), scan, setup,
                                                   {.progress = [](auto, auto) { return false; }});
        EXPECT_EQ(stopped.error().code, Code::cancelled);
    }
    EXPECT_EQ(folder.names().size(), 6u);
}

// The disks of patterns of a scan beside the true ones.
Judge judged_scan(SceneScan const& given, BraggVectors const& v, double fit_radius) {
    Judge judge({3, 7, 15});
    for (index p = 0; p < v.patterns(); ++p) {
        BraggVectors one;
        auto const from = v.first[static_cast<std::size_t>(p)];
        for (auto const column : {&BraggVectors::row, &BraggVectors::col, &BraggVectors::var_row,
                                  &BraggVectors::var_col})
            (one.*column)
                .assign((v.*column).begin() + from, (v.*column).begin() + from + v.count(p));
        judge.add(given.scene, given.truth[static_cast<std::size_t>(p)], one, fit_radius);
    }
    return judge;
}

TEST(DisksOfScans, TheBackgroundOfTheScanIsAsGoodAsTheTrueOne) {
    SceneScan const given({.side = 256, .counts = 2e4});
    Scan const scan = given.load();
    DiskSetup const setup = plan_disks(scan, given.scene.setup().probe).value();
    EXPECT_GE(setup.why.size(), 5u);
    ASSERT_EQ(setup.background.shape, (std::vector<index>{256, 256}));
    BraggVectors const v = find_disks(scan, setup).value();
    Judge const judge = judged_scan(given, v, 11.9);
    for (std::size_t const k : {std::size_t{1}, std::size_t{2}})
        EXPECT_LT(judge.score(k).over_bound,
                  (k == 1 ? 1.2 : 1.05) + 1 / std::sqrt(static_cast<double>(judge.score(k).disks)));
    EXPECT_LE(judge.extra(), 2);
}

TEST(DisksOfScans, EmptyPatternsSayWhy) {
    SceneScan given(small());
    given.set(3, 0);
    given.set(20, 5);
    Scan const scan = given.load();
    BraggVectors const v =
        find_disks(scan, plan_disks(scan, given.scene.setup().probe).value()).value();
    EXPECT_EQ(v.reason[3], DiskReason::no_counts);
    EXPECT_EQ(v.reason[20], DiskReason::no_candidate);
    EXPECT_EQ(v.reason[4], DiskReason::found);
    EXPECT_EQ(v.count(3), 0);
}

TEST(DisksOfScans, RegionsAndBinsKeepTheCoordinates) {
    SceneScan const given({.side = 256, .counts = 2e5});
    auto const probe = given.scene.setup().probe;
    LoadOptions load;
    load.detector_region = Region{16, 8, 224, 232};
    load.det_bin = 2;
    Scan const scan = given.load(load);
    BraggVectors const v = find_disks(scan, plan_disks(scan, probe).value()).value();
    EXPECT_EQ(v.detector_shape, (std::array<index, 2>{256, 256}));
    ASSERT_GT(v.count(0), 20);
    auto const& truth = given.truth[0].disks;
    for (std::size_t i = 0; i < 10; ++i) {
        double least = 99;
        for (TrueDisk const& t : truth)
            least = std::min(least, std::hypot(static_cast<double>(v.row[i]) - t.row,
                                               static_cast<double>(v.col[i]) - t.col));
        EXPECT_LT(least * least, 9 * (v.var_row[i] + v.var_col[i]));
        EXPECT_LT(v.var_row[i], 0.002F);
    }
}

TEST(DisksOfScans, NearNeighboursKeepFitsSmall) {
    SceneScan const given({.side = 128, .radius = 8, .pitch = 20.5, .most = 30, .counts = 1e5});
    Scan const scan = given.load();
    DiskSetup const setup = plan_disks(scan, given.scene.setup().probe).value();
    EXPECT_EQ(setup.options.mode, DiskMode::isolated);
    EXPECT_LT(setup.options.fit_radius, 10.5);
    EXPECT_GT(setup.options.fit_radius, 8.5);
}

// By the distance of disks and by what their edges say, over scenes that ask for each.
TEST(DisksOfScans, TheModeIsChosen) {
    auto const mode_of = [](SceneOptions const& options) {
        SceneScan const given(options);
        return plan_disks(given.load(), given.scene.setup().probe).value().options.mode;
    };
    for (double const counts : {3e3, 2e4, 2e5}) {
        SCOPED_TRACE(counts);
        EXPECT_EQ(mode_of({.side = 256, .counts = counts}), DiskMode::isolated);
        EXPECT_EQ(mode_of({.side = 128, .radius = 5, .pitch = 17, .most = 40, .counts = counts}),
                  DiskMode::isolated);
        EXPECT_EQ(mode_of({.side = 128, .radius = 8, .pitch = 17.5, .most = 41, .counts = counts}),
                  DiskMode::touching);
    }
    EXPECT_EQ(mode_of({.side = 256, .counts = 2e5, .fringes = true}), DiskMode::fringes);
    EXPECT_EQ(mode_of({.side = 256, .pitch = 9.9, .decades = 2, .counts = 2e5}),
              DiskMode::overlapping);
}

// Patterns that share a lattice are not searched, and say the same or more.
TEST(DisksOfScans, ALatticeIsKnownFromASample) {
    SceneScan given({.side = 256, .counts = 2e4});
    given.set(5, 0);
    given.set(9, 3);  // flat: nothing is there
    Scan const scan = given.load();
    auto const probe = given.scene.setup().probe;
    DiskSetup const setup = plan_disks(scan, probe).value();
    DiskSetup const known = stem4d::know_lattice(scan, setup).value();
    ASSERT_TRUE(known.lattice) << known.why.back();
    BraggVectors const searched = find_disks(scan, setup).value(),
                       fitted = find_disks(scan, known).value();
    EXPECT_EQ(fitted.reason[5], DiskReason::no_counts);
    EXPECT_EQ(fitted.reason[9], searched.reason[9]);
    EXPECT_GT(fitted.size(), searched.size());
    stem4d::Options run;
    run.device = Device::cpu(3);
    expect_same(find_disks(scan, known, run).value(), fitted);
    LoadOptions load;
    load.residency = Residency::stream;
    load.layout = Layout::dense;
    expect_same(find_disks(given.load(load), known).value(), fitted);
}

// What a sensor makes of counts: each is `gain` values, and electronics add noise.
TEST(DisksOfScans, ValuesThatAreNotCountsAreScaled) {
    SceneScan const given({.side = 128, .radius = 6, .pitch = 20, .most = 24, .counts = 1e5});
    auto const probe = given.scene.setup().probe;
    auto const values_of = [&](double gain, double noise) {
        std::mt19937 random(8);
        std::normal_distribution<float> normal;
        std::vector<float> values;
        for (unsigned i = 0; i < given.truth.size(); ++i)
            for (double const v : Scene::draw(given.truth[i], i).values)
                values.push_back(static_cast<float>(gain * v) +
                                 static_cast<float>(noise) * normal(random));
        return values;
    };
    for (auto const& [gain, noise] :
         {std::array{1.0, 0.0}, {10.0, 0.0}, {37.5, 0.0}, {0.1, 0.0}, {20.0, 15.0}}) {
        SCOPED_TRACE(gain);
        auto const values = values_of(gain, noise);
        auto dataset = from_memory({values.data(),
                                    DType::f32,
                                    {scan_shape[0], scan_shape[1], 128, 128},
                                    {},
                                    {},
                                    "memory"});
        Scan const scan = Scan::load(std::move(dataset).value(), {}).value();
        DiskSetup const setup = plan_disks(scan, probe).value();
        EXPECT_NEAR(setup.options.gain / gain, 1, 0.15);
        BraggVectors const v = find_disks(scan, setup).value();
        Judge const judge = judged_scan(given, v, 9.9);
        EXPECT_NEAR(judge.score(2).chi2, 1, 0.25);
        EXPECT_LE(judge.extra(), 3);
        // Heights are in values, as everything that a file says.
        double const height = given.truth[0].disks[0].height;
        EXPECT_NEAR(static_cast<double>(v.intensity[0]) / gain, height, 0.1 * height);
    }
}

TEST(DisksOfScans, SaturatedPixelsWeighNothingAndAreTold) {
    SceneScan const given({.side = 128, .radius = 6, .pitch = 20, .most = 24, .counts = 3e6});
    std::vector<std::uint8_t> values;
    for (unsigned i = 0; i < given.truth.size(); ++i)
        for (double const v : Scene::draw(given.truth[i], i).values)
            values.push_back(static_cast<std::uint8_t>(std::min(v, 255.0)));
    auto dataset = from_memory(
        {values.data(), DType::u8, {scan_shape[0], scan_shape[1], 128, 128}, {}, {}, "memory"});
    Scan const scan = Scan::load(std::move(dataset).value(), {}).value();
    DiskSetup const setup = plan_disks(scan, given.scene.setup().probe).value();
    EXPECT_TRUE(std::ranges::any_of(
        setup.why, [](std::string const& w) { return w.find("saturated") != std::string::npos; }));
    Judge const judge = judged_scan(given, find_disks(scan, setup).value(), 9.9);
    EXPECT_GT(judge.score(2).disks, 100);
    EXPECT_LT(judge.score(2).chi2, 1.8);
}

// From the mode to the lattice, nothing but the template and the scan is given.
TEST(DisksOfScans, OverlapsAreFoundAndFittedAtOnce) {
    SceneScan const given({.side = 256, .pitch = 9.9, .decades = 2, .counts = 2e5});
    Scan const scan = given.load();
    DiskSetup const setup =
        stem4d::know_lattice(scan, plan_disks(scan, given.scene.setup().probe).value()).value();
    ASSERT_EQ(setup.options.mode, DiskMode::overlapping);
    ASSERT_TRUE(setup.lattice) << setup.why.back();
    auto const known = stem4d::refine_lattice(scan, setup).value();
    double bound2 = 0, chi2 = 0, count = 0;
    for (std::size_t p = 0; p < 42; ++p) {
        ASSERT_EQ(known.fit.reason[p], stem4d::LatticeReason::fitted);
        auto const bound = given.scene.joint_bound(given.truth[p]);
        auto const& disks = given.truth[p].disks;
        // The true vectors: disks of the scene lie exactly on a lattice.
        double truth[6] = {};
        Normal6 exact;
        std::array<double, 6> lattice{};
        std::array<double, 36> unused{};
        for (std::size_t j = 0; j < disks.size(); ++j)
            exact.add({1, 0, 1}, given.scene.indices()[j][0], given.scene.indices()[j][1],
                      disks[j].row, disks[j].col);
        ASSERT_TRUE(exact.solve(lattice, unused));
        std::ranges::copy(lattice, truth);
        double const* v = known.fit.values.values.data() + 6 * p;
        // Which of the lattice's vectors are called a and b is the search's affair.
        for (std::size_t i = 0; i < 2; ++i) {
            double least = 1e9, sign = 1;
            std::size_t which = 0;
            for (std::size_t w = 0; w < 2; ++w)
                for (double const s : {1.0, -1.0}) {
                    double const away = std::hypot(s * v[2 + 2 * i] - truth[2 + 2 * w],
                                                   s * v[3 + 2 * i] - truth[3 + 2 * w]);
                    if (away < least) least = away, which = w, sign = s;
                }
            for (std::size_t c = 0; c < 2; ++c) {
                double const error = sign * v[2 + 2 * i + c] - truth[2 + 2 * which + c];
                bound2 += error * error / bound[7 * (2 + 2 * which + c)];
                chi2 += error * error / known.fit.covariance.values[36 * p + 7 * (2 + 2 * i + c)];
                count += 1;
            }
        }
    }
    EXPECT_LT(std::sqrt(bound2 / count), 1.15);
    EXPECT_NEAR(chi2 / count, 1, 0.25);
}

TEST(DisksOfScans, PartsTravel) {
    SceneScan const given(small());
    Scan const scan = given.load();
    DiskSetup const setup = plan_disks(scan, given.scene.setup().probe).value();
    auto const own = setup_for(scan, setup, {});
    Finder const finder = Finder::make(*own, Device::cpu(1)).value();
    RoomPool rooms;
    FindDiskFrames const analysis{finder, scan.plan().grid(), scan.plan().frames(), {}, rooms};
    fold::FoldOptions const options{.device = Device::cpu(1)};
    fold::ScanUnits const source(scan, options);
    auto const whole = fold::fold(source, analysis).value();
    fold::Range const units = source.group(0);
    auto const part = fold::fold_part(source, analysis, {0, 1}).value();
    fold::Packer packer;
    analysis.pack(part.groups.front(), packer);
    auto const bytes = std::move(packer).take();
    fold::Unpacker in(bytes);
    auto back = analysis.unpack(in, units);
    ASSERT_TRUE(back);
    EXPECT_TRUE(in.end());
    auto const patterns = analysis.finish(std::move(back).value());
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        ASSERT_EQ(patterns[i].disks.size(), whole[i].disks.size());
        for (std::size_t k = 0; k < patterns[i].disks.size(); ++k)
            EXPECT_EQ(patterns[i].disks[k].row, whole[i].disks[k].row);
    }
    for (std::size_t cut = 0; cut < bytes.size(); cut += 7) {
        fold::Unpacker short_in(Bytes(bytes).first(cut));
        EXPECT_FALSE(analysis.unpack(short_in, units));
    }
}

}  // namespace
}  // namespace sluice::crystal
