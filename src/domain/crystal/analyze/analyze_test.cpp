// A plan in one pass beside each of its parts alone, from memory and streamed, at once and in
// parts. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

#include "sluice/memory_dataset.h"
#include "sluice/scan_values.h"
#include "sluice/stem4d_analyze.h"

namespace sluice::stem4d {
namespace {

struct Loaded {
    Layout layout = Layout::planes;
    Residency residency = Residency::memory;
    bool damaged =
        false;  ///< frames are missing, pixels are masked, and pixels are binned to means
};

constexpr index rows = 13, cols = 11, side = 96;

// Simulated once: each reading of a synthetic scan simulates it.
std::vector<std::uint16_t> const& counts() {
    static std::vector<std::uint16_t> const all = [] {
        Scan const scan =
            Scan::load(
                open("synthetic:crystal?scan=13x11&detector=96x96&dose=40000&seed=4").value())
                .value();
        std::vector<std::uint16_t> values(static_cast<std::size_t>(rows * cols * side * side));
        std::vector<index> frames(static_cast<std::size_t>(rows * cols));
        std::iota(frames.begin(), frames.end(), 0);
        EXPECT_EQ(scan.dtype(), DType::u16);
        EXPECT_TRUE(read_frames(scan, frames, {0, 0, side, side},
                                std::as_writable_bytes(std::span(values))));
        return values;
    }();
    return all;
}

Scan load(Loaded const& how) {
    std::array<index, 4> const shape{rows, cols, side, side};
    Dataset dataset = from_memory({counts().data(), DType::u16, shape, {}, {}, "memory"}).value();
    LoadOptions options;
    options.layout = how.layout;
    options.residency = how.residency;
    options.device = Device::cpu(2);
    if (how.damaged) {
        dataset.missing_runs = {{5, 3}, {40, 1}};
        dataset.missing = 4;
        options.user_mask = Array<std::uint8_t>::zeros({96, 96});
        for (std::size_t i = 0; i < 96; ++i) options.user_mask.values[i * 97] = 1;
    }
    return Scan::load(std::move(dataset), options).value();
}

Detector detector(char const* text) {
    return parse_detector(text).value();
}

AnalysisPlan plan_of_everything() {
    AnalysisPlan plan;
    plan.images = {{.name = "a", .detectors = {detector("bf"), detector("adf")}},
                   {.name = "b", .detectors = {detector("mean_bf=bf")}, .mean = true},
                   {.name = "c", .detectors = {detector("disk:r=9,center=30:70")}}};
    Array<float> where{{13, 11}, std::vector<float>(143)};
    for (std::size_t i = 0; i < 143; i += 2) where.values[i] = 1;
    plan.patterns = {{.name = "", .kinds = {Pattern::max, Pattern::mean}},
                     {.name = "other", .kinds = {Pattern::variance}},
                     {.name = "some", .kinds = {Pattern::mean}, .where = where},
                     {.name = "one", .kinds = {Pattern::sum}, .at = {{3, 4}}}};
    plan.moments = {{.name = "", .rotation = "20,transpose"},
                    {.name = "inner", .within = detector("disk:r=12")}};
    plan.disks = {{.name = ""}, {.name = "few", .options = {.most_disks = 5}}};
    return plan;
}

// Equal bits, so that NaN equals itself.
void expect_bits(std::vector<double> const& a, std::vector<double> const& b) {
    ASSERT_EQ(a.size(), b.size());
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0);
}

void expect_same(BraggVectors const& a, BraggVectors const& b) {
    EXPECT_EQ(a.first, b.first);
    EXPECT_EQ(a.reason, b.reason);
    for (auto const column :
         {&BraggVectors::row, &BraggVectors::col, &BraggVectors::intensity,
          &BraggVectors::background, &BraggVectors::var_row, &BraggVectors::var_col,
          &BraggVectors::cov_row_col, &BraggVectors::intensity_error, &BraggVectors::score})
        EXPECT_EQ(a.*column, b.*column);
}

void expect_same(CenterOfMass const& a, CenterOfMass const& b) {
    for (std::size_t i = 0; i < 4; ++i) expect_bits(a.maps()[i]->values, b.maps()[i]->values);
    EXPECT_EQ(a.row.reason, b.row.reason);
    EXPECT_EQ(a.notes, b.notes);
}

void expect_same(Analyzed const& a, Analyzed const& b) {
    for (std::size_t p = 0; p < a.images.size(); ++p) {
        EXPECT_EQ(a.images[p].names, b.images[p].names);
        expect_bits(a.images[p].values.values, b.images[p].values.values);
    }
    for (std::size_t p = 0; p < a.patterns.size(); ++p)
        for (std::size_t k = 0; k < a.patterns[p].size(); ++k)
            expect_bits(a.patterns[p][k].values.values, b.patterns[p][k].values.values);
    for (std::size_t p = 0; p < a.moments.size(); ++p) {
        expect_same(a.moments[p].com, b.moments[p].com);
        ASSERT_EQ(a.moments[p].phase.has_value(), b.moments[p].phase.has_value());
        if (a.moments[p].phase)
            expect_bits(a.moments[p].phase->icom.values, b.moments[p].phase->icom.values);
    }
    for (std::size_t p = 0; p < a.disks.size(); ++p) expect_same(a.disks[p], b.disks[p]);
}

/// Each part by its own function.
Analyzed one_by_one(Scan const& scan, AnalysisPlan const& plan, Options const& options) {
    Analyzed out;
    for (ImagesPart const& part : plan.images) {
        Options own = options;
        own.mean = part.mean;
        out.images.push_back(virtual_image(scan, part.detectors, own).value());
    }
    for (PatternsPart const& part : plan.patterns) {
        std::vector<std::uint8_t> take;
        for (float const v : part.where.values) take.push_back(v != 0);
        if (part.at) {
            take.resize(143);
            take[static_cast<std::size_t>((*part.at)[0] * 11 + (*part.at)[1])] = 1;
        }
        auto& kinds = out.patterns.emplace_back();
        for (Pattern const kind : part.kinds)
            kinds.push_back(diffraction_pattern(scan, kind, take, options).value());
    }
    for (MomentsPart const& part : plan.moments) {
        Moments m{center_of_mass(scan, part.within, options).value()};
        if (part.rotation)
            m.phase =
                phase_contrast(m.com, {.rotation = Rotation{.degrees = 20, .transpose = true}})
                    .value();
        out.moments.push_back(std::move(m));
    }
    for (DisksPart const& part : plan.disks) {
        auto const probe = fit_template(scan).value().probe;
        out.disks.push_back(
            find_disks(scan, plan_disks(scan, probe, part.options, options).value(), options)
                .value());
    }
    return out;
}

class Analyze : public testing::TestWithParam<Loaded> {};
INSTANTIATE_TEST_SUITE_P(All, Analyze,
                         testing::Values(Loaded{}, Loaded{Layout::dense},
                                         Loaded{Layout::planes, Residency::stream},
                                         Loaded{Layout::dense, Residency::stream},
                                         Loaded{Layout::planes, Residency::memory, true},
                                         Loaded{Layout::planes, Residency::stream, true}));

TEST_P(Analyze, HasTheBitsOfEachPartAlone) {
    Scan const scan = load(GetParam());
    AnalysisPlan const plan = plan_of_everything();
    Analyzed const right = one_by_one(scan, plan, {.device = Device::cpu(1)});
    EXPECT_EQ(std::isnan(right.images[0].values.values[5]), GetParam().damaged);
    EXPECT_EQ(right.disks[0].reason[40] == DiskReason::not_measured, GetParam().damaged);
    for (int const threads : {1, 2, 5}) {
        auto const found = analyze(scan, plan, {.device = Device::cpu(threads)});
        ASSERT_TRUE(found) << found.error().text();
        expect_same(*found, right);
        EXPECT_GT(found->disks[0].size(), 500);
        EXPECT_LE(found->disks[1].size(), 143 * 5);
    }
}

TEST_P(Analyze, PartsInAnyOrderHaveTheBitsOfOne) {
    Scan const scan = load(GetParam());
    AnalysisPlan const plan = plan_of_everything();
    Options const options{.device = Device::cpu(2)};
    Decided const decided = decide_analysis(scan, plan, options).value();
    Analyzed const right = analyze(scan, plan, decided, options).value();
    AnalysisParts there = AnalysisParts::begin(scan, plan, decided, options).value();
    AnalysisParts here = AnalysisParts::begin(scan, plan, decided, options).value();
    std::vector<index> order(static_cast<std::size_t>(here.groups()));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(5));
    std::vector<std::byte> last;
    for (index const g : order) {
        last = there.part(g, 1).value();
        ASSERT_TRUE(here.add(last));
    }
    EXPECT_FALSE(here.add(last)) << "the same group twice";
    last[last.size() / 2] ^= std::byte{1};
    EXPECT_FALSE(there.add(last)) << "a damaged part";
    expect_same(std::move(here).finish().value(), right);
    EXPECT_FALSE(std::move(there).finish()) << "groups are missing";
}

