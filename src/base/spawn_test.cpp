// Other programs: their words, variables, ends.
// SPDX-License-Identifier: Apache-2.0
#include "base/spawn.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/system.h"

namespace sluice {
namespace {

int end_of(pid_t pid) {
    for (;;) {
        if (auto const status = ended_child(pid)) return *status;
        ::usleep(1000);
    }
}

std::string output_of(std::vector<std::string> const& words,
                      std::vector<std::string> const& environment) {
    std::array<int, 2> ends{-1, -1};
    EXPECT_EQ(make_pipe(ends), 0);
    pid_t pid = -1;
    EXPECT_EQ(spawn(words, {.out = ends[1], .err = 2}, environment, pid), 0);
    ::close(ends[1]);
    std::string all;
    std::array<char, 256> some;
    for (ssize_t n = 0; (n = ::read(ends[0], some.data(), some.size())) > 0;)
        all.append(some.data(), static_cast<std::size_t>(n));
    ::close(ends[0]);
    EXPECT_EQ(end_of(pid), 0);
    return all;
}

TEST(Spawn, WordsAndVariablesArriveAsTheyAre) {
    EXPECT_EQ(output_of({"printf", "%s|", "a b", "$HOME", ""}, {}), "a b|$HOME||");
    EXPECT_EQ(output_of({"/bin/sh", "-c", "printf \"$SLUICE_TEST,$HOME\"; cat"}, {"SLUICE_TEST=7"}),
              "7,");
}

TEST(Spawn, EndsAreTold) {
    pid_t pid = -1;
    EXPECT_EQ(spawn({"no such program"}, {}, {}, pid), ENOENT);
    EXPECT_EQ(spawn({"/bin/sh", "-c", "exit 3"}, {}, {}, pid), 0);
    EXPECT_EQ(end_of(pid), 3);
    EXPECT_EQ(ended_child(pid), lost_status);
    // With what it has started.
    EXPECT_EQ(spawn({"/bin/sh", "-c", "sleep 100 & wait"}, {}, {}, pid), 0);
    EXPECT_EQ(::kill(-pid, SIGKILL), 0);
    EXPECT_EQ(end_of(pid), 128 + SIGKILL);
}

}  // namespace
}  // namespace sluice
