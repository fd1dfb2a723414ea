// Tests of save_mat: the bytes, and how it fails.
// SPDX-License-Identifier: Apache-2.0
#include "save/mat.h"

#include <gtest/gtest.h>

#include <cstring>

#include "save/folder_test.h"

namespace sluice::save {
namespace {

std::string bytes_of(std::string const& path) {
    auto const bytes = read_file(path, 1 << 20).value();
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

std::string words(std::vector<std::uint32_t> const& values) {
    return {reinterpret_cast<char const*>(values.data()), 4 * values.size()};
}

TEST(Mat, NumbersAreExact) {
    TestFolder const folder;
    ASSERT_TRUE(save_mat(folder.file("a.mat"), {"abc", mat_rows({{1, 2, 3}, {4, 5, 6}})}));
    std::string const bytes = bytes_of(folder.file("a.mat"));
    ASSERT_GT(bytes.size(), 128u);
    EXPECT_EQ(bytes.substr(0, 20), "MATLAB 5.0 MAT-file,");
    EXPECT_EQ(bytes.substr(124, 4), std::string("\x00\x01IM", 4));
    double const columns[] = {1, 4, 2, 5, 3, 6};
    EXPECT_EQ(bytes.substr(128), words({14, 104, 6, 8, 6, 0, 5, 8, 2, 3, 1, 3}) +
                                     std::string("abc\0\0\0\0\0", 8) + words({9, 48}) +
                                     std::string(reinterpret_cast<char const*>(columns), 48));
}

TEST(Mat, StructuresAreExact) {
    TestFolder const folder;
    MatStructure const one = {{"t", std::string("hi")}};
    ASSERT_TRUE(save_mat(folder.file("a.mat"), {"s", std::vector<MatStructure>{one, one}}));
    std::string const text =
        words({14, 56, 6, 8, 4, 0, 5, 8, 1, 2, 1, 0, 4, 4}) + std::string("h\0i\0\0\0\0\0", 8);
    std::string name(32, '\0');
    name[0] = 't';
    EXPECT_EQ(bytes_of(folder.file("a.mat")).substr(128),
              words({14, 224, 6, 8, 2, 0, 5, 8, 1, 2, 1, 1}) + std::string("s\0\0\0\0\0\0\0", 8) +
                  words({4u << 16 | 5u, 32, 1, 32}) + name + text + text);
}

TEST(Mat, FailuresAreClean) {
    expect_clean_failures([](std::string const& path) {
        return save_mat(path, {"a", mat_number(1)});
    });
}

TEST(Mat, FieldsThatDifferAreABrokenContract) {
    std::vector<MatStructure> const bad = {{{"a", mat_number(1)}}, {{"b", mat_number(1)}}};
    EXPECT_DEATH((void)save_mat("unused.mat", {"s", bad}), "broken contract");
    std::vector<MatStructure> const name = {{{std::string(32, 'n'), mat_number(1)}}};
    EXPECT_DEATH((void)save_mat("unused.mat", {"s", name}), "broken contract");
}

}  // namespace
}  // namespace sluice::save
