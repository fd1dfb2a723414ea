// Plain HDF5 files of all kinds of storage, read back pixel by pixel.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/hdf5.h"

#include <atomic>
#include <thread>

#include "base/bytes.h"
#include "format/hdf5/test_files.h"

namespace sluice::hdf5 {
namespace {

using namespace test;

/// Makes a file of one dataset and opens it.
class PlainHdf5 : public testing::Test {
  protected:
    std::string folder = fresh_folder();
    std::string path = folder + "/x.h5";

    /// Writes chunk after chunk: `chunk(f)` are the stored bytes of frame f.
    template <class Chunk>
    void write(Spec const& s, Chunk chunk, unsigned mask = 0) {
        Handle const file = create_file(path);
        Handle const d = make_dataset(file.id(), "/d", s);
        for (hsize_t f = 0; f < s.extent[0]; ++f)
            write_chunk(d, {f, 0, 0}, chunk(static_cast<index>(f)), mask);
    }
    template <class T>
    void write_values(Spec const& s, hid_t memory, std::vector<T> const& values) {
        Handle const file = create_file(path);
        write_all(make_dataset(file.id(), "/d", s), memory, values);
    }
};

TEST_F(PlainHdf5, EveryEncodingOfTheDetectorFilters) {
    constexpr hsize_t rows = 13, cols = 17, n = 9;
    struct Coded {
        std::vector<unsigned> values;
        int filter;
        Encoding encoding;
    };
    for (Coded const& c : {Coded{{0, 3, 2, 0, 2}, 32008, Encoding::bitshuffle_lz4},
                           Coded{{0, 4, 2, 64, 2}, 32008, Encoding::bitshuffle_lz4},
                           Coded{{0, 4, 2, 0, 3, 5}, 32008, Encoding::bitshuffle_zstd},
                           Coded{{0, 4, 2, 0}, 32008, Encoding::bitshuffle},
                           Coded{{0, 4, 2, 64, 0}, 32008, Encoding::bitshuffle},
                           Coded{{}, 32004, Encoding::lz4}, Coded{{}, 0, Encoding::values}}) {
        Spec const s{.extent = {n, rows, cols},
                     .chunk = {1, rows, cols},
                     .filter = c.filter,
                     .values = c.values};
        write_values(s, H5T_NATIVE_UINT16, frames<std::uint16_t>(n, rows * cols));
        auto const d = open(path, {.scan_shape = {{3, 3}}});
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_TRUE(d->notes.empty()) << d->notes[0];
        EXPECT_EQ(d->rows, 13);
        EXPECT_EQ(d->cols, 17);
        EXPECT_EQ(d->frames, 9);
        EXPECT_EQ(d->dtype, DType::u16);
        EncodedFrame first[1];
        FetchScratch scratch;
        ASSERT_TRUE(d->source->fetch(3, first, scratch));
        EXPECT_EQ(first[0].encoding, c.encoding);
        EXPECT_EQ(*first[0].file, path);
        auto const got = read_frames<std::uint16_t>(*d, 2, 6);
        ASSERT_TRUE(got) << got.error().text();
        auto const want = frames<std::uint16_t>(n, rows * cols);
        EXPECT_TRUE(std::equal(got->begin(), got->end(), want.begin() + 2 * rows * cols));
    }
}

TEST_F(PlainHdf5, AChunkWhoseFilterWasSkippedIsRaw) {
    Spec const s{
        .extent = {4, 8, 8}, .chunk = {1, 8, 8}, .filter = 32008, .values = {0, 3, 2, 0, 2}};
    std::vector<std::uint16_t> f;
    write(
        s, [&](index i) { return bytes_of(f = frame<std::uint16_t>(i, 64)); }, 1);
    auto const d = open(path, {});
    ASSERT_TRUE(d);
    auto const got = read_frames<std::uint16_t>(*d, 0, 4);
    ASSERT_TRUE(got);
    EXPECT_EQ(*got, frames<std::uint16_t>(4, 64));
}

TEST_F(PlainHdf5, UnwrittenFramesAreMissing) {
    {
        Handle const file = create_file(path);
        Handle const d = make_dataset(file.id(), "/d", {.extent = {9, 2, 2}, .chunk = {1, 2, 2}});
        for (hsize_t f : {1, 2, 7})
            write_chunk(d, {f, 0, 0}, bytes_of(frame<std::uint16_t>(static_cast<index>(f), 4)));
    }
    auto const refused = open(path, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::incomplete);
    EXPECT_TRUE(contains(refused.error().message, "--allow-incomplete"));
    auto const d = open(path, {.allow_incomplete = true});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_TRUE(noted(*d, "3 of 9 frames are present"));
    EXPECT_EQ(d->missing, 6);
    EXPECT_EQ(d->missing_runs, (std::vector<FrameRun>{{0, 1}, {3, 4}, {8, 1}}));
    std::vector<EncodedFrame> e(9);
    FetchScratch scratch;
    ASSERT_TRUE(d->source->fetch(0, e, scratch));
    for (index f = 0; f < 9; ++f)
        EXPECT_EQ(e[static_cast<std::size_t>(f)].encoding == Encoding::missing,
                  f != 1 && f != 2 && f != 7);
    EXPECT_EQ(d->source->stored_bytes(), 24u);
}

TEST_F(PlainHdf5, ChunksThatAreNotFramesAreDecodedHere) {
    for (Spec const& s :
         {Spec{.extent = {25, 12, 10}, .chunk = {10, 12, 10}},
          Spec{.extent = {25, 12, 10},
          .chunk = {4, 5, 3},
          .filter = 32008,
          .values = {0, 3, 2, 0, 2}},
          Spec{.extent = {25, 12, 10}, .chunk = {7, 5, 10}, .filter = 32004},
          Spec{.extent = {25, 12, 10}, .chunk = {1, 12, 10}, .filter = 1, .values = {6}},
          Spec{.extent = {5, 5, 12, 10}, .chunk = {2, 3, 4, 5}, .filter = 2}}) {
        write_values(s, H5T_NATIVE_UINT16, frames<std::uint16_t>(25, 120));
        auto const d = open(path, {.scan_shape = {{5, 5}}});
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_TRUE(d->notes.empty());
        auto const got = read_frames<std::uint16_t>(*d, 3, 20);
        ASSERT_TRUE(got) << got.error().text();
        auto const want = frames<std::uint16_t>(25, 120);
        EXPECT_TRUE(std::equal(got->begin(), got->end(), want.begin() + 3 * 120));
    }
}

TEST_F(PlainHdf5, ContiguousFramesAreReadStraight) {
    write_values({.extent = {3, 4, 5, 6}}, H5T_NATIVE_UINT16, frames<std::uint16_t>(12, 30));
    auto const d = open(path, {});
    ASSERT_TRUE(d);
    EXPECT_TRUE(d->notes.empty());
    EXPECT_EQ(d->scan, (std::array<index, 2>{3, 4}));
    EXPECT_EQ(d->scan_from, "shape of the dataset");
    auto const got = read_frames<std::uint16_t>(*d, 5, 7);
    ASSERT_TRUE(got);
    auto const want = frames<std::uint16_t>(12, 30);
    EXPECT_TRUE(std::equal(got->begin(), got->end(), want.begin() + 5 * 30));
}

TEST_F(PlainHdf5, OtherTypesAreConvertedAndNoted) {
    struct Type {
        hid_t stored;
        DType dtype;
        std::string note;
    };
    for (Type const& t :
         {Type{H5T_STD_U16BE, DType::u16, "big-endian uint16"},
          Type{H5T_STD_U32BE, DType::u32, "big-endian uint32"},
          Type{H5T_STD_U64LE, DType::f32, "uint64"}, Type{H5T_STD_I8LE, DType::f32, "int8"},
          Type{H5T_STD_I16LE, DType::f32, "int16"},
          Type{H5T_STD_I32BE, DType::f32, "big-endian int32"},
          Type{H5T_IEEE_F64LE, DType::f32, "float64"}}) {
        std::vector<double> v;
        for (index i = 0; i < 4 * 6; ++i) v.push_back(static_cast<double>(i));
        write_values({.extent = {4, 2, 3}, .type = t.stored}, H5T_NATIVE_DOUBLE, v);
        auto const d = open(path, {});
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(d->dtype, t.dtype);
        EXPECT_TRUE(noted(*d, "the file's " + t.note + " values are read as")) << t.note;
        EncodedFrame e[1];
        FetchScratch scratch;
        ASSERT_TRUE(d->source->fetch(2, e, scratch));
        ASSERT_EQ(e[0].bytes.size(), static_cast<std::size_t>(6 * size_of(t.dtype)));
        double last = 0;
        std::byte const* p = e[0].bytes.data() + 5 * size_of(t.dtype);
        if (t.dtype == DType::u16) last = load_le<std::uint16_t>(p);
        if (t.dtype == DType::u32) last = load_le<std::uint32_t>(p);
        if (t.dtype == DType::f32) last = std::bit_cast<float>(load_le<std::uint32_t>(p));
        EXPECT_EQ(last, 17);
    }
}

TEST_F(PlainHdf5, AnUnknownFilterIsNamed) {
    Spec const s{.extent = {4, 8, 8}, .chunk = {1, 8, 8}, .filter = 32013};
    std::vector<std::uint16_t> const f(64);
    write(s, [&](index) { return bytes_of(f); });
    auto const d = open(path, {});
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::unsupported);
    EXPECT_TRUE(contains(d.error().message, "32013"));
    EXPECT_TRUE(contains(d.error().message, "zfp"));
    EXPECT_EQ(d.error().file, path);
}

TEST_F(PlainHdf5, SeveralDatasetsAreListedAndOneCanBeChosen) {
    {
        LibraryLock lock;
        Handle const file = create_file(path);
        write_all(make_dataset(file.id(), "/a", {.extent = {4, 2, 3}}), H5T_NATIVE_UINT16,
                  frames<std::uint16_t>(4, 6));
        make_dataset(file.id(), "/g/b", {.extent = {9, 5, 3}});
        make_dataset(file.id(), "/g/line", {.extent = {9}});
        // A ring, and a second name for the same dataset.
        H5Lcreate_hard(file.id(), "/g", file.id(), "/g/ring", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_hard(file.id(), "/a", file.id(), "/z", H5P_DEFAULT, H5P_DEFAULT);
    }
    auto d = open(path, {});
    ASSERT_FALSE(d);
    EXPECT_TRUE(contains(d.error().message, "2 datasets"));
    EXPECT_TRUE(contains(d.error().message, "/a (4x2x3), /g/b (9x5x3)"));
    EXPECT_TRUE(contains(d.error().message, "--dataset"));
    d = open(path, {.format = Hdf5Options{"/a"}});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->frames, 4);
    for (char const* wrong : {"/nothing", "/g", "/g/line", "g/none/deep", ""}) {
        OpenOptions const o{.format = Hdf5Options{wrong}};
        EXPECT_FALSE(hdf5::open(path, o)) << wrong;
    }
}

TEST_F(PlainHdf5, WithoutFramesItSaysWhatIsThere) {
    {
        LibraryLock lock;
        Handle const file = create_file(path);
        make_dataset(file.id(), "/image", {.extent = {5, 3}});
        put_texts(file.id(), "/words", {"a", "b"});
        H5Lcreate_external("nowhere.h5", "/x", file.id(), "/lost", H5P_DEFAULT, H5P_DEFAULT);
    }
    auto const d = open(path, {});
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::not_found);
    EXPECT_TRUE(contains(d.error().message, "/image (5x3)"));
    EXPECT_TRUE(contains(d.error().message, "/lost"));
}

