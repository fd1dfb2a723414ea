// Plans beside what the work really takes, in processes of their own.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/plan.h"

#include <fmt/format.h>

#include "planning/test_peaks.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using planning::in_child;
using planning::planned;
using PlanTest = planning::PeakTest;

// 100 to 400 MB of values, so that the program itself does not count for most.
constexpr std::array<index, 2> sizes[] = {{48, 64}, {64, 96}, {96, 128}};

TEST_F(PlanTest, TellsThePeakOfLoading) {
    for (auto const layout : {Layout::planes, Layout::dense})
        for (auto const scan : sizes) {
            std::string const path = make(scan, {128, 128}, 4000);
            PlanOptions o;
            o.measure = false;
            o.load.layout = layout;
            o.load.device = Device::cpu(2);
            auto const plan = planned([&] { return plan_work(open(path).value(), o); });
            auto const run =
                in_child([&] { return static_cast<bool>(Scan::load(open(path).value(), o.load)); });
            expect_near(fmt::format("load {}x{} {}", scan[0], scan[1],
                                    layout == Layout::planes ? "planes" : "dense"),
                        plan, run);
        }
}

TEST_F(PlanTest, TellsThePeakOfImages) {
    for (auto const scan : sizes) {
        std::string const path = make(scan, {128, 128}, 4000);
        PlanOptions o;
        o.task = PlanTask::images;
        o.measure = false;
        o.load.device = Device::cpu(2);
        o.detectors = {stem4d::parse_detector("bf").value(), stem4d::parse_detector("adf").value()};
        auto const plan = planned([&] { return plan_work(open(path).value(), o); });
        auto const run = in_child([&] {
            auto const scan_ = Scan::load(open(path).value(), o.load);
            return scan_ && stem4d::virtual_image(*scan_, o.detectors, {}).has_value();
        });
        expect_near(fmt::format("images {}x{}", scan[0], scan[1]), plan, run);
    }
}

TEST_F(PlanTest, TellsThePeakOfPtychography) {
    for (auto const scan : sizes) {
        std::string const path = make(scan, {128, 128}, 4000);
        PlanOptions o;
        o.task = PlanTask::ptychography;
        o.measure = false;
        o.load.device = Device::cpu(2);
        o.patterns.kilovolts = 300;
        o.patterns.detector_step_mrad = 0.5;
        o.patterns.scan_step_nm = 0.05;
        o.ptychography.device = o.load.device;
        o.ptychography.stages[0].iterations = 2;
        auto const plan = planned([&] { return plan_work(open(path).value(), o); });
        auto const run = in_child([&]() -> bool {
            auto const scan_ = Scan::load(open(path).value(), o.load);
            auto patterns = stem4d::patterns_of(*scan_, o.patterns);
            if (!patterns) return false;
            // After some groups nothing more is taken.
            o.ptychography.progress = [](std::uint64_t done, std::uint64_t) { return done < 1000; };
            auto const end = stem4d::ptychography(std::move(*patterns), o.ptychography);
            return end || end.error().code == Code::cancelled;
        });
        expect_near(fmt::format("ptychography {}x{}", scan[0], scan[1]), plan, run);
    }
}

TEST_F(PlanTest, OfAScanThatIsNotThereIsThatOfOneThatIs) {
    std::string const path = make({64, 96}, {128, 128}, 4000);
    PlanOptions o;
    o.measure = false;
    o.load.device = Device::cpu(2);
    auto const there = planned([&] { return plan_work(open(path).value(), o); });
    auto const not_there = planned([&] {
        return plan_work(ScanSize{{64, 96}, {128, 128}, DType::u16, 4000}, folder, o);
    });
    EXPECT_NEAR(static_cast<double>(not_there), static_cast<double>(there),
                0.1 * static_cast<double>(there));
    // The sample is gone.
    for (auto const& entry : fs::directory_iterator(folder))
        EXPECT_FALSE(entry.path().filename().string().starts_with("sluice-plan"));
}

TEST_F(PlanTest, SaysWhatFitsWhereTheWholeDoesNot) {
    std::string const path = make({64, 96}, {128, 128}, 4000);
    in_child([&] {
        PlanOptions o;
        o.measure = false;
        o.load.memory = 10'000'000;
        auto const p = plan_work(open(path).value(), o);
        if (!p) return false;
        bool bins = false, stream = false;
        for (std::string const& a : p->advice) {
            bins = bins || a.find("--det-bin") != a.npos;
            stream = stream || a.find("--stream") != a.npos;
        }
        return p->layout == "streamed" && bins && stream && !p->forms[0].fits;
    });
}

TEST_F(PlanTest, MeasuresItsTime) {
    std::string const path = make({64, 96}, {128, 128}, 4000);
    in_child([&] {
        PlanOptions o;
        o.task = PlanTask::images;
        o.detectors = {stem4d::parse_detector("bf").value()};
        auto const p = plan_work(open(path).value(), o);
        return p && p->time && p->steps.size() == 2 && p->time->low_s > 0 &&
               p->time->low_s < p->time->s && p->time->s < p->time->high_s;
    });
}

TEST_F(PlanTest, RefusesSizesThatNoScanHas) {
    PlanOptions o;
    o.measure = false;
    for (ScanSize const& size :
         {ScanSize{{0, 8}, {32, 32}}, ScanSize{{8, 8}, {4, 32}}, ScanSize{{1 << 21, 8}, {32, 32}},
          ScanSize{{8, 8}, {32, 1 << 15}}, ScanSize{{8, 8}, {32, 32}, DType::u16, 0}})
        EXPECT_EQ(plan_work(size, folder, o).error().code, Code::invalid_argument);
    o.load.scan_bin = 2;
    EXPECT_FALSE(plan_work(ScanSize{{8, 8}, {32, 32}}, folder, o));
    EXPECT_FALSE(plan_work(ScanSize{{8, 8}, {32, 32}}, folder / "nothing", {}));
}

}  // namespace
}  // namespace sluice