TEST(AnalyzeAlone, TheReferenceDeviceFindsTheSame) {
    Scan const scan = load({});
    AnalysisPlan plan = plan_of_everything();
    plan.disks.clear();
    expect_same(analyze(scan, plan, {.device = Device::reference()}).value(),
                one_by_one(scan, plan, {.device = Device::cpu(2)}));
}

TEST(AnalyzeAlone, ADeviceOutOfReachServesWhatItCan) {
    Scan const scan = load({});
    AnalysisPlan const plan = plan_of_everything();
    auto const found = analyze(scan, plan, {.device = Device::fake()});
    ASSERT_TRUE(found) << found.error().text();
    Analyzed const right = one_by_one(scan, plan, {.device = Device::cpu(2)});
    expect_bits(found->images[0].values.values, right.images[0].values.values);
    expect_same(found->disks[0], right.disks[0]);
    Decided const decided = decide_analysis(scan, plan).value();
    EXPECT_EQ(AnalysisParts::begin(scan, plan, decided, {.device = Device::fake()}).error().code,
              Code::unsupported);
}

TEST(AnalyzeAlone, ItIsStopped) {
    Scan const scan = load({Layout::planes, Residency::stream});
    AnalysisPlan const plan = plan_of_everything();
    Decided const decided = decide_analysis(scan, plan).value();
    Options options{.device = Device::cpu(2)};
    options.progress = [](std::uint64_t done, std::uint64_t) { return done == 0; };
    EXPECT_EQ(analyze(scan, plan, decided, options).error().code, Code::cancelled);
    // Of a scan in memory, too, where disks take long.
    EXPECT_EQ(analyze(load({}), plan, decided, options).error().code, Code::cancelled);
}

