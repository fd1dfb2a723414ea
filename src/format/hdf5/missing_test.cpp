// Frames that lack data: refused, or counted where they are and filled, whatever the layout.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "format/hdf5/hdf5.h"
#include "format/hdf5/readers.h"
#include "format/hdf5/test_files.h"

namespace sluice::hdf5 {
namespace {

using namespace test;

class Missing : public testing::Test {
  protected:
    std::string folder = fresh_folder();
    std::string path = folder + "/x.h5";

    /// Refused without the option; with it, the frames that are missing.
    Dataset expect_missing(std::vector<FrameRun> const& runs, index count) {
        auto const refused = open(path, {});
        EXPECT_FALSE(refused);
        if (!refused) {
            EXPECT_EQ(refused.error().code, Code::incomplete) << refused.error().text();
            EXPECT_TRUE(contains(refused.error().message, "--allow-incomplete"));
        }
        auto d = open(path, {.allow_incomplete = true});
        EXPECT_TRUE(d) << d.error().text();
        if (!d) return {};
        EXPECT_EQ(d->missing_runs, runs);
        EXPECT_EQ(d->missing, count);
        EXPECT_TRUE(
            noted(*d, fmt::format("{} of {} frames are present", d->frames - count, d->frames)));
        return std::move(*d);
    }
    /// Every pixel of frame f.
    static void expect_frame(Dataset const& d, index f, std::vector<std::uint16_t> const& want) {
        auto const got = read_frames<std::uint16_t>(d, f, 1);
        ASSERT_TRUE(got) << got.error().text();
        EXPECT_EQ(*got, want) << f;
    }
};

/// A virtual dataset of 9 frames of 2x3, whose frame k is of source k % 3.
void write_interleaved(std::string const& folder, std::string const& path, double fill,
                       std::string const& prefix = "s") {
    LibraryLock lock;
    Handle const file = create_file(path, true);
    hsize_t const here[] = {9, 2, 3}, there[] = {3, 2, 3};
    Handle const space(H5Screate_simple(3, here, nullptr), H5Sclose);
    Handle const source(H5Screate_simple(3, there, nullptr), H5Sclose);
    Handle const create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_fill_value(create.id(), H5T_NATIVE_DOUBLE, &fill);
    for (hsize_t i = 0; i < 3; ++i) {
        std::string const name = prefix + std::to_string(i) + ".h5";
        {
            Handle const data = create_file(folder + "/" + name);
            Handle const d =
                make_dataset(data.id(), "/d", {.extent = {3, 2, 3}, .chunk = {1, 2, 3}});
            std::vector<std::uint16_t> v;
            for (index f = 0; f < 3; ++f)
                for (auto x : frame<std::uint16_t>(3 * f + static_cast<index>(i), 6))
                    v.push_back(x);
            write_all(d, H5T_NATIVE_UINT16, v);
        }
        hsize_t const at[] = {i, 0, 0}, step[] = {3, 1, 1}, n[] = {3, 1, 1}, block[] = {1, 2, 3};
        H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, at, step, n, block);
        H5Pset_virtual(create.id(), space.id(), name.c_str(), "/d", source.id());
    }
    Handle const whole(H5Screate_simple(3, here, nullptr), H5Sclose);
    Handle const d(H5Dcreate2(file.id(), "/v", H5T_STD_U16LE, whole.id(), H5P_DEFAULT, create.id(),
                              H5P_DEFAULT),
                   H5Dclose);
    EXPECT_TRUE(bool(d));
}

TEST_F(Missing, InterleavedSourcesAreFramesInTurn) {
    write_interleaved(folder, path, 77);
    auto const d = open(path, {});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->missing, 0);
    auto const got = read_frames<std::uint16_t>(*d, 0, 9);
    ASSERT_TRUE(got);
    EXPECT_EQ(*got, frames<std::uint16_t>(9, 6));
}

TEST_F(Missing, AnInterleavedSourceThatIsGoneOrGarbageIsCountedAndFilled) {
    for (bool garbage : {false, true}) {
        write_interleaved(folder, path, 77);
        fs::remove(folder + "/s1.h5");
        if (garbage) std::ofstream(folder + "/s1.h5") << std::string(3000, 'x');
        Dataset const d = expect_missing({{1, 1}, {4, 1}, {7, 1}}, 3);
        ASSERT_TRUE(d.source);
        EXPECT_TRUE(noted(d, "s1.h5"));
        for (index f = 0; f < 9; ++f)
            expect_frame(
                d, f, f % 3 == 1 ? std::vector<std::uint16_t>(6, 77) : frame<std::uint16_t>(f, 6));
    }
}

