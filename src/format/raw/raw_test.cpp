// Raw binary: geometry, left-over bytes, and what is asked when nothing is said.
// SPDX-License-Identifier: Apache-2.0
#include "format/raw/raw.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "format/frame_source.h"
#include "format/raw/geometry.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

class Raw : public testing::Test {
  protected:
    Raw() : folder_(fs::path(testing::TempDir()) / ("sluice_raw_" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~Raw() override { fs::remove_all(folder_); }
    std::string write(std::string const& name, std::string const& data) {
        std::string const path = (folder_ / name).string();
        std::ofstream(path, std::ios::binary) << data;
        return path;
    }
    static OpenOptions options(std::string const& dtype, index rows, index cols) {
        return {.format = RawOptions{.raw_dtype = dtype, .raw_frame = {{rows, cols}}}};
    }
    fs::path folder_;
};

TEST_F(Raw, frames_follow_each_other_from_the_offset_on) {
    OpenOptions o = options("uint8", 1, 3);
    o.format.of<RawOptions>().raw_offset = 2;
    auto const d = open(write("a.raw", "hhabcdefghijkl"), o);
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->format, "raw");
    EXPECT_EQ(d->frames, 4);
    EXPECT_EQ(d->scan, (std::array<index, 2>{2, 2}));
    std::vector<EncodedFrame> frames(2);
    FetchScratch scratch;
    ASSERT_TRUE(d->source->fetch(1, frames, scratch));
    EXPECT_EQ(frames[1].bytes[0], std::byte{'g'});
    EXPECT_EQ(frames[1].at, 8u);
}

TEST_F(Raw, any_name_is_raw_when_a_frame_shape_is_given) {
    EXPECT_TRUE(open(write("scan.xyz", "abcd"), options("uint8", 1, 1)));
    EXPECT_TRUE(open(write("scan", "abcd"), options("float32", 1, 1)));
}

TEST_F(Raw, without_shape_or_type_the_error_says_how_to_give_them) {
    auto const d = open(write("a.bin", "abcd"));
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::invalid_argument);
    EXPECT_NE(d.error().message.find("--raw-frame 192x192"), std::string::npos)
        << d.error().message;
    OpenOptions only_shape = options("", 1, 1);
    EXPECT_FALSE(open(write("a.bin", "abcd"), only_shape));
}

TEST_F(Raw, left_over_bytes_are_an_error_or_a_note) {
    std::string const path = write("a.dat", "abcdefghi");
    OpenOptions o = options("uint16", 1, 2);
    o.scan_shape = {1, 2};
    auto d = open(path, o);
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::incomplete);
    EXPECT_NE(d.error().message.find("1 byte is left over after 2 frames of 4 bytes"),
              std::string::npos)
        << d.error().message;
    o.allow_incomplete = true;
    d = open(path, o);
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->frames, 2);
    EXPECT_NE(d->notes.back().find("1 byte at the end fills no frame"), std::string::npos);
}

TEST(raw_geometry, refuses_what_cannot_be) {
    RawOptions o;
    o.raw_dtype = "uint16";
    o.raw_frame = {4, 4};
    EXPECT_TRUE(raw::find_geometry(32, o, false));
    EXPECT_FALSE(raw::find_geometry(31, o, false));
    EXPECT_FALSE(raw::find_geometry(0, o, false));
    o.raw_offset = 33;
    EXPECT_FALSE(raw::find_geometry(32, o, false));
    o.raw_offset = ~std::uint64_t{0};
    EXPECT_FALSE(raw::find_geometry(32, o, false));
    o.raw_offset = 0;
    for (index const side : {index{0}, index{-1}, index{1} << 62}) {
        o.raw_frame = {side, 4};
        EXPECT_FALSE(raw::find_geometry(32, o, false)) << side;
        o.raw_frame = {4, side};
        EXPECT_FALSE(raw::find_geometry(32, o, false)) << side;
    }
    o.raw_frame = {4, 4};
    o.raw_dtype = "complex64";
    auto const g = raw::find_geometry(32, o, false);
    ASSERT_FALSE(g);
    EXPECT_NE(g.error().message.find("uint32"), std::string::npos);
}

}  // namespace
}  // namespace sluice
