// Ranks by MPI: mpirun starts this program again, and each rank does the exercise.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "ranks/test_exercise.h"

namespace sluice {
namespace {

std::string program() {
    return std::filesystem::read_symlink("/proc/self/exe").string();
}

int mpirun(int ranks, std::string const& test) {
    std::string const command =
        "mpirun --allow-run-as-root --oversubscribe -n " + std::to_string(ranks) + " " + program() +
        " --gtest_filter=" + test + " --gtest_also_run_disabled_tests >/dev/null 2>&1";
    return std::system(command.c_str());
}

bool there_is_mpi() {
    auto const plugin = std::filesystem::path(program()).parent_path() / "libsluice_mpi.so";
    return std::filesystem::exists(plugin) && std::system("mpirun --version >/dev/null 2>&1") == 0;
}

TEST(Mpi, DISABLED_Rank) {
    ASSERT_TRUE(started_by_mpi());
    auto const ranks = mpi_communicator().value();
    EXPECT_EQ(exercise(*ranks), "");
    // Joined until the process ends: a second communicator is one of the same ranks.
    EXPECT_EQ(mpi_communicator().value()->rank(), ranks->rank());
}

TEST(Mpi, DISABLED_RankThatLeaves) {
    auto const ranks = mpi_communicator().value();
    if (ranks->rank() == 1) ranks->abort(3);
    while (true) ranks->barrier();
}

TEST(Mpi, DoesWhatRanksDo) {
    if (!there_is_mpi()) GTEST_SKIP() << "mpirun or libsluice_mpi.so is not there";
    EXPECT_EQ(mpirun(2, "Mpi.DISABLED_Rank"), 0);
    EXPECT_EQ(mpirun(4, "Mpi.DISABLED_Rank"), 0);
}

TEST(Mpi, EndsAllRanksWhereOneAborts) {
    if (!there_is_mpi()) GTEST_SKIP() << "mpirun or libsluice_mpi.so is not there";
    EXPECT_EQ(WEXITSTATUS(mpirun(3, "Mpi.DISABLED_RankThatLeaves")), 3);
}

TEST(Mpi, IsNotThereWithoutMpirun) {
    unsetenv("OMPI_COMM_WORLD_SIZE");
    unsetenv("PMI_SIZE");
    EXPECT_FALSE(started_by_mpi());
    setenv("PMI_SIZE", "1", 1);
    EXPECT_FALSE(started_by_mpi());
    setenv("PMI_SIZE", "2", 1);
    EXPECT_TRUE(started_by_mpi());
    unsetenv("PMI_SIZE");
}

}  // namespace
}  // namespace sluice
