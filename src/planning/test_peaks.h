// The peaks of plans and of work, each in a process of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <functional>
#include <string>

#include "sluice/plan.h"

namespace sluice::planning {

/// Work in a child: its exit code is 0 where it succeeds. Only children start threads, so that each
/// can. The most memory that it had, in bytes.
std::uint64_t in_child(std::function<bool()> const& work);
/// A plan of a child: the peak that it tells.
std::uint64_t planned(std::function<Result<WorkPlan>()> const& plan);

class PeakTest : public testing::Test {
  protected:
    std::filesystem::path folder;
    void SetUp() override;
    void TearDown() override { std::filesystem::remove_all(folder); }

    /// A simulated scan as an ARINA writes it.
    std::string make(std::array<index, 2> scan, std::array<index, 2> detector, double dose);
    /// Within 10 %.
    void expect_near(std::string const& what, std::uint64_t plan, std::uint64_t run);
};

}  // namespace sluice::planning
