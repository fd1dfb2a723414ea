// Volumes that are written and read again: nothing of where they lie is lost.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "sluice/load_volume.h"
#include "sluice/save.h"

namespace sluice::proton {
namespace {

namespace fs = std::filesystem;

class VolumeFiles : public testing::Test {
  protected:
    VolumeFiles()
        : folder_(fs::path(testing::TempDir()) / ("sluice_lies_" + std::to_string(getpid()))) {
        fs::create_directories(folder_);
    }
    ~VolumeFiles() override { fs::remove_all(folder_); }
    fs::path folder_;
};

TEST_F(VolumeFiles, DirectionsAreWrittenAndReadAgain) {
    constexpr double c = 0.8, s = 0.6;
    AxisDirections const all[] = {straight_axes,
                                  {{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                  {{{0, 1, 0}, {0, 0, -1}, {1, 0, 0}}},
                                  {{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}}};
    for (AxisDirections const& direction : all)
        for (char const* const name : {"a.mha", "a.nrrd"}) {
            Volume const v{{{2, 1, 2}, {1, 2, 3, 4}}, {0.5, 2, 3}, {-1, 4, 7}, direction, "a, Gy"};
            std::string const path = folder_ / name;
            ASSERT_TRUE(path.ends_with("mha") ? save_metaimage(path, v) : save_nrrd(path, v));
            Volume const again = load_volume(path).value();
            EXPECT_EQ(again.image.values, v.image.values);
            EXPECT_EQ(again.origin, v.origin);
            for (std::size_t a = 0; a < 3; ++a) {
                EXPECT_NEAR(again.spacing[a], v.spacing[a], 1e-12);
                for (std::size_t k = 0; k < 3; ++k)
                    EXPECT_NEAR(again.direction[a][k], direction[a][k], 1e-12) << name;
            }
        }
}

TEST_F(VolumeFiles, APlaneThatLiesObliquelyIsWrittenAsNrrdOnly) {
    Volume const v{{{1, 2}, {1, 2}}, {5, 1}, {}, {{{0, 0.6, 0.8}, {1, 0, 0}, {0, 0.8, -0.6}}}};
    ASSERT_TRUE(save_nrrd(folder_ / "a.nrrd", v));
    Volume const again = load_volume(folder_ / "a.nrrd").value();
    EXPECT_EQ(again.direction, v.direction);
    EXPECT_EQ(again.spacing, v.spacing);
    auto const meta = save_metaimage(folder_ / "a.mha", v);
    ASSERT_FALSE(meta);
    EXPECT_NE(meta.error().text().find("x along (0, 0.6, 0.8)"), std::string::npos);
}

}  // namespace
}  // namespace sluice::proton
