// MIB files: which belong together, what they say, and what is wrong with them.
// SPDX-License-Identifier: Apache-2.0
#include "format/mib/mib.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "format/frame_source.h"
#include "format/mib/header.h"
#include "format/mib/test_mib.h"
#include "format/while_written.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using mib::made;
using mib::made_hdr;
using mib::MadeFrame;

class Mib : public testing::Test {
  protected:
    Mib() : folder_(fs::path(testing::TempDir()) / ("sluice_mib_" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~Mib() override { fs::remove_all(folder_); }
    std::string write(std::string const& name, std::string const& data) {
        std::string const path = (folder_ / name).string();
        std::ofstream(path, std::ios::binary) << data;
        return path;
    }
    // The last byte of each frame as a digit; a dot where it is missing.
    static std::string marks(Dataset const& d) {
        std::vector<EncodedFrame> frames(static_cast<std::size_t>(d.frames));
        FetchScratch scratch;
        if (Status s = d.source->fetch(0, frames, scratch); !s) return s.error().message;
        std::string text;
        for (EncodedFrame const& f : frames)
            text += f.encoding == Encoding::missing
                        ? '.'
                        : static_cast<char>('0' + std::to_integer<int>(f.bytes.back()));
        return text;
    }
    static std::string why(Result<Dataset> const& d) {
        return d ? "it was opened" : d.error().text();
    }
    static bool says(Result<Dataset> const& d, std::string const& what) {
        return why(d).find(what) != std::string::npos;
    }
    fs::path folder_;
};

TEST(MibHeader, OfAFileThatIsWrittenTheLastLineMayBeHalf) {
    std::string const half = "HDR,\t\nFrames in Acquisition (Number):\t12";
    Bytes const bytes = std::as_bytes(std::span(half));
    EXPECT_EQ(mib::read_hdr(bytes).frames, 12);
    WhileWritten const written;
    EXPECT_EQ(mib::read_hdr(bytes).frames, 0);
    std::string const whole = half + "8\n";
    EXPECT_EQ(mib::read_hdr(std::as_bytes(std::span(whole))).frames, 128);
}

TEST_F(Mib, OneFileWithItsHeader) {
    std::string const path = write("scan.mib", made(1, 6));
    write("scan.hdr", made_hdr(6, 3));
    for (std::string const& name : {path, (folder_ / "scan.hdr").string()}) {
        auto const d = open(name);
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(d->format, "mib");
        EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
        EXPECT_EQ(d->dtype, DType::u16);
        EXPECT_EQ(d->rows, 4);
        EXPECT_EQ(d->cols, 6);
        EXPECT_DOUBLE_EQ(d->dwell_s, 0.000555);
        EXPECT_EQ(marks(*d), "123456");
        EXPECT_EQ(d->source->stored_bytes(), 6U * 48);
    }
}

TEST_F(Mib, EveryTypeAndDepthHasItsForm) {
    struct Case {
        MadeFrame frame;
        DType dtype;
        Encoding encoding;
        index rows, cols;
    };
    for (Case const& c : std::vector<Case>{
             {{.type = "U08"}, DType::u8, Encoding::values, 4, 6},
             {{.type = "U32"}, DType::u32, Encoding::big_endian, 4, 6},
             {{.width = 64, .type = "R64", .depth = 1}, DType::u8, Encoding::medipix, 4, 64},
             {{.width = 64, .type = "R64", .depth = 6}, DType::u8, Encoding::medipix, 4, 64},
             {{.width = 64, .type = "R64", .depth = 12}, DType::u16, Encoding::medipix, 4, 64},
             {{.width = 128, .type = "R64", .depth = 24}, DType::u32, Encoding::medipix, 4, 64},
             {{.width = 256, .type = "R64", .layout = "2x2", .depth = 12, .chips = 4},
              DType::u16,
              Encoding::medipix,
              8,
              128}}) {
        auto const d = open(write("scan.mib", made(1, 4, c.frame)));
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(d->dtype, c.dtype);
        EXPECT_EQ(d->rows, c.rows);
        EXPECT_EQ(d->cols, c.cols);
        EXPECT_EQ(marks(*d), "1234");
        EncodedFrame frame;
        FetchScratch scratch;
        ASSERT_TRUE(d->source->fetch(3, {&frame, 1}, scratch));
        EXPECT_EQ(frame.encoding, c.encoding);
    }
}

TEST_F(Mib, NumberedFilesAreOneAcquisition) {
    write("scan_000002.mib", made(4, 6));
    write("scan_000003.mib", made(7, 9));
    std::string const first = write("scan_000001.mib", made(1, 3));
    write("scan.hdr", made_hdr(9, 3));
    auto const d = open((folder_ / "scan_000002.mib").string());
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(marks(*d), "123456789");
    EXPECT_EQ(d->files.size(), 4U);
    EXPECT_EQ(list_members(folder_.string()).value(), std::vector<std::string>{first});
}

TEST_F(Mib, FilesWithHeadersOfTheirOwnAreAcquisitionsOfTheirOwn) {
    for (std::string const name : {"scan1", "scan2"}) {
        write(name + ".mib", made(1, 4));
        write(name + ".hdr", made_hdr(4, 2));
    }
    EXPECT_EQ(list_members(folder_.string()).value().size(), 2U);
    EXPECT_EQ(marks(*open((folder_ / "scan2.mib").string())), "1234");
    fs::remove(folder_ / "scan1.hdr");
    fs::remove(folder_ / "scan2.hdr");
    EXPECT_TRUE(says(open((folder_ / "scan2.mib").string()), "frame 1 is there twice"));
}

TEST_F(Mib, WhatIsMissingIsRefusedOrMissing) {
    write("scan1.mib", made(1, 3));
    std::string const path = write("scan3.mib", made(7, 8));
    write("scan.hdr", made_hdr(9, 3));
    EXPECT_TRUE(says(open(path), "frames lack data (number 3 to 5")) << why(open(path));
    auto const d = open(path, {.allow_incomplete = true});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(marks(*d), "123...78.");
    EXPECT_EQ(d->missing, 4);
}

TEST_F(Mib, AFrameThatIsCutOff) {
    std::string const path = write("scan.mib", made(1, 4).substr(0, 4 * 432 - 5));
    auto const d = open(path);
    EXPECT_TRUE(says(d, "the last frame is cut off (427 of 432 bytes are there)")) << why(d);
    EXPECT_EQ(d.error().at, 3U * 432);
    auto const some = open(path, {.scan_shape = {{2, 2}}, .allow_incomplete = true});
    ASSERT_TRUE(some) << some.error().text();
    EXPECT_EQ(marks(*some), "123.");
    EXPECT_TRUE(says(open(write("short.mib", made(1, 1).substr(0, 200))), "ends within"));
    EXPECT_TRUE(says(open(write("none.mib", made(1, 1).substr(0, 400)), {.allow_incomplete = true}),
                     "no whole frame"));
}

TEST_F(Mib, DamageWithinIsFound) {
    std::string data = made(1, 4);
    data[2 * 432] = 'X';
    std::string const path = write("scan.mib", data);
    auto const d = open(path);
    ASSERT_TRUE(d);
    EXPECT_NE(marks(*d).find("no header of a frame"), std::string::npos) << marks(*d);
    auto const some = open(path, {.allow_incomplete = true});
    ASSERT_TRUE(some) << some.error().text();
    EXPECT_EQ(marks(*some), "12.4");
    // A frame was lost.
    std::string const lost = write("lost.mib", made(1, 2) + made(4, 5));
    EXPECT_TRUE(says(open(lost), "frames lack data (number 2"));
    // Frames of another size, or type.
    write("mixed1.mib", made(1, 2));
    EXPECT_TRUE(says(open(write("mixed2.mib", made(3, 4, {.width = 4, .height = 6}))),
                     "files of several acquisitions"));
}

TEST_F(Mib, FramesThatDoNotBeginAtOne) {
    std::string const path = write("scan.mib", made(4, 7));
    EXPECT_TRUE(says(open(path), "number 0 to 2"));
    write("scan.hdr", made_hdr(4, 2));
    EXPECT_EQ(marks(*open(path)), "4567");
}

}  // namespace
}  // namespace sluice
