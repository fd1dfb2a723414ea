// DECTRIS acquisitions of both formats: whole, renamed, incomplete, contradictory.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/nxmx.h"

#include <fmt/format.h>

#include "format/hdf5/hdf5.h"
#include "format/hdf5/test_files.h"

namespace sluice::nxmx {
namespace {

using namespace hdf5;
using namespace hdf5::test;

constexpr hsize_t rows = 6, cols = 8;
constexpr index pixels = 48;

/// Frames first .. first + count - 1 of the pattern, one per chunk, at /entry/data/data.
void write_data_file(std::string const& path, index first, index count, hid_t type = H5T_STD_U16LE,
                     hsize_t high = rows) {
    Handle const file = create_file(path, true);
    Handle const d = make_dataset(file.id(), "/entry/data/data",
                                  {.extent = {static_cast<hsize_t>(count), high, cols},
                                   .chunk = {1, high, cols},
                                   .max = {H5S_UNLIMITED, high, cols},
                                   .type = type,
                                   .filter = 32008,
                                   .values = {0, 3, 2, 0, 2}});
    put_attribute(d.id(), "image_nr_low", {static_cast<double>(first + 1)});
    for (index f = 0; f < count; ++f) {
        auto const v = frame<std::uint16_t>(first + f, static_cast<index>(high * cols));
        write_chunk(d, {static_cast<hsize_t>(f), 0, 0},
                    codec::encode_bitshuffle_lz4(bytes_of(v), 2));
    }
}

void link_data(hid_t master, std::string const& link, std::string const& file) {
    LibraryLock lock;
    Handle const create(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(create.id(), 1);
    H5Lcreate_external(file.c_str(), "/entry/data/data", master, ("/entry/data/" + link).c_str(),
                       create.id(), H5P_DEFAULT);
}

void write_detector(hid_t master, double triggers, double images, std::string const& mode) {
    std::string const at = "/entry/instrument/detector/";
    put_texts(master, "/entry/definition", {"NXmx"});
    put_texts(master, at + "description", {"Dectris ARINA Si"});
    put_texts(master, at + "detectorSpecific/trigger_mode", {mode});
    put_number(master, at + "detectorSpecific/ntrigger", triggers);
    put_number(master, at + "detectorSpecific/nimages", images);
    put_number(master, at + "detectorSpecific/photon_energy", 200000);
    put_number(master, at + "frame_time", 9.96e-5);
    put_number(master, at + "saturation_value", 8352);
    put_number(master, at + "pixel_mask_applied", 1);
    put_number(master, at + "x_pixel_size", 1e-4);
}

void write_mask(hid_t master, std::string const& path, hsize_t r, hsize_t c,
                std::vector<std::uint32_t> const& v) {
    write_all(make_dataset(master, path, {.extent = {r, c}, .type = H5T_STD_U32LE}),
              H5T_NATIVE_UINT32, v);
}

class Arina : public testing::Test {
  protected:
    std::string folder = fresh_folder();
    std::string master = folder + "/scan_master.h5";

    std::string data_name(int i) const { return fmt::format("scan_data_{:06d}.h5", i); }
    /// 36 frames in files of 10, 10, 10 and 6.
    Handle write_acquisition(double triggers = 36, std::string const& mode = "exts") {
        Handle file = create_file(master);
        write_detector(file.id(), triggers, 1, mode);
        for (int i = 0; i < 4; ++i) {
            write_data_file(folder + "/" + data_name(i + 1), 10 * i, i < 3 ? 10 : 6);
            link_data(file.id(), fmt::format("data_{:06d}", i + 1), data_name(i + 1));
        }
        return file;
    }
    void write_companion(double x, double y, double prescan = 0) {
        LibraryLock lock;
        Handle const file = create_file(folder + "/scan.h5");
        Handle const g(
            H5Gcreate2(file.id(), "/STEM Metadata", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
            H5Gclose);
        put_attribute(g.id(), "NumPixelsX", {x});
        put_attribute(g.id(), "NumPixelsY", {y});
        put_attribute(g.id(), "NumPixelsPrescan", {prescan});
        put_attribute(g.id(), "Pixel Size", {0.125});
        put_attribute(g.id(), "High Tension", {300000});
        put_attribute(g.id(), "Camera Length", {0.1});
        put_attribute(g.id(), "IsPixelSizeCalibrated", {0});
    }
    static void expect_pattern(Dataset const& d, index count) {
        auto const got = read_frames<std::uint16_t>(d, 0, count);
        ASSERT_TRUE(got) << got.error().text();
        EXPECT_TRUE(*got == frames<std::uint16_t>(count, pixels));
    }
    static std::string meta(Dataset const& d, std::string const& name) {
        for (MetaField const& f : d.metadata)
            if (f.name == name) return f.value + (f.unit.empty() ? "" : " " + f.unit);
        return {};
    }
};

TEST_F(Arina, IsReadWholeAcrossFiles) {
    write_acquisition();
    EXPECT_TRUE(nxmx::recognises(master, slurp(master)));
    EXPECT_FALSE(nxmx::recognises(folder + "/" + data_name(1), slurp(folder + "/" + data_name(1))));
    auto const d = nxmx::open(master, {});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->format, "nxmx");
    EXPECT_EQ(d->frames, 36);
    EXPECT_EQ(d->missing, 0);
    EXPECT_EQ(d->scan, (std::array<index, 2>{6, 6}));
    EXPECT_EQ(d->rows, 6);
    EXPECT_EQ(d->cols, 8);
    EXPECT_EQ(d->dtype, DType::u16);
    EXPECT_EQ(d->files.size(), 5u);
    EXPECT_TRUE(d->sentinel);
    EXPECT_EQ(d->saturation, 8352u);
    EXPECT_DOUBLE_EQ(d->dwell_s, 9.96e-5);
    EXPECT_EQ(meta(*d, "detector"), "Dectris ARINA Si");
    EXPECT_EQ(meta(*d, "high tension"), "200 kV");
    EXPECT_EQ(meta(*d, "frame time"), "99.6 us");
    EXPECT_TRUE(d->pixel_mask.empty());
    expect_pattern(*d, 36);
    // Any stretch of it, files notwithstanding.
    auto const want = frames<std::uint16_t>(36, pixels);
    for (index first = 0; first < 36; first += 5) {
        auto const got = read_frames<std::uint16_t>(*d, first, std::min<index>(13, 36 - first));
        ASSERT_TRUE(got);
        EXPECT_TRUE(std::equal(got->begin(), got->end(), want.begin() + first * pixels));
    }
}

TEST_F(Arina, TheCompanionGivesTheScan) {
    write_acquisition();
    write_companion(9, 4);
    auto const d = nxmx::open(master, {});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->scan, (std::array<index, 2>{4, 9}));
    EXPECT_EQ(d->scan_from, "STEM Metadata");
    EXPECT_EQ(d->scan_step_nm, 0.125);
    EXPECT_NEAR(d->detector_step_mrad, 1.0, 1e-6);
    EXPECT_EQ(meta(*d, "camera length"), "100 mm");
    EXPECT_TRUE(noted(*d, "not calibrated"));
    EXPECT_EQ(d->files.back(), folder + "/scan.h5");
    write_companion(7, 4, 2);
    auto const wide = nxmx::open(master, {});
    ASSERT_TRUE(wide);
    EXPECT_EQ(wide->scan, (std::array<index, 2>{4, 9}));
    EXPECT_TRUE(noted(*wide, "prescan"));
    // One that fits nothing is named and left.
    write_companion(5, 5);
    auto const odd = nxmx::open(master, {});
    ASSERT_TRUE(odd);
    EXPECT_EQ(odd->scan, (std::array<index, 2>{6, 6}));
    EXPECT_TRUE(noted(*odd, "5x5"));
    std::ofstream(folder + "/scan.h5") << "damaged";
    EXPECT_TRUE(noted(*nxmx::open(master, {}), "companion file is ignored"));
}

TEST_F(Arina, RenamedFilesAreFoundByTheMastersName) {
    write_acquisition();
    fs::rename(master, folder + "/new_master.h5");
    for (int i = 1; i <= 4; ++i)
        fs::rename(folder + "/" + data_name(i), fmt::format("{}/new_data_{:06d}.h5", folder, i));
    auto const d = nxmx::open(folder + "/new_master.h5", {});
    ASSERT_TRUE(d) << d.error().text();
    expect_pattern(*d, 36);
}

TEST_F(Arina, AllMissingFilesAreNamedAtOnce) {
    write_acquisition();
    fs::remove(folder + "/" + data_name(2));
    fs::remove(folder + "/" + data_name(4));
    auto d = nxmx::open(master, {});
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::not_found);
    EXPECT_TRUE(contains(d.error().message, "2 of 4"));
    EXPECT_TRUE(contains(d.error().message, data_name(2)));
    EXPECT_TRUE(contains(d.error().message, data_name(4)));
    // The numbers of the images say where the frames behind a hole belong.
    d = nxmx::open(master, {.allow_incomplete = true});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->missing, 16);
    EXPECT_EQ(d->missing_runs, (std::vector<FrameRun>{{10, 10}, {30, 6}}));
    auto const third = read_frames<std::uint16_t>(*d, 20, 10);
    ASSERT_TRUE(third);
    EXPECT_EQ(third->front(), pixel(20, 0));
    write_data_file(folder + "/" + data_name(2), 10, 10);
    d = nxmx::open(master, {.allow_incomplete = true});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->missing, 6);
    EXPECT_TRUE(noted(*d, data_name(4)));
    expect_pattern(*d, 30);
    auto const rest = read_frames<std::uint16_t>(*d, 28, 8);
    ASSERT_TRUE(rest);
    EXPECT_EQ(rest->back(), 0);
    for (int i = 1; i <= 3; ++i) fs::remove(folder + "/" + data_name(i));
    EXPECT_FALSE(nxmx::open(master, {.allow_incomplete = true}));
}

