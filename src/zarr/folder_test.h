// A folder for a test, removed at its end.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace sluice::zarr {

class TestFolder {
  public:
    TestFolder() {
        auto const* test = testing::UnitTest::GetInstance()->current_test_info();
        path_ = std::filesystem::path(testing::TempDir()) /
                (std::string("sluice_zarr_") + test->name() + "_" + std::to_string(::getpid()));
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    TestFolder(TestFolder const&) = delete;
    TestFolder& operator=(TestFolder const&) = delete;
    ~TestFolder() { std::filesystem::remove_all(path_); }

    std::string file(std::string const& name) const { return path_ / name; }
    /// Files in the folder and those below it.
    int files() const {
        int n = 0;
        for (auto const& e : std::filesystem::recursive_directory_iterator(path_))
            n += e.is_regular_file() ? 1 : 0;
        return n;
    }

  private:
    std::filesystem::path path_;
};

}  // namespace sluice::zarr