TEST(AnalyzeAlone, ItSaysWhatIsDecidedOnWhichSample) {
    Scan const scan = load({});
    AnalysisPlan plan = plan_of_everything();
    Decided const decided = decide_analysis(scan, plan).value();
    ASSERT_TRUE(decided.disk);
    EXPECT_EQ(decided.why.at(0),
              "The bright-field disk is that of the mean pattern of all 143 scan points.");
    EXPECT_NE(decided.why.at(1).find("The template of the disks is an edge fitted to 143 patterns"),
              std::string::npos)
        << decided.why.at(1);
    EXPECT_EQ(decided.why.back().rfind("few: ", 0), 0u);
    plan.disk = Disk{{47, 48}, 7};
    EXPECT_EQ(decide_analysis(scan, plan).value().disk->radius, 7);
    EXPECT_EQ(decide_analysis(scan, plan, {.disk = Disk{{47, 48}, 8}}).value().disk->radius, 8);
    plan.images.resize(1), plan.moments.clear(), plan.disks.clear();
    plan.images[0].detectors = {detector("disk:r=3,center=5:5")};
    plan.disk.reset();
    EXPECT_FALSE(decide_analysis(scan, plan).value().disk) << "nobody needs it";
}

TEST(AnalyzeAlone, WhatMakesNoSenseIsRefused) {
    Scan const scan = load({});
    auto const refused = [&](auto change) {
        AnalysisPlan plan = plan_of_everything();
        plan.disks.resize(1);
        change(plan);
        auto const found = analyze(scan, plan);
        return found ? std::string("not refused") : found.error().message;
    };
    EXPECT_NE(refused([](auto& p) { p.images[1].detectors[0].name = "bf"; }).find("'bf'"),
              std::string::npos);
    EXPECT_NE(refused([](auto& p) { p.images[1].detectors[0].name = "com_row"; }).find("'com_row'"),
              std::string::npos);
    EXPECT_NE(refused([](auto& p) {
                  p.patterns[1].name.clear(), p.patterns[1].kinds[0] = Pattern::max;
              }).find("'pattern_max'"),
              std::string::npos);
    EXPECT_NE(refused([](auto& p) { p.moments[0].rotation = "left"; }).find("'left'"),
              std::string::npos);
    EXPECT_NE(refused([](auto& p) { p.moments[1].periodic = true; }).find("no effect"),
              std::string::npos);
    EXPECT_NE(refused([](auto& p) {
                  p.patterns[2].at = {{0, 0}};
              }).find("at and where"),
              std::string::npos);
    EXPECT_NE(refused([](auto& p) {
                  p.patterns[3].at = {{13, 0}};
              }).find("does not exist"),
              std::string::npos);
    EXPECT_NE(refused([](auto& p) {
                  p.patterns[2].where.shape = {11, 13};
              }).find("13x11"),
              std::string::npos);
    EXPECT_NE(refused([](auto& p) {
                  p.disks[0].probe = synthetic_template(6).value();
                  p.disks[0].fit.harmonics = 2;
              }).find("harmonics"),
              std::string::npos);
    EXPECT_NE(refused([](auto& p) { p = {}; }).find("asks for nothing"), std::string::npos);
    EXPECT_FALSE(analyze(scan, plan_of_everything(), Decided{}));
}

}  // namespace
}  // namespace sluice::stem4d
