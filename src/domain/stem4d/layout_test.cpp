// Which layout a scan gets that is asked for many images.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sluice/stem4d.h"
#include "store/resident.h"

namespace sluice::stem4d {
namespace {

Scan scan(std::string const& what, bool many, std::uint64_t memory = 0) {
    LoadOptions options;
    options.many_images = many;
    options.memory = memory;
    options.device = Device::cpu(1);
    return Scan::load(open("synthetic:stem4d?" + what).value(), options).value();
}

TEST(Layout, LinesAreForManyImagesOfManyPoints) {
    EXPECT_TRUE(scan("scan=90x92&detector=24x40", true).resident_store()->is_lines());
    EXPECT_FALSE(scan("scan=90x92&detector=24x40", false).resident_store()->is_lines());
    EXPECT_FALSE(scan("scan=90x90&detector=24x40", true).resident_store()->is_lines());
}

TEST(Layout, TilesAreTakenWhereLinesDoNotFit) {
    std::string const what = "scan=90x92&detector=24x40";
    std::uint64_t const bytes = scan(what, false).memory().resident;
    // Lines are turned in as much memory again as a unit has.
    int tiles = 0, lines = 0;
    for (std::uint64_t percent = 80; percent <= 160; percent += 5) {
        std::uint64_t const memory = bytes * percent / 100;
        Scan const found = scan(what, true, memory);
        ASSERT_EQ(found.resident(), scan(what, false, memory).resident()) << percent;
        if (!found.resident()) continue;
        tiles += found.resident_store()->is_planes();
        lines += found.resident_store()->is_lines();
    }
    EXPECT_GT(tiles, 0);
    EXPECT_GT(lines, 0);
}

}  // namespace
}  // namespace sluice::stem4d