TEST_F(PlainHdf5, TheScanShapeAttributeCounts) {
    {
        Handle const file = create_file(path);
        Handle const d = make_dataset(file.id(), "/g/d", {.extent = {24, 2, 3}});
        write_all(d, H5T_NATIVE_UINT16, frames<std::uint16_t>(24, 6));
        put_attribute(d.id(), "scan_shape", {4, 6});
    }
    auto const d = open(path, {});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->scan, (std::array<index, 2>{4, 6}));
    auto const user = open(path, {.scan_shape = {{2, 12}}});
    ASSERT_TRUE(user);
    EXPECT_EQ(user->scan, (std::array<index, 2>{2, 12}));
}

TEST_F(PlainHdf5, FilesThatAreNoHdf5AreErrors) {
    EXPECT_EQ(open(folder + "/none.h5", {}).error().code, Code::not_found);
    std::ofstream(path) << "not HDF5 at all";
    auto const text = slurp(path);
    EXPECT_FALSE(recognises(path, text));
    auto d = open(path, {});
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::corrupt);
    EXPECT_EQ(d.error().file, path);
    std::ofstream(path).close();
    EXPECT_FALSE(open(path, {}));
    EXPECT_FALSE(open(folder, {}));
}

TEST_F(PlainHdf5, ACutFileIsTruncatedAtItsEnd) {
    write_values({.extent = {9, 20, 20}}, H5T_NATIVE_UINT16, frames<std::uint16_t>(9, 400));
    auto const size = fs::file_size(path);
    fs::resize_file(path, size - 100);
    auto const d = open(path, {});
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::truncated);
    EXPECT_EQ(d.error().at, size - 100);
    for (std::uint64_t n = 0; n < 3000; n += 17) {
        fs::resize_file(path, n);
        EXPECT_FALSE(open(path, {})) << n;
        fs::resize_file(path, 3000);
    }
}

