// What files say of the order of their axes.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/axis_words.h"

#include <gtest/gtest.h>

#include "format/hdf5/hdf5.h"
#include "format/hdf5/test_files.h"

namespace sluice::hdf5 {
namespace {

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
        auto const d = open(detector_first(ways[i]), {.format = Hdf5Options{"/entry/d"}});
        ASSERT_TRUE(d) << i << d.error().text();
        EXPECT_EQ(d->scan, (std::array<index, 2>{5, 6})) << i;
        EXPECT_EQ(d->rows, 3) << i;
        EXPECT_TRUE(test::noted(*d, "as the file names them")) << i;
    }
}

// Words beside a dataset count through links, too, also through those to another file.
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
        auto const a = open(opened, {.format = Hdf5Options{"/to_a"}});
        ASSERT_TRUE(a) << a.error().text();
        EXPECT_EQ(a->scan, (std::array<index, 2>{4, 9})) << external;
        auto const b = open(opened, {.format = Hdf5Options{"/to_b"}});
        ASSERT_TRUE(b) << b.error().text();
        EXPECT_EQ(b->scan, (std::array<index, 2>{5, 6})) << external;
    }
}

/// A text without a terminator, as h5py writes attributes.
void put_text(hid_t object, char const* name, std::string const& text) {
    Handle const space(H5Screate(H5S_SCALAR), H5Sclose);
    Handle const type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.id(), text.size() + 1);
    Handle const a(H5Acreate2(object, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
                   H5Aclose);
    EXPECT_GE(H5Awrite(a.id(), type.id(), text.c_str()), 0);
}

/// A stack of images as emdfile has it: the places of its last axis have names.
std::string stack_file(std::vector<hsize_t> const& extent, char const* labels,
                       char const* python_class) {
    std::string const path = test::fresh_folder() + "/x.h5";
    Handle const file = test::create_file(path);
    Handle const d = test::make_dataset(file.id(), "/root/st/data", {.extent = extent});
    index pixels = 1;
    for (hsize_t n : extent) pixels *= static_cast<index>(n);
    test::write_all(d, H5T_NATIVE_UINT16, test::frames<std::uint16_t>(1, pixels));
    for (std::size_t i = 0; i < extent.size(); ++i) {
        std::string const dim = "/root/st/dim" + std::to_string(i);
        bool const last = i + 1 == extent.size();
        if (last && labels) {
            test::put_texts(file.id(), dim, {"bf", "adf"});
        } else {
            test::put_number(file.id(), dim, 1);
        }
        LibraryLock lock;
        Handle const axis(H5Dopen2(file.id(), dim.c_str(), H5P_DEFAULT), H5Dclose);
        put_text(axis.id(), "name", last && labels ? labels : "dim" + std::to_string(i));
    }
    LibraryLock lock;
    Handle const group(H5Gopen2(file.id(), "/root/st", H5P_DEFAULT), H5Gclose);
    put_text(group.id(), "python_class", python_class);
    return path;
}

TEST(AxisWords, AStackOfImagesIsNoScan) {
    for (auto const& [labels, python_class] :
         {std::pair{"_labels_", "Array"}, std::pair{"slices", "Array"},
          std::pair<char const*, char const*>{nullptr, "RealSlice"}}) {
        std::string const path = stack_file({6, 5, 4}, labels, python_class);
        auto const d = open(path, {});
        ASSERT_FALSE(d) << python_class;
        std::string const text = d.error().text();
        EXPECT_TRUE(test::contains(text, "of shape 6x5x4 is a stack of 4 images")) << text;
        EXPECT_TRUE(test::contains(text, labels ? labels : "its dimension 2")) << text;
        auto const read =
            open(path, {.scan_shape = {{2, 2}}, .axis_order = "detector_row,detector_column,scan"});
        ASSERT_TRUE(read) << read.error().text();
        EXPECT_EQ(read->rows, 6);
        EXPECT_EQ(read->frames, 4);
    }
    EXPECT_FALSE(open(stack_file({3, 4, 6, 2}, "_labels_", "Array"), {}));
    EXPECT_TRUE(open(stack_file({4, 5, 6}, nullptr, "Array"), {}));
    EXPECT_TRUE(open(stack_file({2, 3, 5, 6}, nullptr, "DataCube"), {}));
}

