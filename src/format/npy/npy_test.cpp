// NPY files, good and bad: headers of all versions, types, shapes, ends that come early.
// SPDX-License-Identifier: Apache-2.0
#include "format/npy/npy.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "base/bytes.h"
#include "format/frame_source.h"
#include "format/npy/header.h"
#include "format/npy/plane.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

class Npy : public testing::Test {
  protected:
    Npy() : folder_(fs::path(testing::TempDir()) / ("sluice_npy_" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~Npy() override { fs::remove_all(folder_); }

    /// Writes header and data; returns the path.
    std::string write(std::string const& dictionary, std::string const& data, int version = 1) {
        std::string const path = (folder_ / "a.npy").string();
        std::ofstream(path, std::ios::binary) << header(dictionary, version) << data;
        return path;
    }
    static std::string header(std::string const& dictionary, int version = 1) {
        std::string s = "\x93NUMPY";
        s += static_cast<char>(version);
        s += '\0';
        for (std::size_t i = 0; i < (version == 1 ? 2u : 4u); ++i)
            s += static_cast<char>(dictionary.size() >> (8 * i));
        return s + dictionary;
    }
    static std::string dictionary(std::string const& descr, std::string const& shape) {
        return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
    }
    template <class T>
    static std::string raw(std::vector<T> const& v) {
        return {reinterpret_cast<char const*>(v.data()), v.size() * sizeof(T)};
    }
    /// The values of all frames as T, which must be what the dataset is read as.
    template <class T>
    static std::vector<T> read(Dataset const& d) {
        std::vector<EncodedFrame> frames(static_cast<std::size_t>(d.frames));
        FetchScratch scratch;
        auto const s = d.source->fetch(0, frames, scratch);
        EXPECT_TRUE(s) << s.error().text();
        std::vector<T> values;
        for (EncodedFrame const& f : frames) {
            std::vector<T> v(static_cast<std::size_t>(d.pixels()));
            if (f.encoding == Encoding::values)
                std::memcpy(v.data(), f.bytes.data(), f.bytes.size());
            values.insert(values.end(), v.begin(), v.end());
        }
        return values;
    }
    template <class Stored, class Memory>
    void expect_conversion(std::string const& descr, std::vector<Stored> const& stored, DType as,
                           std::vector<Memory> const& expected, bool noted) {
        auto const d = open(write(dictionary(descr, "(2, 1, 1, 2)"), raw(stored)));
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(d->dtype, as) << descr;
        ASSERT_EQ(size_of(d->dtype), static_cast<index>(sizeof(Memory)));
        EXPECT_EQ(read<Memory>(*d), expected) << descr;
        EXPECT_EQ(!d->notes.empty(), noted) << descr;
    }
    fs::path folder_;
};

TEST_F(Npy, four_dimensions_are_scan_and_detector) {
    std::vector<std::uint16_t> v(2 * 3 * 4 * 5);
    std::iota(v.begin(), v.end(), std::uint16_t{0});
    auto const d = open(write(dictionary("<u2", "(2, 3, 4, 5)"), raw(v)));
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->format, "npy");
    EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
    EXPECT_EQ(d->rows, 4);
    EXPECT_EQ(d->cols, 5);
    EXPECT_EQ(read<std::uint16_t>(*d), v);
    EXPECT_EQ(d->source->stored_bytes(), 240u);

    std::vector<EncodedFrame> one(1);
    FetchScratch scratch;
    ASSERT_TRUE(d->source->fetch(4, one, scratch));
    EXPECT_EQ(load_le<std::uint16_t>(one[0].bytes.data()), 80);
}

TEST_F(Npy, three_dimensions_need_a_square_or_the_users_word) {
    std::string const square = write(dictionary("|u1", "(4, 1, 2)"), "abcdefgh");
    auto const d = open(square);
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->scan, (std::array<index, 2>{2, 2}));
    OpenOptions options;
    options.scan_shape = {1, 4};
    EXPECT_EQ(open(square, options)->scan, (std::array<index, 2>{1, 4}));
}