TEST_F(PlainHdf5, AFileCutAfterOpeningIsTruncatedAtTheFrame) {
    Spec const s{.extent = {9, 20, 20}, .chunk = {1, 20, 20}};
    std::vector<std::uint16_t> f;
    write(s, [&](index i) { return bytes_of(f = frame<std::uint16_t>(i, 400)); });
    std::uint64_t last = 0;
    {
        auto const d = open(path, {});
        ASSERT_TRUE(d);
        EncodedFrame e[1];
        FetchScratch scratch;
        ASSERT_TRUE(d->source->fetch(8, e, scratch));
        last = e[0].at;
    }
    // The superblock (version 0: at byte 40) may claim what it likes about the end.
    auto bytes = slurp(path);
    bytes.resize(static_cast<std::size_t>(last) + 100);
    for (std::size_t i = 0; i < 8; ++i)
        bytes[40 + i] = static_cast<std::byte>(bytes.size() >> (8 * i) & 0xff);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<char const*>(bytes.data()), static_cast<long>(bytes.size()));
    auto const d = open(path, {});
    ASSERT_TRUE(d) << d.error().text();
    auto const got = read_frames<std::uint16_t>(*d, 0, 9);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, Code::truncated);
    EXPECT_TRUE(contains(got.error().message, "frame 8 "));
    EXPECT_EQ(got.error().file, path);
    EXPECT_EQ(got.error().at, last);
    EXPECT_TRUE(read_frames<std::uint16_t>(*d, 0, 8));
}

