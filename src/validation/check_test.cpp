// The harness finds what is wrong: another number, a NaN, runs that differ, other lengths, errors.
// SPDX-License-Identifier: Apache-2.0
#include "validation/check.h"

#include <gtest/gtest.h>

#include <limits>

namespace sluice::validation {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

ValidationRow of(Numbers const& found, Numbers const& reference, double tolerance = 0) {
    Check const check{"test", "numbers",
                      "",     tolerance,
                      "",     [found](Device const&) -> Result<Numbers> { return found; }};
    return compare(check, Device::cpu(2), reference);
}

TEST(ValidationCheck, EqualNumbersPass) {
    ValidationRow const row = of({1, nan, -3}, {1, nan, -3});
    EXPECT_TRUE(row.passed());
    EXPECT_EQ(row.values, 3);
    EXPECT_EQ(row.difference, 0);
}

TEST(ValidationCheck, DifferencesArePartsOfTheLargest) {
    EXPECT_DOUBLE_EQ(of({1, -4.5}, {1, -4}).difference, 0.125);
    EXPECT_FALSE(of({1, -4.5}, {1, -4}, 0.12).passed());
    EXPECT_TRUE(of({1, -4.5}, {1, -4}, 0.13).passed());
}

// A wrong small value beside a large one.
TEST(ValidationCheck, SmallValuesHaveScalesOfTheirOwn) {
    Numbers const found{1000, 0.11, 1e-9}, reference{1000, 0.1, 0};
    Check check{"test", "numbers", "",
                1e-3,   "",        [found](Device const&) -> Result<Numbers> { return found; }};
    EXPECT_TRUE(compare(check, Device::cpu(2), reference).passed());
    check.least_scale = 1e-6;
    ValidationRow const row = compare(check, Device::cpu(2), reference);
    EXPECT_NEAR(row.difference, 0.1, 1e-12);
    EXPECT_FALSE(row.passed());
    check.least_scale = 1e-3;
    EXPECT_NEAR(compare(check, Device::cpu(2), reference).difference, 0.01, 1e-12);
}

TEST(ValidationCheck, QuantitiesHaveScalesOfTheirOwn) {
    Numbers const found{1000, 2000, 0.2, 0.11}, reference{1000, 2000, 0.2, 0.1};
    Check check{"test", "numbers", "",
                1e-3,   "",        [found](Device const&) -> Result<Numbers> { return found; }};
    EXPECT_TRUE(compare(check, Device::cpu(2), reference).passed());
    check.quantities = 2;
    EXPECT_NEAR(compare(check, Device::cpu(2), reference).difference, 0.05, 1e-12);
}

TEST(ValidationCheck, NanOnOneSideFails) {
    EXPECT_EQ(of({1, nan}, {1, 2}, 1).not_finite, 1);
    EXPECT_FALSE(of({1, nan}, {1, 2}, 1).passed());
    EXPECT_FALSE(of({1, 2}, {1, nan}, 1).passed());
}

TEST(ValidationCheck, RunsThatDifferFail) {
    double runs = 0;
    Check check{
        "test", "counts",
        "",     1,
        "",     [&runs](Device const&) -> Result<Numbers> { return Numbers{1, ++runs * 1e-9}; }};
    EXPECT_FALSE(compare(check, Device::cpu(2), {1, 0}).repeats);
    check.run = [](Device const& d) -> Result<Numbers> {
        return Numbers{static_cast<double>(d.threads())};
    };
    EXPECT_FALSE(compare(check, Device::cpu(2), {2}).repeats) << "threads change it";
}

TEST(ValidationCheck, OtherLengthsAndErrorsAreSaid) {
    EXPECT_FALSE(of({1}, {1, 2}).error.empty());
    Check const check{"test",
                      "error",
                      "",
                      1,
                      "",
                      [](Device const&) -> Result<Numbers> {
                          return Error{Code::unsupported, "not here"}; }};
    EXPECT_NE(compare(check, Device::cpu(2), {1}).error.find("not here"), std::string::npos);
}

TEST(ValidationCheck, TheProcessorIsThere) {
    auto const all = devices(2);
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(all.front().kind(), Device::Kind::cpu);
}

}  // namespace
}  // namespace sluice::validation
