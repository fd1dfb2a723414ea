// How much memory there is, by files as kernels and containers have them.
// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/cgroup.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t mb = 1 << 20;

/// A folder in place of /: /proc and /sys/fs/cgroup with what a test puts there.
class MemoryNowTest : public testing::Test {
  protected:
    fs::path root_ = fs::path(testing::TempDir()) / ("sluice_memory_" + std::to_string(::getpid()));

    void SetUp() override {
        fs::remove_all(root_);
        put("/proc/meminfo",
            "MemTotal:       16777216 kB\nMemFree:         1048576 kB\nMemAvailable:    8388608 "
            "kB\n"
            "Buffers:            1024 kB\nCached:          2097152 kB\nShmem:           1048576 "
            "kB\n"
            "HugePages_Total:       0\n");
    }
    void TearDown() override { fs::remove_all(root_); }
    void put(std::string const& path, std::string const& text) {
        fs::path const file = root_.string() + path;
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    void group_2(std::string const& at, std::string const& max, std::uint64_t used,
                 std::uint64_t cache, std::string const& high = "max") {
        put(at + "/memory.max", max + "\n");
        put(at + "/memory.high", high + "\n");
        put(at + "/memory.current", std::to_string(used) + "\n");
        put(at + "/memory.stat", "anon 1\nfile 77\ninactive_file " + std::to_string(cache / 2) +
                                     "\nactive_file " + std::to_string(cache / 2) + "\n");
    }
    void group_1(std::string const& at, std::string const& limit, std::uint64_t used,
                 std::uint64_t cache, std::uint64_t above = 9223372036854771712u) {
        put(at + "/memory.limit_in_bytes", limit + "\n");
        put(at + "/memory.usage_in_bytes", std::to_string(used) + "\n");
        put(at + "/memory.stat", "cache 5\ninactive_file 1\nhierarchical_memory_limit " +
                                     std::to_string(above) + "\ntotal_inactive_file " +
                                     std::to_string(cache / 2) + "\ntotal_active_file " +
                                     std::to_string(cache / 2) + "\n");
    }
    void mounted(std::vector<std::string> const& lines) {
        std::string text = "23 1 0:5 / / rw - ext4 /dev/sda rw\n";
        for (std::string const& line : lines) text += line + "\n";
        put("/proc/self/mountinfo", text);
    }
    static std::string mount_2(std::string const& top, std::string const& at) {
        return "30 23 0:26 " + top + " " + at +
               " rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate";
    }
    static std::string mount_1(std::string const& top, std::string const& at,
                               std::string const& controller = "memory") {
        return "31 23 0:27 " + top + " " + at + " rw shared:5 master:1 - cgroup cgroup rw," +
               controller;
    }
    void expect(std::uint64_t total, std::uint64_t available) {
        MemoryNow const now = memory_now(root_);
        EXPECT_EQ(now.total / mb, total);
        EXPECT_EQ(now.available / mb, available);
    }
};

TEST_F(MemoryNowTest, WithoutGroupsTheMachineDecides) {
    expect(16384, 8192);
    EXPECT_TRUE(limiting_groups(root_).empty());
    put("/proc/meminfo",
        "MemTotal: 16777216 kB\nMemFree: 1048576 kB\nBuffers: 1024 kB\n"
        "Cached: 2097152 kB\nShmem: 1048576 kB\n");
    expect(16384, 2049);
    put("/proc/meminfo", "MemTotal: 16777216 kB\n");
    expect(16384, 16384);
    for (char const* const text : {"", "nonsense\n", "MemTotal: much kB\n"}) {
        put("/proc/meminfo", text);
        MemoryNow const now = memory_now(root_);
        EXPECT_GT(now.total, 0u) << text;
        EXPECT_EQ(now.available, now.total) << text;
    }
    EXPECT_GT(memory_available(), 0u);
    EXPECT_GE(memory_of_machine(), memory_available());
}

TEST_F(MemoryNowTest, AGroupOfVersion2Limits) {
    put("/proc/self/cgroup", "0::/\n");
    mounted({mount_2("/", "/sys/fs/cgroup")});
    group_2("/sys/fs/cgroup", std::to_string(1000 * mb), 600 * mb, 0);
    expect(1000, 400);
    // What is only page cache is given back.
    group_2("/sys/fs/cgroup", std::to_string(1000 * mb), 600 * mb, 500 * mb);
    expect(1000, 900);
    group_2("/sys/fs/cgroup", std::to_string(1000 * mb), 1200 * mb, 0);
    expect(1000, 0);
    group_2("/sys/fs/cgroup", "max", 600 * mb, 0, std::to_string(700 * mb));
    expect(700, 100);
    group_2("/sys/fs/cgroup", "max", 600 * mb, 0);
    expect(16384, 8192);
    // A limit above what the machine has does not limit.
    group_2("/sys/fs/cgroup", std::to_string(100000 * mb), 600 * mb, 0);
    expect(16384, 8192);
}

TEST_F(MemoryNowTest, TheSmallestOfNestedGroupsDecides) {
    put("/proc/self/cgroup", "0::/user.slice/job/step\n");
    mounted({mount_2("/", "/sys/fs/cgroup")});
    group_2("/sys/fs/cgroup/user.slice/job/step", "max", 10 * mb, 0);
    group_2("/sys/fs/cgroup/user.slice/job", std::to_string(2000 * mb), 1500 * mb, 100 * mb);
    group_2("/sys/fs/cgroup/user.slice", std::to_string(1800 * mb), 300 * mb, 0);
    expect(1800, 600);
    group_2("/sys/fs/cgroup/user.slice/job/step", std::to_string(50 * mb), 10 * mb, 0);
    expect(50, 40);
    EXPECT_EQ(limiting_groups(root_).size(), 3u);
}

TEST_F(MemoryNowTest, AGroupOfVersion1Limits) {
    put("/proc/self/cgroup", "9:name=systemd:/x\n4:cpu,memory:/docker/abc\n3:cpuset:/y\n0::/\n");
    mounted({mount_1("/docker/other", "/sys/fs/cgroup/cpuset", "cpuset"),
             mount_1("/docker/abc", "/sys/fs/cgroup/memory", "cpu,memory")});
    group_1("/sys/fs/cgroup/memory", std::to_string(1000 * mb), 600 * mb, 200 * mb);
    expect(1000, 600);
    // A group around it that cannot be seen.
    group_1("/sys/fs/cgroup/memory", "9223372036854771712", 600 * mb, 0, 900 * mb);
    expect(900, 300);
    group_1("/sys/fs/cgroup/memory", "9223372036854771712", 600 * mb, 0);
    expect(16384, 8192);
    // The whole hierarchy is mounted, as outside of containers.
    mounted({mount_1("/", "/sys/fs/cgroup/memory", "cpu,memory")});
    group_1("/sys/fs/cgroup/memory/docker", std::to_string(700 * mb), 500 * mb, 0);
    group_1("/sys/fs/cgroup/memory/docker/abc", std::to_string(800 * mb), 100 * mb, 0);
    expect(700, 200);
}

TEST_F(MemoryNowTest, HybridHierarchiesAreReadBoth) {
    put("/proc/self/cgroup", "4:memory:/process/one\n1:cpu:/\n0::/unit\n");
    mounted({mount_1("/", "/sys/fs/cgroup/memory"), mount_2("/", "/sys/fs/cgroup/unified")});
    group_1("/sys/fs/cgroup/memory/process", std::to_string(900 * mb), 100 * mb, 0);
    put("/sys/fs/cgroup/unified/unit/cgroup.procs", "1\n");
    expect(900, 800);
    group_2("/sys/fs/cgroup/unified/unit", std::to_string(500 * mb), 100 * mb, 0);
    expect(500, 400);
}

// Paths that lead out of what a container sees end at the top of what it sees.
TEST_F(MemoryNowTest, PathsThatCannotBeSeenLeadToTheMount) {
    group_2("/sys/fs/cgroup", std::to_string(300 * mb), 100 * mb, 0);
    for (auto const& [path, top] :
         {std::pair{"/kubepods/pod1/abc", "/kubepods/pod1/abc"},
          std::pair{"/kubepods/pod1/abc", "/"}, std::pair{"/other", "/kubepods/pod1/abc"},
          std::pair{"/../other", "/"}, std::pair{"", "/"}, std::pair{"nonsense", "/"},
          std::pair{"/", "/../.."}}) {
        put("/proc/self/cgroup", std::string("0::") + path + "\n");
        mounted({mount_2(top, "/sys/fs/cgroup")});
        expect(300, 200);
    }
    // Without /proc/self/mountinfo or /proc/self/cgroup the usual places count.
    fs::remove(root_ / "proc/self/mountinfo");
    expect(300, 200);
    fs::remove(root_ / "proc/self/cgroup");
    expect(300, 200);
}

TEST_F(MemoryNowTest, GarbageLimitsNothing) {
    mounted({mount_2("/", "/sys/fs/cgroup"), "no mount at all", " - ", "1 2 - cgroup2"});
    for (char const* const text : {"", "\n", ":", "0:", "0::/a", "x::::y\n0::/a\n"}) {
        put("/proc/self/cgroup", text);
        for (char const* const limit : {"", "much", "-1", "12x", "99999999999999999999999"}) {
            put("/sys/fs/cgroup/memory.max", limit);
            put("/sys/fs/cgroup/a/memory.max", limit);
            expect(16384, 8192);
        }
        // A limit without a readable use: all of it may be free.
        put("/sys/fs/cgroup/memory.max", std::to_string(100 * mb));
        put("/sys/fs/cgroup/memory.current", "?");
        put("/sys/fs/cgroup/memory.stat", "inactive_file many\nactive_file");
        expect(100, 100);
        fs::remove_all(root_ / "sys");
    }
}

class ProcessorQuotaTest : public MemoryNowTest {};

TEST_F(ProcessorQuotaTest, TheSmallestQuotaOfTheGroupsAroundCounts) {
    EXPECT_FALSE(processor_quota(root_));
    EXPECT_FALSE(held_back_s(root_));
    put("/proc/self/cgroup", "0::/pod/task\n");
    mounted({mount_2("/", "/sys/fs/cgroup")});
    put("/sys/fs/cgroup/pod/task/cpu.max", "max 100000\n");
    EXPECT_FALSE(processor_quota(root_));
    put("/sys/fs/cgroup/pod/cpu.max", "150000 100000\n");
    EXPECT_EQ(processor_quota(root_), 1.5);
    put("/sys/fs/cgroup/pod/task/cpu.max", "50000 100000\n");
    EXPECT_EQ(processor_quota(root_), 0.5);
    put("/sys/fs/cgroup/pod/task/cpu.stat",
        "usage_usec 5\nnr_throttled 3\nthrottled_usec 2500000\n");
    EXPECT_EQ(held_back_s(root_), 2.5);
}

TEST_F(ProcessorQuotaTest, GroupsOfVersionOneHaveTwoFiles) {
    put("/proc/self/cgroup", "4:memory:/a\n3:cpu,cpuacct:/a\n");
    mounted({mount_1("/", "/sys/fs/cgroup/cpu,cpuacct", "cpu,cpuacct")});
    std::string const group = "/sys/fs/cgroup/cpu,cpuacct/a";
    put(group + "/cpu.cfs_period_us", "100000\n");
    put(group + "/cpu.cfs_quota_us", "-1\n");
    EXPECT_FALSE(processor_quota(root_));
    put(group + "/cpu.cfs_quota_us", "25000\n");
    put(group + "/cpu.stat", "nr_periods 8\nnr_throttled 3\nthrottled_time 500000000\n");
    EXPECT_EQ(processor_quota(root_), 0.25);
    EXPECT_EQ(held_back_s(root_), 0.5);
    for (char const* const text : {"", "much\n", "0\n"}) {
        put(group + "/cpu.cfs_period_us", text);
        EXPECT_FALSE(processor_quota(root_)) << text;
    }
}

}  // namespace
}  // namespace sluice
