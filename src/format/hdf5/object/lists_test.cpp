// Lists of compounds: what libhdf5 wrote is read, and files that lie are refused.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/lists.h"

#include <random>

#include "format/hdf5/object/test_master.h"
#include "format/hdf5/object/test_walk.h"

namespace sluice::hdf5::object {
namespace {

using namespace test;

struct Point {
    double x;
    float y;
    std::int16_t n;
};

/// Lists of 0, 1, 2, ... points in a dataset of rows x cols.
class ListFile {
  public:
    ListFile(std::string const& path, Writing const& w, hsize_t rows, hsize_t cols,
             hid_t member = H5T_IEEE_F64LE) {
        Master file(path, w);
        Handle const point(H5Tcreate(H5T_COMPOUND, sizeof(Point)), H5Tclose);
        H5Tinsert(point.id(), "x", HOFFSET(Point, x), member);
        H5Tinsert(point.id(), "a longer name", HOFFSET(Point, y), H5T_IEEE_F32LE);
        H5Tinsert(point.id(), "n", HOFFSET(Point, n), H5T_STD_I16LE);
        Handle const list(H5Tvlen_create(point.id()), H5Tclose);
        hsize_t const sides[] = {rows, cols};
        Handle const space(H5Screate_simple(2, sides, nullptr), H5Sclose);
        Handle const data(H5Dcreate2(file.id(), "data", list.id(), space.id(), H5P_DEFAULT,
                                     H5P_DEFAULT, H5P_DEFAULT),
                          H5Dclose);
        std::vector<std::vector<Point>> points(rows * cols);
        std::vector<hvl_t> cells;
        for (std::size_t i = 0; i < points.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k)
                points[i].push_back({static_cast<double>(i), static_cast<float>(k), -3});
            cells.push_back({i, points[i].data()});
        }
        H5Dwrite(data.id(), list.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, cells.data());
    }
};

Result<Lists> lists_of(std::string const& path) {
    SLUICE_TRY(Object const root, Object::open_file(path));
    SLUICE_TRY(auto const data, root.find("data"));
    return Lists::open(*data);
}

class ListsOf : public testing::TestWithParam<Writing> {};

TEST_P(ListsOf, PointsOfAnyNumber) {
    std::string const path = fresh_folder() + "/x.h5";
    ListFile(path, GetParam(), 4, 25);
    auto const lists = lists_of(path);
    ASSERT_TRUE(lists) << lists.error().text();
    EXPECT_EQ(lists->extent(), (std::vector<std::uint64_t>{4, 25}));
    EXPECT_EQ(lists->total(), 99u * 100 / 2);
    Compound const& c = lists->compound();
    ASSERT_EQ(c.members.size(), 3u);
    EXPECT_EQ(c.find("nothing"), nullptr);
    ASSERT_NE(c.find("a longer name"), nullptr);
    std::vector<int> seen(100, 0);
    auto const done = lists->read([&](std::uint64_t list, Bytes entries) {
        ++seen[list];
        ASSERT_EQ(entries.size(), list * c.size);
        for (std::size_t k = 0; k < list; ++k) {
            std::byte const* const p = entries.data() + k * c.size;
            auto const value = [&](char const* name) {
                return number_of(c.find(name)->type, p + c.find(name)->offset);
            };
            ASSERT_EQ(value("x"), static_cast<double>(list));
            ASSERT_EQ(value("a longer name"), static_cast<double>(k));
            ASSERT_EQ(value("n"), -3);
        }
    });
    ASSERT_TRUE(done) << done.error().text();
    EXPECT_EQ(seen[0], 0);
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), 99);
}

TEST_P(ListsOf, DamageEndsInAValueOrAnError) {
    std::string const path = fresh_folder() + "/x.h5";
    ListFile(path, GetParam(), 3, 4);
    auto const good = slurp(path);
    std::mt19937_64 random(3);
    std::size_t errors = 0;
    for (int i = 0; i < 1500; ++i) {
        auto bad = good;
        bad[random() % bad.size()] ^= static_cast<std::byte>(1u << random() % 8);
        if (i % 4 == 0)
            std::fill_n(bad.begin() + static_cast<long>(random() % (bad.size() - 8)), 8,
                        std::byte(0xff));
        errors += read_lists_of(bad, i % 2 == 0 ? Sums::ignore : Sums::compare);
    }
    EXPECT_GT(errors, 100u);
}

INSTANTIATE_TEST_SUITE_P(
    Object, ListsOf,
    testing::Values(Writing{"earliest", H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST},
                    Writing{"v18", H5F_LIBVER_V18, H5F_LIBVER_V18},
                    Writing{"latest", H5F_LIBVER_LATEST, H5F_LIBVER_LATEST},
                    Writing{"shared_v110", H5F_LIBVER_V110, H5F_LIBVER_V110, 512, true, 4}),
    [](auto const& info) { return std::string(info.param.name); });

TEST(Lists, OfOtherThingsAreRefused) {
    std::string const path = fresh_folder() + "/x.h5";
    Writing const usual{"earliest", H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST};
    ListFile(path, usual, 1, 1, H5T_C_S1);
    auto const text = lists_of(path);
    ASSERT_FALSE(text);
    EXPECT_TRUE(contains(text.error().message, "its member x is no number")) << text.error().text();
    {
        Master file(path, usual);
        hsize_t const n = 3;
        Handle const space(H5Screate_simple(1, &n, nullptr), H5Sclose);
        Handle const data(H5Dcreate2(file.id(), "data", H5T_IEEE_F64LE, space.id(), H5P_DEFAULT,
                                     H5P_DEFAULT, H5P_DEFAULT),
                          H5Dclose);
    }
    auto const numbers = lists_of(path);
    ASSERT_FALSE(numbers);
    EXPECT_TRUE(contains(numbers.error().message, "no lists")) << numbers.error().text();
}

// Every list says that it lies where the longest one does.
TEST(Lists, ThatShareTheirPlacesAreRefused) {
    std::string const path = fresh_folder() + "/x.h5";
    ListFile(path, {"earliest", H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST}, 20, 25);
    auto bytes = slurp(path);
    auto const root = Object::open_file(path);
    auto const data = root->find("data").value();
    std::size_t const at = dataset_info(*data)->layout.address, size = 16, last = 499;
    for (std::size_t i = 0; i < last; ++i)
        std::copy_n(bytes.begin() + static_cast<long>(at + last * size), size,
                    bytes.begin() + static_cast<long>(at + i * size));
    EXPECT_EQ(read_lists_of(bytes, Sums::compare), 1u);
}

}  // namespace
}  // namespace sluice::hdf5::object
