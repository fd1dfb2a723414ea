// Names that are given where nothing is lost, and in exchange.
// SPDX-License-Identifier: Apache-2.0
#include "base/rename.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace sluice {
namespace {

namespace fs = std::filesystem;

struct Renames : testing::Test {
    fs::path home = fs::path(testing::TempDir()) / ("renames_" + std::to_string(::getpid()));
    std::string a = home / "a", b = home / "b", aside = home / "aside";
    void SetUp() override {
        fs::remove_all(home);
        for (std::string const& folder : {a, b, aside}) {
            fs::create_directories(folder);
            std::ofstream(folder + "/text") << fs::path(folder).filename().string();
        }
    }
    void TearDown() override { fs::remove_all(home); }
    static std::string text(std::string const& folder) {
        std::ifstream file(folder + "/text");
        return {std::istreambuf_iterator<char>(file), {}};
    }
};

TEST_F(Renames, TakeOnlyAFreeName) {
    EXPECT_TRUE(rename_if_free(a, b));
    EXPECT_EQ(text(b), "b");
    EXPECT_FALSE(rename_if_free(a, home / "c"));
    EXPECT_EQ(text(home / "c"), "a");
    EXPECT_EQ(rename_if_free(a, home / "d"), std::errc::no_such_file_or_directory);
}

TEST_F(Renames, PutWhatWasThereAside) {
    EXPECT_FALSE(exchange_names(a, b, aside));
    EXPECT_EQ(text(b), "a");
    EXPECT_EQ(text(aside), "b");
    EXPECT_FALSE(fs::exists(a));
    EXPECT_EQ(exchange_names(a, b, aside), std::errc::no_such_file_or_directory);
    EXPECT_EQ(text(b), "a");
}

}  // namespace
}  // namespace sluice
