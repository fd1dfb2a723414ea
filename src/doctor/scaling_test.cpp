// How many times as fast all threads are, and when that is not said.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "bench/trust.h"
#include "doctor/limits.h"
#include "doctor/report.h"

namespace sluice {
namespace {

MeasuredRate rate(double per_s, int threads, double waited = 0) {
    MeasuredRate r;
    r.per_s = {per_s, per_s, per_s, per_s, per_s};
    r.threads = threads;
    r.waited = waited;
    r.not_taken.clear();
    return r;
}

MachineFacts four_cores() {
    MachineFacts f;
    f.processors = f.allowed = f.cores = 4;
    f.compute_one = rate(1e9, 1);
    f.compute_all = rate(3e9, 4);
    return f;
}

TEST(Scaling, IsAllThreadsOverOne) {
    CoreScaling const one = scaling_of(four_cores()).front();
    EXPECT_EQ(one.threads, 4);
    EXPECT_EQ(one.factor, 3);
    EXPECT_EQ(one.expected, 4 * doctor::least_scaling);
    EXPECT_EQ(one.not_taken, "");
}

TEST(Scaling, ExpectsNoMoreThanAQuotaGives) {
    MachineFacts f = four_cores();
    f.quota = 2;
    EXPECT_EQ(scaling_of(f).front().expected, 2 * doctor::least_scaling);
    f.quota = 0.5;
    EXPECT_EQ(scaling_of(f).front().expected, 0.5);
}

TEST(Scaling, SaysWhyThereIsNone) {
    MachineFacts f = four_cores();
    f.compute_all = rate(3e9, 4, bench::much_waiting);
    CoreScaling const disturbed = scaling_of(f).front();
    EXPECT_EQ(disturbed.factor, 3);
    EXPECT_TRUE(disturbed.not_taken.starts_with("not of a quiet machine"));
    f.compute_all.not_taken = "no time";
    CoreScaling const none = scaling_of(f).front();
    EXPECT_FALSE(none.factor);
    EXPECT_EQ(none.not_taken, "no time");
}

TEST(Report, HasRowsWithTheirTopicsAndWhatIsExpectedInWords) {
    Examination e;
    e.facts = four_cores();
    e.facts.quota = 2;
    e.rows = rows_of(e.facts);
    bench::Json const report = doctor::report_of(e);
    EXPECT_EQ(report["scaling"].size(), scaling_of(e.facts).size());
    for (auto const& row : report["rows"]) {
        EXPECT_EQ(row["expected"].is_null(), row["least"] == "") << row;
        if (row["name"] == "quota") {
            EXPECT_EQ(row["topic"], "limits");
            EXPECT_EQ(row["least"], "4");
        }
        if (row["name"] == "computing, all threads") {
            EXPECT_EQ(row["least"], "1.5 Gsteps/s");
            EXPECT_EQ(row["waited"], 0);
        }
        if (row["name"] == "instruction sets") {
            EXPECT_EQ(row["topic"], "instructions");
        }
    }
}

}  // namespace
}  // namespace sluice
