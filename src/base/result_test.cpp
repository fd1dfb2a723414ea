// Result: values and errors pass through it and the macros unharmed.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

namespace sluice {
namespace {

Result<int> half(int n) {
    if (n % 2 != 0) return Error{Code::corrupt, "odd", "numbers.txt", 7};
    return n / 2;
}

Result<int> quarter(int n) {
    SLUICE_TRY(int const h, half(n));
    SLUICE_TRY(int const q, half(h));
    return q;
}

Status check(int n, int& reached) {
    SLUICE_CHECK(Status());
    SLUICE_TRY([[maybe_unused]] int const q, quarter(n));
    reached = q;
    SLUICE_CHECK(Status(Error{Code::io, "after"}));
    reached = -1;
    return {};
}

TEST(Result, ValueOrError) {
    Result<int> const good = half(8), bad = half(7);
    ASSERT_TRUE(good);
    EXPECT_TRUE(good.has_value());
    EXPECT_EQ(*good, 4);
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, Code::corrupt);
    EXPECT_EQ(bad.error().at, 7u);
}

TEST(Result, TryAndCheckReturnTheErrorUnchanged) {
    EXPECT_EQ(quarter(12).value(), 3);
    auto const bad = quarter(6);
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().text(), "numbers.txt at byte 7: odd");
    int reached = 0;
    Status const s = check(12, reached);
    ASSERT_FALSE(s);
    EXPECT_EQ(s.error().message, "after");
    EXPECT_EQ(reached, 3);
    EXPECT_EQ(check(6, reached).error().message, "odd");
}

TEST(Result, HoldsWhatCanOnlyBeMoved) {
    auto make = [](bool good) -> Result<std::unique_ptr<int>> {
        if (!good) return Error{Code::not_found, "none"};
        return std::make_unique<int>(5);
    };
    auto const user = [&](bool good) -> Result<int> {
        SLUICE_TRY(std::unique_ptr<int> const p, make(good));
        return *p;
    };
    EXPECT_EQ(user(true).value(), 5);
    EXPECT_EQ(user(false).error().code, Code::not_found);
    EXPECT_EQ(*make(true).value(), 5);
}

TEST(Result, ValueThrowsTheText) {
    try {
        (void)half(3).value();
        FAIL() << "nothing was thrown";
    } catch (std::runtime_error const& e) {
        EXPECT_STREQ(e.what(), "numbers.txt at byte 7: odd");
    }
    EXPECT_THROW(Status(Error{Code::io, "x"}).value(), std::runtime_error);
    EXPECT_NO_THROW(Status().value());
}

TEST(Error, TextNamesWhatIsKnown) {
    EXPECT_EQ((Error{Code::io, "m"}).text(), "m");
    EXPECT_EQ((Error{Code::io, "m", "f"}).text(), "f: m");
    EXPECT_EQ((Error{Code::io, "m", "f", 0}).text(), "f at byte 0: m");
    EXPECT_EQ((Error{Code::io, "m", "", 5}).text(), "m");
}

TEST(ExpectsDeathTest, ABrokenContractEndsTheProgramAndNamesThePlace) {
    expects(true);
    EXPECT_DEATH(expects(1 + 1 == 3), "broken contract at .*result_test.cpp:[0-9]+");
}

}  // namespace
}  // namespace sluice
