// Names of outputs: given only where nothing is lost, exchanged, and given back after a kill.
// SPDX-License-Identifier: Apache-2.0
#include "base/place.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

namespace sluice {
namespace {

namespace fs = std::filesystem;

class ConvertPlace : public testing::Test {
  protected:
    void SetUp() override {
        auto const* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::path(testing::TempDir()) /
                  (std::string("sluice_place_") + test->name() + std::to_string(::getpid()));
        fs::remove_all(folder_);
        make("x.part", "new");
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string path(std::string const& name) const { return folder_ / name; }
    void make(std::string const& name, std::string const& text) const {
        fs::create_directories(folder_ / name);
        std::ofstream(folder_ / name / "text") << text;
    }
    std::string text(std::string const& name) const {
        std::string t;
        std::ifstream(folder_ / name / "text") >> t;
        return t;
    }

    fs::path folder_;
};

TEST_F(ConvertPlace, OnlyAFreeNameIsTakenUnasked) {
    make("x", "theirs");
    EXPECT_FALSE(take_name(path("x.part"), path("x"), false));
    EXPECT_EQ(text("x"), "theirs");
    EXPECT_EQ(text("x.part"), "new");
    fs::remove_all(path("x"));
    std::ofstream(path("x")) << "a file";
    EXPECT_FALSE(take_name(path("x.part"), path("x"), false));
    EXPECT_TRUE(fs::is_regular_file(path("x")));
    fs::remove(path("x"));
    ASSERT_TRUE(take_name(path("x.part"), path("x"), false));
    EXPECT_EQ(text("x"), "new");
    EXPECT_FALSE(fs::exists(path("x.part")));
}

TEST_F(ConvertPlace, ANameIsNeverFreeWhileItIsReplaced) {
    make("x", "old");
    std::atomic<bool> done = false;
    std::atomic<int> missing = 0;
    std::thread watch([&] {
        while (!done) missing += !fs::exists(folder_ / "x" / "text");
    });
    for (int i = 0; i < 300; ++i) {
        make("x.part", "new");
        EXPECT_TRUE(take_name(path("x.part"), path("x"), true));
    }
    done = true;
    watch.join();
    EXPECT_EQ(missing, 0);
    EXPECT_EQ(text("x"), "new");
    EXPECT_FALSE(fs::exists(path("x.part")));
    EXPECT_FALSE(fs::exists(path("x.sluice-old")));
}

// Where names cannot be exchanged there is a moment between two of them.
TEST_F(ConvertPlace, AnOutputThatWasHalfReplacedComesBack) {
    make("x.sluice-old", "old");
    restore_name(path("x"));
    EXPECT_EQ(text("x"), "old");
    EXPECT_FALSE(fs::exists(path("x.sluice-old")));
    make("x.sluice-old", "older");
    restore_name(path("x"));
    EXPECT_EQ(text("x"), "old");
}

}  // namespace
}  // namespace sluice
