// A trace changes no answer, and shows each unit of a scan once.
// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "property/stem4d_test.h"

namespace sluice::stem4d {
namespace {

using Counted = std::map<std::pair<Phase, std::int32_t>, int>;

Counted counted(Trace const& trace) {
    Counted found;
    for (Span const& s : trace.spans()) ++found[{s.phase, s.item}];
    return found;
}

class TraceOf : public testing::TestWithParam<Residency> {};

TEST_P(TraceOf, AScanShowsEveryUnit) {
    Counts const counts = random_counts(12, 9, 16, 16, 31);
    auto const wanted = detectors({"disk:r=5,center=8:8"});
    LoadOptions load;
    load.residency = GetParam();
    load.layout = Layout::planes;
    auto const plain = images_of(loaded(counts, load), wanted);
    Trace trace(3);
    load.trace = &trace;
    load.device = Device::cpu(3);
    Options options;
    options.device = Device::cpu(3);
    options.trace = &trace;
    auto const traced = images_of(loaded(counts, load), wanted, options);
    EXPECT_EQ(traced.values.values, plain.values.values);
    Counted const found = counted(trace);
    std::uint64_t bytes = 0;
    for (Span const& s : trace.spans())
        if (s.phase == Phase::read) bytes += s.bytes;
    EXPECT_EQ(bytes, 12U * 9 * 16 * 16 * 2);
    for (std::int32_t unit = 0; unit < 7; ++unit) {
        EXPECT_EQ(found.at({Phase::read, unit}), 1) << unit;
        EXPECT_GE(found.at({Phase::decode, unit}), 1) << unit;
        EXPECT_EQ(found.at({Phase::fold, unit}), 1) << unit;
    }
}

INSTANTIATE_TEST_SUITE_P(InMemoryOrStreamed, TraceOf,
                         testing::Values(Residency::memory, Residency::stream),
                         [](auto const& way) {
                             return way.param == Residency::memory ? "memory" : "stream";
                         });

}  // namespace
}  // namespace sluice::stem4d
