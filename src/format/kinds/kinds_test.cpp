// What files are: each kind by its mark, the order where two fit, and what is said of the others.
// SPDX-License-Identifier: Apache-2.0
#include "format/kinds/kinds.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "format/table.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

class Kinds : public testing::Test {
  protected:
    Kinds()
        : folder_(fs::path(testing::TempDir()) / ("sluice_kinds_" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~Kinds() override { fs::remove_all(folder_); }
    std::string path(std::string const& name) const { return (folder_ / name).string(); }
    std::string write(std::string const& name, std::string_view data) const {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name, std::ios::binary) << data;
        return path(name);
    }
    std::string_view name_of(std::string const& path) const {
        ContentKind const* const kind = kind_of(path);
        return kind ? kind->name : "";
    }
    fs::path folder_;
};

TEST_F(Kinds, AreToldByTheirMarks) {
    EXPECT_EQ(name_of(write("a", "ZISRAWFILE......")), "slide");
    EXPECT_EQ(name_of(write("b.CZI", "no slide at all")), "slide");
    EXPECT_EQ(name_of(write("a.mha", "ObjectType = Image")), "volume");
    EXPECT_EQ(name_of(write("b", "NRRD0004\n")), "volume");
    EXPECT_EQ(name_of(write("a.npz", "PK\3\4")), "patterns");
    EXPECT_EQ(name_of(write("a.ckpt", "PK\3\4")), "model");
    EXPECT_EQ(name_of(write("a.safetensors", "\x20\0\0\0\0\0\0\0{\"a\":1}"sv)), "model");
    EXPECT_EQ(name_of(write("a.wav", "RIFF\0\0\0\0WAVE"sv)), "song");
    EXPECT_EQ(name_of(write("a.npy", "\x93NUMPY\1\0v\0"sv)), "scan");
    EXPECT_EQ(name_of(write("a.raw", "anything")), "scan");
    EXPECT_EQ(name_of("synthetic:stem4d"), "scan");
    EXPECT_EQ(name_of(write("a.zip", "PK\3\4")), "");
    EXPECT_EQ(name_of(write("a.txt", "words")), "");
    EXPECT_EQ(name_of(path("nothing")), "");
}

TEST_F(Kinds, AreToldOfFolders) {
    write("x.zarr/.zgroup", "{}");
    EXPECT_EQ(name_of(path("x.zarr")), "slide");
    write("run/report.json", R"({"grid":{"dz_mm":1,"dx_mm":1,"x0_mm":0}})");
    EXPECT_EQ(name_of(path("run")), "dose");
    write("other/report.json", R"({"grid":{"dz_mm":1}})");
    EXPECT_EQ(name_of(path("other")), "");
    write("scans/a_master.h5", "");
    EXPECT_EQ(name_of(path("scans")), "scan");
}

// Counts of a detector may look like a mark of two bytes, or like a header.
TEST_F(Kinds, RawBinaryIsAScanWhateverItBeginsWith) {
    EXPECT_EQ(name_of(write("a.raw", "\xff\xfb\x90\x64\0\0\0\0{\0\0\0"sv)), "scan");
    EXPECT_EQ(name_of(write("b.bin", "\5\0\0\0\0\0\0\0{\0\0\0\0\0\0\0"sv)), "scan");
    EXPECT_EQ(name_of(write("a.mp3", "\xff\xfb\x90\x64\0\0\0\0\0\0\0\0"sv)), "song");
}

TEST_F(Kinds, HaveNamesOfTheirOwnAndReaders) {
    for (ContentKind const* const k : all_kinds()) {
        EXPECT_EQ(std::ranges::count(all_kinds(), k->name, &ContentKind::name), 1) << k->name;
        EXPECT_FALSE(k->readers.empty()) << k->name;
    }
}

TEST_F(Kinds, AWrongPairingSaysWhatTheFileIsAndWhatReadsIt) {
    std::string const scan = write("a.npy", "\x93NUMPY\1\0v\0"sv);
    Error const e = no_such_kind(scan, kinds::slide);
    EXPECT_EQ(e.file, scan);
    EXPECT_EQ(e.message,
              "is not a microscope slide (it is a 4D-STEM scan); `sluice info`, `sluice view` and "
              "`sluice stem4d` read it");
    auto const slide = open(write("a.czi", "ZISRAWFILE......"));
    ASSERT_FALSE(slide);
    EXPECT_NE(slide.error().message.find("is not a 4D-STEM scan (it is a microscope slide)"),
              std::string::npos);
}

TEST_F(Kinds, AnUnknownFileIsToldWithItsFirstBytesAndAllKinds) {
    Error const e = no_such_kind(write("a", "\1\2\3\xff"), kinds::slide);
    EXPECT_NE(e.message.find("it begins with 01 02 03 ff"), std::string::npos) << e.message;
    for (ContentKind const* const k : all_kinds())
        EXPECT_NE(e.message.find(k->name), std::string::npos) << e.message;
    for (Format const& f : formats())
        EXPECT_NE(e.message.find(f.name), std::string::npos) << e.message;
    EXPECT_EQ(no_such_kind(path("nothing"), kinds::slide).code, Code::not_found);
    EXPECT_NE(no_such_kind(folder_.string(), kinds::slide).message.find("is a folder"),
              std::string::npos);
}

TEST_F(Kinds, AFileOfTablesIsNoScan) {
    auto const scan = open(write("a_master.h5.sluice-tables", "SLTABLES........"));
    ASSERT_FALSE(scan);
    EXPECT_NE(scan.error().message.find("is a file of tables"), std::string::npos);
    EXPECT_NE(scan.error().message.find("give the scan itself"), std::string::npos);
}

TEST_F(Kinds, FilesOfAKindAreFoundInAFolder) {
    write("b", "ZISRAWFILE......");
    write("a.czi", "ZISRAWFILE......");
    write("c.czi.part-4711", "ZISRAWFILE......");
    write("d.txt", "words");
    EXPECT_EQ(files_of(kinds::slide, folder_.string()),
              (std::vector<std::string>{path("a.czi"), path("b")}));
    EXPECT_TRUE(files_of(kinds::slide, path("nothing")).empty());
}

}  // namespace
}  // namespace sluice
