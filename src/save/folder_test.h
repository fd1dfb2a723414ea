// Folders for tests of saving, and a disk that is full.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"

namespace sluice::save {

/// A fresh folder named after the running test; removed at the end.
class TestFolder {
  public:
    TestFolder() {
        auto const* test = testing::UnitTest::GetInstance()->current_test_info();
        path_ = std::filesystem::path(testing::TempDir()) /
                (std::string("sluice_") + test->test_suite_name() + "_" + test->name() + "_" +
                 std::to_string(::getpid()));
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    TestFolder(TestFolder const&) = delete;
    TestFolder& operator=(TestFolder const&) = delete;
    ~TestFolder() { std::filesystem::remove_all(path_); }

    std::string file(std::string const& name) const { return path_ / name; }
    std::vector<std::string> names() const {
        std::vector<std::string> out;
        for (auto const& entry : std::filesystem::directory_iterator(path_))
            out.push_back(entry.path().filename());
        return out;
    }

  private:
    std::filesystem::path path_;
};

/// While it lives, no file of this process grows beyond `bytes`: writes fail as on a full disk.
class FullDisk {
  public:
    explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        rlimit const limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    FullDisk(FullDisk const&) = delete;
    FullDisk& operator=(FullDisk const&) = delete;
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

  private:
    void (*handler_)(int);
    rlimit before_{};
};

/// Checks how `save(path)` fails: a missing folder and a full disk give errors that name the file
/// and leave nothing behind, and what stood at the path stays.
template <class Save>
void expect_clean_failures(Save save) {
    TestFolder const folder;
    std::string const nowhere = folder.file("missing/result");
    Status const missing = save(nowhere);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, Code::not_found);
    EXPECT_EQ(missing.error().file, nowhere);
    EXPECT_TRUE(folder.names().empty());

    std::string const path = folder.file("result");
    ASSERT_TRUE(NewFile::create(path).value().commit());
    Status full;
    {
        FullDisk const disk(100);
        full = save(path);
    }
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, Code::io);
    EXPECT_EQ(full.error().file, path);
    EXPECT_NE(full.error().message.find("File too large"), std::string::npos)
        << full.error().text();
    EXPECT_EQ(folder.names(), std::vector<std::string>{"result"});
    EXPECT_EQ(std::filesystem::file_size(path), 0u);

    Status const good = save(path);
    ASSERT_TRUE(good) << good.error().text();
    EXPECT_EQ(folder.names(), std::vector<std::string>{"result"});
    EXPECT_GT(std::filesystem::file_size(path), 100u);
}

}  // namespace sluice::save
