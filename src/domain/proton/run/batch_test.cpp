// Batches: what a folder gets, and how a batch goes on after it was stopped.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sluice/proton_batch.h"

namespace sluice::proton {
namespace {

namespace fs = std::filesystem;

class Batches : public testing::Test {
  protected:
    Batches() : home_(fs::path(testing::TempDir()) / ("sluice_batch_" + std::to_string(getpid()))) {
        fs::create_directories(home_);
        std::ofstream(config()) << "[grid]\ndepth = \"60 mm\"\nwidth = \"40 mm\"\ndz = \"1 mm\"\n"
                                   "dx = \"1 mm\"\n[sweep]\nenergy = [\"50 MeV\", \"60 MeV\"]\n"
                                   "sigma_x = \"3 mm\"\n";
    }
    ~Batches() override { fs::remove_all(home_); }
    std::string config() const { return (home_ / "sweep.toml").string(); }
    std::string folder() const { return (home_ / "library").string(); }

  private:
    fs::path home_;
};

TEST_F(Batches, MarchEachBeamOnce) {
    std::uint64_t last = 0, all = 0;
    BatchOptions options;
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_GE(done, last);
        last = done;
        all = total;
        return true;
    };
    auto const first = batch(config(), folder(), options);
    ASSERT_TRUE(first) << first.error().text();
    EXPECT_EQ(first->beams, 2);
    EXPECT_EQ(first->marched, 2);
    EXPECT_EQ(first->before, 0);
    EXPECT_GT(all, 0U);
    EXPECT_EQ(last, all);
    auto const lines = nlohmann::json::parse(first->library);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[1]["energy_MeV"], 60);
    EXPECT_NEAR(lines[1]["R80_mm"].get<double>(), 30.93, 0.05);
    auto const second = batch(config(), folder());
    ASSERT_TRUE(second) << second.error().text();
    EXPECT_EQ(second->marched, 0);
    EXPECT_EQ(second->before, 2);
    EXPECT_EQ(second->library, first->library);
}

TEST_F(Batches, GoOnWhereTheyWereStopped) {
    BatchOptions options;
    options.progress = [](std::uint64_t done, std::uint64_t all) { return done <= all / 2; };
    auto const stopped = batch(config(), folder(), options);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, Code::cancelled);
    EXPECT_NE(stopped.error().message.find("1 of 2 beams are done"), std::string::npos)
        << stopped.error().message;
    auto const rest = batch(config(), folder());
    ASSERT_TRUE(rest) << rest.error().text();
    EXPECT_EQ(rest->before, 1);
    EXPECT_EQ(rest->marched, 1);
}

TEST_F(Batches, BelongToOneConfiguration) {
    ASSERT_TRUE(batch(config(), folder()));
    auto const other = batch(config(), folder(), {.precision = Precision::f64});
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, Code::invalid_argument);
    auto const again = batch(config(), folder(), {.precision = Precision::f64, .force = true});
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->marched, 2);
}

}  // namespace
}  // namespace sluice::proton