TEST_F(Missing, ASourceThatLacksAChunkHasItsOwnFillValue) {
    write_interleaved(folder, path, 77);
    {
        LibraryLock lock;
        Handle const data = create_file(folder + "/s2.h5");
        Handle const d =
            make_dataset(data.id(), "/d", {.extent = {3, 2, 3}, .chunk = {1, 2, 3}, .fill = 5});
        auto const v = frame<std::uint16_t>(2, 6);
        write_chunk(d, {0, 0, 0}, bytes_of(v));
    }
    Dataset const d = expect_missing({{5, 1}, {8, 1}}, 2);
    ASSERT_TRUE(d.source);
    expect_frame(d, 2, frame<std::uint16_t>(2, 6));
    expect_frame(d, 5, std::vector<std::uint16_t>(6, 5));
}

TEST_F(Missing, AContiguousDatasetThatWasNeverWrittenIsAllFill) {
    {
        Handle const file = create_file(path);
        make_dataset(file.id(), "/d", {.extent = {4, 2, 3}, .fill = 9});
    }
    Dataset const d = expect_missing({{0, 4}}, 4);
    ASSERT_TRUE(d.source);
    expect_frame(d, 3, std::vector<std::uint16_t>(6, 9));
}

TEST_F(Missing, AFrameWithoutOneOfItsChunksIsMissingAndKeepsTheOthers) {
    {
        Handle const file = create_file(path);
        Handle const d =
            make_dataset(file.id(), "/d", {.extent = {4, 2, 3}, .chunk = {1, 1, 3}, .fill = 9});
        for (hsize_t f = 0; f < 4; ++f)
            for (hsize_t r = 0; r < 2; ++r) {
                auto const v = frame<std::uint16_t>(static_cast<index>(f), 6);
                if (f != 2 || r != 1) write_chunk(d, {f, r, 0}, bytes_of(v).subspan(6 * r, 6));
            }
    }
    Dataset const d = expect_missing({{2, 1}}, 1);
    ASSERT_TRUE(d.source);
    auto want = frame<std::uint16_t>(2, 6);
    want[3] = want[4] = want[5] = 9;
    expect_frame(d, 2, want);
    expect_frame(d, 3, frame<std::uint16_t>(3, 6));
}

TEST_F(Missing, FramesOfOneChunkAreMissingTogether) {
    {
        Handle const file = create_file(path);
        Handle const d = make_dataset(
            file.id(), "/d", {.extent = {9, 2, 3}, .chunk = {4, 2, 3}, .filter = 2, .fill = 9});
        auto const v = frames<std::uint16_t>(9, 6);
        LibraryLock lock;
        hsize_t const from[] = {4, 0, 0}, n[] = {4, 2, 3};
        Handle const space(H5Dget_space(d.id()), H5Sclose),
            memory(H5Screate_simple(3, n, nullptr), H5Sclose);
        H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, from, nullptr, n, nullptr);
        EXPECT_GE(H5Dwrite(d.id(), H5T_NATIVE_UINT16, memory.id(), space.id(), H5P_DEFAULT,
                           v.data() + 24),
                  0);
    }
    Dataset const d = expect_missing({{0, 4}, {8, 1}}, 5);
    ASSERT_TRUE(d.source);
    expect_frame(d, 0, std::vector<std::uint16_t>(6, 9));
    expect_frame(d, 7, frame<std::uint16_t>(7, 6));
    expect_frame(d, 8, std::vector<std::uint16_t>(6, 9));
}

/// Rows first .. past - 1 of all four frames of 6 x 3.
struct Rows {
    hsize_t first, past;
};

/// A virtual dataset whose rows are mapped, maybe twice, from a file of the same shape.
void write_rows(std::string const& folder, std::string const& path, std::vector<Rows> const& all,
                std::vector<hsize_t> const& chunk = {}) {
    LibraryLock lock;
    {
        Handle const source = create_file(folder + "/s.h5");
        Handle const d = make_dataset(source.id(), "/d", {.extent = {4, 6, 3}, .chunk = chunk});
        write_all(d, H5T_NATIVE_UINT16, frames<std::uint16_t>(4, 18));
    }
    Handle const file = create_file(path, true);
    hsize_t const n[] = {4, 6, 3};
    Handle const space(H5Screate_simple(3, n, nullptr), H5Sclose);
    Handle const create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    for (Rows const& r : all) {
        hsize_t const at[] = {0, r.first, 0}, count[] = {4, r.past - r.first, 3};
        H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, at, nullptr, count, nullptr);
        H5Pset_virtual(create.id(), space.id(), "s.h5", "/d", space.id());
    }
    Handle const whole(H5Screate_simple(3, n, nullptr), H5Sclose);
    Handle const d(H5Dcreate2(file.id(), "/v", H5T_STD_U16LE, whole.id(), H5P_DEFAULT, create.id(),
                              H5P_DEFAULT),
                   H5Dclose);
}

// Elements that are mapped twice were counted as two.
TEST_F(Missing, MappingsThatOverlapHideNoGap) {
    write_rows(folder, path, {{0, 3}, {0, 3}});
    auto const gap = open(path, {});
    ASSERT_FALSE(gap);
    EXPECT_EQ(gap.error().code, Code::incomplete);
    for (auto const& whole : {std::vector<Rows>{{0, 4}, {3, 6}}, std::vector<Rows>{{0, 3}, {3, 6}},
                              std::vector<Rows>{{0, 6}, {1, 2}}}) {
        write_rows(folder, path, whole);
        auto const d = open(path, {});
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(d->missing, 0);
        for (index f = 0; f < 4; ++f) expect_frame(*d, f, frame<std::uint16_t>(f, 18));
    }
}

