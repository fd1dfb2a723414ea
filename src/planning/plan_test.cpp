// Plans beside what the work really takes, in processes of their own.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/plan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "format/nxmx/writer.h"
#include "format/synthetic/pattern.h"
#include "format/synthetic/synthetic.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

// Work in a child: its exit code is 0 where it succeeds. Only children start threads, so that each
// can. The most memory that it had, in bytes.
std::uint64_t in_child(std::function<bool()> const& work) {
    pid_t const child = ::fork();
    if (child == 0) ::_exit(work() ? 0 : 1);
    int status = 0;
    rusage used{};
    ::wait4(child, &status, 0, &used);
    EXPECT_EQ(status, 0);
    return static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
}

// A plan of a child: the peak that it tells.
std::uint64_t planned(std::function<Result<WorkPlan>()> const& plan) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    in_child([&] {
        auto const p = plan();
        if (!p) return fmt::print("{}\n", p.error().text()), false;
        return ::write(ends[1], &p->peak, sizeof p->peak) == sizeof p->peak;
    });
    std::uint64_t peak = 0;
    EXPECT_EQ(::read(ends[0], &peak, sizeof peak), static_cast<ssize_t>(sizeof peak));
    ::close(ends[0]);
    ::close(ends[1]);
    return peak;
}

class PlanTest : public testing::Test {
  protected:
    fs::path folder_ = fs::path(testing::TempDir()) / ("sluice_plan_" + std::to_string(::getpid()));
    void SetUp() override { fs::create_directories(folder_); }
    void TearDown() override { fs::remove_all(folder_); }

    std::string make(std::array<index, 2> scan, std::array<index, 2> detector, double dose) {
        std::string const prefix = folder_ / fmt::format("s{}x{}", scan[0], detector[0]);
        if (fs::exists(prefix + "_master.h5")) return prefix + "_master.h5";
        in_child([&] {
            SyntheticOptions o;
            o.scan = scan;
            o.detector = detector;
            o.dose = dose;
            auto const d = synthetic::make(o);
            nxmx::Acquisition file;
            file.prefix = prefix;
            file.scan = scan;
            file.rows = detector[0];
            file.cols = detector[1];
            file.pixel_mask = d->pixel_mask;
            file.saturation = d->saturation.value_or(0);
            file.scan_step_nm = d->scan_step_nm;
            Simulator const simulator(o);
            return static_cast<bool>(
                nxmx::write(file, [&](index frame, std::span<std::byte> values) -> Status {
                    std::vector<std::uint32_t> counts(
                        static_cast<std::size_t>(detector[0] * detector[1]));
                    simulator.values(frame, counts, values);
                    return {};
                }));
        });
        return prefix + "_master.h5";
    }

    void expect_near(std::string const& what, std::uint64_t plan, std::uint64_t run) {
        double const ratio = static_cast<double>(plan) / static_cast<double>(run);
        std::string const line =
            fmt::format("{}: planned {:.1f} MB, taken {:.1f} MB, ratio {:.3f}", what,
                        static_cast<double>(plan) / 1e6, static_cast<double>(run) / 1e6, ratio);
        fmt::print("{}\n", line);
        EXPECT_GT(ratio, 0.9) << line;
        EXPECT_LT(ratio, 1.1) << line;
    }
};

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
        return plan_work(ScanSize{{64, 96}, {128, 128}, DType::u16, 4000}, folder_, o);
    });
    EXPECT_NEAR(static_cast<double>(not_there), static_cast<double>(there),
                0.1 * static_cast<double>(there));
    // The sample is gone.
    for (auto const& entry : fs::directory_iterator(folder_))
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
        EXPECT_EQ(plan_work(size, folder_, o).error().code, Code::invalid_argument);
    o.load.scan_bin = 2;
    EXPECT_FALSE(plan_work(ScanSize{{8, 8}, {32, 32}}, folder_, o));
    EXPECT_FALSE(plan_work(ScanSize{{8, 8}, {32, 32}}, folder_ / "nothing", {}));
}

}  // namespace
}  // namespace sluice
