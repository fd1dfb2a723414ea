// Folders that appear whole or not at all.
// SPDX-License-Identifier: Apache-2.0
#include "base/new_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "base/unfinished.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

struct NewFolders : testing::Test {
    fs::path home = fs::path(testing::TempDir()) / ("new_folders_" + std::to_string(::getpid()));
    std::string wanted = home / "song";
    void SetUp() override {
        fs::remove_all(home);
        fs::create_directories(home);
    }
    void TearDown() override { fs::remove_all(home); }
    static void put(std::string const& path, std::string const& text) {
        std::ofstream(path) << text;
    }
    std::string text() const {
        std::ifstream file(wanted + "/a");
        return {std::istreambuf_iterator<char>(file), {}};
    }
    auto entries() const { return std::distance(fs::directory_iterator(home), {}); }
};

TEST_F(NewFolders, AppearWithTheirFiles) {
    {
        NewFolder f = NewFolder::create(wanted).value();
        put(f.temporary() + "/a", "one");
        EXPECT_FALSE(fs::exists(wanted));
        f.commit(false).value();
    }
    EXPECT_EQ(text(), "one");
    EXPECT_EQ(entries(), 1);
    EXPECT_EQ(std::distance(fs::directory_iterator(wanted), {}), 1) << "the lock is gone";
}

TEST_F(NewFolders, HaveNamesOfAnyLengthThatThereIs) {
    std::string const most = home / std::string(255, 'n'),
                      accents = home / ("n" + [] {
                                    std::string text;
                                    for (int i = 0; i < 127; ++i) text += "\xc3\xa9";
                                    return text;
                                }());
    for (std::string const& path : {most, accents}) {
        NewFolder one = NewFolder::create(path).value(), two = NewFolder::create(path).value();
        EXPECT_NE(one.temporary(), two.temporary());
        EXPECT_TRUE(is_unfinished(one.temporary()));
        one.commit(false).value();
        EXPECT_TRUE(fs::is_directory(path));
    }
    EXPECT_EQ(entries(), 2);
    std::string other = most;
    other.back() = 'm';
    EXPECT_NE(unfinished_name(most), unfinished_name(other));
    // What a killed writer left is found by the same rule.
    std::string const left = home / (unfinished_prefix(std::string(255, 'n')) + "4194303");
    fs::create_directories(left);
    NewFolder const again = NewFolder::create(most).value();
    EXPECT_FALSE(fs::exists(left));
    auto const longer = NewFolder::create(home / std::string(256, 'n'));
    ASSERT_FALSE(longer);
    EXPECT_EQ(longer.error().code, Code::invalid_argument);
}

TEST_F(NewFolders, LeaveNothingWithoutCommit) {
    {
        NewFolder const f = NewFolder::create(wanted + "/").value();
        put(f.temporary() + "/a", "one");
    }
    EXPECT_EQ(entries(), 0);
}

TEST_F(NewFolders, ReplaceOnlyIfTheyShould) {
    fs::create_directories(wanted);
    put(wanted + "/a", "old");
    {
        NewFolder f = NewFolder::create(wanted).value();
        put(f.temporary() + "/a", "new");
        EXPECT_FALSE(f.commit(false));
    }
    EXPECT_EQ(text(), "old");
    NewFolder f = NewFolder::create(wanted).value();
    put(f.temporary() + "/a", "new");
    f.commit(true).value();
    EXPECT_EQ(text(), "new");
    EXPECT_EQ(entries(), 1);
}

TEST_F(NewFolders, OfTwoWritersTheFirstCounts) {
    NewFolder one = NewFolder::create(wanted).value(), two = NewFolder::create(wanted).value();
    ASSERT_NE(one.temporary(), two.temporary());
    put(one.temporary() + "/a", "one");
    put(two.temporary() + "/a", "two");
    two.commit(false).value();
    EXPECT_FALSE(one.commit(false));
    EXPECT_EQ(text(), "two");
}

TEST_F(NewFolders, RemoveWhatKilledWritersLeft) {
    // No process has so large a number.
    std::string const left = wanted + ".part-4194303", other = home / "other.part-4194303";
    fs::create_directories(left);
    put(left + "/a", "half");
    fs::create_directories(other);
    NewFolder const f = NewFolder::create(wanted).value();
    EXPECT_FALSE(fs::exists(left));
    EXPECT_TRUE(fs::exists(other)) << "not of this folder";
}

TEST_F(NewFolders, SayWhereTheyCannotBe) {
    put(home / "file", "x");
    auto const f = NewFolder::create(home / "file" / "song");
    ASSERT_FALSE(f);
    EXPECT_EQ(f.error().code, Code::io);
}

}  // namespace
}  // namespace sluice
