// What the system says, by files of a test, and a device that is no GPU.
// SPDX-License-Identifier: Apache-2.0
#include "doctor/system.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "doctor/work.h"

namespace sluice::doctor {
namespace {

namespace fs = std::filesystem;

class SystemTest : public testing::Test {
  protected:
    fs::path root_ = fs::path(testing::TempDir()) / ("sluice_doctor_" + std::to_string(::getpid()));
    void TearDown() override { fs::remove_all(root_); }
    void put(std::string const& path, std::string const& text) {
        fs::path const file = root_.string() + path;
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
};

TEST_F(SystemTest, ReadsListsOfProcessors) {
    EXPECT_EQ(processors_in("0-3,8"), (std::vector<int>{0, 1, 2, 3, 8}));
    EXPECT_EQ(processors_in("5"), (std::vector<int>{5}));
    for (char const* const text : {"", "a-b", "-", "0-x"}) EXPECT_TRUE(processors_in(text).empty());
    EXPECT_LT(processors_in("0-2000000000").size(), 100000u);
    EXPECT_EQ(chosen_word("always [madvise] never"), "madvise");
    for (char const* const text : {"", "madvise", "]a[", "[a"}) EXPECT_EQ(chosen_word(text), "");
}

TEST_F(SystemTest, FindsLimitsWhereTheyStand) {
    put("/proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable: 4000000 kB\n");
    put("/proc/cpuinfo", "processor : 0\nflags : fpu hypervisor amx_int8 amx_bf16\n");
    put("/sys/devices/system/cpu/online", "0-63\n");
    put("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
    put("/proc/self/cgroup", "0::/\n");
    put("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    put("/sys/fs/cgroup/cpu.max", "150000 100000\n");
    put("/sys/fs/cgroup/memory.max", "1000000000\n");
    put("/sys/fs/cgroup/memory.current", "200000000\n");
    MachineFacts f;
    ask_system(f, root_, root_);
    EXPECT_EQ(f.processors, 64);
    EXPECT_EQ(f.quota, 1.5);
    EXPECT_TRUE(f.virtual_machine);
    EXPECT_EQ(f.matrix_units, (std::vector<std::string>{"int8", "bf16"}));
    EXPECT_EQ(f.memory_limit, 1000000000u);
    EXPECT_EQ(f.memory_available, 800000000u);
    EXPECT_EQ(f.large_pages, "never");
    EXPECT_GT(f.folder_free, 0u);
    EXPECT_FALSE(f.file_system.empty());
}

TEST_F(SystemTest, NamesTheBusiestOtherProgram) {
    put("/proc/12/stat", "12 (a (b) c) S 1 1 1 0 -1 4 0 0 0 0 100 50 0 0 20 0");
    put("/proc/13/stat", "13 (self) R 1 1 1 0 -1 4 0 0 0 0 900 0 0 0 20 0");
    put("/proc/14/stat", "14 (broken");
    put("/proc/uptime", "1 1");
    auto const before = used_by_programs(root_);
    ASSERT_EQ(before.size(), 2u);
    EXPECT_EQ(before.at(12).name, "a (b) c");
    put("/proc/12/stat", "12 (a (b) c) S 1 1 1 0 -1 4 0 0 0 0 200 150 0 0 20 0");
    put("/proc/13/stat", "13 (self) R 1 1 1 0 -1 4 0 0 0 0 2900 0 0 0 20 0");
    Busiest const found = busiest(before, used_by_programs(root_), 13);
    EXPECT_EQ(found.name, "a (b) c (process 12)");
    EXPECT_NEAR(found.seconds, 200.0 / static_cast<double>(::sysconf(_SC_CLK_TCK)), 1e-9);
    EXPECT_TRUE(used_by_programs(root_ / "nothing").empty());
}

TEST_F(SystemTest, SaysWhatTheDriverSays) {
    put("/proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5\nGCC version:\n");
    put("/proc/driver/nvidia/gpus/0000:01:00.0/information",
        "Model: \t\t NVIDIA H200\nIRQ:   \t\t 1\n");
    MachineFacts f;
    ask_gpu(f, true, root_);
    EXPECT_EQ(f.gpu, "NVIDIA H200");
    EXPECT_EQ(f.gpu_driver, "550.54.15");
    MachineFacts none;
    ask_gpu(none, true, root_ / "nothing");
    EXPECT_EQ(none.gpu, "");
}

TEST(Device, ThatIsNoGpuIsMeasuredLikeOne) {
    MachineFacts f;
    ASSERT_TRUE(measure_device(f, "fake", 1 << 20, 3));
    EXPECT_GT(f.gpu_up.value(), 0);
    EXPECT_GT(f.gpu_down.value(), 0);
    EXPECT_GT(f.gpu_turns.value(), 0);
    EXPECT_FALSE(measure_device(f, "nothing", 1 << 20, 3));
}

TEST(Work, IsMeasuredOnOneThreadAndOnAll) {
    auto const decoding = measure_decoding(2, 4, 2, 10).value();
    EXPECT_EQ(decoding.one.threads, 1);
    EXPECT_EQ(decoding.all.threads, 2);
    EXPECT_GT(decoding.one.value(), 0);
    auto const fft = measure_fft(2, 2, 2, 10).value();
    EXPECT_GT(fft.one.value(), 0);
    EXPECT_GT(fft.all.value(), 0);
}

}  // namespace
}  // namespace sluice::doctor
