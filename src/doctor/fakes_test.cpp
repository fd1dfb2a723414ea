// Machines that are really slow, made of this one: a processor set, a busy core, control groups.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "doctor/compute.h"
#include "sluice/doctor.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using doctor::compute;

Finding const* found_in(Examination const& e, std::string const& rule) {
    auto const at = std::ranges::find(e.findings, rule, &Finding::rule);
    return at == e.findings.end() ? nullptr : &*at;
}

Examination quick() {
    ExamineOptions options;
    options.quick = true;
    options.folder = fs::temp_directory_path();
    auto found = examine(options);
    EXPECT_TRUE(found) << found.error().text();
    return *std::move(found);
}

// This thread, and those that it starts, on one processor.
class OnOneProcessor {
  public:
    OnOneProcessor() {
        ::sched_getaffinity(0, sizeof before_, &before_);
        cpu_set_t one;
        CPU_ZERO(&one);
        for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i)
            if (CPU_ISSET(i, &before_)) CPU_SET(i, &one);
        ::sched_setaffinity(0, sizeof one, &one);
    }
    OnOneProcessor(OnOneProcessor const&) = delete;
    OnOneProcessor& operator=(OnOneProcessor const&) = delete;
    ~OnOneProcessor() { ::sched_setaffinity(0, sizeof before_, &before_); }
    int before() const { return CPU_COUNT(&before_); }

  private:
    cpu_set_t before_ = {};
};

TEST(FakeMachine, WithOneProcessorOfSeveralIsNamed) {
    OnOneProcessor const limit;
    if (limit.before() < 2) GTEST_SKIP() << "this machine has one processor";
    Examination const e = quick();
    EXPECT_EQ(e.facts.allowed, 1);
    EXPECT_TRUE(found_in(e, "processors"));
}

TEST(FakeMachine, WhoseCoreIsBusyIsNamedWithTheProgram) {
    OnOneProcessor const limit;
    pid_t const spinner = ::fork();
    if (spinner == 0)
        while (true) compute(1 << 20, 1);
    Examination const e = quick();
    ::kill(spinner, SIGKILL);
    ::waitpid(spinner, nullptr, 0);
    if (!fs::exists("/proc/self/schedstat")) GTEST_SKIP() << "this kernel counts no waiting";
    Finding const* const busy = found_in(e, "busy");
    ASSERT_TRUE(busy);
    EXPECT_FALSE(e.facts.busiest.empty());
    // What was disturbed is marked.
    auto const row = std::ranges::find(e.rows, "computing, one thread", &MachineRow::name);
    ASSERT_NE(row, e.rows.end());
    EXPECT_TRUE(row->not_taken.starts_with("not of a quiet machine")) << row->not_taken;
}

// A control group of version 1 or 2 with one limit, in which this process is for a while.
class InGroup {
  public:
    InGroup(std::string const& controller, std::vector<std::array<std::string, 2>> const& limits) {
        std::error_code error;
        std::string const v1 = "/sys/fs/cgroup/" + controller;
        std::string const top = fs::exists(v1 + "/cgroup.procs") ? v1 : "/sys/fs/cgroup";
        version_1_ = top == v1;
        // Where this process was, to go back there.
        std::ifstream groups("/proc/self/cgroup");
        std::string home = top;
        for (std::string line; std::getline(groups, line);)
            if (line.find(":" + controller + ":") != line.npos ||
                (!version_1_ && line.starts_with("0::")))
                home = top + line.substr(line.find_last_of(':') + 1);
        home_ = home + "/cgroup.procs";
        folder_ = top + "/sluice-doctor-test-" + std::to_string(::getpid());
        if (!fs::create_directory(folder_, error)) return;
        made_ = true;
        for (auto const& [name, value] : limits) {
            std::ofstream file(folder_ + "/" + name);
            made_ = made_ && (file << value << std::flush);
        }
        made_ = made_ && enter(folder_ + "/cgroup.procs");
    }
    InGroup(InGroup const&) = delete;
    InGroup& operator=(InGroup const&) = delete;
    ~InGroup() {
        if (folder_.empty()) return;
        enter(home_);
        ::rmdir(folder_.c_str());
    }
    bool made() const { return made_; }

  private:
    std::string folder_, home_;
    bool version_1_ = false, made_ = false;

    static bool enter(std::string const& procs) {
        std::ofstream file(procs);
        return static_cast<bool>(file << ::getpid() << std::flush);
    }
};

constexpr char const* no_groups = "this user may not make control groups here";

TEST(FakeMachine, WithAQuotaIsNamed) {
    bool const version_1 = fs::exists("/sys/fs/cgroup/cpu/cgroup.procs");
    std::vector<std::array<std::string, 2>> const fifth =
        version_1 ? std::vector<std::array<std::string, 2>>{{"cpu.cfs_period_us", "100000"},
                                                            {"cpu.cfs_quota_us", "20000"}}
                  : std::vector<std::array<std::string, 2>>{{"cpu.max", "20000 100000"}};
    InGroup const group("cpu", fifth);
    if (!group.made()) GTEST_SKIP() << no_groups;
    Examination const e = quick();
    EXPECT_EQ(e.facts.quota, 0.2);
    EXPECT_TRUE(found_in(e, "quota"));
    EXPECT_TRUE(found_in(e, "held back")) << e.facts.held_back;
}

TEST(FakeMachine, WithLittleMemoryIsNamed) {
    bool const version_1 = fs::exists("/sys/fs/cgroup/memory/cgroup.procs");
    InGroup const group("memory",
                        {{version_1 ? "memory.limit_in_bytes" : "memory.max", "1073741824"}});
    if (!group.made()) GTEST_SKIP() << no_groups;
    Examination const e = quick();
    EXPECT_EQ(e.facts.memory_limit, 1073741824u);
    EXPECT_TRUE(found_in(e, "memory limit"));
}

TEST(Examine, WantsAFolder) {
    ExamineOptions options;
    options.folder = "/nothing/there";
    EXPECT_EQ(examine(options).error().code, Code::not_found);
}

TEST(Examine, EndsWhereSomebodySaysStop) {
    ExamineOptions options;
    options.quick = true;
    options.progress = [](std::uint64_t done, std::uint64_t) { return done < 1; };
    EXPECT_EQ(examine(options).error().code, Code::cancelled);
}

}  // namespace
}  // namespace sluice