TEST_F(PlainHdf5, AFlippedByteNeverCrashes) {
    Spec const s{
        .extent = {9, 4, 4}, .chunk = {1, 4, 4}, .filter = 32008, .values = {0, 3, 2, 0, 2}};
    write_values(s, H5T_NATIVE_UINT16, frames<std::uint16_t>(9, 16));
    auto const good = slurp(path);
    std::size_t opened = 0;
    auto const put = [&](std::size_t at, std::byte b) {
        std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
        out.seekp(static_cast<long>(at)).put(std::to_integer<char>(b));
    };
    for (std::size_t i = 0; i < good.size(); ++i) {
        put(i, good[i] ^ std::byte{0xff});
        auto const d = open(path, {.allow_incomplete = true});
        if (d && d->pixels() * d->frames < 100000 && d->dtype == DType::u16) {
            ++opened;
            (void)read_frames<std::uint16_t>(*d, 0, d->frames);
        }
        put(i, good[i]);
    }
    EXPECT_GT(opened, 0u);
}

TEST_F(PlainHdf5, ThreadsShareASource) {
    for (int filter : {0, 1}) {
        Spec const s{.extent = {400, 6, 6}, .chunk = {1, 6, 6}, .filter = filter, .values = {4}};
        write_values(s, H5T_NATIVE_UINT16, frames<std::uint16_t>(400, 36));
        auto const d = open(path, {});
        ASSERT_TRUE(d);
        auto const want = frames<std::uint16_t>(400, 36);
        std::vector<std::thread> threads;
        std::atomic<int> right = 0;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (index f = t; f + 5 <= 400; f += 7) {
                    auto const got = read_frames<std::uint16_t>(*d, f, 5);
                    right += got && std::equal(got->begin(), got->end(), want.begin() + f * 36);
                }
            });
        for (std::thread& t : threads) t.join();
        EXPECT_EQ(right, 4 * 57);
    }
}

TEST_F(PlainHdf5, ADatacubeOfOldPy4dstemCountsBesideItsSlices) {
    std::string const cube = "/4DSTEM_experiment/data/datacubes/datacube_0/data";
    {
        Handle const file = create_file(path);
        auto const data = make_dataset(file.id(), cube, {.extent = {2, 3, 4, 4}});
        write_all(data, H5T_NATIVE_UINT16, frames<std::uint16_t>(6, 16));
        make_dataset(file.id(), "/4DSTEM_experiment/data/diffractionslices/a/data",
                     {.extent = {4, 4, 3}});
    }
    auto const d = open(path, {});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
    ASSERT_FALSE(d->metadata.empty());
    EXPECT_EQ(d->metadata[0].value, cube);
}

TEST_F(PlainHdf5, ACompanionFileLeadsToItsMaster) {
    {
        LibraryLock lock;
        Handle const file = create_file(path);
        Handle const g(
            H5Gcreate2(file.id(), "/STEM Metadata", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
            H5Gclose);
    }
    auto const d = open(path, {});
    ASSERT_FALSE(d);
    EXPECT_TRUE(contains(d.error().message, "_master.h5"));
}

TEST(Hdf5, AUserBlockMayBeLongerThanTheHeadOfAFile) {
    for (hsize_t block : {hsize_t{512}, hsize_t{4096}, hsize_t{65536}}) {
        std::string const path = fresh_folder() + "/x.h5";
        {
            Handle const file = create_file(path, false, block);
            Handle const d = make_dataset(file.id(), "/d", {.extent = {4, 2, 3}});
            write_all(d, H5T_NATIVE_UINT16, frames<std::uint16_t>(4, 6));
        }
        auto const d = sluice::open(path, {});
        ASSERT_TRUE(d) << block << d.error().text();
        EXPECT_EQ(*read_frames<std::uint16_t>(*d, 0, 4), frames<std::uint16_t>(4, 6));
    }
}

}  // namespace
}  // namespace sluice::hdf5
