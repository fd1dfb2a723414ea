// Tests of save_map: what each format keeps of a map.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "save/folder_test.h"
#include "sluice/save.h"

namespace sluice::save {
namespace {

ScanMap strain() {
    ScanMap map = make_map("strain", "%", {{2, 3}, {1, 2, 3, 4, 5, NAN}}, Missing::not_converged);
    map.error = {0.1, 0.2, 0.3, 0.4, 0.5, NAN};
    return map;
}

std::string text_of(std::string const& path) {
    auto const bytes = read_file(path, 1 << 20).value();
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

bool says(std::string const& path, std::string_view what) {
    return text_of(path).find(what) != std::string::npos;
}

TEST(ScanMap, CountsWhatIsMissing) {
    ScanMap map = strain();
    EXPECT_EQ(describe_missing(map), "1 of 6 pixels have no value: 1 not converged");
    map.reason[0] = map.reason[1] = Missing::not_measured;
    EXPECT_EQ(describe_missing(map),
              "3 of 6 pixels have no value: 2 not measured, 1 not converged");
    EXPECT_EQ(describe_missing(make_map("a", "", {{1, 2}, {1, 2}}, Missing::masked)), "");
    EXPECT_TRUE(make_map("a", "", {{1, 2}, {1, 2}}, Missing::masked).reason.empty());
}

TEST(ScanMap, NpyHasTheValuesAndTheErrorBesideThem) {
    TestFolder const folder;
    ASSERT_TRUE(save_map(folder.file("a.npy"), strain()));
    ASSERT_TRUE(save_npy(folder.file("plain.npy"), Array<double>(strain())));
    EXPECT_EQ(text_of(folder.file("a.npy")), text_of(folder.file("plain.npy")));
    double last = 0;
    std::string const error = text_of(folder.file("a_error.npy"));
    std::memcpy(&last, error.data() + error.size() - 2 * sizeof(double), sizeof(double));
    EXPECT_EQ(last, 0.5);
}

TEST(ScanMap, CountsAreWholeNumbersWhereEachPixelHasOne) {
    TestFolder const folder;
    ScanMap map{{{1, 2}, {3, 4}}, "sum", "counts"};
    map.counts = true;
    ASSERT_TRUE(save_map(folder.file("a.npy"), map));
    EXPECT_TRUE(says(folder.file("a.npy"), "<u8"));
    map.values[1] = NAN;
    ASSERT_TRUE(save_map(folder.file("a.npy"), map));
    EXPECT_TRUE(says(folder.file("a.npy"), "<f8"));
}

TEST(ScanMap, OtherFormatsSayTheUnitAndWhatIsMissing) {
    TestFolder const folder;
    for (char const* const name : {"a.tif", "a.nrrd", "a.png"}) {
        ASSERT_TRUE(save_map(folder.file(name), strain())) << name;
        EXPECT_TRUE(says(folder.file(name), "1 of 6 pixels have no value")) << name;
        EXPECT_TRUE(says(folder.file(name), "%")) << name;
    }
    EXPECT_TRUE(std::filesystem::exists(folder.file("a_error.tif")));
    ASSERT_TRUE(save_map(folder.file("a.mat"), strain()));
    std::string letters;  // texts are in UTF-16 there
    for (char const c : std::string("6 pixels have no value")) letters += {c, '\0'};
    EXPECT_TRUE(says(folder.file("a.mat"), letters));
    EXPECT_FALSE(std::filesystem::exists(folder.file("a_error.mat")));
}

TEST(ScanMap, Hdf5HoldsMapsWithErrorsAndReasons) {
    TestFolder const folder;
    ScanMap const plain{{{1, 2}, {3, 4}}, "sum", "counts"};
    std::vector<ScanMap> const maps{strain(), plain};
    ASSERT_TRUE(save_hdf5(folder.file("a.h5"), maps));
    for (char const* const name : {"strain", "strain_error", "strain_reason", "sum"})
        EXPECT_TRUE(says(folder.file("a.h5"), name)) << name;
    EXPECT_FALSE(says(folder.file("a.h5"), "sum_reason"));
    EXPECT_TRUE(says(folder.file("a.h5"), "1 of 6 pixels have no value: 1 not converged"));
}

TEST(ScanMap, RefusesFormatsThatHoldNoMap) {
    TestFolder const folder;
    ScanMap const series{{{2, 1, 2}, {1, 2, 3, 4}}, "sum", "counts"};
    EXPECT_FALSE(save_map(folder.file("a.png"), series));
    EXPECT_FALSE(save_map(folder.file("a.mat"), series));
    EXPECT_FALSE(save_map(folder.file("a.jpg"), strain()));
    EXPECT_TRUE(save_map(folder.file("a.tif"), series));
    EXPECT_EQ(folder.names(), std::vector<std::string>{"a.tif"});
}

}  // namespace
}  // namespace sluice::save