// Without the first file's number, the number behind a hole says nothing of its size.
TEST_F(Arina, AHoleOfUnknownSizeIsAnError) {
    write_acquisition();
    {
        LibraryLock lock;
        Handle const file(H5Fopen((folder + "/" + data_name(1)).c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                          H5Fclose);
        ASSERT_GE(H5Adelete_by_name(file.id(), "/entry/data/data", "image_nr_low", H5P_DEFAULT), 0);
    }
    EXPECT_TRUE(nxmx::open(master, {}));
    fs::remove(folder + "/" + data_name(2));
    auto const d = nxmx::open(master, {.allow_incomplete = true});
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::incomplete);
    EXPECT_TRUE(contains(d.error().message, "image_nr_low")) << d.error().text();
}

TEST_F(Arina, FewerFramesThanTriggersAreIncomplete) {
    write_acquisition(49);
    auto d = nxmx::open(master, {});
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::incomplete);
    EXPECT_TRUE(contains(d.error().message, "36 of 49"));
    EXPECT_EQ(d.error().file, master);
    d = nxmx::open(master, {.allow_incomplete = true});
    ASSERT_TRUE(d);
    EXPECT_EQ(d->frames, 49);
    EXPECT_EQ(d->missing, 13);
    EXPECT_EQ(d->scan, (std::array<index, 2>{7, 7}));
    expect_pattern(*d, 36);
    std::vector<EncodedFrame> e(20);
    FetchScratch scratch;
    ASSERT_TRUE(d->source->fetch(29, e, scratch));
    EXPECT_NE(e[6].encoding, Encoding::missing);
    EXPECT_EQ(e[7].encoding, Encoding::missing);
    EXPECT_EQ(e[19].encoding, Encoding::missing);
}

