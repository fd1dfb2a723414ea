// The format 2024.2: channels of virtual datasets.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/test_arina.h"

namespace sluice::nxmx {
namespace {

/// The format 2024.2: [image][channel][row][column], virtual, over files of `per_file` images.
class Nexus2024 : public Arina {
  protected:
    static constexpr hsize_t images = 16, channels = 3, per_file = 6;

    static index pattern(hsize_t image, hsize_t channel) {
        return static_cast<index>(image * channels + channel);
    }
    void write_file(std::string const& path, hsize_t first, hsize_t count) {
        Handle const file = create_file(path, true);
        Handle const d = make_dataset(file.id(), "/entry/data/data",
                                      {.extent = {count, channels, rows, cols},
                                       .chunk = {1, 1, rows, cols},
                                       .filter = 32008,
                                       .values = {0, 3, 2, 0, 2}});
        for (hsize_t i = 0; i < count; ++i)
            for (hsize_t c = 0; c < channels; ++c) {
                auto const v = frame<std::uint16_t>(pattern(first + i, c), pixels);
                write_chunk(d, {i, c, 0, 0}, codec::encode_bitshuffle_lz4(bytes_of(v), 2));
            }
    }
    /// One mapping per file, or one per file and channel.
    void write_virtual(bool by_channel, hsize_t total = images) {
        LibraryLock lock;
        Handle const file = create_file(master, true);
        hsize_t const here[] = {total, channels, rows, cols};
        Handle const space(H5Screate_simple(4, here, nullptr), H5Sclose);
        Handle const create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        for (hsize_t first = 0, n = 1; first < images; first += per_file, ++n) {
            hsize_t const count = std::min(per_file, images - first);
            std::string const name = data_name(static_cast<int>(n));
            write_file(folder + "/" + name, first, count);
            hsize_t const there[] = {count, channels, rows, cols};
            for (hsize_t c = 0; c < (by_channel ? channels : 1); ++c) {
                Handle const source(H5Screate_simple(4, there, nullptr), H5Sclose);
                hsize_t const at[] = {first, c, 0, 0}, from[] = {0, c, 0, 0};
                hsize_t const size[] = {count, by_channel ? 1 : channels, rows, cols};
                H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, at, nullptr, size, nullptr);
                H5Sselect_hyperslab(source.id(), H5S_SELECT_SET, from, nullptr, size, nullptr);
                H5Pset_virtual(create.id(), space.id(), name.c_str(), "/entry/data/data",
                               source.id());
            }
        }
        Handle const whole(H5Screate_simple(4, here, nullptr), H5Sclose);
        Handle const link(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
        H5Pset_create_intermediate_group(link.id(), 1);
        Handle const d(H5Dcreate2(file.id(), "/entry/data/data", H5T_STD_U16LE, whole.id(),
                                  link.id(), create.id(), H5P_DEFAULT),
                       H5Dclose);
        ASSERT_TRUE(bool(d));
        write_metadata(file.id());
    }
    void write_metadata(hid_t file) {
        put_texts(file, "/entry/definition", {"NXmx"});
        put_texts(file, "/entry/data/channel", {"threshold_1", "threshold_2", "difference"});
        put_number(file, "/entry/instrument/beam/incident_energy", 300000);
        std::string const at = "/entry/instrument/detector/";
        put_texts(file, at + "serial_number", {"E-01"});
        put_number(file, at + "threshold_2_channel/threshold_energy", 30000);
        std::vector<std::uint32_t> mask(rows * cols);
        mask[5] = 2;
        write_mask(file, at + "threshold_2_channel/pixel_mask", rows, cols, mask);
    }
    static void expect_channel(Dataset const& d, hsize_t channel, hsize_t count = images) {
        auto const got = read_frames<std::uint16_t>(d, 0, static_cast<index>(count));
        ASSERT_TRUE(got) << got.error().text();
        for (hsize_t i = 0; i < count; ++i) {
            auto const want = frame<std::uint16_t>(pattern(i, channel), pixels);
            EXPECT_TRUE(
                std::equal(want.begin(), want.end(), got->begin() + static_cast<index>(i) * pixels))
                << i;
        }
    }
};

TEST_F(Nexus2024, ChannelsAreChosenByNameOrNumber) {
    for (bool by_channel : {false, true}) {
        write_virtual(by_channel);
        auto d = nxmx::open(master, {});
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_TRUE(noted(*d, "threshold_1, threshold_2, difference"));
        EXPECT_EQ(d->frames, 16);
        EXPECT_EQ(d->files.size(), 4u);
        EXPECT_EQ(d->energy_kv, 300);
        EXPECT_EQ(meta(*d, "detector number"), "E-01");
        EXPECT_TRUE(d->pixel_mask.empty());
        expect_channel(*d, 0);
        for (char const* name : {"threshold_2", "1"}) {
            OpenOptions o;
            o.format = NxmxOptions{name};
            d = nxmx::open(master, o);
            ASSERT_TRUE(d) << d.error().text();
            expect_channel(*d, 1);
            EXPECT_EQ(meta(*d, "threshold energy"), "30 keV");
            ASSERT_EQ(d->pixel_mask.size(), 48u);
            EXPECT_EQ(d->pixel_mask[5], 2u);
        }
        for (char const* name : {"threshold_3", "3", "-1", "1x"}) {
            OpenOptions o;
            o.format = NxmxOptions{name};
            d = nxmx::open(master, o);
            ASSERT_FALSE(d) << name;
            EXPECT_TRUE(contains(d.error().message, "threshold_1, threshold_2, difference"));
        }
    }
}

TEST_F(Nexus2024, MissingSourceFilesAreNamed) {
    write_virtual(false);
    fs::remove(folder + "/" + data_name(3));
    auto d = nxmx::open(master, {});
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::incomplete);
    EXPECT_TRUE(contains(d.error().message, data_name(3)));
    d = nxmx::open(master, {.allow_incomplete = true});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->missing, 4);
    expect_channel(*d, 0, 12);
}

