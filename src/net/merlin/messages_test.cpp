// Messages of Merlin's data port: what they are, and that no length is believed.
// SPDX-License-Identifier: Apache-2.0
#include "net/merlin/messages.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "net/merlin/test_frames.h"

namespace sluice::net::merlin {
namespace {

using Kind = Found::Kind;

Found found(std::string const& text, int depth = 0, bool quiet = true) {
    return find_message(std::as_bytes(std::span(text)), depth, quiet);
}

TEST(MerlinMessages, FramesSayWhatTheyAre) {
    struct Case {
        MadeFrame frame;
        index rows, cols;
        DType dtype;
        Encoding encoding;
    };
    for (Case const& c :
         {Case{{.width = 6, .height = 4, .type = "U08"}, 4, 6, DType::u8, Encoding::values},
          Case{{.width = 6, .height = 4, .type = "U16"}, 4, 6, DType::u16, Encoding::big_endian},
          Case{{.width = 6, .height = 4, .type = "U32"}, 4, 6, DType::u32, Encoding::big_endian},
          Case{{.width = 514, .height = 514, .type = "U16", .layout = "2x2G", .chips = 4},
               514,
               514,
               DType::u16,
               Encoding::big_endian},
          Case{{.width = 64, .height = 4, .depth = 1}, 4, 64, DType::u8, Encoding::medipix},
          Case{{.width = 64, .height = 4, .depth = 6}, 4, 64, DType::u8, Encoding::medipix},
          Case{{.width = 64, .height = 4, .depth = 12}, 4, 64, DType::u16, Encoding::medipix},
          Case{{.width = 128, .height = 4, .depth = 24}, 4, 64, DType::u32, Encoding::medipix},
          Case{{.width = 256, .height = 4, .layout = "2x2", .depth = 6, .chips = 4},
               8,
               128,
               DType::u8,
               Encoding::medipix},
          Case{{.width = 256, .height = 4, .layout = "2x2G", .depth = 12, .chips = 4},
               8,
               128,
               DType::u16,
               Encoding::medipix},
          Case{{.width = 512, .height = 4, .layout = "2x2", .depth = 24, .chips = 4},
               8,
               128,
               DType::u32,
               Encoding::medipix}}) {
        std::string const text = message(c.frame) + "MPX";
        Found const f = found(text);
        ASSERT_EQ(f.kind, Kind::frame) << c.frame.type << c.frame.depth << f.wrong;
        EXPECT_EQ(f.size, text.size() - 3);
        EXPECT_EQ(f.header.sequence, 7u);
        EXPECT_EQ(f.layout.rows, c.rows);
        EXPECT_EQ(f.layout.cols, c.cols) << c.frame.depth;
        EXPECT_EQ(f.layout.dtype, c.dtype);
        EXPECT_EQ(f.layout.encoding, c.encoding);
        EXPECT_EQ(f.layout.medipix.quad, c.frame.type == "R64" && c.frame.chips == 4);
        EXPECT_DOUBLE_EQ(f.header.exposure_s, 0.000555);
    }
}

TEST(MerlinMessages, TheDepthOfAnOldHeaderIsItsLastFieldOrTheAcquisitions) {
    MadeFrame frame{.width = 64, .height = 4, .depth = 12};
    frame.extension = "511,511,12";
    EXPECT_EQ(found(message(frame)).layout.dtype, DType::u16);
    frame.extension = "511,511";
    EXPECT_EQ(found(message(frame)).kind, Kind::noise);
    EXPECT_EQ(found(message(frame), 12).layout.dtype, DType::u16);
}

TEST(MerlinMessages, WhatHasNotComeIsWaitedFor) {
    std::string const whole = message({.width = 6, .height = 4, .type = "U16"});
    for (std::size_t n = 0; n < whole.size(); ++n) {
        Found const f = found(whole.substr(0, n));
        ASSERT_EQ(f.kind, Kind::more) << n;
        ASSERT_GT(f.wanted, n);
        ASSERT_LE(f.wanted, whole.size());
    }
}

TEST(MerlinMessages, AFrameThatIsFilledUpByTheNextIsNone) {
    std::string const whole = message({.width = 6, .height = 4, .type = "U16"});
    EXPECT_EQ(found(whole, 0, false).kind, Kind::more);
    EXPECT_EQ(found(whole + "M", 0, false).kind, Kind::frame);
    Found const cut = found(whole.substr(0, 300) + whole, 0, false);
    EXPECT_EQ(cut.kind, Kind::noise);
    EXPECT_EQ(cut.size, 300u);
    EXPECT_FALSE(cut.wrong.empty());
}

TEST(MerlinMessages, LengthsThatLieAreNoise) {
    std::string const next = message({.width = 6, .height = 4, .type = "U16", .sequence = 8});
    for (std::uint64_t lie : {0ULL, 1ULL, 100ULL, 385ULL, 400ULL, 450ULL, 9999999999ULL}) {
        std::string text = message({.width = 6, .height = 4, .type = "U16"});
        text.replace(0, prefix_bytes, fmt::format("MPX,{:010},", lie));
        text += next;
        Found const f = found(text);
        ASSERT_EQ(f.kind, Kind::noise) << lie;
        EXPECT_FALSE(f.wrong.empty());
        // The next message is found.
        ASSERT_EQ(f.size, text.size() - next.size()) << lie;
        EXPECT_EQ(found(text.substr(f.size)).header.sequence, 8u);
    }
}

TEST(MerlinMessages, NoiseEndsWhereAMessageMayBegin) {
    EXPECT_EQ(found("xMPX,0000").size, 1u);
    EXPECT_EQ(found("MPX,00000000x0,").kind, Kind::noise);
    EXPECT_EQ(found("MMPX,").size, 1u);
    EXPECT_EQ(found("garbage without").size, 15u);
    EXPECT_EQ(found("MPX,0000000005,WHAT").kind, Kind::other);
    EXPECT_EQ(found("MPX,0009999999,WHAT").kind, Kind::noise);
}

TEST(MerlinMessages, HeadersThatCannotBeAreNoise) {
    EXPECT_NE(found(message({.width = 6, .height = 4, .type = "U64"})).wrong.find("'U64'"),
              std::string::npos);
    EXPECT_EQ(found(message({.width = 6, .height = 4, .type = "R64", .depth = 12})).wrong,
              "a raw frame of 4x6 counters of 12 bits");
    EXPECT_NE(found(message({.width = 64, .height = 4, .layout = "3x1", .depth = 12, .chips = 3}))
                  .wrong.find("layout 3x1"),
              std::string::npos);
    std::string huge = message({.width = 6, .height = 4, .type = "U16"});
    huge.replace(huge.find("0006,0004"), 9, "9999999,4");
    EXPECT_EQ(found(huge).kind, Kind::noise);
}

TEST(MerlinMessages, AnAcquisitionSaysItsScan) {
    auto const hdr = [](std::string const& text) {
        return mib::read_hdr(std::as_bytes(std::span(text)));
    };
    auto const one =
        hdr("HDR,\t\r\nChip ID:\tW5,-\r\nThresholds (keV):\t1,2\r\nCounter Depth (number):\t6\r\n"
            "Frames in Acquisition (Number):\t16384\r\nFrames per Trigger (Number):\t128\r\nEnd\t");
    EXPECT_EQ(one.frames, 16384);
    EXPECT_EQ(one.scan, (std::array<index, 2>{128, 128}));
    EXPECT_EQ(one.scan_from, "the frames per trigger of the header");
    EXPECT_EQ(one.depth, 6);
    ASSERT_EQ(one.fields.size(), 2u);
    EXPECT_EQ(one.fields[0].value, "W5,-");
    auto const two = hdr(
        "HDR,\nFrames in Acquisition (Number):\t12\nFrames per Trigger (Number):\t1\nScanX:\t4\n"
        "ScanY:\t3\n");
    EXPECT_EQ(two.scan, (std::array<index, 2>{3, 4}));
    EXPECT_EQ(two.scan_from, "ScanX and ScanY of the header");
    for (char const* text : {"HDR,", "HDR,\nFrames in Acquisition (Number):\t-1\n",
                             "HDR,\nFrames in Acquisition (Number):\t99999999999999999999\n",
                             "HDR,\nScanX:\t1000000000000\nScanY:\t1000000000000\n"}) {
        EXPECT_EQ(hdr(text).frames, 0);
        EXPECT_FALSE(hdr(text).scan);
    }
    EXPECT_FALSE(hdr("HDR,\nFrames in Acquisition (Number):\t7\n"
                     "Frames per Trigger (Number):\t2\n")
                     .scan);
}

}  // namespace
}  // namespace sluice::net::merlin