TEST_F(Arina, TriggerModesCountDifferently) {
    Handle file = write_acquisition(36, "exte");
    // nimages does not count when the signal's length makes the frame.
    LibraryLock lock;
    std::string const at = "/entry/instrument/detector/detectorSpecific/nimages";
    H5Ldelete(file.id(), at.c_str(), H5P_DEFAULT);
    put_number(file.id(), at, 100);
    file = Handle();
    auto const d = nxmx::open(master, {});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->missing, 0);
}

TEST_F(Arina, AFileOfAnotherAcquisitionIsNamed) {
    write_acquisition();
    write_data_file(folder + "/" + data_name(3), 20, 10, H5T_STD_U16LE, 7);
    auto d = nxmx::open(master, {});
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().file, folder + "/" + data_name(3));
    EXPECT_TRUE(contains(d.error().message, "7x8"));
    EXPECT_TRUE(contains(d.error().message, "6x8"));
    write_data_file(folder + "/" + data_name(3), 20, 10, H5T_STD_U32LE);
    d = nxmx::open(master, {});
    ASSERT_FALSE(d);
    EXPECT_TRUE(contains(d.error().message, "uint32"));
    // Right shape, wrong place.
    write_data_file(folder + "/" + data_name(3), 70, 10);
    d = nxmx::open(master, {});
    ASSERT_FALSE(d);
    EXPECT_TRUE(contains(d.error().message, "71"));
    EXPECT_TRUE(contains(d.error().message, "21"));
}

