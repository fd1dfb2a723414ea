// Tests of @name@: a sum known by hand, the same bits for any number of threads, and bad input.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/@name@.h"

#include <gtest/gtest.h>

#include <limits>

namespace sluice::@name@ {
namespace {

std::vector<double> readings(std::size_t count) {
    std::vector<double> v(count);
    for (std::size_t i = 0; i < count; ++i) v[i] = 1.0 / (1.0 + static_cast<double>(i));
    return v;
}

TEST(@Name@, SumsByHand) {
    std::vector<double> const three{0.5, 1.5, -4.0};
    EXPECT_EQ(total(three).value(), -2.0);
    EXPECT_EQ(total({}).value(), 0.0);
}

TEST(@Name@, GivesTheSameBitsOnAnyNumberOfThreads) {
    auto const many = readings(20'000);
    double const one = total(many, {.device = Device::cpu(1)}).value();
    for (int threads : {2, 3, 8})
        EXPECT_EQ(total(many, {.device = Device::cpu(threads)}).value(), one) << threads;
}

TEST(@Name@, RefusesWhatIsNoNumber) {
    auto bad = readings(5);
    bad[3] = std::numeric_limits<double>::quiet_NaN();
    auto const answer = total(bad);
    ASSERT_FALSE(answer);
    EXPECT_NE(answer.error().message.find("reading 3"), std::string::npos);
}

}  // namespace
}  // namespace sluice::@name@
