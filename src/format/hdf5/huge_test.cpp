// A small file may claim any shape; none may make a product of sizes wrap around.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdio>

#include "sluice/dataset.h"

namespace sluice {
namespace {

TEST(Hdf5, AShapeThatNoMachineHoldsIsRefused) {
    std::string const path = testing::TempDir() + "sluice_huge_shape.h5";
    hid_t const file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hsize_t const shape[4] = {1 << 20, 1 << 20, 2048, 2048}, chunk[4] = {1, 1, 2048, 2048};
    hid_t const space = H5Screate_simple(4, shape, nullptr), made = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(made, 4, chunk);
    hid_t const data =
        H5Dcreate2(file, "data", H5T_IEEE_F32LE, space, H5P_DEFAULT, made, H5P_DEFAULT);
    ASSERT_GE(data, 0);
    H5Dclose(data);
    H5Pclose(made);
    H5Sclose(space);
    H5Fclose(file);
    auto const dataset = open(path);
    std::remove(path.c_str());
    ASSERT_FALSE(dataset);
    EXPECT_EQ(dataset.error().code, Code::corrupt) << dataset.error().text();
    EXPECT_NE(dataset.error().text().find("2^62"), std::string::npos) << dataset.error().text();
}

}  // namespace
}  // namespace sluice
