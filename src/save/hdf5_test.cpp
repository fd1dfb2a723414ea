// Tests of save_hdf5: read back with the library, and how it fails.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <hdf5.h>

#include "save/folder_test.h"
#include "sluice/save.h"

namespace sluice::save {
namespace {

class Reader {
  public:
    explicit Reader(std::string const& path)
        : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {}
    Reader(Reader const&) = delete;
    Reader& operator=(Reader const&) = delete;
    ~Reader() { H5Fclose(file_); }

    std::string text(std::string const& object, std::string const& name) const {
        hid_t const a =
            H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        if (a < 0) return "no such attribute";
        hid_t const type = H5Aget_type(a);
        EXPECT_EQ(H5Tget_cset(type), H5T_CSET_UTF8);
        char* value = nullptr;
        H5Aread(a, type, &value);
        std::string const out = value;
        H5free_memory(value);
        H5Tclose(type);
        H5Aclose(a);
        return out;
    }

    template <class T>
    Array<T> array(std::string const& name, hid_t type) const {
        Array<T> out;
        hid_t const d = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
        if (d < 0) return out;
        hid_t const space = H5Dget_space(d), stored = H5Dget_type(d);
        EXPECT_TRUE(H5Tequal(stored, type));
        std::vector<hsize_t> extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
        H5Sget_simple_extent_dims(space, extents.data(), nullptr);
        out = Array<T>::zeros({extents.begin(), extents.end()});
        if (out.size() > 0) H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.values.data());
        H5Tclose(stored);
        H5Sclose(space);
        H5Dclose(d);
        return out;
    }

  private:
    hid_t file_;
};

TEST(Hdf5, ReadsBack) {
    TestFolder const folder;
    Array<float> const haadf{{2, 3}, {1, 2, 3, 4, 5, 6.5f}};
    Array<double> const row{{4}, {0.1, -0.2, 1e300, 0}};
    Array<std::uint64_t> const sum{{2, 1, 2}, {1, ~std::uint64_t{0}, 3, 4}};
    Array<float> const empty{{0, 5}, {}}, scalar{{}, {7}};
    std::string const long_text(100'000, 'x');
    Status const status = save_hdf5(
        folder.file("a.h5"),
        {{"haadf", "e⁻", haadf},
         {"com/row", "mrad", row},
         {"com/sum", "", sum},
         {"empty", "", empty},
         {"scalar", "", scalar}},
        {{{"source", "/data/Å.h5"}, {"mask", "1"}, {"mask", "2"}, {"", "a"}, {"long", long_text}}});
    ASSERT_TRUE(status) << status.error().text();
    Reader const file(folder.file("a.h5"));
    EXPECT_EQ(file.array<float>("/haadf", H5T_NATIVE_FLOAT).values, haadf.values);
    EXPECT_EQ(file.array<float>("/haadf", H5T_NATIVE_FLOAT).shape, haadf.shape);
    EXPECT_EQ(file.array<double>("/com/row", H5T_NATIVE_DOUBLE).values, row.values);
    EXPECT_EQ(file.array<std::uint64_t>("/com/sum", H5T_NATIVE_UINT64).values, sum.values);
    EXPECT_EQ(file.array<std::uint64_t>("/com/sum", H5T_NATIVE_UINT64).shape, sum.shape);
    EXPECT_EQ(file.array<float>("/empty", H5T_NATIVE_FLOAT).shape, empty.shape);
    EXPECT_EQ(file.array<float>("/scalar", H5T_NATIVE_FLOAT).values, scalar.values);
    EXPECT_EQ(file.text("/haadf", "units"), "e⁻");
    EXPECT_EQ(file.text("/com/sum", "units"), "");
    EXPECT_EQ(file.text("/", "source"), "/data/Å.h5");
    EXPECT_EQ(file.text("/", "mask"), "1\n2");
    EXPECT_EQ(file.text("/", "note"), "a");
    EXPECT_EQ(file.text("/", "long"), long_text);
}

TEST(Hdf5, LargerThanOneIncrementOfMemory) {
    TestFolder const folder;
    Array<double> big = Array<double>::zeros({700, 701});
    for (std::size_t i = 0; i < big.values.size(); ++i) big.values[i] = static_cast<double>(i);
    ASSERT_TRUE(save_hdf5(folder.file("a.h5"), {{"big", "", big}, {"again", "", big}}));
    Reader const file(folder.file("a.h5"));
    EXPECT_EQ(file.array<double>("/big", H5T_NATIVE_DOUBLE).values, big.values);
    EXPECT_EQ(file.array<double>("/again", H5T_NATIVE_DOUBLE).values, big.values);
}

TEST(Hdf5, BadNamesAreRefused) {
    TestFolder const folder;
    Array<float> const one{{1}, {1}};
    for (auto const& names : std::vector<std::vector<std::string>>{
             {""}, {"/a"}, {"a/"}, {std::string("a\0b", 3)}, {"a", "a"}, {"a", "a/b"}, {"."}}) {
        std::vector<NamedArray> arrays;
        for (auto const& name : names) arrays.push_back({name, "", one});
        testing::internal::CaptureStderr();
        Status const status = save_hdf5(folder.file("a.h5"), arrays);
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
        ASSERT_FALSE(status) << names.back();
        EXPECT_EQ(status.error().code, Code::invalid_argument);
    }
    EXPECT_TRUE(folder.names().empty());
}

TEST(Hdf5, FailuresAreClean) {
    expect_clean_failures([](std::string const& path) {
        return save_hdf5(path, {{"a", "", Array<double>::zeros({100})}});
    });
}

}  // namespace
}  // namespace sluice::save
