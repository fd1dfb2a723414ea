// Files that detectors wrote, where the environment variable SLUICE_DATA names a folder with them.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <numeric>

#include "format/hdf5/hdf5.h"
#include "format/hdf5/test_files.h"
#include "format/nxmx/nxmx.h"

namespace sluice::nxmx {
namespace {

using namespace hdf5::test;

class RealArina : public testing::Test {
  protected:
    std::string folder;

    void SetUp() override {
        char const* data = std::getenv("SLUICE_DATA");
        if (data == nullptr) GTEST_SKIP() << "SLUICE_DATA names no folder of real files";
        folder = std::string(data) + "/arina/";
    }
    template <class T>
    static std::uint64_t byte_sum(Dataset const& d) {
        auto const all = read_frames<T>(d, 0, d.frames);
        EXPECT_TRUE(all) << all.error().text();
        if (!all) return 0;
        Bytes const bytes = bytes_of(*all);
        return std::accumulate(
            bytes.begin(), bytes.end(), std::uint64_t{0},
            [](std::uint64_t s, std::byte b) { return s + std::to_integer<std::uint64_t>(b); });
    }
};

// The sums of all bytes are h5py's with hdf5plugin.
TEST_F(RealArina, SiliconBinned) {
    auto const d = nxmx::open(folder + "test_arina_master.h5", {});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->dtype, DType::u32);
    EXPECT_EQ(d->frames, 16);
    EXPECT_EQ(d->rows, 24);
    EXPECT_EQ(d->saturation, 28452u);
    EXPECT_TRUE(noted(*d, "192x192"));
    EXPECT_EQ(byte_sum<std::uint32_t>(*d), 38146u);
}

TEST_F(RealArina, OneFrameFiles) {
    auto const d = nxmx::open(folder + "fixture_master.h5", {});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->rows, 64);
    EXPECT_EQ(d->pixel_mask.size(), 4096u);
    EXPECT_EQ(byte_sum<std::uint16_t>(*d), 518535u);
    auto const bytes = hdf5::open(folder + "fixture_u8_data_000001.h5", {});
    ASSERT_TRUE(bytes) << bytes.error().text();
    EXPECT_EQ(byte_sum<std::uint8_t>(*bytes), 294876u);
}

TEST_F(RealArina, CadmiumZincTellurideWithItsCompanion) {
    std::string const copy = fresh_folder();
    for (char const* end : {".h5", "_master.h5", "_data_000001.h5"})
        fs::copy_file(folder + "rosettasciio_test_00" + end, copy + "/test_00" + end);
    auto const d = nxmx::open(copy + "/test_00_master.h5", {});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->scan, (std::array<index, 2>{4, 4}));
    EXPECT_EQ(d->scan_from, "STEM Metadata");
    EXPECT_EQ(d->rows, 192);
    EXPECT_EQ(d->pixel_mask.size(), 36864u);
    EXPECT_TRUE(d->sentinel);
    EXPECT_EQ(d->saturation, 8352u);
    EXPECT_NEAR(d->scan_step_nm, 0.139152, 1e-6);
    EXPECT_EQ(byte_sum<std::uint32_t>(*d), 0u);
}

}  // namespace
}  // namespace sluice::nxmx
