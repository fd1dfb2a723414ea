// Steps become spans, and spans a file that Perfetto reads.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/trace_events.h"

namespace sluice {
namespace {

TEST(Trace, AStepIsASpanOfItsWorker) {
    Trace trace(2);
    {
        Step step(&trace, Phase::read, 1, 7);
        step.bytes(100);
        Step const inner(&trace, Phase::decode, 0);
    }
    auto const spans = trace.spans();
    ASSERT_EQ(spans.size(), 2U);
    EXPECT_EQ(spans[0].phase, Phase::read);
    EXPECT_EQ(spans[0].worker, 1);
    EXPECT_EQ(spans[0].item, 7);
    EXPECT_EQ(spans[0].bytes, 100U);
    EXPECT_EQ(spans[1].item, -1);
    // The inner step ended first, and both began before they ended.
    EXPECT_LE(spans[0].begin_ns, spans[1].begin_ns);
    EXPECT_LE(spans[1].begin_ns, spans[1].end_ns);
    EXPECT_LE(spans[1].end_ns, spans[0].end_ns);
    EXPECT_GE(spans[1].cpu_ns, 0);
}

TEST(Trace, WithoutATraceNothingIsNoted) {
    Step step(nullptr, Phase::read, 0);
    step.bytes(1);
    Trace trace(1);
    { Step const other(&trace, Phase::read, 5); }  // a worker that it was not made for
    EXPECT_TRUE(trace.spans().empty());
}

TEST(Trace, EveryPhaseHasAName) {
    for (int p = 0; p < static_cast<int>(Phase::count); ++p)
        EXPECT_FALSE(name_of(static_cast<Phase>(p)).empty()) << p;
    EXPECT_TRUE(name_of(Phase::count).empty());
    EXPECT_EQ(name_of(Phase::wait), "wait");
    EXPECT_EQ(name_of(Phase::compose), "compose");
}

TEST(Trace, EventsAreInMicrosecondsAndNameTheItem) {
    Trace trace(2);
    trace.add({Phase::decode, 1, 3, 2000, 5000, 1000, 64});
    auto const json = nlohmann::json::parse(trace_events(trace, "sluice \"\xff\" x", "unit"));
    auto const& events = json["traceEvents"];
    ASSERT_EQ(events.size(), 4U);  // the run, two workers, the span
    auto const& span = events[3];
    EXPECT_EQ(span["name"], "decode");
    EXPECT_EQ(span["ph"], "X");
    EXPECT_EQ(span["ts"], 2.0);
    EXPECT_EQ(span["dur"], 3.0);
    EXPECT_EQ(span["tid"], 1);
    EXPECT_EQ(span["args"]["unit"], 3);
    EXPECT_EQ(span["args"]["cpu_us"], 1.0);
    EXPECT_EQ(span["args"]["bytes"], 64);
    EXPECT_EQ(events[2]["args"]["name"], "worker 1");
}

}  // namespace
}  // namespace sluice
