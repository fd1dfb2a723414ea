// Counts with their nouns.
// SPDX-License-Identifier: Apache-2.0
#include "base/plural.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Plural, OneHasNoS) {
    EXPECT_EQ(plural(1, "file"), "1 file");
    EXPECT_EQ(plural(0, "file"), "0 files");
    EXPECT_EQ(plural(std::size_t{12}, "file"), "12 files");
    EXPECT_EQ(plural(-1, "file"), "-1 files");
    EXPECT_EQ(plural(1, "tile is", "tiles are"), "1 tile is");
    EXPECT_EQ(plural(2, "tile is", "tiles are"), "2 tiles are");
}

}  // namespace
}  // namespace sluice