TEST_F(Npy, types_are_read_as_stored_or_converted_with_a_note) {
    expect_conversion<std::uint8_t, std::uint8_t>("|u1", {1, 2, 3, 255}, DType::u8, {1, 2, 3, 255},
                                                  false);
    expect_conversion<std::uint8_t, std::uint8_t>("|b1", {1, 0, 0, 1}, DType::u8, {1, 0, 0, 1},
                                                  false);
    expect_conversion<std::uint32_t, std::uint32_t>("<u4", {1, 2, 3, ~0u}, DType::u32,
                                                    {1, 2, 3, ~0u}, false);
    expect_conversion<float, float>("<f4", {-1.5f, 0, 3, 1e9f}, DType::f32, {-1.5f, 0, 3, 1e9f},
                                    false);
    expect_conversion<std::uint16_t, std::uint16_t>(">u2", {0x0100, 0x0201, 3, 0xffff}, DType::u16,
                                                    {1, 0x0102, 0x0300, 0xffff}, true);
    expect_conversion<std::uint32_t, std::uint32_t>(">u4", {0x01000000, 0, 0, ~0u}, DType::u32,
                                                    {1, 0, 0, ~0u}, true);
    expect_conversion<std::int8_t, float>("|i1", {-128, -1, 0, 127}, DType::f32, {-128, -1, 0, 127},
                                          true);
    expect_conversion<std::int16_t, float>("<i2", {-32768, -1, 0, 32767}, DType::f32,
                                           {-32768, -1, 0, 32767}, true);
    expect_conversion<std::int32_t, float>("<i4", {-5, 0, 7, 1 << 24}, DType::f32,
                                           {-5, 0, 7, 16777216}, true);
    expect_conversion<std::int64_t, float>("<i8", {-5, 0, 7, 9}, DType::f32, {-5, 0, 7, 9}, true);
    expect_conversion<std::uint64_t, float>("<u8", {5, 0, 7, 9}, DType::f32, {5, 0, 7, 9}, true);
    expect_conversion<double, float>("<f8", {-0.5, 0, 7, 9}, DType::f32, {-0.5f, 0, 7, 9}, true);
    expect_conversion<std::uint64_t, float>(">f8", {0xe03f, 0, 0, 0}, DType::f32, {0.5f, 0, 0, 0},
                                            true);
}

TEST_F(Npy, versions_2_and_3_and_any_order_of_keys) {
    std::string const reordered =
        "{\"shape\": (1L, 1L, 1L, 2L), \"fortran_order\":False,'descr':'|u1'}";
    for (int version : {1, 2, 3}) {
        auto const d = open(write(reordered, "xy", version));
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(read<std::uint8_t>(*d), (std::vector<std::uint8_t>{'x', 'y'}));
    }
}

TEST_F(Npy, bad_headers_are_refused_and_explained) {
    struct Case {
        std::string dictionary, said;
        Code code;
    };
    std::vector<Case> const cases = {
        {"", "dictionary", Code::corrupt},
        {"{", "quoted", Code::corrupt},
        {"{}", "key is missing", Code::corrupt},
        {"{'descr': '<u2', 'fortran_order': False}", "key is missing", Code::corrupt},
        {"{'descr': '<u2', 'descr': '<u2'}", "unexpected key", Code::corrupt},
        {"{'order': 3}", "unexpected key \"order\"", Code::corrupt},
        {"{'descr' '<u2'}", "colon", Code::corrupt},
        {"{'descr': '<u2", "does not end", Code::corrupt},
        {"{'descr': '<u2', 'fortran_order': Maybe}", "True nor False", Code::corrupt},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': 7}", "tuple", Code::corrupt},
        {dictionary("<u2", "(1, 2"), "shape", Code::corrupt},
        {dictionary("<u2", "(1, -2, 3)"), "size is missing", Code::corrupt},
        {dictionary("<u2", "(1, 2, 3)") + "x", "follows", Code::corrupt},
        {dictionary("<u2", "(99999999999999999999, 1, 1)"), "absurd", Code::corrupt},
        {dictionary("<u2", "(4611686018427387904, 4, 4)"), "no file", Code::corrupt},
        {dictionary("<u2", "(0, 4, 4)"), "empty", Code::invalid_argument},
        {dictionary("<u2", "(4, 4)"), "2 dimensions", Code::unsupported},
        {dictionary("<u2", "(1, 1, 1, 1, 1)"), "5 dimensions", Code::unsupported},
        {dictionary("<u2", "()"), "0 dimensions", Code::unsupported},
        {dictionary("<c8", "(1, 1, 1)"), "\"<c8\"", Code::unsupported},
        {dictionary("<f1", "(1, 1, 1)"), "\"<f1\"", Code::unsupported},
        {dictionary("<U12", "(1, 1, 1)"), "\"<U12\"", Code::unsupported},
        {dictionary("", "(1, 1, 1)"), "\"\"", Code::unsupported},
        {"{'descr': [('a', '<u2')], 'fortran_order': False, 'shape': (1,1,1)}", "records",
         Code::unsupported}};
    for (Case const& c : cases) {
        std::string const path = write(c.dictionary, "abcdefgh");
        auto const d = open(path);
        ASSERT_FALSE(d) << c.dictionary;
        EXPECT_EQ(d.error().code, c.code) << c.dictionary;
        EXPECT_EQ(d.error().file, path);
        EXPECT_NE(d.error().message.find(c.said), std::string::npos) << d.error().message;
    }
    std::string many = "(1";
    for (int i = 0; i < 40; ++i) many += ", 1";
    EXPECT_FALSE(open(write(dictionary("<u2", many + ")"), "")));
}

