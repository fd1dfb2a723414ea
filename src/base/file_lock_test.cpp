// Locks with files of their own: one holder at a time, and nothing is left.
// SPDX-License-Identifier: Apache-2.0
#include "base/file_lock.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

namespace sluice {
namespace {

namespace fs = std::filesystem;

struct FileLocks : testing::Test {
    fs::path home = fs::path(testing::TempDir()) / ("file_locks_" + std::to_string(::getpid()));
    std::string file = home / "a.lock";
    void SetUp() override {
        fs::remove_all(home);
        fs::create_directories(home);
    }
    void TearDown() override { fs::remove_all(home); }
};

TEST_F(FileLocks, HaveOneHolder) {
    std::optional<FileLock> first(FileLock::attempt(file).value());
    EXPECT_EQ(first->state(), Lock::taken);
    EXPECT_TRUE(is_locked(file));
    {
        FileLock const second = FileLock::attempt(file).value();
        EXPECT_EQ(second.state(), Lock::held_by_another);
        EXPECT_EQ(second.holder(), fmt::format("process {}", ::getpid()));
    }
    EXPECT_TRUE(is_locked(file));  // who did not get it does not remove it
    first.reset();
    EXPECT_FALSE(fs::exists(file));
    EXPECT_FALSE(is_locked(file));
}

TEST_F(FileLocks, OfAProcessThatWasKilledAreTaken) {
    std::ofstream(file) << "123456789";
    EXPECT_FALSE(is_locked(file));
    FileLock const lock = FileLock::attempt(file).value();
    EXPECT_EQ(lock.state(), Lock::taken);
}

TEST_F(FileLocks, OfAnOutputSayWhoHasIt) {
    std::string const path = home / "new" / "a.zarr";
    auto const first = lock_output(path, "converts into it");
    ASSERT_TRUE(first);
    auto const second = lock_output(path, "converts into it");
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().text(),
              fmt::format("{}: process {} converts into it at this moment; wait for it, or choose "
                          "another name",
                          path, ::getpid()));
    EXPECT_FALSE(lock_output("/proc/a.zarr", "converts into it"));
}

}  // namespace
}  // namespace sluice
