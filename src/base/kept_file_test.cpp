// KeptFile: it stays under its temporary name, and replaces nothing.
// SPDX-License-Identifier: Apache-2.0
#include "base/kept_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace sluice {
namespace {

namespace fs = std::filesystem;

TEST(KeptFile, StaysUnlessItIsFinishedAndReplacesNothing) {
    fs::path const folder =
        fs::path(testing::TempDir()) / ("sluice_kept_" + std::to_string(::getpid()));
    fs::create_directories(folder);
    std::string const path = (folder / "a.h5").string();
    {
        auto const file = KeptFile::create(path);
        ASSERT_TRUE(file);
        EXPECT_EQ(file->temporary(), path + ".part");
        std::ofstream(file->temporary()) << "x";
    }
    EXPECT_EQ(fs::file_size(path + ".part"), 1u);
    auto const again = KeptFile::create(path);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().file, path + ".part");
    fs::remove(path + ".part");
    {
        auto file = KeptFile::create(path);
        ASSERT_TRUE(file);
        std::ofstream(path) << "of another";
        EXPECT_FALSE(file->commit());
        EXPECT_TRUE(fs::exists(path + ".part"));
        fs::remove(path);
        EXPECT_TRUE(file->commit());
    }
    EXPECT_FALSE(fs::exists(path + ".part"));
    EXPECT_TRUE(fs::exists(path));
    EXPECT_FALSE(check_kept_name(path));
    fs::remove(path);
    {
        auto file = KeptFile::create(path);
        ASSERT_TRUE(file);
        file->abandon();
    }
    EXPECT_TRUE(fs::is_empty(folder));
    fs::remove_all(folder);
}

}  // namespace
}  // namespace sluice
