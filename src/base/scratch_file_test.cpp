// Tests of ScratchFile: bytes come back from any place, and the folder stays empty.
// SPDX-License-Identifier: Apache-2.0
#include "base/scratch_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <vector>

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

TEST(ScratchFile, ReadsFromTheDiskWhatTheCacheHas) {
    ScratchFile file = ScratchFile::create(std::filesystem::temp_directory_path()).value();
    constexpr std::size_t unit = ScratchFile::direct_unit;
    std::vector<std::byte> bytes(3 * unit);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 >> 3);
    ASSERT_TRUE(file.write(bytes));
    ASSERT_TRUE(file.flush());
    struct alignas(unit) Page {
        std::byte bytes[unit];
    };
    auto const page = std::make_unique<Page>();
    for (std::size_t const at : {2 * unit, std::size_t{0}}) {
        Status const read = file.read_past_cache(at, page->bytes);
        if (!read) GTEST_SKIP() << read.error().text();  // tmpfs of older kernels
        EXPECT_TRUE(std::ranges::equal(page->bytes, Bytes(bytes).subspan(at, unit))) << at;
    }
}

}  // namespace
}  // namespace sluice
