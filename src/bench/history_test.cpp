// Histories: what is added is read, and what is damaged is named.
// SPDX-License-Identifier: Apache-2.0
#include "bench/history.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sluice::bench {
namespace {

HistoryRun run() {
    return {"2026-11-30T00:00:00Z",
            "0.1.0 (abc)",
            "a processor",
            0.5,
            "s",
            {{"proton", "step", false, {0.1, 0.25}, {}},
             {"slide", "a rival", true, {}, "it is not installed"}}};
}

class History : public testing::Test {
  protected:
    std::string folder;
    void SetUp() override {
        std::string name = std::filesystem::temp_directory_path() / "sluice-history-XXXXXX";
        folder = ::mkdtemp(name.data());
    }
    void TearDown() override { std::filesystem::remove_all(folder); }
};

TEST_F(History, KeepsRuns) {
    std::string const path = folder + "/h.jsonl";
    EXPECT_TRUE(load_history(path)->empty());
    ASSERT_TRUE(add_to_history(path, run()));
    HistoryRun second = run();
    second.version = "0.2.0";
    ASSERT_TRUE(add_to_history(path, second));
    auto const all = load_history(path).value();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0], run());
    EXPECT_EQ(all[1], second);
}

TEST_F(History, NamesTheDamagedLineAndKeepsTheFile) {
    std::string const path = folder + "/h.jsonl";
    ASSERT_TRUE(add_to_history(path, run()));
    std::ofstream(path, std::ios::app) << "{\"time\": 3}\n";
    auto const size = std::filesystem::file_size(path);
    auto const all = load_history(path);
    ASSERT_FALSE(all);
    EXPECT_NE(all.error().text().find("line 2"), std::string::npos) << all.error().text();
    EXPECT_FALSE(add_to_history(path, run()));
    EXPECT_EQ(std::filesystem::file_size(path), size);
}

TEST_F(History, RefusesWhatIsNoRun) {
    std::string const good = line_of(run());
    ASSERT_TRUE(parse_line(good));
    for (std::size_t n = 0; n < good.size(); ++n) EXPECT_FALSE(parse_line(good.substr(0, n))) << n;
    for (char const* const bad :
         {"", "[]", "3", "{}",
          R"({"time":"","sluice":"","processor":"","load_before":0,"session":"","rows":3})",
          R"({"time":"","sluice":"","processor":"","load_before":0,"session":"","rows":[3]})",
          R"({"time":"","sluice":"","processor":"","load_before":"x","session":"","rows":[]})"})
        EXPECT_FALSE(parse_line(bad)) << bad;
    std::string negative = good;
    negative.replace(negative.find("0.25"), 4, "-0.2");
    EXPECT_FALSE(parse_line(negative));
}

}  // namespace
}  // namespace sluice::bench
