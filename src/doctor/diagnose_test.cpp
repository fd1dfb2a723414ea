// The rules, on both sides of each of their limits.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>

#include "bench/trust.h"
#include "doctor/limits.h"
#include "sluice/doctor.h"

namespace sluice {
namespace {

using namespace doctor;

MeasuredRate rate(double per_s, int threads = 1, double waited = 0) {
    MeasuredRate r;
    r.per_s = {per_s, per_s, per_s, per_s, per_s};
    r.threads = threads;
    r.waited = waited;
    r.not_taken.clear();
    return r;
}

// Four cores of their own, an NVMe disk, nobody else.
MachineFacts healthy() {
    MachineFacts f;
    f.processors = f.allowed = f.cores = 4;
    f.instructions = f.best_instructions = "avx512";
    f.memory = f.memory_limit = 16'000'000'000;
    f.memory_available = 12'000'000'000;
    f.large_pages = "madvise";
    f.folder = "/data";
    f.file_system = "ext4";
    f.folder_free = 100'000'000'000;
    f.no_gpu = "no driver";
    f.compute_one = f.compute_late = rate(1e9);
    f.compute_all = rate(3.9e9, 4);
    f.copy_one = rate(12e9);
    f.copy_all = rate(24e9, 4);
    f.read_one = rate(9e9);
    f.read_all = rate(20e9, 4);
    f.small_pages = rate(2e6);
    f.large_page_bytes = rate(12e9);
    f.disk_in_order = rate(2e9);
    f.disk_anywhere = rate(1e4);
    f.decode_one = rate(3e9);
    f.decode_all = rate(11e9, 4);
    return f;
}

std::string rules_of(MachineFacts const& f) {
    std::string all;
    for (Finding const& found : diagnose(f)) {
        EXPECT_FALSE(found.text.empty() || found.advice.empty() || found.evidence.empty());
        all += (all.empty() ? "" : ", ") + found.rule;
    }
    return all;
}

TEST(Diagnose, FindsNothingOnAHealthyMachine) {
    EXPECT_EQ(rules_of(healthy()), "");
}

// What is changed on the healthy machine, to what is just well and to what is just not.
struct Limit {
    char const* rule;
    double well, ill;
    std::function<void(MachineFacts&, double)> set;
};

TEST(Diagnose, EachRuleHasItsLimit) {
    Limit const limits[] = {
        {"processors", 4, 3,
         [](auto& f, double x) {
             f.allowed = f.cores = static_cast<int>(x);
             f.compute_all = rate(x * 1e9, 4);
         }},
        {"quota", 4, 3.9, [](auto& f, double x) { f.quota = x; }},
        {"held back", much_held_back - 0.001, much_held_back,
         [](auto& f, double x) { f.held_back = x; }},
        {"stolen", bench::much_steal - 0.001, bench::much_steal,
         [](auto& f, double x) { f.stolen = x; }},
        {"busy", bench::much_waiting - 0.001, bench::much_waiting,
         [](auto& f, double x) { f.fft_all = rate(1e9, 4, x); }},
        {"scaling", 4e9 * least_scaling, 4e9 * least_scaling - 1e6,
         [](auto& f, double x) { f.compute_all = rate(x, 4); }},
        {"throttling", 1e9 * least_endurance, 1e9 * least_endurance - 1e6,
         [](auto& f, double x) { f.compute_late = rate(x); }},
        {"unsteady", most_variation, most_variation + 0.001,
         [](auto& f, double x) {
             f.compute_one.per_s.lower_quartile = 1e9 * (1 - x / 4);
             f.compute_one.per_s.upper_quartile = 1e9 * (1 + x / 4 - 1e-12);
         }},
        {"instructions", 1, 0,
         [](auto& f, double x) { f.instructions = x > 0 ? "avx512" : "baseline"; }},
        {"memory limit", most_of_memory, most_of_memory - 0.001,
         [](auto& f, double x) { f.memory_limit = static_cast<std::uint64_t>(16e9 * x) + 1; }},
        {"memory taken", least_available, least_available - 0.001,
         [](auto& f, double x) { f.memory_available = static_cast<std::uint64_t>(16e9 * x); }},
        {"memory speed", least_copying, least_copying - 1e6,
         [](auto& f, double x) { f.copy_all = rate(x, 4); }},
        {"page faults", least_faults, least_faults - 1,
         [](auto& f, double x) { f.small_pages = rate(x); }},
        {"large pages", least_large_pages, least_large_pages - 0.001,
         [](auto& f, double x) { f.large_pages_given = x; }},
        {"large pages", 1, 0,
         [](auto& f, double x) { f.large_pages = x > 0 ? "always" : "never"; }},
        {"disk", least_in_order, least_in_order - 1,
         [](auto& f, double x) { f.disk_in_order = rate(x); }},
        {"seeks", least_anywhere, least_anywhere - 1,
         [](auto& f, double x) { f.disk_anywhere = rate(x); }},
        {"disk full", least_free, least_free - 1,
         [](auto& f, double x) { f.folder_free = static_cast<std::uint64_t>(x); }},
        {"gpu", 0, 1, [](auto& f, double x) { f.gpu = x > 0 ? "NVIDIA H200" : ""; }},
    };
    for (Limit const& limit : limits) {
        MachineFacts f = healthy();
        limit.set(f, limit.well);
        EXPECT_EQ(rules_of(f), "") << limit.rule;
        limit.set(f, limit.ill);
        EXPECT_EQ(rules_of(f), limit.rule);
    }
}

TEST(Diagnose, DoesNotJudgeWhatWasDisturbed) {
    MachineFacts f = healthy();
    f.compute_all = rate(1e9, 4, 0.5);
    f.compute_late = rate(0.1e9, 1, 0.5);
    f.copy_all = rate(1e9, 4, 0.5);
    f.small_pages = rate(1e5, 1, 0.5);
    f.busiest = "spin (process 7)";
    f.busiest_processors = 1;
    EXPECT_EQ(rules_of(f), "busy");
    EXPECT_NE(diagnose(f)[0].text.find("spin (process 7), which had 1.0"), std::string::npos);
}

TEST(Diagnose, DoesNotJudgeWhatWasNotTaken) {
    MachineFacts f = healthy();
    for (MeasuredRate* const r : {&f.compute_one, &f.compute_all, &f.copy_all, &f.small_pages,
                                  &f.disk_in_order, &f.disk_anywhere})
        *r = {};
    EXPECT_EQ(rules_of(f), "");
}

TEST(Diagnose, WaitingOfAQuotaIsNotThatOfOtherPrograms) {
    MachineFacts f = healthy();
    f.quota = 1;
    f.held_back = 0.5;
    f.compute_all = rate(1e9, 4, 0.6);
    EXPECT_EQ(rules_of(f), "quota, held back");
}

TEST(Diagnose, HyperthreadsOfOneCoreNeedNotScale) {
    MachineFacts f = healthy();
    f.cores = 2;
    f.compute_all = rate(2.2e9, 4);
    EXPECT_EQ(rules_of(f), "");
}

TEST(Rows, SayWhyAValueIsMissingOrNotOfAQuietMachine) {
    MachineFacts f = healthy();
    f.copy_all = rate(1e9, 4, 0.5);
    f.disk_in_order = {};
    f.disk_in_order.not_taken = "no direct reads";
    int seen = 0;
    for (MachineRow const& row : rows_of(f)) {
        if (row.name == "copying, all threads") {
            EXPECT_EQ(row.text, "1 GB/s");
            EXPECT_NE(row.not_taken.find("50 %"), std::string::npos) << row.not_taken;
            ++seen;
        } else if (row.name == "reading in order") {
            EXPECT_FALSE(row.value);
            EXPECT_EQ(row.not_taken, "no direct reads");
            ++seen;
        } else if (row.name == "copying, one thread") {
            EXPECT_EQ(row.not_taken, "");
            ++seen;
        }
    }
    EXPECT_EQ(seen, 3);
}

}  // namespace
}  // namespace sluice