void put_flag(hid_t object, char const* name, bool value) {
    Handle const type(H5Tenum_create(H5T_STD_I8LE), H5Tclose);
    std::int8_t const no = 0, yes = 1;
    H5Tenum_insert(type.id(), "FALSE", &no);
    H5Tenum_insert(type.id(), "TRUE", &yes);
    Handle const space(H5Screate(H5S_SCALAR), H5Sclose);
    Handle const a(H5Acreate2(object, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
                   H5Aclose);
    EXPECT_GE(H5Awrite(a.id(), type.id(), value ? &yes : &no), 0);
}

/// As HyperSpy stores a signal: a group for each dimension beside the data.
std::string hyperspy_file(std::vector<std::array<std::string, 2>> const& axes, unsigned navigated) {
    std::string const path = test::fresh_folder() + "/x.hspy";
    Handle const file = test::create_file(path);
    std::vector<hsize_t> const extent{3, 4, 5, 6};
    test::write_all(test::make_dataset(file.id(), "/Experiments/t/data", {.extent = extent}),
                    H5T_NATIVE_UINT16, test::frames<std::uint16_t>(12, 30));
    LibraryLock lock;
    for (unsigned i = 0; i < 4; ++i) {
        std::string const at = "/Experiments/t/axis-" + std::to_string(i);
        Handle const axis(H5Gcreate2(file.id(), at.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                          H5Gclose);
        put_text(axis.id(), "name", axes[i][0]);
        put_text(axis.id(), "units", axes[i][1]);
        put_flag(axis.id(), "navigate", i < navigated);
    }
    return path;
}

TEST(AxisWords, HyperSpysAxesAreRead) {
    auto const turned =
        open(hyperspy_file({{"ky", "1/nm"}, {"kx", "1/nm"}, {"y", "nm"}, {"x", "nm"}}, 2), {});
    ASSERT_TRUE(turned) << turned.error().text();
    EXPECT_EQ(turned->scan, (std::array<index, 2>{5, 6}));
    EXPECT_EQ(turned->rows, 3);
    EXPECT_TRUE(test::noted(*turned, "as the file names them: \"ky\" in 1/nm (navigation)"));
    auto const usual =
        open(hyperspy_file(
                 {{"y", "nm"}, {"x", "nm"}, {"<undefined>", "<undefined>"}, {"_None_", ""}}, 2),
             {});
    ASSERT_TRUE(usual) << usual.error().text();
    EXPECT_EQ(usual->scan, (std::array<index, 2>{3, 4}));
    // The units of one side are missing, and those of the other contradict the flags.
    auto const half = open(
        hyperspy_file({{"ky", "1/nm"}, {"kx", "1/nm"}, {"y", "<undefined>"}, {"x", ""}}, 2), {});
    ASSERT_FALSE(half);
    EXPECT_TRUE(
        test::contains(half.error().text(), "--axis-order detector_row,detector_column,scan_row"));
    auto const spectra =
        open(hyperspy_file({{"t", "s"}, {"y", "nm"}, {"x", "nm"}, {"Energy", "eV"}}, 3), {});
    ASSERT_FALSE(spectra);
}

/// The pattern behind a block of 512 bytes that begins with a text.
std::string file_with_block(std::string const& name, std::string const& text) {
    std::string const path = test::fresh_folder() + "/" + name;
    {
        Handle const file = test::create_file(path, false, 512);
        test::write_all(test::make_dataset(file.id(), "/d", {.extent = {2, 3, 4, 5}}),
                        H5T_NATIVE_UINT16, test::frames<std::uint16_t>(6, 20));
    }
    std::fstream(path, std::ios::binary | std::ios::in | std::ios::out) << text;
    return path;
}

TEST(AxisWords, ProgramsThatStoreColumnsAreKnownAlsoByTheirFiles) {
    for (auto const& [name, text, program] :
         {std::array{"a.mat", "MATLAB 7.3 MAT-file, Platform: GLNXA64", "MATLAB"},
          std::array{"a.h5", "MATLAB 7.3 MAT-file", "MATLAB"},
          std::array{"a.jld2", "HDF5-based Julia Data Format, version 0.1.1", "Julia"},
          std::array{"a.MAT", "", "MATLAB"}}) {
        std::string const path = file_with_block(name, text);
        auto const d = open(path, {});
        ASSERT_FALSE(d) << name;
        EXPECT_TRUE(test::contains(d.error().text(), std::string("an array of ") + program))
            << d.error().text();
        auto const read = open(path, {.axis_order = "sc,sr,dc,dr"});
        ASSERT_TRUE(read) << read.error().text();
        EXPECT_EQ(read->scan, (std::array<index, 2>{3, 2}));
    }
    EXPECT_TRUE(open(file_with_block("a.h5", "notes of a person"), {}));
    for (char const* const mark : {"OCTAVE_NEW_FORMAT", "MATLAB_class"}) {
        std::string const path = test::fresh_folder() + "/x.h5";
        Handle const file = test::create_file(path);
        Handle const d = test::make_dataset(file.id(), "/cube/value", {.extent = {2, 3, 4, 5}});
        test::write_all(d, H5T_NATIVE_UINT16, test::frames<std::uint16_t>(6, 20));
        Handle const group(H5Gopen2(file.id(), "/cube", H5P_DEFAULT), H5Gclose);
        put_text(mark[0] == 'O' ? group.id() : d.id(), mark, "x");
        EXPECT_FALSE(open(path, {})) << mark;
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