TEST_F(Npy, unknown_versions_and_absurd_header_lengths_are_refused) {
    auto d = open(write("{}", "", 4));
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::unsupported);
    std::string const path = (folder_ / "b.npy").string();
    std::ofstream(path, std::ios::binary) << std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14);
    d = open(path);
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::corrupt);
}

TEST_F(Npy, every_cut_of_a_file_is_an_error) {
    std::string const path = write(dictionary("<u2", "(1, 1, 1, 4)"), "abcdefgh");
    auto const size = fs::file_size(path);
    ASSERT_TRUE(open(path));
    for (std::uintmax_t n = size; n-- > 0;) {
        fs::resize_file(path, n);
        EXPECT_FALSE(open(path)) << n;
    }
}

TEST_F(Npy, a_short_file_opens_when_that_is_allowed_and_reads_as_missing) {
    std::string const path = write(dictionary("|u1", "(2, 2, 1, 3)"), "abcdefgh");
    auto const refused = open(path);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::truncated);
    EXPECT_NE(refused.error().message.find("2 are whole"), std::string::npos)
        << refused.error().message;
    OpenOptions options;
    options.allow_incomplete = true;
    auto const d = open(path, options);
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->frames, 4);
    EXPECT_EQ(d->missing, 2);
    EXPECT_EQ(read<std::uint8_t>(*d),
              (std::vector<std::uint8_t>{'a', 'b', 'c', 'd', 'e', 'f', 0, 0, 0, 0, 0, 0}));
}

TEST_F(Npy, a_file_that_shrinks_after_opening_is_an_error_and_no_crash) {
    std::string const path = write(dictionary("|u1", "(1, 2, 1, 4)"), "abcdefgh");
    auto const d = open(path);
    ASSERT_TRUE(d);
    fs::resize_file(path, fs::file_size(path) - 3);
    std::vector<EncodedFrame> frames(2);
    FetchScratch scratch;
    auto const s = d->source->fetch(0, frames, scratch);
    ASSERT_FALSE(s);
    EXPECT_EQ(s.error().code, Code::truncated);
}

// numpy.save leaves a transposed array column by column.
TEST_F(Npy, APlaneInFortransOrderIsTurned) {
    std::string const path = write("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}",
                                   raw(std::vector<float>{1, 4, 2, 5, 3, 6}));
    auto const plane = npy::load_plane(path);
    ASSERT_TRUE(plane) << plane.error().text();
    EXPECT_EQ(plane->shape, (std::vector<index>{2, 3}));
    EXPECT_EQ(plane->values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
    auto const line =
        npy::load_plane(write(dictionary("<f4", "(2,)"), raw(std::vector<float>{1, 2})));
    ASSERT_FALSE(line);
    EXPECT_NE(line.error().message.find("of its axes is 1"), std::string::npos);
}

TEST_F(Npy, APlaneMayHaveAxesOfOneElement) {
    for (char const* shape : {"(1, 2, 3)", "(2, 3, 1)", "(2, 1, 3)", "(1, 1, 2, 3)"}) {
        auto const plane = npy::load_plane(
            write(dictionary("|b1", shape), raw(std::vector<std::uint8_t>{0, 1, 0, 0, 0, 1})));
        ASSERT_TRUE(plane) << shape << plane.error().text();
        EXPECT_EQ(plane->shape, (std::vector<index>{2, 3})) << shape;
        EXPECT_EQ(plane->values, (std::vector<float>{0, 1, 0, 0, 0, 1})) << shape;
    }
    EXPECT_FALSE(npy::load_plane(write(dictionary("|u1", "(2, 2, 3)"), std::string(12, '\0'))));
}

TEST_F(Npy, MoreBytesThanTheShapeNeedsAreRefused) {
    std::string const bytes(2 * 2 * 2 * 2 * 2 + 3, '\0');
    for (char const* header : {"{'descr': '<u2', 'fortran_order': False, 'shape': (2, 2, 2, 2)}",
                               "{'descr': '<u2', 'fortran_order': True, 'shape': (2, 2, 2, 2)}"}) {
        std::string const path = write(header, bytes);
        auto const d = open(path);
        ASSERT_FALSE(d) << header;
        EXPECT_EQ(d.error().code, Code::corrupt);
        EXPECT_NE(d.error().message.find("3 bytes more than its array of 2x2x2x2"),
                  std::string::npos)
            << d.error().message;
        auto const allowed = open(path, {.allow_incomplete = true});
        ASSERT_TRUE(allowed) << allowed.error().text();
        EXPECT_NE(std::ranges::find(allowed->notes, "3 bytes after the array are ignored"),
                  allowed->notes.end());
    }
    auto const plane =
        npy::load_plane(write(dictionary("<f4", "(1, 2)"), raw(std::vector<float>{1, 2, 3})));
    ASSERT_FALSE(plane);
    EXPECT_NE(plane.error().message.find("4 bytes more than 1x2"), std::string::npos);
}

}  // namespace
}  // namespace sluice
