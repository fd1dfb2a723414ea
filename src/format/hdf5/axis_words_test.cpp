// What files say of the order of their axes.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/axis_words.h"

#include <gtest/gtest.h>

#include "format/hdf5/hdf5.h"
#include "format/hdf5/test_files.h"

namespace sluice::hdf5 {
namespace {

using boxes::FrameAxes;

TEST(AxisWords, HyperSpysReversedOrderIsRead) {
    auto const a =
        axes_named({{"kx", "[1_/_n_m]"}, {"ky", "[1_/_n_m]"}, {"x", "[n_m]"}, {"y", "[n_m]"}});
    ASSERT_TRUE(a) << a.error().message;
    EXPECT_EQ(*a, (FrameAxes{{3, 2}, 1, 0}));
}

TEST(AxisWords, TheUsualOrderStaysWhateverItsNames) {
    for (auto const& words :
         {std::vector<AxisWords>{{"R_x", "nm"}, {"R_y", "nm"}, {"Q_x", "A^-1"}, {"Q_y", "A^-1"}},
          std::vector<AxisWords>{{"x", "nm"}, {"y", "nm"}, {"", "mrad"}, {"", ""}},
          std::vector<AxisWords>{{"", ""}, {"", ""}, {"", ""}, {"", ""}},
          std::vector<AxisWords>{{"x", "nm"}, {"ky", "1/nm"}, {"kx", "1/nm"}},
          std::vector<AxisWords>{{"", ""}, {"", ""}, {"", ""}}, std::vector<AxisWords>{}}) {
        auto const a = axes_named(words);
        ASSERT_TRUE(a) << a.error().message;
        EXPECT_FALSE(*a);
    }
}

TEST(AxisWords, AnOrderThatIsHalfNamedIsAnError) {
    for (auto const& words :
         {std::vector<AxisWords>{{"", "1/nm"}, {"", "1/nm"}, {"", "nm"}, {"", "nm"}},
          std::vector<AxisWords>{{"kx", ""}, {"ky", ""}, {"", ""}, {"", ""}},
          std::vector<AxisWords>{{"x", "nm"}, {"kx", "mrad"}, {"y", "nm"}, {"k", "mrad"}}}) {
        auto const a = axes_named(words);
        ASSERT_FALSE(a);
        EXPECT_TRUE(test::contains(a.error().message, "--axis-order"));
    }
}

TEST(AxisWords, RowsAndColumnsAreMeantAlsoInTheUsualOrder) {
    auto const turned = axes_named(
        {{"scan_column", ""}, {"scan_row", ""}, {"detector_column", ""}, {"detector_row", ""}});
    ASSERT_TRUE(turned);
    EXPECT_EQ(*turned, (FrameAxes{{1, 0}, 3, 2}));
    auto const detector = axes_named({{"x", "nm"}, {"y", "nm"}, {"det col", ""}, {"det row", ""}});
    ASSERT_TRUE(detector);
    EXPECT_EQ(*detector, (FrameAxes{{0, 1}, 3, 2}));
    auto const usual = axes_named(
        {{"scan_row", ""}, {"scan_column", ""}, {"detector_row", ""}, {"detector_column", ""}});
    EXPECT_TRUE(usual && !*usual);
}

TEST(AxisWords, FramesMayComeLast) {
    auto const a = axes_named({{"kx", "1/nm"}, {"ky", "1/nm"}, {"x", "nm"}});
    ASSERT_TRUE(a) << a.error().message;
    EXPECT_EQ(*a, (FrameAxes{{2}, 1, 0}));
    auto const half = axes_named({{"", "1/nm"}, {"", "1/nm"}, {"x", "nm"}});
    ASSERT_FALSE(half);
    EXPECT_TRUE(test::contains(half.error().message, "detector_column,detector_row,scan,") ||
                half.error().message.ends_with("detector_column,detector_row,scan"));
}

void put_text_attribute(hid_t object, char const* name, std::vector<char const*> const& texts) {
    hsize_t const n = texts.size();
    Handle const space(H5Screate_simple(1, &n, nullptr), H5Sclose);
    Handle const type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.id(), H5T_VARIABLE);
    Handle const a(H5Acreate2(object, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
                   H5Aclose);
    EXPECT_GE(H5Awrite(a.id(), type.id(), texts.data()), 0);
}

/// A 4-D dataset with the detector first, of which `name` says so; its path.
std::string detector_first(void (*name)(hid_t file, hid_t data)) {
    std::string const path = test::fresh_folder() + "/x.h5";
    Handle const file = test::create_file(path);
    Handle const d = test::make_dataset(file.id(), "/entry/d", {.extent = {3, 4, 5, 6}});
    test::write_all(d, H5T_NATIVE_UINT16, test::frames<std::uint16_t>(12, 30));
    LibraryLock lock;
    name(file.id(), d.id());
    return path;
}

TEST(AxisWords, EveryWayToNameAxesIsRead) {
    void (*const ways[])(hid_t, hid_t) = {
        [](hid_t, hid_t d) {
            char const* const labels[] = {"detector_y", "detector_x", "scan_y", "scan_x"};
            put_text_attribute(d, "DIMENSION_LABELS", {labels[0], labels[1], labels[2], labels[3]});
        },
        [](hid_t file, hid_t d) {
            char const* const names[] = {"ky", "kx", "y", "x"};
            hobj_ref_t references[4];
            hvl_t lists[4];
            for (unsigned i = 0; i < 4; ++i) {
                std::string const at = std::string("/entry/") + names[i];
                Handle const scale = test::make_dataset(file, at, {.extent = {3 + i}});
                put_text_attribute(scale.id(), "NAME", {names[i]});
                put_text_attribute(scale.id(), "units", {i < 2 ? "1/nm" : "nm"});
                EXPECT_GE(H5Rcreate(&references[i], file, at.c_str(), H5R_OBJECT, -1), 0);
                lists[i] = {1, &references[i]};
            }
            hsize_t const n = 4;
            Handle const space(H5Screate_simple(1, &n, nullptr), H5Sclose);
            Handle const type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose);
            Handle const a(
                H5Acreate2(d, "DIMENSION_LIST", type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
                H5Aclose);
            EXPECT_GE(H5Awrite(a.id(), type.id(), lists), 0);
        },
        [](hid_t file, hid_t) {
            Handle const group(H5Gopen2(file, "/entry", H5P_DEFAULT), H5Gclose);
            put_text_attribute(group.id(), "axes", {"det_y:det_x:scan_y:scan_x"});
        },
        [](hid_t file, hid_t) {
            char const* const names[] = {"qv_y", "qv_x", "y", "x"};
            for (unsigned i = 0; i < 4; ++i) {
                Handle const axis = test::make_dataset(file, std::string("/entry/") + names[i],
                                                       {.extent = {3 + i}});
                put_text_attribute(axis.id(), "units", {i < 2 ? "1/nm" : "nm"});
            }
            Handle const group(H5Gopen2(file, "/entry", H5P_DEFAULT), H5Gclose);
            put_text_attribute(group.id(), "axes", {names[0], names[1], names[2], names[3]});
        },
    };
    for (std::size_t i = 0; i < std::size(ways); ++i) {
        auto const d = open(detector_first(ways[i]), {.dataset = "/entry/d"});
        ASSERT_TRUE(d) << i << d.error().text();
        EXPECT_EQ(d->scan, (std::array<index, 2>{5, 6})) << i;
        EXPECT_EQ(d->rows, 3) << i;
        EXPECT_TRUE(test::noted(*d, "as the file names them")) << i;
    }
}

// What is said where a dataset is counts through links, too, also those to another file.
TEST(AxisWords, LinksHideNothing) {
    for (bool external : {false, true}) {
        std::string const folder = test::fresh_folder(), path = folder + "/x.h5";
        Handle const data = test::create_file(folder + "/data.h5");
        Handle const d = test::make_dataset(data.id(), "/a/d", {.extent = {36, 4, 5}});
        test::write_all(d, H5T_NATIVE_UINT16, test::frames<std::uint16_t>(36, 20));
        test::put_attribute(d.id(), "scan_shape", {4, 9});
        Handle const e = test::make_dataset(data.id(), "/b/d", {.extent = {3, 4, 5, 6}});
        test::write_all(e, H5T_NATIVE_UINT16, test::frames<std::uint16_t>(12, 30));
        LibraryLock lock;
        Handle const group(H5Gopen2(data.id(), "/b", H5P_DEFAULT), H5Gclose);
        put_text_attribute(group.id(), "axes", {"ky", "kx", "scan_y", "scan_x"});
        Handle const file = test::create_file(path);
        for (char const* const name : {"a", "b"}) {
            std::string const target = std::string("/") + name + "/d",
                              link = std::string("to_") + name;
            if (external)
                H5Lcreate_external("data.h5", target.c_str(), file.id(), link.c_str(), H5P_DEFAULT,
                                   H5P_DEFAULT);
            else
                H5Lcreate_soft(target.c_str(), data.id(), link.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        }
        H5Fflush(data.id(), H5F_SCOPE_GLOBAL);
        H5Fflush(file.id(), H5F_SCOPE_GLOBAL);
        std::string const opened = external ? path : folder + "/data.h5";
        auto const a = open(opened, {.dataset = "/to_a"});
        ASSERT_TRUE(a) << a.error().text();
        EXPECT_EQ(a->scan, (std::array<index, 2>{4, 9})) << external;
        auto const b = open(opened, {.dataset = "/to_b"});
        ASSERT_TRUE(b) << b.error().text();
        EXPECT_EQ(b->scan, (std::array<index, 2>{5, 6})) << external;
    }
}

TEST(AxisWords, TheUserDecides) {
    std::string const path = test::fresh_folder() + "/x.h5";
    {
        Handle const file = test::create_file(path);
        test::write_all(test::make_dataset(file.id(), "/d", {.extent = {2, 3, 4, 5}}),
                        H5T_NATIVE_UINT16, test::frames<std::uint16_t>(6, 20));
    }
    auto const d = open(path, {.axis_order = "dc,dr,sc,sr"});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->rows, 3);
    EXPECT_EQ(d->cols, 2);
    EXPECT_EQ(d->scan, (std::array<index, 2>{5, 4}));
    EXPECT_TRUE(test::noted(*d, "as the user says"));
    auto const got = test::read_frames<std::uint16_t>(*d, 0, 20);
    ASSERT_TRUE(got);
    auto const all = test::frames<std::uint16_t>(6, 20);
    for (std::size_t f = 0; f < 20; ++f)
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t c = 0; c < 2; ++c) {
                std::size_t const row = f / 4, col = f % 4;
                ASSERT_EQ((*got)[f * 6 + r * 2 + c], all[((c * 3 + r) * 4 + col) * 5 + row]);
            }
    auto const wrong = open(path, {.axis_order = "dc,dr,sc"});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, Code::invalid_argument);
}

}  // namespace
}  // namespace sluice::hdf5
