// Tests of save_npy: the bytes, and how it fails.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "save/folder_test.h"
#include "sluice/save.h"

namespace sluice::save {
namespace {

template <class T>
std::string saved(Array<T> const& array) {
    TestFolder const folder;
    Status const status = save_npy(folder.file("a.npy"), array);
    EXPECT_TRUE(status);
    auto const bytes = read_file(folder.file("a.npy"), 1 << 20).value();
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

/// The header's dictionary, after checking the rest of the header.
template <class T>
std::string dictionary(std::vector<index> const& shape) {
    std::string const bytes = saved(Array<T>::zeros(shape));
    EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    std::size_t const length =
        static_cast<std::uint8_t>(bytes[8]) + 256u * static_cast<std::uint8_t>(bytes[9]);
    EXPECT_EQ((length + 10) % 64, 0u);
    EXPECT_EQ(bytes[length + 9], '\n');
    index n = sizeof(T);
    for (index e : shape) n *= e;
    EXPECT_EQ(bytes.size(), length + 10 + static_cast<std::size_t>(n));
    return bytes.substr(10, bytes.find('}') - 9);
}

TEST(Npy, BytesAreExact) {
    std::string const bytes = saved(Array<std::uint16_t>{{2, 3}, {1, 2, 3, 4, 5, 0x1234}});
    std::string want("\x93NUMPY\x01\x00\x76\x00", 10);
    want += "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3), }";
    want += std::string(128 - 1 - want.size(), ' ') + '\n';
    want += std::string("\x01\0\x02\0\x03\0\x04\0\x05\0\x34\x12", 12);
    EXPECT_EQ(bytes, want);
}

TEST(Npy, EveryTypeAndShape) {
    EXPECT_EQ(dictionary<std::uint8_t>({5}),
              "{'descr': '|u1', 'fortran_order': False, 'shape': (5,), }");
    EXPECT_EQ(dictionary<std::uint32_t>({}),
              "{'descr': '<u4', 'fortran_order': False, 'shape': (), }");
    EXPECT_EQ(dictionary<std::uint64_t>({1, 1, 2}),
              "{'descr': '<u8', 'fortran_order': False, 'shape': (1, 1, 2), }");
    EXPECT_EQ(dictionary<std::int64_t>({0, 7}),
              "{'descr': '<i8', 'fortran_order': False, 'shape': (0, 7), }");
    EXPECT_EQ(dictionary<float>({2, 2}),
              "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }");
    EXPECT_EQ(dictionary<double>({3}), "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }");
    // A header that fills its last block completely and one that just does not.
    for (std::size_t rank = 1; rank < 40; ++rank)
        dictionary<std::uint8_t>(std::vector<index>(rank, 1));
}

TEST(Npy, FailuresAreClean) {
    expect_clean_failures(
        [](std::string const& path) { return save_npy(path, Array<double>::zeros({100})); });
}

TEST(Npy, AShapeThatDoesNotFitTheValuesIsABrokenContract) {
    EXPECT_DEATH((void)save_npy("unused.npy", Array<float>{{2, 2}, {1, 2, 3}}), "broken contract");
}

}  // namespace
}  // namespace sluice::save
