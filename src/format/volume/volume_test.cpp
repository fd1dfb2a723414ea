// MetaImage, NRRD and NPY images, good and bad: types, byte orders, packings, sizes.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "format/volume/header.h"
#include "sluice/load_volume.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

class LoadVolume : public testing::Test {
  protected:
    LoadVolume()
        : folder_(fs::path(testing::TempDir()) / ("sluice_volume_" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~LoadVolume() override { fs::remove_all(folder_); }

    std::string write(std::string const& name, std::string const& bytes) {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        return folder_ / name;
    }
    std::string problem(std::string const& name, std::string const& bytes) {
        auto const v = load_volume(write(name, bytes));
        return v ? "none" : v.error().text();
    }
    fs::path folder_;
};

template <class T>
std::string bytes_of(std::vector<T> const& values, bool swap = false) {
    std::string out(values.size() * sizeof(T), '\0');
    std::memcpy(out.data(), values.data(), out.size());
    if (swap)
        for (std::size_t i = 0; i < out.size(); i += sizeof(T))
            std::reverse(out.begin() + i, out.begin() + i + sizeof(T));
    return out;
}

/// As zlib (window 15) or gzip (31) has it.
std::string packed(std::string const& bytes, int window) {
    z_stream s{};
    EXPECT_EQ(deflateInit2(&s, 9, Z_DEFLATED, window, 9, Z_DEFAULT_STRATEGY), Z_OK);
    std::string out(2 * bytes.size() + 100, '\0');
    s.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    s.avail_in = static_cast<uInt>(bytes.size());
    s.next_out = reinterpret_cast<Bytef*>(out.data());
    s.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(deflate(&s, Z_FINISH), Z_STREAM_END);
    out.resize(s.total_out);
    deflateEnd(&s);
    return out;
}

std::string meta(std::string const& more, std::string const& type = "MET_SHORT") {
    return "ObjectType = Image\nNDims = 2\nDimSize = 3 2\nElementSpacing = 0.5 2\nOffset = -1 4\n" +
           more + "ElementType = " + type + "\nElementDataFile = LOCAL\n";
}
std::string nrrd(std::string const& more, std::string const& type = "short") {
    return "NRRD0004\n# a comment\ntype: " + type + "\ndimension: 2\nsizes: 3 2\n" + more + "\n";
}
std::vector<std::int16_t> const shorts = {-1000, 0, 1, 2, 300, 4000};
std::vector<float> const as_float = {-1000, 0, 1, 2, 300, 4000};

TEST_F(LoadVolume, MetaImageOfEveryType) {
    auto const check = [&](auto zero, char const* type) {
        using T = decltype(zero);
        for (bool const swap : {false, true}) {
            std::vector<T> const values = {T(0), T(1), T(2), T(3), T(100), T(7)};
            auto const v =
                load_volume(write("a.mha", meta(swap ? "ElementByteOrderMSB = True\n" : "", type) +
                                               bytes_of(values, swap)));
            ASSERT_TRUE(v) << v.error().text();
            EXPECT_EQ(v->image.values, (std::vector<float>{0, 1, 2, 3, 100, 7})) << type;
        }
    };
    check(std::int8_t{}, "MET_CHAR");
    check(std::uint8_t{}, "MET_UCHAR");
    check(std::int16_t{}, "MET_SHORT");
    check(std::uint16_t{}, "MET_USHORT");
    check(std::int32_t{}, "MET_INT");
    check(std::uint32_t{}, "MET_UINT");
    check(float{}, "MET_FLOAT");
    check(double{}, "MET_DOUBLE");
}

TEST_F(LoadVolume, MetaImageSaysWhereItLies) {
    auto const v = load_volume(write("a.mha", meta("Comment = of a head\n") + bytes_of(shorts)));
    ASSERT_TRUE(v) << v.error().text();
    EXPECT_EQ(v->image.shape, (std::vector<index>{2, 3}));
    EXPECT_EQ(v->image.values, as_float);
    EXPECT_EQ(v->spacing, (std::vector<double>{0.5, 2}));
    EXPECT_EQ(v->origin, (std::vector<double>{-1, 4}));
    EXPECT_TRUE(is_straight(v->direction));
    EXPECT_EQ(v->content, "of a head");
    auto const turned = load_volume(write(
        "a.mha", meta("TransformMatrix = -1 0 0 1\nDistanceUnits = mm\n") + bytes_of(shorts)));
    ASSERT_TRUE(turned);
    EXPECT_EQ(turned->direction, (AxisDirections{{{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}}}));
}

TEST_F(LoadVolume, DirectionsHaveALength) {
    EXPECT_NE(problem("a.mha", meta("TransformMatrix = 0 0 0 1\n") + bytes_of(shorts))
                  .find("whose length is not 1"),
              std::string::npos);
    EXPECT_NE(problem("a.nrrd", nrrd("endian: little\nencoding: raw\nspace directions: (0,0) "
                                     "(0,1)\n") +
                                    bytes_of(shorts))
                  .find("a spacing of 0 mm"),
              std::string::npos);
}

TEST_F(LoadVolume, APlaneMayLieObliquelyInSpace) {
    std::string const oblique = "space: LPS\nspace directions: (0,3,4) (1,0,0)\n";
    Volume const v = load_volume(write("a.nrrd", nrrd("endian: little\nencoding: raw\n" + oblique) +
                                                     bytes_of(shorts)))
                         .value();
    EXPECT_EQ(v.direction, (AxisDirections{{{0, 0.6, 0.8}, {1, 0, 0}, {0, 0.8, -0.6}}}));
    EXPECT_TRUE(is_oblique(v.direction));
}

TEST_F(LoadVolume, ElementsInAnotherFile) {
    write("a.raw", "12345" + bytes_of(shorts));
    for (char const* skip : {"HeaderSize = 5\n", "HeaderSize = -1\n"}) {
        std::string text = meta(skip);
        text.replace(text.find("LOCAL"), 5, "a.raw");
        auto const v = load_volume(write("a.mhd", text));
        ASSERT_TRUE(v) << v.error().text();
        EXPECT_EQ(v->image.values, as_float);
    }
    for (char const* skip : {"byte skip: 5\n", "byteskip: -1\n"}) {
        auto const v = load_volume(
            write("a.nhdr",
                  nrrd(std::string("endian: little\nencoding: raw\ndata file: a.raw\n") + skip)));
        ASSERT_TRUE(v) << v.error().text();
        EXPECT_EQ(v->image.values, as_float);
    }
    std::string const lost =
        problem("b.nhdr", nrrd("endian: big\nencoding: raw\ndatafile: no.raw"));
    EXPECT_NE(lost.find("no.raw"), std::string::npos) << lost;
}

TEST_F(LoadVolume, PackedElements) {
    // More than the pieces that are unpacked at once.
    std::vector<std::int16_t> values(300 * 400);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int16_t>(i * 7919);
    std::string const bytes = bytes_of(values);
    std::string const half = bytes.substr(0, 100'001), rest = bytes.substr(100'001);
    std::string const header =
        "NDims = 2\nDimSize = 400 300\nCompressedData = True\nElementType = MET_SHORT\n"
        "ElementDataFile = LOCAL\n";
    for (std::string const& p :
         {packed(bytes, 15), packed(bytes, 31), packed(half, 31) + packed(rest, 31)}) {
        auto const v = load_volume(write("a.mha", header + p));
        ASSERT_TRUE(v) << v.error().text();
        EXPECT_TRUE(std::equal(values.begin(), values.end(), v->image.values.begin()));
        EXPECT_NE(problem("a.mha", header + p.substr(0, p.size() / 2)).find("end"),
                  std::string::npos);
        std::string broken = p;
        broken[p.size() / 2] ^= 0x55;
        EXPECT_NE(problem("a.mha", header + broken).find("damaged"), std::string::npos);
    }
    EXPECT_NE(problem("a.mha", header + packed(bytes + "more", 15)).find("more packed elements"),
              std::string::npos);
    EXPECT_NE(problem("a.mha", header + "short").find("do not fit"), std::string::npos);
}

TEST_F(LoadVolume, MoreBytesThanDeclaredAreRefused) {
    std::string const data = bytes_of(shorts), longer = "x" + data, more = "1 byte more than its";
    std::string const raw = "endian: little\nencoding: raw\n";
    auto const detached = [](std::string text) {
        return text.replace(text.find("LOCAL"), 5, "a.raw");
    };
    EXPECT_NE(problem("a.mha", meta("") + longer).find(more), std::string::npos);
    EXPECT_NE(problem("a.mha", meta("") + data + "\n").find(more), std::string::npos);
    EXPECT_NE(problem("a.nrrd", nrrd(raw) + longer).find(more), std::string::npos);
    EXPECT_EQ(problem("a.nrrd", nrrd(raw + "byte skip: 1\n") + longer), "none");
    write("a.raw", longer);
    EXPECT_NE(problem("a.mhd", detached(meta(""))).find(more), std::string::npos);
    EXPECT_NE(problem("a.nhdr", nrrd(raw + "data file: a.raw\n")).find(more), std::string::npos);
    // Of these the header says that something is before the elements.
    EXPECT_EQ(problem("a.mhd", detached(meta("HeaderSize = 1\n"))), "none");
    EXPECT_EQ(problem("a.mhd", detached(meta("HeaderSize = -1\n"))), "none");
    EXPECT_EQ(problem("a.nhdr", nrrd(raw + "data file: a.raw\nbyte skip: -1\n")), "none");
    EXPECT_NE(problem("a.mha", meta("HeaderSize = 5\n") + data).find("HeaderSize is 5"),
              std::string::npos);
    std::string const far = meta("HeaderSize = 300\n");
    EXPECT_EQ(problem("a.mha", far + std::string(300 - far.size(), ' ') + data), "none");
    EXPECT_NE(problem("a.mha", far + data + std::string(300, ' ')).find("bytes more than its"),
              std::string::npos);
}

TEST_F(LoadVolume, PackedBytesAreAsManyAsTheHeaderSays) {
    std::string const p = packed(bytes_of(shorts), 15), gzip = packed(bytes_of(shorts), 31);
    auto const header = [](std::size_t bytes) {
        return meta("CompressedData = True\nCompressedDataSize = " + std::to_string(bytes) + "\n");
    };
    EXPECT_EQ(problem("a.mha", header(p.size()) + p), "none");
    EXPECT_NE(problem("a.mha", header(p.size()) + p + "x").find("where the header declares"),
              std::string::npos);
    EXPECT_NE(problem("a.mha", header(p.size() + 1) + p).find("where the header declares"),
              std::string::npos);
    std::string const gz = nrrd("endian: little\nencoding: gzip\n");
    EXPECT_EQ(problem("a.nrrd", gz + gzip), "none");
    EXPECT_NE(problem("a.nrrd", gz + gzip + "\n"), "none");
    // Without the last byte of its checksum nothing tells that the elements are right.
    EXPECT_NE(
        problem("a.nrrd", gz + gzip.substr(0, gzip.size() - 1)).find("without their checksum"),
        std::string::npos);
}

TEST_F(LoadVolume, NrrdOfEverySpacing) {
    std::string const big = "endian: big\nencoding: raw\n";
    auto const load = [&](std::string const& more) {
        return load_volume(write("a.nrrd", nrrd(big + more) + bytes_of(shorts, true))).value();
    };
    EXPECT_TRUE(load("").spacing.empty());
    EXPECT_TRUE(load("spacings: nan 1\n").spacing.empty());
    EXPECT_EQ(load("spacings: 0.5 2\nkey:=value\n").spacing, (std::vector<double>{0.5, 2}));
    Volume const v = load("space directions: (0.5,0) (0, 2)\nspace origin: (-1,4)\n");
    EXPECT_EQ(v.image.values, as_float);
    EXPECT_EQ(v.spacing, (std::vector<double>{0.5, 2}));
    EXPECT_EQ(v.origin, (std::vector<double>{-1, 4}));
    EXPECT_TRUE(is_straight(v.direction));
    Volume const oblique = load("space directions: (3,4,0) (0,-2,0)\nspace origin: (1,2,3)\n");
    EXPECT_EQ(oblique.spacing, (std::vector<double>{5, 2}));
    EXPECT_EQ(oblique.direction, (AxisDirections{{{0.6, 0.8, 0}, {0, -1, 0}, {0, 0, -1}}}));
    EXPECT_TRUE(oblique.origin.empty());
    std::string const straight = "space directions: (0.5,0) (0, 2)\nspace origin: (-1,4)\n";
    EXPECT_TRUE(is_straight(load("space: left-posterior-superior\n" + straight).direction));
    // Places and directions are counted to the left and the back, whatever the file does.
    Volume const right = load("space: right-anterior-superior\n" + straight);
    EXPECT_EQ(right.direction, (AxisDirections{{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}}));
    EXPECT_EQ(right.origin, (std::vector<double>{1, -4}));
    EXPECT_TRUE(is_straight(load("space directions: (-0.5,0) (0,-2)\nspace: RAS\n").direction));
    Volume const front = load("space: LAS\n" + straight);
    EXPECT_EQ(front.direction, (AxisDirections{{{1, 0, 0}, {0, -1, 0}, {0, 0, 1}}}));
    auto const gzip = load_volume(
        write("a.nrrd", nrrd("endian: little\nencoding: gzip\n") + packed(bytes_of(shorts), 31)));
    ASSERT_TRUE(gzip) << gzip.error().text();
    EXPECT_EQ(gzip->image.values, as_float);
}

TEST_F(LoadVolume, TakesNoMoreMemoryThanItMay) {
    std::string const path =
        write("a.nrrd", nrrd("endian: big\nencoding: raw\n") + bytes_of(shorts, true));
    std::uint64_t const bytes = as_float.size() * sizeof(float);
    EXPECT_TRUE(load_volume(path, bytes));
    auto const v = load_volume(path, bytes - 1);
    ASSERT_FALSE(v);
    EXPECT_EQ(v.error().code, Code::out_of_memory);
    EXPECT_EQ(v.error().file, path);
}

TEST_F(LoadVolume, NpyHasNoSpacing) {
    std::string const dictionary = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }\n";
    std::string const npy =
        std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(dictionary.size()) + '\0';
    auto const v = load_volume(write("a.npy", npy + dictionary + bytes_of(shorts)));
    ASSERT_TRUE(v) << v.error().text();
    EXPECT_EQ(v->image.shape, (std::vector<index>{2, 3}));
    EXPECT_EQ(v->image.values, as_float);
    EXPECT_TRUE(v->spacing.empty());
    EXPECT_NE(problem("a.npy", npy + dictionary + bytes_of(shorts) + "x").find("1 byte more"),
              std::string::npos);
}

TEST_F(LoadVolume, WrongOnesAreExplained) {
    std::string const data = bytes_of(shorts), raw = "endian: little\nencoding: raw\n";
    auto const replaced = [](std::string text, std::string const& from, std::string const& to) {
        return text.replace(text.find(from), from.size(), to);
    };
    struct Case {
        std::string name, bytes, message;
    };
    for (Case const& c : {
             Case{"a.mha", meta("") + data.substr(1), "do not fit into"},
             Case{"a.mha", replaced(meta(""), "3 2", "3 0") + data, "line 3: an image of 3x0"},
             Case{"a.mha", replaced(meta(""), "3 2", "3 -2") + data, "an image of 3x-2"},
             Case{"a.mha", replaced(meta(""), "3 2", "3000000000 3000000000") + data, "give 1 to"},
             Case{"a.mha", replaced(meta(""), "3 2", "3 2 1") + data, "DimSize has to be 2"},
             Case{"a.mha", replaced(meta(""), "0.5 2", "0.5 nan") + data, "ElementSpacing has to"},
             Case{"a.mha", replaced(meta(""), "0.5 2", "0.5 -2") + data, "an ElementSpacing of -2"},
             Case{"a.mha", replaced(meta(""), "NDims = 2", "NDims = 4") + data, "NDims is '4'"},
             Case{"a.mha", meta("NDims = 3\n") + data, "line 6: NDims stands here again"},
             Case{"a.mha", replaced(meta(""), "_SHORT", "_LONG") + data, "'MET_LONG'; read are"},
             Case{"a.mha", replaced(meta(""), "LOCAL", "LIST") + data, "in several files"},
             Case{"a.mha", meta("BinaryData = False\n") + data, "the elements are text"},
             Case{"a.mha", meta("CompressedData = maybe\n") + data, "neither True nor False"},
             Case{"a.mha", meta("DistanceUnits = cm\n") + data, "lengths in 'cm'"},
             Case{"a.mha", meta("ElementNumberOfChannels = 3\n") + data, "3 channels"},
             Case{"a.mha", "NDims = 2\n", "ends without ElementDataFile"},
             Case{"a.mha", data, "is not a 'Key = Value'"},
             Case{"a.mhd", replaced(meta(""), "LOCAL", "none.raw"), "none.raw"},
             Case{"a.nrrd", nrrd(raw) + data.substr(1), "do not fit into"},
             Case{"a.nrrd", nrrd("endian: little\n") + data, "ends without encoding"},
             Case{"a.nrrd", nrrd("encoding: raw\n") + data, "ends without endian"},
             Case{"a.nrrd", nrrd("encoding: bzip2\n") + data, "raw and gzip are read"},
             Case{"a.nrrd", nrrd(raw + "kinds: RGB-color space\n") + data, "kind 'RGB-color'"},
             Case{"a.nrrd", nrrd(raw + "units: \"mm\" \"cm\"\n") + data, "lengths in 'cm'"},
             Case{"a.nrrd", nrrd(raw + "spacings: 1 0\n") + data, "a spacing of 0 mm"},
             Case{"a.nrrd", nrrd(raw + "space directions: (1,0)\n") + data, "1 space directions"},
             Case{"a.nrrd", nrrd(raw + "space directions: none (1,0)\n") + data, "an axis without"},
             Case{"a.nrrd", nrrd(raw + "byte skip: 1\n") + data, "do not fit into"},
             Case{"a.nrrd", nrrd(raw + "line skip: 1\n") + data, "lines to skip"},
             Case{"a.nrrd", nrrd(raw, "block") + data, "a type of 'block'"},
             Case{"a.nrrd", "NRRD0004\ntype: short\n", "the header does not end"},
             Case{"a.txt", "hello", "is not a MetaImage"},
             Case{"a.mha", meta("CompressedDataSize = ?\n") + data, "CompressedDataSize has to be"},
             Case{"a.npy", std::string("\x93NUMPY\x01\0", 8) + std::string("\x10\0{", 3), "ends"},
         }) {
        std::string const text = problem(c.name, c.bytes);
        EXPECT_NE(text.find(c.message), std::string::npos) << text << " instead of " << c.message;
        EXPECT_NE(text.find(folder_.string()), std::string::npos) << text;
    }
    EXPECT_FALSE(load_volume(folder_ / "none.mhd"));
}

}  // namespace
}  // namespace sluice
