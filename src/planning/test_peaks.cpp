// Runs work in children and reads what they took.
// SPDX-License-Identifier: Apache-2.0
#include "planning/test_peaks.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/nxmx/writer.h"
#include "format/synthetic/pattern.h"
#include "format/synthetic/synthetic.h"

namespace sluice::planning {

namespace fs = std::filesystem;

std::uint64_t in_child(std::function<bool()> const& work) {
    pid_t const child = ::fork();
    if (child == 0) ::_exit(work() ? 0 : 1);
    int status = 0;
    rusage used{};
    ::wait4(child, &status, 0, &used);
    EXPECT_EQ(status, 0);
    return static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
}

std::uint64_t planned(std::function<Result<WorkPlan>()> const& plan) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    in_child([&] {
        auto const p = plan();
        if (!p) return fmt::print("{}\n", p.error().text()), std::fflush(stdout), false;
        for (auto const& part : p->parts)
            fmt::print("  {:<24} {:8.1f} MB\n", part.name, static_cast<double>(part.bytes) / 1e6);
        std::fflush(stdout);
        return ::write(ends[1], &p->peak, sizeof p->peak) == sizeof p->peak;
    });
    ::close(ends[1]);
    std::uint64_t peak = 0;
    EXPECT_EQ(::read(ends[0], &peak, sizeof peak), static_cast<ssize_t>(sizeof peak));
    ::close(ends[0]);
    return peak;
}

void PeakTest::SetUp() {
    folder = fs::path(testing::TempDir()) / ("sluice_plan_" + std::to_string(::getpid()));
    fs::create_directories(folder);
}

std::string PeakTest::make(std::array<index, 2> scan, std::array<index, 2> detector, double dose) {
    std::string const prefix = folder / fmt::format("s{}x{}", scan[0], detector[0]);
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

void PeakTest::expect_near(std::string const& what, std::uint64_t plan, std::uint64_t run) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer takes memory of its own";
#endif
    double const ratio = static_cast<double>(plan) / static_cast<double>(run);
    std::string const line =
        fmt::format("{}: planned {:.1f} MB, taken {:.1f} MB, ratio {:.3f}", what,
                    static_cast<double>(plan) / 1e6, static_cast<double>(run) / 1e6, ratio);
    fmt::print("{}\n", line);
    // Pages of the program itself come as the system has them: up to 4 MB more or less.
    EXPECT_GT(ratio, 0.9 - 4e6 / static_cast<double>(run)) << line;
    EXPECT_LT(ratio, 1.1 + 4e6 / static_cast<double>(run)) << line;
}

}  // namespace sluice::planning
