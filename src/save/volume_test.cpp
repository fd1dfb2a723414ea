// Tests of save_metaimage and save_nrrd: the bytes, and how they fail.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>

#include "save/folder_test.h"
#include "sluice/save.h"

namespace sluice::save {
namespace {

Volume const volume{{{2, 3}, {1, 2, 3, 4, 5, 6}}, {0.5, 2}, {-1, 0.25}, straight_axes, "dose,\nGy"};

std::string bytes_of(std::string const& path) {
    auto const bytes = read_file(path, 1 << 20).value();
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

std::string elements() {
    std::string out(24, '\0');
    std::memcpy(out.data(), volume.image.values.data(), 24);
    return out;
}

std::string const meta =
    "ObjectType = Image\nNDims = 2\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
    "CompressedData = False\nOffset = -1 0.25\nElementSpacing = 0.5 2\nDimSize = 3 2\n"
    "Comment = dose, Gy\nElementType = MET_FLOAT\nElementDataFile = ";

TEST(Volume, MetaImageIsExact) {
    TestFolder const folder;
    ASSERT_TRUE(save_metaimage(folder.file("a.mha"), volume));
    EXPECT_EQ(bytes_of(folder.file("a.mha")), meta + "LOCAL\n" + elements());
    ASSERT_TRUE(save_metaimage(folder.file("b.mhd"), volume));
    EXPECT_EQ(bytes_of(folder.file("b.mhd")), meta + "b.raw\n");
    EXPECT_EQ(bytes_of(folder.file("b.raw")), elements());
}

TEST(Volume, NrrdIsExact) {
    TestFolder const folder;
    ASSERT_TRUE(save_nrrd(folder.file("a.nrrd"), volume));
    EXPECT_EQ(bytes_of(folder.file("a.nrrd")),
              "NRRD0004\ntype: float\ndimension: 2\nspace dimension: 2\nsizes: 3 2\n"
              "space directions: (0.5,0) (0,2)\nspace origin: (-1,0.25)\nkinds: domain domain\n"
              "endian: little\nencoding: raw\ncontent: dose, Gy\n\n" +
                  elements());
}

// Places are those of DICOM, and other programs take them so only where the file says it.
TEST(Volume, NrrdInSpaceNamesIt) {
    TestFolder const folder;
    Volume const deep{{{1, 2, 1}, {1, 2}}, {1, 2, 3}, {4, 5, 6}};
    ASSERT_TRUE(save_nrrd(folder.file("a.nrrd"), deep));
    std::string const text = bytes_of(folder.file("a.nrrd"));
    EXPECT_NE(text.find("\nspace: left-posterior-superior\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("space dimension"), std::string::npos);
}

TEST(Volume, FailuresAreClean) {
    expect_clean_failures([](std::string const& path) { return save_nrrd(path, volume); });
    expect_clean_failures([](std::string const& path) { return save_metaimage(path, volume); });
}

TEST(Volume, SidesThatDoNotFitAreABrokenContract) {
    Volume bad = volume;
    bad.spacing = {1};
    EXPECT_DEATH((void)save_nrrd("unused.nrrd", bad), "broken contract");
    EXPECT_DEATH((void)save_metaimage("unused.mha", Volume{{{2, 2}, {1}}, {}, {}}),
                 "broken contract");
}

}  // namespace
}  // namespace sluice::save
