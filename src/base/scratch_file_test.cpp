// Tests of ScratchFile: bytes come back from any place, and the folder stays empty.
// SPDX-License-Identifier: Apache-2.0
#include "base/scratch_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace sluice {
namespace {

TEST(ScratchFile, GivesBackWhatWasKept) {
    auto const folder = std::filesystem::temp_directory_path() / "sluice_scratch_file_test";
    std::filesystem::create_directories(folder);
    ScratchFile file = ScratchFile::create(folder).value();
    std::array<std::byte, 1000> bytes;
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7);
    ASSERT_TRUE(file.write(Bytes(bytes).first(300)));
    ASSERT_TRUE(file.write(Bytes(bytes).subspan(300)));
    EXPECT_EQ(file.size(), 1000u);
    std::array<std::byte, 150> some;
    for (std::size_t const at : {0, 250, 850}) {
        ASSERT_TRUE(file.read(at, some));
        EXPECT_TRUE(std::ranges::equal(some, Bytes(bytes).subspan(at, some.size()))) << at;
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    std::filesystem::remove(folder);
    EXPECT_EQ(ScratchFile::create(folder).error().file, folder.string());
}

}  // namespace
}  // namespace sluice
