// Work apart: its answer, its crash, its memory, its silence.
// SPDX-License-Identifier: Apache-2.0
#include "base/apart.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/test_sanitizer.h"

namespace sluice {
namespace {

Bytes bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(Apart, AnswersAndEnds) {
    int here = 1;
    auto a = Apart::start(
                 [&](Apart::Out const& out) {
                     here = 2;
                     out(bytes_of("four"));
                     out(bytes_of("teen"));
                 },
                 1 << 26)
                 .value();
    std::string text(20, ' ');
    EXPECT_EQ(a.read(std::as_writable_bytes(std::span(text))).value(), 8);
    EXPECT_EQ(text.substr(0, 8), "fourteen");
    EXPECT_EQ(a.end(), "");
    EXPECT_EQ(here, 1);  // what it changes is its own
}

TEST(Apart, ACrashIsTold) {
    auto a = Apart::start(
                 [](Apart::Out const& out) {
                     out(bytes_of("x"));
                     ::raise(SIGKILL);
                 },
                 1 << 26)
                 .value();
    std::vector<std::byte> some(10);
    EXPECT_EQ(a.read(some).value(), 1);
    EXPECT_EQ(a.end(), "was ended by signal 9");
}

TEST(Apart, TakesNoMoreMemoryThanItMay) {
    if (!may_ask_for_too_much()) GTEST_SKIP() << "the sanitizer ends the program";
    auto a = Apart::start(
                 [](Apart::Out const& out) {
                     std::vector<char> many(std::size_t{1} << 30, 'x');
                     out(bytes_of({many.data(), 1}));
                 },
                 1 << 26)
                 .value();
    std::vector<std::byte> some(10);
    EXPECT_EQ(a.read(some).value(), 0);
    EXPECT_EQ(a.end(), "took more memory than it may");
}

TEST(Apart, SilenceIsAnError) {
    auto a = Apart::start([](Apart::Out const&) { ::pause(); }, 1 << 26).value();
    std::vector<std::byte> some(10);
    EXPECT_FALSE(a.read(some, 0));
}  // and it is killed

}  // namespace
}  // namespace sluice