// Frames that share chunks of a source decoded them anew for each frame.
TEST_F(Missing, ChunksOfSourcesAreKeptInTheOrderOfTheFrames) {
    write_rows(folder, path, {{0, 6}}, {4, 6, 1});
    auto const d = describe(path, "/v");
    ASSERT_TRUE(d);
    Opening usual, last;
    ASSERT_TRUE(make_reader(*d, boxes::usual_axes(3), usual));
    EXPECT_GT(usual.pools->blocks->room(), 0u);
    write_rows(folder, path, {{0, 6}}, {1, 1, 3});
    ASSERT_TRUE(make_reader(*d, {{2}, 0, 1}, last));
    EXPECT_GT(last.pools->blocks->room(), 0u);
}

// A scan of one image per mapping: the time must not grow with the square of their number.
TEST_F(Missing, ManyMappingsAreReadInTheirPlaces) {
    constexpr hsize_t n = 3000;
    {
        LibraryLock lock;
        Handle const source = create_file(folder + "/s.h5");
        Handle const values = make_dataset(source.id(), "/d", {.extent = {2 * n, 3}});
        write_all(values, H5T_NATIVE_UINT16, frames<std::uint16_t>(n, 6));
        Handle const file = create_file(path, true);
        hsize_t const here[] = {n, 2, 3}, there[] = {2 * n, 3};
        Handle const space(H5Screate_simple(3, here, nullptr), H5Sclose);
        Handle const from(H5Screate_simple(2, there, nullptr), H5Sclose);
        Handle const create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        for (hsize_t i = 0; i < n; ++i) {
            hsize_t const k = i * 7 % n;  // in any order
            hsize_t const to[] = {k, 0, 0}, frame_size[] = {1, 2, 3}, at[] = {2 * k, 0},
                          size[] = {2, 3};
            H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, to, nullptr, frame_size, nullptr);
            H5Sselect_hyperslab(from.id(), H5S_SELECT_SET, at, nullptr, size, nullptr);
            H5Pset_virtual(create.id(), space.id(), "s.h5", "/d", from.id());
        }
        Handle const whole(H5Screate_simple(3, here, nullptr), H5Sclose);
        Handle const d(H5Dcreate2(file.id(), "/v", H5T_STD_U16LE, whole.id(), H5P_DEFAULT,
                                  create.id(), H5P_DEFAULT),
                       H5Dclose);
    }
    auto const d = open(path, {.scan_shape = {{50, 60}}});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->missing, 0);
    auto const got = read_frames<std::uint16_t>(*d, 0, n);
    ASSERT_TRUE(got);
    EXPECT_EQ(*got, frames<std::uint16_t>(n, 6));
}

TEST_F(Missing, AVirtualDatasetOfItselfIsAnErrorAndEnds) {
    {
        LibraryLock lock;
        Handle const file = create_file(path, true);
        hsize_t const n[] = {4, 2, 3};
        Handle const space(H5Screate_simple(3, n, nullptr), H5Sclose);
        Handle const create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_virtual(create.id(), space.id(), "x.h5", "/v", space.id());
        Handle const d(H5Dcreate2(file.id(), "/v", H5T_STD_U16LE, space.id(), H5P_DEFAULT,
                                  create.id(), H5P_DEFAULT),
                       H5Dclose);
    }
    auto const d = open(path, {.format = Hdf5Options{"/v"}});
    ASSERT_FALSE(d);
    EXPECT_TRUE(contains(d.error().message, "made of itself")) << d.error().text();
}

TEST_F(Missing, BitshuffledElementsOfEightBytesAreRead) {
    for (unsigned packed : {0U, 2U, 3U}) {
        {
            Handle const file = create_file(path);
            Handle const d = make_dataset(file.id(), "/d",
                                          {.extent = {4, 4, 5},
                                           .chunk = {1, 4, 5},
                                           .type = H5T_IEEE_F64LE,
                                           .filter = 32008,
                                           .values = {0, 3, 8, 0, packed}});
            for (hsize_t f = 0; f < 4; ++f) {
                auto const v = frame<double>(static_cast<index>(f), 20);
                auto const encode = packed == 0   ? codec::encode_bitshuffle
                                    : packed == 2 ? codec::encode_bitshuffle_lz4
                                                  : codec::encode_bitshuffle_zstd;
                write_chunk(d, {f, 0, 0}, encode(bytes_of(v), 8, 0));
            }
        }
        auto const d = open(path, {});
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(d->dtype, DType::f32);
        auto const got = read_frames<float>(*d, 0, 4);
        ASSERT_TRUE(got) << got.error().text();
        EXPECT_EQ(*got, frames<float>(4, 20)) << packed;
    }
}

}  // namespace
}  // namespace sluice::hdf5
