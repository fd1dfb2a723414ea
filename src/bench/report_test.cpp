// The report: its JSON, its table, and when it concludes nothing.
// SPDX-License-Identifier: Apache-2.0
#include "bench/report.h"

#include <gtest/gtest.h>

#include "bench/machine.h"
#include "bench/table.h"
#include "bench/test_clock.h"

namespace sluice::bench {
namespace {

TEST(Report, RecommendsTheSimplestOfTheFast) {
    EXPECT_EQ(recommended({}), -1);
    EXPECT_EQ(recommended({{"a", "", 2.0, 0}, {"b", "", 1.0, 3}}), 1);
    EXPECT_EQ(recommended({{"a", "", 1.05, 0}, {"b", "", 1.0, 3}}), 0);
    EXPECT_EQ(recommended({{"a", "", 1.05, 1}, {"b", "", 1.0, 1}}), 1);
}

std::string keys_of(Json const& object) {
    std::string keys;
    for (auto const& [key, value] : object.items()) keys += key + " ";
    return keys;
}

Report measured(std::vector<Contestant> all, int rounds) {
    Report report;
    report.benchmark = "test";
    report.machine = machine();
    report.copy_bandwidth = 10e9;
    EXPECT_TRUE(measure(report, all, {1, rounds, {}}));
    add_doubts(report);
    return report;
}

TEST(Report, HasTheSameKeysWhateverIsKnown) {
    FakeClock time;
    Contestant plain = ticking(time, "plain", {1}), rich = ticking(time, "rich", {0.5});
    rich.items = 5;
    rich.bytes = 1e9;
    rich.details = {{"tiles", 12}};
    Json const j = to_json(measured({plain, rich}, 3));
    EXPECT_EQ(keys_of(j),
              "benchmark machine settings subject copy_bandwidth results notes findings "
              "recommendation ");
    ASSERT_EQ(j["results"].size(), 2u);
    constexpr char const* keys =
        "contest name rival threads rounds wall_s cpu_s spread_s starved items item_s bytes "
        "bytes_per_s of_copy_bandwidth rounds_wall_s rounds_cpu_s details ";
    EXPECT_EQ(keys_of(j["results"][0]), keys);
    EXPECT_EQ(keys_of(j["results"][1]), keys);
    EXPECT_TRUE(j["results"][0]["bytes"].is_null());
    EXPECT_TRUE(j["results"][0]["of_copy_bandwidth"].is_null());
    Json const& r = j["results"][1];
    EXPECT_EQ(r["wall_s"], 0.5);
    EXPECT_EQ(r["cpu_s"], 1.0);
    EXPECT_EQ(r["item_s"], 0.1);
    EXPECT_EQ(r["of_copy_bandwidth"], 0.2);
    EXPECT_EQ(r["rounds_wall_s"], (std::vector<double>{0.5, 0.5, 0.5}));
    EXPECT_EQ(r["spread_s"]["upper_quartile"], 0.5);
    EXPECT_EQ(r["details"]["tiles"], 12);
}

TEST(Report, ConcludesNothingFromTimesThatSayNothing) {
    FakeClock time;
    Report const few = measured({ticking(time, "a", {1})}, 2);
    ASSERT_EQ(few.findings.size(), 1u);
    EXPECT_EQ(few.findings[0].rule, "too few");
    EXPECT_EQ(few.findings[0].evidence, "of all rows");
    EXPECT_EQ(to_json(few)["findings"][0]["rule"], "too few");
    // Each reason once, whoever it holds for.
    Report const three = measured(
        {ticking(time, "a", {1e-5}), ticking(time, "b", {1e-5}), ticking(time, "c", {1})}, 3);
    ASSERT_EQ(three.findings.size(), 1u);
    EXPECT_EQ(three.findings[0].evidence, "of race, a; race, b");
    std::vector<Contestant> many(4, ticking(time, "a", {1e-5}));
    many.push_back(ticking(time, "c", {1}));
    EXPECT_EQ(measured(many, 3).findings[0].evidence, "of race, a; race, a; and 2 others");
    EXPECT_TRUE(doubt_of(three.results[1]));
    EXPECT_FALSE(doubt_of(three.results[2]));
    Report const tiny = measured({ticking(time, "a", {1e-5})}, 5);
    EXPECT_EQ(tiny.findings[0].rule, "too short");
    // A rival may be as restless as it likes.
    Contestant rival = ticking(time, "b", {1, 5, 9});
    rival.rival = true;
    EXPECT_TRUE(measured({ticking(time, "a", {1}), rival}, 3).findings.empty());
    rival.rival = false;
    EXPECT_EQ(measured({ticking(time, "a", {1}), rival}, 3).findings[0].rule, "unsteady");
}

TEST(Report, UnequalAnswersAreNotTimed) {
    FakeClock time;
    Report report;
    std::vector<Contestant> all{ticking(time, "a", {1}), ticking(time, "b", {1})};
    all[0].answer = []() -> Result<Answer> { return Answer{1}; };
    all[1].answer = []() -> Result<Answer> { return Answer{2}; };
    EXPECT_FALSE(measure(report, all, {}));
    EXPECT_EQ(time.time.wall_s, 0);
    EXPECT_TRUE(report.results.empty());
}

TEST(Report, TableHasTheColumnsThatHaveSomething) {
    FakeClock time;
    Contestant a = ticking(time, "sequential", {0.2}), b = ticking(time, "\xc3\xbc", {0.1});
    b.bytes = 0.5e9;
    Contestant other = ticking(time, "c", {4});
    other.contest = "long race";
    other.items = 8;
    Report report = measured({a, b, other}, 3);
    report.notes = {"somebody is missing"};
    report.recommendation = "Take b.";
    Layout layout;
    layout.item = "step";
    layout.columns = {{"class", [](Measured const& m) { return m.items > 1 ? "slow" : ""; }}};
    layout.legend = "GB/s: what has to be touched.\n";
    std::string const text = table(report, layout);
    EXPECT_EQ(text.substr(text.find("\nrace")),
              "\nrace, 3 rounds\n"
              "                 ms      min..max  cpu ms  GB/s  of copying\n"
              "  sequential  200.0  200.0..200.0   400.0     -           -\n"
              "  \xc3\xbc           100.0  100.0..100.0   200.0   5.0        50 %\n"
              "\nlong race, 3 rounds\n"
              "       ms    min..max  cpu ms  us/step  class\n"
              "  c  4000  4000..4000    8000   500000   slow\n"
              "\nGB/s: what has to be touched.\n"
              "\nnote: somebody is missing\n"
              "* Take b.\n");
    EXPECT_NE(text.find("copies 10.0 GB/s"), std::string::npos);
}

TEST(Machine, IsDescribedWithAndWithoutAFile) {
    Json const here = machine();
    EXPECT_FALSE(here.contains("file_system"));
    EXPECT_FALSE(machine("synthetic:stem4d?scan=8x8").contains("file_system"));
    EXPECT_GE(here["processors"], 1);
    EXPECT_TRUE(machine("/proc/cpuinfo").at("file_system") == "proc");
    EXPECT_NE(machine_line(here).find(" processors, "), std::string::npos);
}

}  // namespace
}  // namespace sluice::bench
