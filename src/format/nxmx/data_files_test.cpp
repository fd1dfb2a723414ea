// The data files of an acquisition: renamed, missing, strange, cut off.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/test_arina.h"

namespace sluice::nxmx {
namespace {

TEST_F(Arina, RenamedFilesAreFoundByTheMastersName) {
    write_acquisition();
    fs::rename(master, folder + "/new_master.h5");
    for (int i = 1; i <= 4; ++i)
        fs::rename(folder + "/" + data_name(i), fmt::format("{}/new_data_{:06d}.h5", folder, i));
    auto const d = nxmx::open(folder + "/new_master.h5", {});
    ASSERT_TRUE(d) << d.error().text();
    expect_pattern(*d, 36);
}

TEST_F(Arina, AllMissingFilesAreNamedAtOnce) {
    write_acquisition();
    fs::remove(folder + "/" + data_name(2));
    fs::remove(folder + "/" + data_name(4));
    auto d = nxmx::open(master, {});
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::not_found);
    EXPECT_TRUE(contains(d.error().message, "2 of 4"));
    EXPECT_TRUE(contains(d.error().message, data_name(2)));
    EXPECT_TRUE(contains(d.error().message, data_name(4)));
    // The numbers of the images say where the frames behind a hole belong.
    d = nxmx::open(master, {.allow_incomplete = true});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->missing, 16);
    EXPECT_EQ(d->missing_runs, (std::vector<FrameRun>{{10, 10}, {30, 6}}));
    auto const third = read_frames<std::uint16_t>(*d, 20, 10);
    ASSERT_TRUE(third);
    EXPECT_EQ(third->front(), pixel(20, 0));
    write_data_file(folder + "/" + data_name(2), 10, 10);
    d = nxmx::open(master, {.allow_incomplete = true});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->missing, 6);
    EXPECT_TRUE(noted(*d, data_name(4)));
    expect_pattern(*d, 30);
    auto const rest = read_frames<std::uint16_t>(*d, 28, 8);
    ASSERT_TRUE(rest);
    EXPECT_EQ(rest->back(), 0);
    for (int i = 1; i <= 3; ++i) fs::remove(folder + "/" + data_name(i));
    EXPECT_FALSE(nxmx::open(master, {.allow_incomplete = true}));
}

// Without the first file's number, the number behind a hole says nothing of its size.
TEST_F(Arina, AHoleOfUnknownSizeIsAnError) {
    write_acquisition();
    {
        LibraryLock lock;
        Handle const file(H5Fopen((folder + "/" + data_name(1)).c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                          H5Fclose);
        ASSERT_GE(H5Adelete_by_name(file.id(), "/entry/data/data", "image_nr_low", H5P_DEFAULT), 0);
    }
    EXPECT_TRUE(nxmx::open(master, {}));
    fs::remove(folder + "/" + data_name(2));
    auto const d = nxmx::open(master, {.allow_incomplete = true});
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::incomplete);
    EXPECT_TRUE(contains(d.error().message, "image_nr_low")) << d.error().text();
}

TEST_F(Arina, AFileOfAnotherAcquisitionIsNamed) {
    write_acquisition();
    write_data_file(folder + "/" + data_name(3), 20, 10, H5T_STD_U16LE, 7);
    auto d = nxmx::open(master, {});
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().file, folder + "/" + data_name(3));
    EXPECT_TRUE(contains(d.error().message, "7x8"));
    EXPECT_TRUE(contains(d.error().message, "6x8"));
    write_data_file(folder + "/" + data_name(3), 20, 10, H5T_STD_U32LE);
    d = nxmx::open(master, {});
    ASSERT_FALSE(d);
    EXPECT_TRUE(contains(d.error().message, "uint32"));
    // Right shape, wrong place.
    write_data_file(folder + "/" + data_name(3), 70, 10);
    d = nxmx::open(master, {});
    ASSERT_FALSE(d);
    EXPECT_TRUE(contains(d.error().message, "71"));
    EXPECT_TRUE(contains(d.error().message, "21"));
}

TEST_F(Arina, ATruncatedDataFileIsNamed) {
    write_acquisition();
    std::string const path = folder + "/" + data_name(2);
    fs::resize_file(path, fs::file_size(path) - 50);
    auto const d = nxmx::open(master, {});
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::truncated);
    EXPECT_EQ(d.error().file, path);
}

TEST_F(Arina, LinksAreOrderedByNumberNotByText) {
    {
        Handle const file = create_file(master);
        write_detector(file.id(), 16, 1, "exts");
        for (int i : {10, 9, 2, 1}) {
            int const at = i == 1 ? 0 : i == 2 ? 1 : i == 9 ? 2 : 3;
            write_data_file(fmt::format("{}/x{}.h5", folder, i), 4 * at, 4);
            link_data(file.id(), fmt::format("data_{}", i), fmt::format("x{}.h5", i));
        }
        link_data(file.id(), "data_note", "nothing.h5");
    }
    auto const d = nxmx::open(master, {});
    ASSERT_TRUE(d) << d.error().text();
    expect_pattern(*d, 16);
}

}  // namespace
}  // namespace sluice::nxmx