TEST_F(Arina, ATruncatedDataFileIsNamed) {
    write_acquisition();
    std::string const path = folder + "/" + data_name(2);
    fs::resize_file(path, fs::file_size(path) - 50);
    auto const d = nxmx::open(master, {});
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::truncated);
    EXPECT_EQ(d.error().file, path);
}

TEST_F(Arina, TheMaskMayBeTwiceAsLarge) {
    std::vector<std::uint32_t> full(rows * cols);
    full[9] = 16;
    {
        Handle const file = write_acquisition();
        write_mask(file.id(), "/entry/instrument/detector/detectorSpecific/pixel_mask", rows, cols,
                   full);
    }
    auto d = nxmx::open(master, {});
    ASSERT_TRUE(d);
    EXPECT_EQ(d->pixel_mask, full);
    std::vector<std::uint32_t> twice(4 * rows * cols);
    twice[2 * (2 * cols) + 2] = 1;
    twice[3 * (2 * cols) + 3] = 16;
    {
        Handle const file = write_acquisition();
        write_mask(file.id(), "/entry/instrument/detector/detectorSpecific/pixel_mask", 2 * rows,
                   2 * cols, twice);
    }
    d = nxmx::open(master, {});
    ASSERT_TRUE(d);
    full[9] = 17;
    EXPECT_EQ(d->pixel_mask, full);
    EXPECT_TRUE(noted(*d, "merge2x2"));
    {
        Handle const file = write_acquisition();
        write_mask(file.id(), "/entry/instrument/detector/detectorSpecific/pixel_mask", 3, 5,
                   std::vector<std::uint32_t>(15));
    }
    d = nxmx::open(master, {});
    ASSERT_TRUE(d);
    EXPECT_TRUE(d->pixel_mask.empty());
    EXPECT_TRUE(noted(*d, "3x5"));
}

TEST_F(Arina, LinksAreOrderedByNumberNotByText) {
    {
        Handle const file = create_file(master);
        write_detector(file.id(), 16, 1, "exts");
        for (int i : {10, 9, 2, 1}) {
            int const at = i == 1 ? 0 : i == 2 ? 1 : i == 9 ? 2 : 3;
            write_data_file(fmt::format("{}/x{}.h5", folder, i), 4 * at, 4);
            link_data(file.id(), fmt::format("data_{}", i), fmt::format("x{}.h5", i));
        }
        link_data(file.id(), "data_note", "nothing.h5");
    }
    auto const d = nxmx::open(master, {});
    ASSERT_TRUE(d) << d.error().text();
    expect_pattern(*d, 16);
}

TEST_F(Arina, AllFramesMayBeInTheMaster) {
    write_data_file(master, 0, 16);
    {
        LibraryLock lock;
        Handle const file(H5Fopen(master.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
        write_detector(file.id(), 16, 1, "ints");
    }
    EXPECT_TRUE(nxmx::recognises(master, slurp(master)));
    auto const d = nxmx::open(master, {});
    ASSERT_TRUE(d) << d.error().text();
    expect_pattern(*d, 16);
    EXPECT_EQ(d->files.size(), 1u);
}

TEST_F(Arina, ADataFileAloneIsPlainHdf5) {
    write_data_file(folder + "/a.h5", 0, 9);
    auto const d = hdf5::open(folder + "/a.h5", {});
    ASSERT_TRUE(d);
    expect_pattern(*d, 9);
}

TEST_F(Arina, AMasterWithoutDataIsAnError) {
    {
        Handle const file = create_file(master);
        write_detector(file.id(), 16, 1, "exts");
    }
    auto const d = nxmx::open(master, {});
    ASSERT_FALSE(d);
    EXPECT_TRUE(contains(d.error().message, "no data files"));
}

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
        EXPECT_EQ(meta(*d, "high tension"), "300 kV");
        EXPECT_EQ(meta(*d, "detector number"), "E-01");
        EXPECT_TRUE(d->pixel_mask.empty());
        expect_channel(*d, 0);
        for (char const* name : {"threshold_2", "1"}) {
            OpenOptions o;
            o.channel = name;
            d = nxmx::open(master, o);
            ASSERT_TRUE(d) << d.error().text();
            expect_channel(*d, 1);
            EXPECT_EQ(meta(*d, "threshold energy"), "30 keV");
            ASSERT_EQ(d->pixel_mask.size(), 48u);
            EXPECT_EQ(d->pixel_mask[5], 2u);
        }
        for (char const* name : {"threshold_3", "3", "-1", "1x"}) {
            OpenOptions o;
            o.channel = name;
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
