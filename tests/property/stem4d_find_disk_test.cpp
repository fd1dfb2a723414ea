// The disk is the same for all who measure a scan.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "property/stem4d_test.h"

namespace sluice::stem4d {
namespace {

// Overview, virtual images and the viewer: in memory, from the files, and as a coarse subset.
TEST(FindDisk, IsTheSameForAllWhoMeasureAScan) {
    index const rows = 70, cols = 90;
    Counts c{rows, cols, 20, 20, std::vector<double>(static_cast<std::size_t>(rows * cols * 400))};
    std::mt19937 random(36);
    for (index f = 0; f < c.frames(); ++f) {
        double const at = 8 + 4 * static_cast<double>(f % cols) / static_cast<double>(cols);
        for (index r = 0; r < 20; ++r)
            for (index k = 0; k < 20; ++k)
                if (std::hypot(static_cast<double>(r) - 9.4, static_cast<double>(k) - at) <= 4.3)
                    c.at(f, r, k) = static_cast<double>(random() % 8);
    }
    for (DType const dtype : {DType::u16, DType::f32}) {
        Dataset const dataset = make_dataset(c, dtype, Encoding::values);
        index const step = disk_sample_step({rows, cols});
        EXPECT_EQ(step, 2);
        LoadOptions streamed, subset;
        streamed.residency = Residency::stream;
        subset.scan_step = step;
        Disk const first = find_disk(loaded(dataset)).value();
        for (Disk const& disk :
             {find_disk(loaded(dataset, streamed)).value(),
              find_disk_of_sample(loaded(dataset, subset)).value(),
              find_disk(loaded(dataset), Device::reference()).value(),
              virtual_image(loaded(dataset), detectors({"adf"})).value().disk.value(),
              center_of_mass(loaded(dataset, streamed), detectors({"bf"})[0])
                  .value()
                  .disk.value()}) {
            EXPECT_EQ(disk.center.row, first.center.row);
            EXPECT_EQ(disk.center.col, first.center.col);
            EXPECT_EQ(disk.radius, first.radius);
            EXPECT_EQ(disk.quality, first.quality);
        }
    }
}

TEST(FindDisk, OfAScanSaysWhichFileHasNone) {
    Counts c{3, 4, 24, 24, std::vector<double>(std::size_t{12} * 24 * 24, 3)};
    auto const disk = find_disk(loaded(c));
    ASSERT_FALSE(disk);
    EXPECT_EQ(disk.error().code, Code::not_found);
    EXPECT_EQ(disk.error().file, "memory");
}

// The frames it looks at must not all come from one side of the scan.
TEST(FindDisk, LooksAtTheWholeScan) {
    index const rows = 256, cols = 16;
    Counts c{rows, cols, 32, 32, std::vector<double>(static_cast<std::size_t>(rows * cols * 1024))};
    for (index f = 0; f < c.frames(); ++f) {
        // The beam moves with the column from detector column 13 to 19.
        double const at = 13 + 6 * static_cast<double>(f % cols) / static_cast<double>(cols - 1);
        for (index r = 0; r < 32; ++r)
            for (index k = 0; k < 32; ++k)
                c.at(f, r, k) =
                    std::hypot(static_cast<double>(r) - 16, static_cast<double>(k) - at) <= 9 ? 50
                                                                                              : 0;
    }
    auto const disk = find_disk(loaded(c));
    ASSERT_TRUE(disk) << disk.error().text();
    EXPECT_NEAR(disk->center.row, 16, 0.2);
    EXPECT_NEAR(disk->center.col, 16, 1);
}

}  // namespace
}  // namespace sluice::stem4d