TEST_F(Nexus2024, RoomForMoreImagesThanWereWrittenIsIncomplete) {
    write_virtual(false, 25);
    auto d = nxmx::open(master, {});
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::incomplete);
    EXPECT_TRUE(contains(d.error().message, "16 of 25"));
    d = nxmx::open(master, {.allow_incomplete = true});
    ASSERT_TRUE(d);
    EXPECT_EQ(d->missing, 9);
    expect_channel(*d, 0);
}

TEST_F(Nexus2024, MappingsThatAreNoRunsOfFramesAreReadPieceByPiece) {
    write_virtual(false);
    std::string const odd = folder + "/odd_master.h5";
    {
        // Each half of a frame is of another image.
        LibraryLock lock;
        Handle const file = create_file(odd, true);
        hsize_t const here[] = {4, rows, cols}, there[] = {per_file, channels, rows, cols};
        Handle const space(H5Screate_simple(3, here, nullptr), H5Sclose);
        Handle const source(H5Screate_simple(4, there, nullptr), H5Sclose);
        Handle const create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        for (hsize_t half = 0; half < 2; ++half) {
            hsize_t const at[] = {0, half * 3, 0}, size[] = {4, 3, cols};
            hsize_t const from[] = {half, 0, half * 3, 0}, much[] = {4, 1, 3, cols};
            H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, at, nullptr, size, nullptr);
            H5Sselect_hyperslab(source.id(), H5S_SELECT_SET, from, nullptr, much, nullptr);
            H5Pset_virtual(create.id(), space.id(), data_name(1).c_str(), "/entry/data/data",
                           source.id());
        }
        Handle const whole(H5Screate_simple(3, here, nullptr), H5Sclose);
        Handle const link(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
        H5Pset_create_intermediate_group(link.id(), 1);
        Handle const d(H5Dcreate2(file.id(), "/entry/data/data", H5T_STD_U16LE, whole.id(),
                                  link.id(), create.id(), H5P_DEFAULT),
                       H5Dclose);
        put_texts(file.id(), "/entry/definition", {"NXmx"});
    }
    auto const d = nxmx::open(odd, {});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->missing, 0);
    auto const got = read_frames<std::uint16_t>(*d, 0, 4);
    ASSERT_TRUE(got) << got.error().text();
    auto const upper = frame<std::uint16_t>(pattern(2, 0), pixels);
    auto const lower = frame<std::uint16_t>(pattern(3, 0), pixels);
    auto const at = got->begin() + 2 * pixels;
    EXPECT_TRUE(std::equal(at, at + 24, upper.begin()));
    EXPECT_TRUE(std::equal(at + 24, at + 48, lower.begin() + 24));
}

}  // namespace
}  // namespace sluice::nxmx
